//! Tests of the bodies of records: what is written is read back, and what is refused.

use std::collections::BTreeMap;

use super::*;
use crate::model::check::{Captured, CheckResult, End, Program};
use crate::model::ids::{AttemptId, Digest, PlanName, RecordId};
use crate::model::record::{AuditPlace, Ending, OutputResult, RunEnd, RunTold};
use crate::model::state::{Aside, Control, Flag, Noted, State, Untracked};

fn oid() -> Oid {
    Oid::parse("4b825dc642cb6eb9a060e54bf8d69288fbee4904").unwrap()
}

fn kept() -> Kept {
    Kept {
        blob: oid(),
        bytes: 3,
        sha256: Digest::ZERO,
    }
}

fn state() -> State {
    let noted = Noted::of(["a", "b"]);
    let zero = Digest::ZERO;
    State {
        head: None,
        branch: Some("refs/heads/main".to_owned()),
        tree: oid(),
        content: zero,
        index: zero,
        staged_tree: None,
        untracked: Untracked {
            noted: noted.clone(),
            digest: zero,
        },
        hidden: noted.clone(),
        flags: BTreeMap::from([(Flag::Absent, noted)]),
        control: Control {
            config: zero,
            hooks: zero,
            info: zero,
            replace: zero,
        },
        aside: Aside::default(),
    }
}

fn every_end() -> Vec<End> {
    let why = || "why".to_owned();
    vec![
        End::Exited(1),
        End::Signalled(9),
        End::TimedOut,
        End::OutputLimit,
        End::CouldNotStart(why()),
        End::Interrupted,
        End::Blocked,
        End::AskedTerminal,
        End::Found,
        End::NotFound(why()),
    ]
}

fn step() -> StepResult {
    let whole = CheckResult {
        matched: Some(true),
        program: Some(Program {
            path: "/bin/true".to_owned(),
            sha256: Digest::ZERO,
        }),
        output: Some(Captured {
            bytes: 7,
            sha256: Digest::ZERO,
        }),
        leaked: true,
        variables: vec!["CARGO_HOME".to_owned()],
        ..CheckResult::of(End::Exited(0))
    };
    let output = OutputResult {
        step: 1,
        name: "bin".to_owned(),
        checks: vec![whole.clone()],
    };
    let checks = every_end()
        .into_iter()
        .map(CheckResult::of)
        .chain([whole])
        .collect();
    StepResult {
        id: 1,
        required: vec![output.clone()],
        checks,
        outputs: vec![output],
    }
}

fn audit() -> AuditBody {
    AuditBody {
        plan: PlanName::default_plan(),
        contract: Digest::ZERO,
        place: AuditPlace::Worktree,
        platform: "linux-x86_64".to_owned(),
        tool: "0.1.0".to_owned(),
        before: state(),
        after: state(),
        steps: vec![step()],
        kept: None,
    }
}

fn run(end: RunEnd) -> RunBody {
    RunBody {
        plan: PlanName::default_plan(),
        contract: Digest::ZERO,
        attempt: AttemptId::new([7; 16]),
        platform: "linux-x86_64".to_owned(),
        tool: "0.1.0".to_owned(),
        end,
    }
}

fn told() -> RunTold {
    RunTold {
        before: Digest::ZERO,
        after: Digest::ZERO,
        forced: None,
        steps: vec![step()],
        kept: None,
    }
}

#[test]
fn every_form_of_a_run_comes_back_as_it_was_written() {
    let forced = RunTold {
        forced: Some("the disk was full".to_owned()),
        ..told()
    };
    let in_blob = RunTold {
        steps: Vec::new(),
        kept: Some(kept()),
        ..told()
    };
    let told = [told(), forced, in_blob].map(RunEnd::Told);
    for end in told.into_iter().chain([RunEnd::Killed(vec![1, 3])]) {
        let body = run(end);

        assert_eq!(read_run(&write_run(&body).unwrap()), Ok(body));
    }
}

#[test]
fn bodies_come_back_as_they_were_written() {
    let instance = InstanceBody {
        reason: None,
        tool: "0.1.0".to_owned(),
    };
    let seal = SealBody {
        plan: PlanName::default_plan(),
        contract: Digest::ZERO,
        kept: kept(),
        continues: vec![RecordId::NONE],
        generation: 1,
        branch: None,
        profile: "standard".to_owned(),
        pins: None,
        reason: Some("the first was wrong".to_owned()),
    };
    let close = |ending| CloseBody {
        plan: PlanName::default_plan(),
        contract: Digest::ZERO,
        seals: vec![RecordId::NONE],
        ending,
    };
    let done = close(Ending::Done {
        commit: kept().blob,
        tree: kept().blob,
    });
    let abandoned = close(Ending::Abandoned {
        reason: "too much".to_owned(),
    });
    let in_blob = AuditBody {
        steps: Vec::new(),
        kept: Some(kept()),
        ..audit()
    };

    assert_eq!(
        read_instance(&write_instance(&instance).unwrap()),
        Ok(instance)
    );
    assert_eq!(read_seal(&write_seal(&seal).unwrap()), Ok(seal));
    for close in [done, abandoned] {
        assert_eq!(read_close(&write_close(&close).unwrap()), Ok(close));
    }
    assert_eq!(read_audit(&write_audit(&audit()).unwrap()), Ok(audit()));
    assert_eq!(read_audit(&write_audit(&in_blob).unwrap()), Ok(in_blob));
    assert_eq!(
        read_steps(write_steps(&[step()]).unwrap().as_bytes()),
        Ok(vec![step()])
    );
}

#[test]
fn other_spellings_of_a_body_are_refused() {
    let good = write_audit(&audit()).unwrap();
    for (from, to) in [
        ("\"place\":\"worktree\"", "\"place\":\"moon\""),
        (
            "\"place\":\"worktree\"",
            "\"place\":\"worktree\",\"more\":1",
        ),
        ("\"absent\"", "\"absentt\""),
        (
            "\"code\":1,\"end\":\"exited\"",
            "\"code\":null,\"end\":\"exited\"",
        ),
        ("\"code\":1,\"end\":\"exited\"", "\"end\":\"exited\""),
        ("\"end\":\"found\"", "\"code\":0,\"end\":\"found\""),
        ("\"leaked\":true", "\"leaked\":true,\"leaked\":true"),
        ("\"tool\":\"0.1.0\"", "\"tool\": \"0.1.0\""),
        ("\"steps\":", "\"kept\":null,\"steps\":"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        assert_eq!(read_audit(&bad), Err(NotABody), "{to}");
    }
    assert_eq!(read_audit("[]"), Err(NotABody));
}
