//! Lines on a terminal that tell what goes on: a spinner, the time so far, the last word of each.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a spinner turns.
const TURN: Duration = Duration::from_millis(120);
/// What a line holds; the last word is cut to the width of the terminal.
const TEMPLATE: &str = "{spinner} {prefix} {elapsed} {wide_msg}";

/// The lines, by number. Nothing of one is left when it ends; texts are shown as they come, so they
/// must be safe.
#[derive(Debug)]
pub(crate) struct Live {
    all: MultiProgress,
    bars: Mutex<BTreeMap<u64, ProgressBar>>,
}

impl Live {
    /// Makes room for lines on standard error; nothing is shown yet.
    pub(crate) fn on_stderr() -> Self {
        Self::on(ProgressDrawTarget::stderr())
    }

    /// Makes room for lines on something.
    fn on(target: ProgressDrawTarget) -> Self {
        Self {
            all: MultiProgress::with_draw_target(target),
            bars: Mutex::default(),
        }
    }

    /// Begins to tell of something, in the place of the line that has its number.
    pub(crate) fn begin(&self, number: u64, what: &str) {
        self.end(number);
        let bar = self.all.add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(TURN);
        self.bars().insert(number, bar);
    }

    /// Tells the last word of it.
    pub(crate) fn say(&self, number: u64, word: &str) {
        if let Some(bar) = self.bars().get(&number) {
            bar.set_message(word.to_owned());
        }
    }

    /// Takes a line away.
    pub(crate) fn end(&self, number: u64) {
        let bar = self.bars().remove(&number);
        if let Some(bar) = bar {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }

    /// Lets something be written above the lines.
    pub(crate) fn above(&self, write: impl FnOnce()) {
        self.all.suspend(write);
    }

    /// Returns the lines that are shown.
    fn bars(&self) -> MutexGuard<'_, BTreeMap<u64, ProgressBar>> {
        self.bars.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let numbers: Vec<u64> = self.bars().keys().copied().collect();
        for number in numbers {
            self.end(number);
        }
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

    /// Makes room for lines on the terminal of this test.
    fn live() -> Live {
        Live::on(ProgressDrawTarget::term_like_with_hz(
            Box::new(Terminal),
            255,
        ))
    }

    #[test]
    fn each_line_tells_its_last_word_cut_to_the_width_and_ends_cleared() {
        let live = live();
        live.say(1, "nobody listens yet");
        live.begin(1, "step 1");
        live.begin(2, "step 2");

        live.say(1, "first");
        live.say(2, &"long ".repeat(100));
        live.end(1);
        live.say(1, "gone by now");
        drop(live);

        let sent = SENT.lock().unwrap();
        for line in ["step 1 0s first", "step 2 0s long"] {
            assert!(sent.contains(line), "{sent}");
        }
        let never = ["nobody", "gone by now", &"long ".repeat(9)];
        assert!(!never.iter().any(|word| sent.contains(word)), "{sent}");
        let (_, after) = sent.rsplit_once("step 2").unwrap();
        assert!(after.contains("<clear>"), "{sent}");
    }
}
