//! HMAC keys: files outside the workspace that only their owner reads.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use ::hmac::{Hmac, KeyInit as _, Mac as _};
use nix::fcntl::OFlag;
use sha2::Sha256;

use super::SignError;
use crate::local::file::{self, Access, Existing};
use crate::local::random;
use crate::model::ids::{Digest, Writer};
use crate::model::record::Proof;
use crate::wire::digest::sha256;

/// The shortest key, in bytes.
const SHORTEST: usize = 32;
/// The largest key file that is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// An HMAC key. It is never shown and never in an environment.
#[derive(Clone)]
pub(crate) struct HmacKey {
    /// The key.
    bytes: Vec<u8>,
    /// The first 16 hex digits of SHA-256 over it.
    id: String,
    /// Its name in records.
    writer: Writer,
    /// Its file.
    path: PathBuf,
}

impl fmt::Debug for HmacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey")
            .field("id", &self.id)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl HmacKey {
    /// Reads a key file: the bytes without white space around them, as plan-auditor reads them.
    ///
    /// The file must be a regular one of ours or root's that nobody else can read, and it must
    /// lie in none of the directories `inside`. A link to such a file will do.
    pub(crate) fn read(path: &Path, inside: &[&Path]) -> Result<Self, SignError> {
        let refuse = |why| SignError::Unsafe {
            path: path.to_owned(),
            why,
        };
        let unreadable = |cause| SignError::File {
            path: path.to_owned(),
            cause,
        };
        let real = path.canonicalize().map_err(unreadable)?;
        if is_below(&real, inside) {
            return Err(refuse("it lies in the workspace or the repository"));
        }
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(flags.bits())
            .open(&real)
            .map_err(unreadable)?;
        let found = file.metadata().map_err(unreadable)?;
        if let Some(why) = fault(&found) {
            return Err(refuse(why));
        }
        let mut bytes = Vec::new();
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(unreadable)?;
        Self::new(trim(&bytes), path).ok_or_else(|| refuse("it has fewer than 32 bytes"))
    }

    /// Makes a key file that must not be there: 32 random bytes as hex digits, for the owner only.
    pub(crate) fn make(path: &Path, inside: &[&Path]) -> Result<Self, SignError> {
        let failed = |cause| SignError::File {
            path: path.to_owned(),
            cause,
        };
        let directory = path.parent().unwrap_or(path);
        std::fs::create_dir_all(directory).map_err(failed)?;
        if is_below(&directory.canonicalize().map_err(failed)?, inside) {
            return Err(SignError::Unsafe {
                path: path.to_owned(),
                why: "it lies in the workspace or the repository",
            });
        }
        let drawn = Digest::new(random::bytes().map_err(failed)?);
        let text = format!("{drawn}\n");
        file::write(path, text.as_bytes(), Access::Private, Existing::Refuse)
            .map_err(SignError::Keep)?;
        Self::read(path, inside)
    }

    /// Names a key; none when it is too short.
    fn new(bytes: &[u8], path: &Path) -> Option<Self> {
        let id: String = sha256(bytes).to_string().chars().take(16).collect();
        let writer = Writer::parse(&format!("hmac:{id}"))?;
        (bytes.len() >= SHORTEST).then(|| Self {
            bytes: bytes.to_vec(),
            id,
            writer,
            path: path.to_owned(),
        })
    }

    /// Returns the name of the key in records.
    pub(crate) fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Returns the file of the key.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the key itself, for checking MACs; it must not leave this process.
    pub(crate) fn secret(&self) -> &[u8] {
        &self.bytes
    }

    /// Makes the proof of a message.
    pub(super) fn mac(&self, message: &[u8]) -> Result<Proof, SignError> {
        let hmac = Hmac::<Sha256>::new_from_slice(&self.bytes);
        let mut hmac = hmac.map_err(|_| SignError::Unsafe {
            path: self.path.clone(),
            why: "it has no usable length",
        })?;
        hmac.update(message);
        Ok(Proof::Hmac {
            key: self.id.clone(),
            mac: Digest::new(hmac.finalize().into_bytes().into()),
        })
    }
}

