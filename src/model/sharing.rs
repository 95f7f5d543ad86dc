//! Who else may use what is made below a git directory: `core.sharedRepository`, by git's rules.

/// Bits that the owner's write permission stands for.
const WRITE: u32 = 0o222;
/// Bits that read permission stands for.
const READ: u32 = 0o444;
/// New names in a directory get its group.
const SET_GROUP: u32 = 0o2000;

/// What `core.sharedRepository` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Sharing {
    /// The user's mask decides.
    #[default]
    Mask,
    /// These permissions are added.
    Add(u32),
    /// These permissions are set, whatever the mask says.
    Exactly(u32),
}

impl Sharing {
    /// Files for the group.
    pub(crate) const GROUP: Self = Self::Add(0o660);

    /// Reads a value as git does; none if git refuses it.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        match value.to_ascii_lowercase().as_str() {
            "umask" | "false" | "no" | "off" | "" => return Some(Self::Mask),
            "group" | "true" | "yes" | "on" => return Some(Self::GROUP),
            "all" | "world" | "everybody" => return Some(Self::Add(0o664)),
            _ => {}
        }
        match u32::from_str_radix(value, 8).ok()? {
            0 => Some(Self::Mask),
            1 => Some(Self::GROUP),
            2 => Some(Self::Add(0o664)),
            mode if mode & 0o600 == 0o600 => Some(Self::Exactly(mode & 0o666)),
            _ => None,
        }
    }

    /// Returns the mode that a file or directory of this mode gets.
    pub(crate) const fn mode(self, old: u32, is_directory: bool) -> u32 {
        let (Self::Add(asked) | Self::Exactly(asked)) = self else {
            return old;
        };
        let mut more = asked;
        if old & 0o200 == 0 {
            more &= !WRITE;
        }
        if old & 0o100 != 0 {
            more |= (more & READ) >> 2;
        }
        let new = match self {
            Self::Exactly(_) => (old & !0o777) | more,
            Self::Add(_) | Self::Mask => old | more,
        };
        if !is_directory {
            return new;
        }
        let new = new | ((new & READ) >> 2);
        if new & 0o060 == 0 {
            new
        } else {
            new | SET_GROUP
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_git_reads_them() {
        for (value, expected) in [
            ("umask", Some(Sharing::Mask)),
            ("0", Some(Sharing::Mask)),
            ("false", Some(Sharing::Mask)),
            ("true", Some(Sharing::GROUP)),
            ("Group", Some(Sharing::GROUP)),
            ("1", Some(Sharing::GROUP)),
            ("world", Some(Sharing::Add(0o664))),
            ("2", Some(Sharing::Add(0o664))),
            ("0640", Some(Sharing::Exactly(0o640))),
            ("0775", Some(Sharing::Exactly(0o664))),
            ("0440", None),
            ("nobody", None),
        ] {
            assert_eq!(Sharing::parse(value), expected, "{value}");
        }
    }

    #[test]
    fn modes_are_those_that_git_gives() {
        for (sharing, old, is_directory, expected) in [
            (Sharing::Mask, 0o600, false, 0o600),
            (Sharing::GROUP, 0o644, false, 0o664),
            (Sharing::GROUP, 0o444, false, 0o444),
            (Sharing::GROUP, 0o600, false, 0o660),
            (Sharing::GROUP, 0o755, true, 0o2775),
            (Sharing::GROUP, 0o700, true, 0o2770),
            (Sharing::Add(0o664), 0o600, false, 0o664),
            (Sharing::Exactly(0o640), 0o644, false, 0o640),
            (Sharing::Exactly(0o640), 0o444, false, 0o440),
            (Sharing::Exactly(0o600), 0o755, true, 0o700),
        ] {
            let mode = sharing.mode(old, is_directory);

            assert_eq!(mode, expected, "{sharing:?} {old:o}");
        }
    }
}
