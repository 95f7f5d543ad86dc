//! Work side by side: each piece in a thread of its own, led from the thread that asks for it.
//!
//! Whoever leads is told what the pieces say, one word after the other, and answers with the pieces
//! that are to begin next; so the leader needs no lock.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, scope};

use super::orphans::Watch;

/// A piece of work; it says what happens meanwhile, and last what came of it.
pub(crate) type Piece<'a, T> = Box<dyn FnOnce(&dyn Fn(T)) + Send + 'a>;

/// What comes out of a thread.
enum Word<T> {
    /// A piece says something.
    Said(T),
    /// A piece has come to its end.
    Over,
}

/// Whether processes were left that nobody could tell whose they were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Left {
    /// None.
    Nothing,
    /// Some, which were ended.
    Orphans,
}

/// Does pieces of work until the last has ended and the leader has no other.
///
/// On return no process that the pieces started is alive or unreaped, as far as the system lets us
/// know them. Comes from the main thread, while nothing else starts processes.
pub(crate) fn side_by_side<'a, T: Send + 'a>(
    lead: &mut dyn FnMut(Option<T>) -> Vec<Piece<'a, T>>,
) -> Left {
    let orphans = Watch::begin();
    scope(|scope| {
        let (sender, words) = channel();
        let mut crew = Crew {
            scope,
            sender,
            at_work: 0,
            postponed: Vec::new(),
        };
        crew.begin(lead(None));
        while let Some(word) = crew.next(&words) {
            match word {
                Word::Said(said) => crew.begin(lead(Some(said))),
                Word::Over => crew.at_work = crew.at_work.saturating_sub(1),
            }
        }
    });
    if orphans.sweep_rest() {
        Left::Orphans
    } else {
        Left::Nothing
    }
}

/// The threads that are at work.
struct Crew<'scope, 'env, 'a, T> {
    scope: &'scope Scope<'scope, 'env>,
    sender: Sender<Word<T>>,
    at_work: usize,
    /// Pieces that got no thread: done here when nobody else is at work.
    postponed: Vec<Piece<'a, T>>,
}

impl<'scope, 'a: 'scope, T: Send + 'a> Crew<'scope, '_, 'a, T> {
    /// Begins pieces of work.
    fn begin(&mut self, pieces: Vec<Piece<'a, T>>) {
        for piece in pieces {
            self.begin_one(piece);
        }
    }

    /// Begins one piece in a thread of its own, or postpones it where the system has none to give.
    fn begin_one(&mut self, piece: Piece<'a, T>) {
        // A thread that does not start takes what it was given with it.
        let shared = Arc::new(Mutex::new(Some(piece)));
        let (own, sender) = (Arc::clone(&shared), self.sender.clone());
        let work = move || {
            let over = Over(sender);
            if let Some(piece) = take(&own) {
                piece(&|said| over.send(Word::Said(said)));
            }
        };
        let thread = Builder::new().name("step".to_owned());
        match thread.spawn_scoped(self.scope, work) {
            Ok(_joined_by_the_scope) => self.at_work += 1,
            Err(_) => self.postponed.extend(take(&shared)),
        }
    }

    /// Waits for the next word; none when all work is done.
    fn next(&mut self, words: &Receiver<Word<T>>) -> Option<Word<T>> {
        if self.at_work > 0 {
            return words.recv().ok();
        }
        // What the last piece said before it ended was heard before its end.
        if let Some(piece) = self.postponed.pop() {
            self.at_work += 1;
            let over = Over(self.sender.clone());
            piece(&|said| over.send(Word::Said(said)));
            drop(over);
            return words.recv().ok();
        }
        None
    }
}

/// Takes a piece that nobody has taken yet.
fn take<T>(piece: &Mutex<Option<T>>) -> Option<T> {
    piece.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Tells of the end of a piece when it is dropped, so also where the piece panicked.
struct Over<T>(Sender<Word<T>>);

impl<T> Over<T> {
    /// Sends a word; the leader listens until the last end.
    fn send(&self, word: Word<T>) {
        drop(self.0.send(word));
    }
}

impl<T> Drop for Over<T> {
    fn drop(&mut self) {
        self.send(Word::Over);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// Does these pieces, at first all of them, and returns what was said.
    fn said(mut pieces: Vec<Piece<'_, u32>>) -> Vec<u32> {
        let mut heard = Vec::new();
        side_by_side(&mut |said| {
            heard.extend(said);
            std::mem::take(&mut pieces)
        });
        heard
    }

    #[test]
    fn pieces_meet_so_they_are_at_work_at_the_same_time() {
        let barrier = Barrier::new(3);
        let piece = |number: u32| -> Piece<'_, u32> {
            let barrier = &barrier;
            Box::new(move |say| {
                barrier.wait();
                say(number);
            })
        };

        let mut heard = said(vec![piece(1), piece(2), piece(3)]);

        heard.sort_unstable();
        assert_eq!(heard, [1, 2, 3]);
    }

    #[test]
    fn the_leader_answers_each_word_with_more_work() {
        let mut heard = Vec::new();
        side_by_side(&mut |said: Option<u32>| {
            heard.extend(said);
            let next = said.map_or(1, |said| said + 1);
            let piece: Piece<'static, u32> = Box::new(move |say| say(next));
            if next <= 5 { vec![piece] } else { Vec::new() }
        });

        assert_eq!(heard, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn without_work_there_is_nothing_to_wait_for() {
        assert_eq!(said(Vec::new()), [0; 0]);
    }

    #[test]
    fn a_piece_that_panics_is_no_endless_wait() {
        let ended = std::panic::catch_unwind(|| said(vec![Box::new(|_| panic!("a defect"))]));

        assert!(ended.is_err());
    }
}
