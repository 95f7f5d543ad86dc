//! `demo`: the main job, lived end to end in a new repository with real commands.

use super::Desk;
use crate::engine::stop::Stop;
use crate::model::outcome::{DemoStep, Demonstrated, Details, Outcome, Word};

mod scenes;

/// Live the main job end to end in a new repository
///
/// It runs real git and this very program, with keys and settings of its own, and says where it
/// leaves the repository and its home.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit demo\n  \
    git plan-audit demo --dir /tmp/plan-audit-demo")]
pub(crate) struct Args {
    /// A directory that does not exist yet; without it a temporary one is made.
    #[arg(long, value_name = "DIR")]
    dir: Option<String>,
}

/// Runs commands for the demo.
pub(crate) trait Demonstrator {
    /// Makes the directory, with a home of its own beside the repository.
    fn prepare(&self, directory: Option<&str>) -> Result<Box<dyn Shell + '_>, Stop>;
}

/// A place where the demo's commands run.
pub(crate) trait Shell {
    /// Returns the repository.
    fn directory(&self) -> String;
    /// Returns the home that its commands see, which holds settings and a key.
    fn home(&self) -> String;
    /// Writes a file of the repository.
    fn write(&self, path: &str, text: &str) -> Result<(), Stop>;
    /// Runs `git` with arguments, shows what it writes, and returns its exit code.
    fn git(&self, arguments: &[&str]) -> Result<u8, Stop>;
    /// Shows a sentence.
    fn say(&self, text: &str);
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let shell = desk.demonstrator().prepare(self.dir.as_deref())?;
        let mut steps = Vec::new();
        let mut is_as_told = true;
        for scene in scenes::SCENES {
            shell.say(scene.title);
            for (path, text) in scene.writes {
                shell.write(path, text)?;
            }
            for (arguments, expected) in scene.commands {
                let exit = shell.git(arguments)?;
                is_as_told &= exit == *expected;
                let command = format!("git {}", arguments.join(" "));
                steps.push(DemoStep {
                    title: scene.title.to_owned(),
                    command,
                    exit,
                });
            }
        }
        let word = if is_as_told { Word::Ok } else { Word::Fail };
        let demo = Demonstrated {
            directory: shell.directory(),
            home: shell.home(),
            steps,
        };
        Ok(Outcome::new(
            word,
            Vec::new(),
            Details::Demo(Box::new(demo)),
        ))
    }
}
