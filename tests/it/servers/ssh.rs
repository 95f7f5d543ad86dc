//! Pushes over ssh, to an sshd on loopback that ends with the test.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::Server;
use crate::support::{Key, World, need};

/// An sshd, which is ended when it is dropped.
struct Daemon {
    child: Child,
    port: u16,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Finds sshd, which wants to be called by its path.
fn sshd() -> PathBuf {
    let places = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"];
    let found = places.into_iter().find(|path| Path::new(path).is_file());
    PathBuf::from(found.unwrap())
}

/// Returns a port of loopback that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Daemon {
    /// Starts one that knows the key of a client.
    fn start(world: &World, client: &Key) -> Self {
        let host = Key::make(world, "host");
        let folder = world.home().join("sshd");
        fs::create_dir_all(&folder).unwrap();
        let authorized = folder.join("authorized_keys");
        fs::write(&authorized, format!("{}\n", client.public())).unwrap();
        let port = free_port();
        let path = std::env::join_paths(crate::support::search_path()).unwrap();
        let config = format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n\
             SetEnv PATH=\"{}\" HOME=\"{}\" GIT_CONFIG_GLOBAL=\"{}\" GIT_CONFIG_NOSYSTEM=1\n",
            host.path(),
            authorized.display(),
            path.to_str().unwrap(),
            world.home().display(),
            world.home().join("gitconfig").display(),
        );
        let file = folder.join("config");
        fs::write(&file, config).unwrap();
        let line = ["-D", "-e", "-f", file.to_str().unwrap()];
        let program = sshd();
        let mut command = world.command(program.to_str().unwrap(), &world.home(), line);
        let log = fs::File::create(folder.join("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let daemon = Self { child, port };
        daemon.answers(&folder.join("log"));
        daemon
    }

    /// Waits until it answers.
    fn answers(&self, log: &Path) {
        let until = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "{:?}", fs::read_to_string(log));
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }
}

#[test]
fn pushes_over_ssh_are_judged() {
    if !need("sshd") {
        return;
    }
    let server = Server::new().with_bad_work();
    let client = Key::make(&server.clone, "client");
    // Where sshd runs as root, it wants this directory.
    if crate::support::is_root() {
        fs::create_dir_all("/run/sshd").unwrap();
    }
    let daemon = Daemon::start(&server.clone, &client);
    let command = format!(
        "ssh -F none -p {} -i {} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o \
         UserKnownHostsFile=/dev/null -o LogLevel=ERROR",
        daemon.port,
        client.path()
    );
    server.clone.git(["config", "core.sshCommand", &command]);
    let url = format!("ssh://127.0.0.1{}", server.bare.top.display());
    server.clone.git(["remote", "set-url", "origin", &url]);

    let server = server.judging();
    drop((daemon, server));
}
