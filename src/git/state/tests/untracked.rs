//! What is untracked, against git, under awkward ignore rules; each row is a script.

use super::world::{Like, check};

/// Writes a tracked `.gitignore` of these lines, which `printf` expands, and goes on.
macro_rules! ignoring {
    ($lines:literal, $script:literal) => {
        concat!(
            "printf '",
            $lines,
            "' >.gitignore; git add -f .gitignore; ",
            $script
        )
    };
}

/// Demands that all of these give git's tree and git's untracked files, and no flag.
fn like_git(scripts: &[&str]) {
    for script in scripts {
        check(script, &[], Like::Git);
    }
}

#[test]
fn negation_brings_back_what_git_brings_back() {
    like_git(&[
        ignoring!("o/\\n!o/x\\n", "mkdir o; echo >o/x"),
        ignoring!("o/*\\n!o/x\\n", "mkdir o; echo >o/x; echo >o/y"),
        ignoring!(
            "*\\n!/a\\n!/a/\\n!/a/**\\n",
            "mkdir -p a/b c; echo >a/b/x; echo >c/x"
        ),
        ignoring!("\\\\!x\\n!y\\n", "echo >'!x'; echo >y"),
        ignoring!(
            "x\\n!x\\nx\\n",
            "echo >x; mkdir y; echo '!x' >y/.gitignore; git add -f y/.gitignore; echo >y/x"
        ),
        ignoring!(
            "!\\n!!\\n/\\n//\\n\\\\\\n",
            "echo >'!'; echo >x; echo >'\\'"
        ),
    ]);
}

#[test]
fn wildcards_match_as_far_as_those_of_git() {
    like_git(&[
        ignoring!(
            "[a-c]x\\n[!a-c]y\\n[^z]w\\n",
            "for f in ax dx ay dy zw aw; do echo >$f; done"
        ),
        ignoring!(
            "[[:digit:]]q\\n[a\\n[]]b\\n",
            "for f in 1q aq '[a' ']b'; do echo >$f; done"
        ),
        ignoring!(
            "a?c\\nb*d\\n",
            "mkdir a bx; echo >a/c; echo >bx/d; echo >abc; echo >bxd"
        ),
        ignoring!(
            "/m*/n\\n",
            "mkdir -p mx/n my/z/n; echo >mx/n/f; echo >my/z/n/f"
        ),
        ignoring!(
            "**/u\\nv/**\\np/**/q\\n",
            "mkdir -p s/u v/t p/1/2; echo >s/u/f; echo >v/t/f; echo >p/q; echo >p/1/2/q; echo >p/1/f"
        ),
        ignoring!(
            "x**y\\n**z\\nw**\\n",
            "mkdir -p x/k; echo >x/k/y; echo >xay; echo >az; echo >wa; mkdir w; echo >w/f"
        ),
        ignoring!(
            "**\\n!keep\\n",
            "echo >keep; echo >lose; mkdir s; echo >s/keep"
        ),
        ignoring!(
            "\\\\*lit\\n\\\\[x]\\nback\\\\\\\\slash\\n",
            "for f in '*lit' alit '[x]' x 'back\\slash'; do echo >\"$f\"; done"
        ),
    ]);
}

#[test]
fn anchors_and_directories_are_told_apart_as_git_does() {
    like_git(&[
        ignoring!("s/t\\n", "mkdir -p s/t u/s/t; echo >s/t/f; echo >u/s/t/f"),
        ignoring!("/only\\n", "mkdir s; echo >only; echo >s/only"),
        ignoring!("dir/\\n", "echo >dir; mkdir -p s/dir; echo >s/dir/f"),
        ignoring!("lnk\\n", "ln -s d lnk; ln -s d lnk2"),
        ignoring!("d\\n", "echo >d/new; mkdir -p d/deep; echo >d/deep/f"),
        ignoring!("d/*\\n!d/deep/\\n", "echo >d/new; mkdir -p d/deep; echo >d/deep/f"),
        "mkdir -p s/t; printf '/f\\ng/\\n' >s/.gitignore; git add -f s/.gitignore
            echo >s/f; echo >s/t/f; mkdir s/t/g; echo >s/t/g/x; echo >f",
        "mkdir -p s/t/u; echo '*.x' >s/.gitignore; echo '!*.x' >s/t/.gitignore
            echo '/a.x' >s/t/u/.gitignore; git add -f s; echo >s/1.x; echo >s/t/2.x; echo >s/t/u/a.x; echo >s/t/u/b.x",
    ]);
}

