//! Another user, as whom checks run (privilege separation, DESIGN section 5).

/// Who that is, by number: never root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CheckUser {
    /// The user.
    pub(crate) uid: u32,
    /// The one group.
    pub(crate) gid: u32,
}

impl CheckUser {
    /// Reads `UID:GID`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (uid, gid) = text.split_once(':')?;
        Self::of(uid, gid)
    }

    /// Reads two numbers: digits alone, above 0 and below 2^31, as in plan-auditor.
    pub(crate) fn of(uid: &str, gid: &str) -> Option<Self> {
        Some(Self {
            uid: number(uid)?,
            gid: number(gid)?,
        })
    }
}

/// Reads a number of a user or group that is not root.
fn number(text: &str) -> Option<u32> {
    const END: u32 = 1 << 31;
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain)?;
    (1..END).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_numbers_that_are_not_root_name_a_user() {
        let user = CheckUser { uid: 1000, gid: 7 };

        assert_eq!(CheckUser::parse("1000:7"), Some(user));
        for text in [
            "",
            "1000",
            "0:7",
            "7:0",
            "-1:7",
            "+1:7",
            "1:2147483648",
            "a:b",
            "1:2:3",
            " 1:2",
        ] {
            assert_eq!(CheckUser::parse(text), None, "{text}");
        }
    }
}
