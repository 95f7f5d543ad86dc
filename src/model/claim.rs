//! Claims: typed statements about the code at a commit, tested before work begins (PREFLIGHT section 1).

pub(crate) mod answer;
pub(crate) mod derived;
pub(crate) mod evidence;
pub(crate) mod gate;
pub(crate) mod statement;
pub(crate) mod types;

use statement::Statement;

/// How many claims a plan holds at most.
pub(crate) const MOST: usize = 500;
/// How many characters a text of a claim has at most.
pub(crate) const LONGEST: usize = 2000;

/// How much the work rests on a claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Criticality {
    /// It would be good to know.
    Low,
    /// Some of the plan rests on it.
    Medium,
    /// A step rests on it.
    High,
    /// Without it the plan is wrong.
    Critical,
}

impl Criticality {
    /// Every one with its word in plans.
    pub(crate) const TABLE: [(Self, &'static str); 4] = [
        (Self::Low, "low"),
        (Self::Medium, "medium"),
        (Self::High, "high"),
        (Self::Critical, "critical"),
    ];

    /// Returns the word in plans.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Reads the word in plans.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut rows = Self::TABLE.into_iter();
        rows.find(|(_, word)| *word == text).map(|(one, _)| one)
    }
}

/// One claim of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    /// Its name, unique in the plan.
    pub(crate) id: String,
    /// The steps that rest on it; none for the plan as a whole.
    pub(crate) steps: Vec<u64>,
    /// How much rests on it.
    pub(crate) criticality: Criticality,
    /// Whether it has to hold at what is judged too, and not only where the work begins.
    pub(crate) hold: bool,
    /// Why it matters, for people.
    pub(crate) because: Option<String>,
    /// What it states.
    pub(crate) statement: Statement,
}

impl Claim {
    /// Writes it as one line: its id, how much rests on it, what it states.
    pub(crate) fn line(&self) -> String {
        let Self {
            id,
            steps,
            criticality,
            hold,
            because,
            statement,
        } = self;
        let mut line = format!("{id} ({}): {}", criticality.as_str(), statement.line());
        if !steps.is_empty() {
            let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
            line = format!("{line} [steps {}]", steps.join(", "));
        }
        if *hold {
            line.push_str(" [holds on]");
        }
        if let Some(because) = because {
            line = format!("{line} because {because}");
        }
        line
    }
}
