//! What whoever started us left open, which is nobody's that we start.

use std::fs;

use nix::unistd::close;

/// Where the system lists what a process has open.
const LISTS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];
/// How many are closed where nothing lists them.
const MOST: i32 = 4096;
/// The last of the three that every program has: input, output and errors.
const LAST: i32 = 2;

/// Closes every descriptor above the three that every program has. A lock, a pipe or a key file that
/// our caller has open would reach checks otherwise, also those that run as another user. To be called
/// before anything is opened here: we use none of them, and what is ours closes itself at an exec.
pub(crate) fn close_inherited() {
    let all = open_now().unwrap_or_else(|| (LAST + 1..MOST).collect());
    for number in all {
        // One that is gone by now, as the list's own, is as good as closed.
        let _ = close(number);
    }
}

/// Lists the descriptors above the usual three; none where the system does not say.
fn open_now() -> Option<Vec<i32>> {
    let mut lists = LISTS.iter().filter_map(|list| fs::read_dir(list).ok());
    let entries = lists.next()?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Some(numbers.filter(|number| *number > LAST).collect())
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn what_is_open_is_listed_and_the_usual_three_are_not() {
        let file = fs::File::open("/dev/null").unwrap();

        let open = open_now().unwrap();

        assert!(open.contains(&file.as_raw_fd()), "{open:?}");
        assert!(open.iter().all(|number| *number > 2), "{open:?}");
    }
}