#[test]
fn odd_lines_of_ignore_files_are_read_as_git_reads_them() {
    like_git(&[
        ignoring!(
            "\\n\\n   \\n#c\\n #not\\n",
            "echo >' #not'; echo >'#c'; echo >'   '"
        ),
        ignoring!(
            "x\\t\\ny  \\nz\\\\ \\n",
            "echo >x; echo >y; echo >'z '; echo >z"
        ),
        ignoring!("last", "echo >last; echo >lastly"),
        ignoring!(
            "a\\rb\\nc\\r\\n",
            "echo >c; echo >b; f=$(printf 'a\\rb'); echo >\"$f\""
        ),
        ignoring!(
            "n\\377*\\n",
            "for f in 'n\\377a' 'n\\376a'; do echo >\"$(printf $f)\"; done"
        ),
        ignoring!("$a\\n", "echo >'$a'; echo >a"),
        ignoring!("N.*\\n", "echo >n.g; echo >N.g"),
        "printf 'x\\000y\\nz\\n' >.gitignore; git add -f .gitignore; echo >x; echo >z",
        "printf '%03000d\\nz\\n' 0 >.gitignore; git add -f .gitignore; echo >x; echo >z",
        "mkdir s; mkdir s/.gitignore; echo >s/.gitignore/f; echo >s/g",
    ]);
}

#[test]
fn what_is_tracked_stays_so_whatever_the_rules_say() {
    like_git(&[
        ignoring!("*\\n", "echo >n; echo more >>a.txt; mkdir s; echo >s/f"),
        ignoring!(
            "a.txt\\nd/\\n",
            "rm -r a.txt d; mkdir a.txt; echo >a.txt/f; echo >d"
        ),
        ignoring!(
            "o/\\n",
            "mkdir o; echo 1 >o/t; git add -f o/t; echo >o/n; mkdir o/p; echo >o/p/q"
        ),
        ignoring!(
            "*.o\\n",
            "mkdir s; echo >s/x.o; mkdir t; echo >t/x.o; echo >t/y.c"
        ),
        "git rm -q --cached -r d; echo d >.gitignore; git add .gitignore",
        "git mv d e; mkdir d; echo >d/c.txt",
    ]);
}

#[test]
fn awkward_names_are_listed_as_git_lists_them() {
    like_git(&[
        "f=$(printf 'new\\nline'); echo >\"$f\"; mkdir \"d$f\"; echo >\"d$f/$f\"",
        "ln -s /nowhere broken; ln -s . self; ln -s d/../d odd; ln -s nothing/at/all d/broken",
        "mkdir .gitx .GITx git~1; echo >.gitx/f; echo >.GITx/f; echo >git~1/f",
        "git update-index --split-index; echo n >n; git add n; echo m >m; echo >d/m",
        "echo >'-'; echo >'--help'; echo >' lead'; echo >'tab\tname'; echo >'*'",
        "n=$(printf '%0255d' 0); echo >$n; mkdir -p d/$n; echo >d/$n/$n",
        "for i in $(seq 300); do echo >n$i; mkdir m$i; echo >m$i/n$i; done",
    ]);
}

#[test]
fn a_link_for_an_ignore_file_rules_nothing() {
    check(
        "echo '*.t' >rules; ln -s rules .gitignore; git add -f rules .gitignore; echo >n.t",
        &[],
        Like::Git,
    );
}
