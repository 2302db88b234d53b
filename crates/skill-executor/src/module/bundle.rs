//! The JavaScript end of the bridge, as one program.

/// Reads the program from the channel and starts it; small enough for a command line.
pub(super) const BOOT: &str = include_str!("../../bridge/boot.js");

/// The answers in place of the old host, as a file of its own.
pub(crate) const ANSWERS: &str = include_str!("../../bridge/host.js");

/// The files by the name that they call each other; the last one starts.
const PARTS: [(&str, &str); 11] = [
    ("./channel", include_str!("../../bridge/channel.js")),
    ("./host", ANSWERS),
    ("./result", include_str!("../../bridge/result.js")),
    ("./plugin", include_str!("../../bridge/plugin.js")),
    ("./pattern", include_str!("../../bridge/pattern.js")),
    ("./router", include_str!("../../bridge/router.js")),
    ("./request", include_str!("../../bridge/request.js")),
    ("./response", include_str!("../../bridge/response.js")),
    ("./body", include_str!("../../bridge/body.js")),
    ("./site", include_str!("../../bridge/site.js")),
    ("./main", include_str!("../../bridge/main.js")),
];

/// `require` for the parts; every other name is Node's.
const HEAD: &str = "(function (outer) {
const parts = Object.create(null), loaded = Object.create(null);
const use = name => {
  if (!(name in parts)) return outer(name);
  if (!(name in loaded)) parts[name](loaded[name] = { exports: {} }, use);
  return loaded[name].exports;
};
";

/// An expression: a function of Node's `require` that starts the bridge.
pub(super) fn program() -> String {
    let mut res = HEAD.to_owned();
    for (name, source) in PARTS {
        res.extend([
            "parts['",
            name,
            "'] = function (module, require) {\n",
            source,
            "};\n",
        ]);
    }
    res.push_str("use('./main');\n})");
    res
}
