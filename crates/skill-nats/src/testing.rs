//! A real `nats-server` for tests and benchmarks: on loopback, on a free port, with JetStream in a
//! temporary directory. It is ended by its process id.
#![expect(
    clippy::disallowed_methods,
    reason = "only tests come here, and they start a server"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use skill_testing::{Need, skip};
use tempfile::TempDir;

/// The time limit for the start of a server.
const START: Duration = Duration::from_secs(20);

/// A server that ends when this is dropped.
#[derive(Debug)]
pub struct TestServer {
    dir: TempDir,
    more: String,
    port: u16,
    child: Option<Child>,
}

impl TestServer {
    /// Starts a server; `None` skips the test where there is no `nats-server`.
    pub fn start() -> Option<Self> {
        Self::start_with("")
    }

    /// Starts a server with more lines in its configuration. `{dir}` is replaced by its directory.
    pub fn start_with(more: &str) -> Option<Self> {
        let found = program().ok_or_else(|| "there is no nats-server".to_owned());
        skip::unless(Need::Nats, found)?;
        let dir = tempfile::tempdir().expect("a temporary directory can be created");
        let more = more.replace("{dir}", &dir.path().to_string_lossy());
        let mut res = Self {
            dir,
            more,
            port: 0,
            child: None,
        };
        res.restart();
        Some(res)
    }

    /// Returns the directory of the server, for files of its configuration.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server. Its data is kept.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts the server again on the same port with its data.
    pub fn restart(&mut self) {
        self.kill();
        let ports = self.dir.path().join("ports");
        let _ = fs::remove_dir_all(&ports);
        fs::create_dir_all(&ports).expect("a directory can be made");
        let config = self.dir.path().join("server.conf");
        let port = if self.port == 0 {
            -1
        } else {
            i32::from(self.port)
        };
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{}\"\njetstream {{ store_dir: \"{}\" }}\n{}\n",
            ports.display(),
            self.dir.path().join("jetstream").display(),
            self.more
        );
        fs::write(&config, text).expect("a file can be written");
        let log = fs::File::create(self.dir.path().join("log")).expect("a file can be made");
        let child = Command::new(program().unwrap_or_default())
            .arg("-c")
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("nats-server starts");
        self.child = Some(child);
        self.port = self.await_port(&ports);
    }

    fn await_port(&mut self, ports: &Path) -> u16 {
        let start = Instant::now();
        while start.elapsed() < START {
            if let Some(port) = read_port(ports) {
                return port;
            }
            let ended = self
                .child
                .as_mut()
                .and_then(|child| child.try_wait().ok().flatten());
            assert!(ended.is_none(), "nats-server ended: {}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("nats-server does not listen: {}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the port from the file that the server writes when it listens.
fn read_port(ports: &Path) -> Option<u16> {
    let file = fs::read_dir(ports).ok()?.next()?.ok()?.path();
    let text = fs::read_to_string(file).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    let url = value["nats"][0].as_str()?;
    url.rsplit(':').next()?.parse().ok()
}

/// Returns the server program: of the system, or unpacked by `cargo xtask nats-server`.
fn program() -> Option<PathBuf> {
    let of_system = [
        "/usr/sbin/nats-server",
        "/usr/local/bin/nats-server",
        "/usr/bin/nats-server",
    ];
    let unpacked = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/nats-server/root/usr/sbin/nats-server");
    let all = of_system.iter().map(PathBuf::from).chain([unpacked]);
    all.into_iter()
        .find(|path| is_program(path).unwrap_or(false))
}

fn is_program(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.is_file())
}