/// Says why a file does not protect a key; none when it does.
fn fault(found: &std::fs::Metadata) -> Option<&'static str> {
    let owner = found.uid();
    if !found.is_file() {
        Some("it is not a regular file")
    } else if owner != 0 && owner != nix::unistd::geteuid().as_raw() {
        Some("it belongs to somebody else")
    } else if found.mode() & 0o077 != 0 {
        Some("others can read or write it (chmod 600)")
    } else if found.len() > LARGEST {
        Some("it has more than 64 KiB")
    } else {
        None
    }
}

/// Says whether a resolved path lies in one of the directories.
fn is_below(path: &Path, directories: &[&Path]) -> bool {
    directories.iter().any(|directory| {
        let real = directory.canonicalize();
        path.starts_with(real.as_deref().unwrap_or(directory))
    })
}

/// Drops white space around a key: blank, tab, line feed, vertical tab, form feed, return.
fn trim(bytes: &[u8]) -> &[u8] {
    let is_ink = |byte: &u8| !matches!(byte, b' ' | b'\t'..=b'\r');
    let Some(start) = bytes.iter().position(is_ink) else {
        return &[];
    };
    let end = bytes
        .iter()
        .rposition(is_ink)
        .map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::RecordId;
    use crate::sign::Key;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn write(path: &Path, bytes: &[u8], mode: u32) {
        std::fs::write(path, bytes).unwrap();
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_mac_is_that_of_rfc_2104_over_the_message() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("key");
        write(&path, b" 0123456789abcdef0123456789abcdef\r\n", 0o600);
        let key = HmacKey::read(&path, &[]).unwrap();

        assert_eq!(key.secret(), b"0123456789abcdef0123456789abcdef");
        assert_eq!(key.writer().to_string(), "hmac:3eb1bd439947eb76");
        let Proof::Hmac { key: id, mac } = Key::Hmac(key).prove(&RecordId::NONE).unwrap() else {
            panic!("not a MAC");
        };
        assert_eq!(id, "3eb1bd439947eb76");
        assert_eq!(
            mac.to_string(),
            "29ef35e9b2bef0454cafe8932845924f9004c53a2d1cc4b063c8ab9b8d25291c"
        );
    }

    #[test]
    fn a_made_key_is_private_and_is_not_overwritten() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("keys/team");

        let key = HmacKey::make(&path, &[]).unwrap();

        assert_eq!(key.secret().len(), 64);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(HmacKey::make(&path, &[]).is_err());
        assert_eq!(HmacKey::read(&path, &[]).unwrap().writer(), key.writer());
        let shown = format!("{key:?}");
        assert!(
            !shown.contains(std::str::from_utf8(key.secret()).unwrap()),
            "{shown}"
        );
    }

    #[test]
    fn a_file_that_does_not_protect_its_key_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("key");
        let long = [b'x'; 40];
        for (bytes, mode, why) in [
            (&long[..], 0o640, "others"),
            (&long[..], 0o604, "others"),
            (&long[..31], 0o600, "fewer than 32"),
            (&[b'\n'; 40][..], 0o600, "fewer than 32"),
            (&vec![b'x'; 70_000][..], 0o600, "64 KiB"),
        ] {
            write(&path, bytes, mode);

            let error = HmacKey::read(&path, &[]).unwrap_err().to_string();

            assert!(error.contains(why), "{error}");
        }
        assert!(HmacKey::read(temp.path(), &[]).is_err());
        assert!(HmacKey::read(&temp.path().join("none"), &[]).is_err());
    }

    #[test]
    fn a_key_in_the_workspace_is_refused_also_through_a_link() {
        let temp = tempfile::tempdir().unwrap();
        let workspace = temp.path().join("work");
        std::fs::create_dir_all(&workspace).unwrap();
        let path = workspace.join("key");
        write(&path, &[b'x'; 32], 0o600);
        let link = temp.path().join("link");
        symlink(&path, &link).unwrap();

        for place in [&path, &link] {
            assert!(HmacKey::read(place, &[&workspace]).is_err());
            assert!(HmacKey::read(place, &[]).is_ok());
        }
        assert!(HmacKey::make(&workspace.join("new"), &[&workspace]).is_err());
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();

        assert!(HmacKey::read(&path, &[]).is_err());
    }
}
