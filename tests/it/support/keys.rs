//! Keys that tests hold themselves, made with ssh-keygen.

use std::fs;
use std::path::PathBuf;

use super::World;

/// An ed25519 key of a test.
#[derive(Debug)]
pub(crate) struct Key {
    /// The private file.
    pub(crate) file: PathBuf,
}

impl Key {
    /// Makes a key outside every repository of a world.
    pub(crate) fn make(world: &World, name: &str) -> Self {
        let folder = world.home().join("test-keys");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(name);
        let path = file.to_str().unwrap();
        world.tool(
            "ssh-keygen",
            ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path],
        );
        Self { file }
    }

    /// Finds the key that `init` made.
    pub(crate) fn own(world: &World) -> Self {
        let folder = world.home().join(".config/git-plan-audit/keys");
        let files = fs::read_dir(folder).unwrap();
        let mut keys: Vec<PathBuf> = files
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.with_extension("pub").exists() && path.extension().is_none())
            .collect();
        assert_eq!(keys.len(), 1, "{keys:?}");
        Self {
            file: keys.remove(0),
        }
    }

    /// Returns the path as text.
    pub(crate) fn path(&self) -> &str {
        self.file.to_str().unwrap()
    }

    /// Returns the public half as one line: type and base64.
    pub(crate) fn public(&self) -> String {
        let text = fs::read_to_string(self.file.with_extension("pub")).unwrap();
        text.split(' ').take(2).collect::<Vec<_>>().join(" ")
    }

    /// Returns a list of signers that holds this key alone, for our namespace.
    pub(crate) fn signers(&self) -> String {
        format!(
            "ci@example.com namespaces=\"git-plan-audit\" {}\n",
            self.public()
        )
    }

    /// Commits a list of signers with this key and makes it the key of the clone.
    #[track_caller]
    pub(crate) fn listed(&self, world: &World) {
        world.commit(".plan-auditor/allowed_signers", self.signers());
        world
            .run(["init", "--no-hooks", "--key", self.path()])
            .exits(0);
    }

    /// Returns the name of the key in records.
    pub(crate) fn writer(&self, world: &World) -> String {
        let text = world.tool("ssh-keygen", ["-lf", self.path()]).stdout;
        format!("ssh:{}", text.split(' ').nth(1).unwrap())
    }

    /// Signs bytes for a namespace and returns the base64 of the SSHSIG blob.
    pub(crate) fn sign(&self, world: &World, namespace: &str, bytes: &[u8]) -> String {
        let file = world.home().join("to-sign");
        fs::write(&file, bytes).unwrap();
        let path = file.to_str().unwrap();
        world.tool(
            "ssh-keygen",
            ["-q", "-Y", "sign", "-f", self.path(), "-n", namespace, path],
        );
        let signature = file.with_extension("sig");
        let armored = fs::read_to_string(&signature).unwrap();
        fs::remove_file(signature).unwrap();
        armored
            .lines()
            .filter(|line| !line.starts_with("-----"))
            .collect()
    }
}
