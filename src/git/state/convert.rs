//! What git makes of bytes between disk and object: line ends, `$Id$`, encoding.
//!
//! Filter drivers are not here at all, so none can ever be started.

use gix::bstr::ByteSlice as _;
use gix::filter::plumbing::eol::{self, AttributesDigest as Text, Configuration};
use gix::filter::plumbing::ident;
use gix::hash::Kind;
use gix::objs;

use super::encoding::{Encoding, Unserved};

/// What the attributes and settings in force ask for at one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::git) struct Conversion {
    /// How line ends are treated; settings are resolved into it where no attribute speaks.
    pub(super) text: Text,
    /// Whether `$Id$` is expanded.
    pub(super) ident: bool,
    /// The encoding on disk; an error is one that we do not serve.
    pub(super) encoding: Result<Option<Encoding>, Unserved>,
    /// The name of the filter driver.
    pub(in crate::git) filter: Option<Vec<u8>>,
}

/// The settings that matter to line ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::git) struct Settings(Configuration);

impl Settings {
    /// The settings of a checkout that knows tracked attributes alone (D17).
    pub(in crate::git) const NEUTRAL: Self = Self(Configuration {
        auto_crlf: eol::AutoCrlf::Disabled,
        eol: Some(eol::Mode::Lf),
    });

    /// Takes `core.autocrlf` and `core.eol`.
    pub(super) const fn new(auto_crlf: eol::AutoCrlf, eol: Option<eol::Mode>) -> Self {
        Self(Configuration { auto_crlf, eol })
    }

    /// Returns what holds for a path whose attributes say nothing of line ends.
    pub(super) fn unspoken(self) -> Text {
        self.0.auto_crlf.into()
    }
}

/// Tells whether the blob in the index has CRLF, which keeps `text=auto` from converting.
pub(super) type HasCrlf<'a> = dyn FnMut() -> Result<bool, Unserved> + 'a;

impl Conversion {
    /// Says whether bytes pass unchanged both ways.
    pub(in crate::git) fn is_identity(&self) -> bool {
        self.filter.is_none() && self.is_identity_but_filter()
    }

    /// Says whether nothing but a filter driver would touch bytes.
    pub(in crate::git) fn is_identity_but_filter(&self) -> bool {
        self.text == Text::Binary && !self.ident && self.encoding == Ok(None)
    }

    /// Returns the bytes that git would store for the bytes on disk.
    pub(super) fn to_git(
        &self,
        settings: Settings,
        disk: &[u8],
        in_index: &mut HasCrlf<'_>,
    ) -> Result<Vec<u8>, Unserved> {
        let mut bytes = match self.encoding? {
            Some(encoding) => encoding.to_git(disk)?,
            None => disk.to_vec(),
        };
        let mut changed = Vec::new();
        if self.drops_crlf(settings, &bytes, &mut changed, in_index)? {
            std::mem::swap(&mut bytes, &mut changed);
        }
        if self.ident && ident::undo(&bytes, &mut changed).map_err(|_| Unserved)? {
            std::mem::swap(&mut bytes, &mut changed);
        }
        Ok(bytes)
    }

    /// Turns CRLF into LF where the rules say so; says whether `out` holds the result.
    fn drops_crlf(
        &self,
        settings: Settings,
        bytes: &[u8],
        out: &mut Vec<u8>,
        in_index: &mut HasCrlf<'_>,
    ) -> Result<bool, Unserved> {
        let options = eol::convert_to_git::Options {
            round_trip_check: None,
            config: settings.0,
        };
        let mut unserved = false;
        let mut index = |blob: &mut Vec<u8>| {
            blob.clear();
            match in_index() {
                // The reader only asks whether there is CRLF in text: this is the least of it.
                Ok(true) => blob.extend_from_slice(b"a\r\n"),
                Ok(false) => {}
                Err(Unserved) => unserved = true,
            }
            Ok(Some(()))
        };
        let done = eol::convert_to_git(bytes, self.text, out, &mut index, options);
        match done {
            Ok(done) if !unserved => Ok(done),
            Ok(_) | Err(_) => Err(Unserved),
        }
    }

    /// Returns the bytes that a checkout would write for a stored blob.
    pub(in crate::git) fn to_worktree(
        &self,
        settings: Settings,
        kind: Kind,
        blob: &[u8],
    ) -> Result<Vec<u8>, Unserved> {
        let mut bytes = if self.ident {
            expand_id(kind, blob)?
        } else {
            blob.to_vec()
        };
        let mut changed = Vec::new();
        if eol::convert_to_worktree(&bytes, self.text, &mut changed, settings.0)
            .map_err(|_| Unserved)?
        {
            bytes = changed;
        }
        match self.encoding? {
            Some(encoding) => encoding.to_worktree(&bytes),
            None => Ok(bytes),
        }
    }
}

/// Says whether a blob is text with CRLF in it, by git's measure.
pub(super) fn is_text_with_crlf(blob: &[u8]) -> bool {
    blob.contains(&b'\r') && {
        let stats = eol::Stats::from_bytes(blob);
        !stats.is_binary() && stats.crlf > 0
    }
}

/// Expands `$Id$` as git writes it, with a blank before the closing dollar.
///
/// A blob that already holds an expanded `$Id: ...$` is left to nobody's guess.
fn expand_id(kind: Kind, blob: &[u8]) -> Result<Vec<u8>, Unserved> {
    if blob.find(b"$Id:").is_some() {
        return Err(Unserved);
    }
    if blob.find(b"$Id$").is_none() {
        return Ok(blob.to_vec());
    }
    let id = objs::compute_hash(kind, objs::Kind::Blob, blob).map_err(|_| Unserved)?;
    Ok(blob.replace("$Id$", format!("$Id: {id} $")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a conversion of line ends only.
    fn text(text: Text) -> Conversion {
        Conversion {
            text,
            ident: false,
            encoding: Ok(None),
            filter: None,
        }
    }

    #[test]
    fn automatic_text_keeps_crlf_that_the_index_has() {
        let auto = text(Text::TextAutoInput);
        let neutral = Settings::NEUTRAL;

        let fresh = auto.to_git(neutral, b"a\r\nb\r\n", &mut || Ok(false));
        let kept = auto.to_git(neutral, b"a\r\nb\r\n", &mut || Ok(true));
        let unknown = auto.to_git(neutral, b"a\r\nb\r\n", &mut || Err(Unserved));

        assert_eq!(fresh.unwrap(), b"a\nb\n");
        assert_eq!(kept.unwrap(), b"a\r\nb\r\n");
        assert!(unknown.is_err());
    }

    #[test]
    fn ids_come_and_go() {
        let mut ident = text(Text::Binary);
        ident.ident = true;

        let disk = ident.to_worktree(Settings::NEUTRAL, Kind::Sha1, b"x $Id$\n");
        let disk = disk.unwrap();
        let back = ident.to_git(Settings::NEUTRAL, &disk, &mut || Ok(false));

        assert!(disk.starts_with(b"x $Id: ") && disk.ends_with(b" $\n"));
        assert_eq!(back.unwrap(), b"x $Id$\n");
    }
}
