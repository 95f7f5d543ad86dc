//! One line on a terminal that tells what goes on: a spinner, the time so far, the last word of it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the spinner turns.
const TURN: Duration = Duration::from_millis(120);
/// What the line holds; the last word is cut to the width of the terminal.
const TEMPLATE: &str = "{spinner} {prefix} {elapsed} {wide_msg}";

/// The line. Nothing of it is left when it ends; texts are shown as they come, so they must be safe.
#[derive(Debug)]
pub(crate) struct Live {
    bar: Mutex<Option<ProgressBar>>,
    target: fn() -> ProgressDrawTarget,
}

impl Live {
    /// Makes a line on standard error; nothing is shown yet.
    pub(crate) const fn on_stderr() -> Self {
        Self::on(ProgressDrawTarget::stderr)
    }

    /// Makes a line on something.
    const fn on(target: fn() -> ProgressDrawTarget) -> Self {
        Self {
            bar: Mutex::new(None),
            target,
        }
    }

    /// Begins to tell of something.
    pub(crate) fn begin(&self, what: &str) {
        let bar = ProgressBar::with_draw_target(None, (self.target)());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(TURN);
        self.put(Some(bar));
    }

    /// Tells the last word of it.
    pub(crate) fn say(&self, word: &str) {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = bar.as_ref() {
            bar.set_message(word.to_owned());
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        self.put(None);
    }

    /// Puts another line in the place of the one that is there.
    fn put(&self, next: Option<ProgressBar>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = std::mem::replace(&mut *bar, next) {
            last.finish_and_clear();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use indicatif::TermLike;

    use super::*;

    /// All that the terminal of this test was sent.
    static SENT: Mutex<String> = Mutex::new(String::new());

    /// A terminal of 40 columns.
    #[derive(Debug)]
    struct Terminal;

    impl Terminal {
        fn send(text: &str) {
            SENT.lock().unwrap().push_str(text);
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            40
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            Self::send(&format!("{text}\n"));
            Ok(())
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            Self::send(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Self::send("<clear>");
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_line_tells_the_last_word_cut_to_the_width_and_ends_cleared() {
        let live = Live::on(|| ProgressDrawTarget::term_like_with_hz(Box::new(Terminal), 255));
        live.say("nobody listens yet");
        live.begin("step 1");

        live.say("first");
        live.say(&"long ".repeat(100));
        drop(live);

        let sent = SENT.lock().unwrap();
        assert!(sent.contains("step 1 0s"), "{sent}");
        assert!(
            !sent.contains("nobody") && !sent.contains(&"long ".repeat(9)),
            "{sent}"
        );
        assert!(sent.ends_with("<clear>"), "{sent}");
    }
}
