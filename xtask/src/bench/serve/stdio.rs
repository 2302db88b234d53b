//! One agent over standard input and output.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::client;

pub(in crate::bench) struct Agent {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Agent {
    /// Starts a server and waits for its first answer.
    pub(in crate::bench) fn start(tool: &Path, skills: &Path) -> Result<Self> {
        let mut child = Command::new(tool)
            .arg(skills)
            .args(["--stdio", "--max-directories", "1000000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", tool.display()))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = child.stdout.take().context("no standard output")?;
        let mut res = Self {
            child,
            input: BufWriter::new(input),
            output: BufReader::with_capacity(1 << 16, output),
            line: Vec::new(),
        };
        res.say(&client::initialize())?;
        res.input.flush()?;
        res.hear()?;
        res.say(&client::initialized())?;
        res.input.flush()?;
        Ok(res)
    }

    pub(in crate::bench) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        serde_json::to_writer(&mut self.input, message)?;
        Ok(self.input.write_all(b"\n")?)
    }

    fn hear(&mut self) -> Result<()> {
        self.line.clear();
        let n = self.output.read_until(b'\n', &mut self.line)?;
        ensure!(n > 0, "the server has gone");
        Ok(())
    }

    /// Reads one skill of any size.
    pub(in crate::bench) fn first(&mut self) -> Result<()> {
        self.input.write_all(client::read(1).as_bytes())?;
        self.input.write_all(b"\n")?;
        self.input.flush()?;
        self.hear()?;
        let answer: Value = serde_json::from_slice(&self.line)?;
        let is_skill = answer["id"] == 1 && answer["result"]["isError"] != true;
        ensure!(
            is_skill && answer["result"].is_object(),
            "the answer is {answer}"
        );
        Ok(())
    }

    /// Reads `n` skills, `window` of them at a time; returns the time of each.
    pub(super) fn reads(&mut self, n: u32, window: usize) -> Result<Vec<Duration>> {
        let n = usize::try_from(n)?;
        let mut begun = vec![None; n + 1];
        let mut times = Vec::with_capacity(n);
        let mut next = 1;
        while times.len() < n {
            while next <= n && next - times.len() <= window {
                begun[next] = Some(Instant::now());
                self.input.write_all(client::read(next).as_bytes())?;
                self.input.write_all(b"\n")?;
                next += 1;
            }
            self.input.flush()?;
            self.hear()?;
            let id = client::answered(&self.line).context("an answer is not a skill")?;
            let start = begun.get_mut(id).and_then(Option::take);
            times.push(start.context("an answer to no question")?.elapsed());
        }
        Ok(times)
    }

    /// Closes its input and waits for it to end.
    pub(in crate::bench) fn end(self) -> Result<()> {
        let Self {
            mut child, input, ..
        } = self;
        drop(input);
        let status = child.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}
