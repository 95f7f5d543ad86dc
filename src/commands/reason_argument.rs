//! Reading a reason from the command line.

/// The longest reason, in bytes: it has to be read by a person.
const LONGEST: usize = 2000;

/// Reads a reason: something that is said, and not too long.
pub(super) fn read(text: &str) -> Result<String, String> {
    let reason = text.trim();
    if reason.is_empty() {
        return Err("say why, in words".to_owned());
    }
    if reason.len() > LONGEST {
        return Err(format!("say it in at most {LONGEST} bytes"));
    }
    Ok(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_says_something() {
        assert_eq!(read(" because \n"), Ok("because".to_owned()));
        for text in ["", "  ", &"x".repeat(LONGEST + 1)] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
