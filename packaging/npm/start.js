"use strict";
// Starts the program of the package for this system, with the arguments and streams of this process.
// The exit status is that of the program.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

/** The path of the program, or undefined if its package is not installed. */
function find() {
  try {
    return require.resolve(`@skills-tools/${process.platform}-${process.arch}/bin/skills`);
  } catch {
    return undefined;
  }
}

module.exports = (...words) => {
  const program = find();
  if (program === undefined) {
    console.error(
      `skills-tools: found no package for ${process.platform}-${process.arch}, expected ` +
        `@skills-tools/${process.platform}-${process.arch}; install without --omit=optional, ` +
        "on a system that README.md names",
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(program, [...words, ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends SIGINT to the program itself, which decides what it means.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`skills-tools: cannot start ${program}: ${error.message}`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : code);
  });
};
