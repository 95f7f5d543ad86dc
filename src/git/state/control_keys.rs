//! The configuration keys that run programs or move things (D18); `docs/reference/config.md` lists
//! them.

/// The keys, in lower case: `a.b` is a key without subsection, `a.*.b` one with any, `a.**` every
/// key of a section.
pub(super) const KEYS: &[&str] = &[
    // Where things are, and what git believes of them.
    "core.attributesfile",
    "core.autocrlf",
    "core.bare",
    "core.checkstat",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.ignorestat",
    "core.notesref",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.repositoryformatversion",
    "core.safecrlf",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.splitindex",
    "core.symlinks",
    "core.trustctime",
    "core.untrackedcache",
    "core.usereplacerefs",
    "core.worktree",
    "attr.tree",
    "extensions.**",
    "include.**",
    "includeif.*.path",
    "index.**",
    "safe.**",
    // What runs programs.
    "alias.**",
    "browser.*.cmd",
    "browser.*.path",
    "core.alternaterefscommand",
    "core.askpass",
    "core.editor",
    "core.fsmonitor",
    "core.fsmonitorhookversion",
    "core.gitproxy",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "credential.**",
    "diff.external",
    "diff.*.command",
    "diff.*.textconv",
    "difftool.*.cmd",
    "difftool.*.path",
    "filter.**",
    "gpg.format",
    "gpg.program",
    "gpg.*.program",
    "gpg.*.defaultkeycommand",
    "gpg.*.allowedsignersfile",
    "gpg.*.revocationfile",
    "guitool.*.cmd",
    "hook.**",
    "interactive.difffilter",
    "man.*.cmd",
    "man.*.path",
    "merge.*.driver",
    "mergetool.*.cmd",
    "mergetool.*.path",
    "pager.**",
    "receive.procreceiverefs",
    "sendemail.**",
    "sequence.editor",
    "ssh.variant",
    "tar.*.command",
    "trailer.**",
    "uploadpack.packobjectshook",
    "web.browser",
    // Where things come from and go to.
    "branch.*.remote",
    "branch.*.merge",
    "branch.*.pushremote",
    "commit.template",
    "http.proxy",
    "http.sslverify",
    "http.*.proxy",
    "http.*.sslverify",
    "init.templatedir",
    "notes.**",
    "planaudit.**",
    "protocol.**",
    "push.default",
    "remote.pushdefault",
    "remote.*.fetch",
    "remote.*.mirror",
    "remote.*.proxy",
    "remote.*.push",
    "remote.*.pushurl",
    "remote.*.receivepack",
    "remote.*.uploadpack",
    "remote.*.url",
    "remote.*.vcs",
    "submodule.**",
    "transfer.**",
    "url.**",
    // Who speaks.
    "author.**",
    "commit.gpgsign",
    "committer.**",
    "user.**",
];

/// Says whether a key, its section and name in lower case, is one of them.
pub(super) fn covers(key: &[u8]) -> bool {
    KEYS.iter().any(|pattern| matches(pattern.as_bytes(), key))
}

/// Says whether a key is what one row of the table means.
fn matches(pattern: &[u8], key: &[u8]) -> bool {
    let Some((section, rest)) = cut(key) else {
        return false;
    };
    let Some((wanted, name)) = cut(pattern) else {
        return false;
    };
    let last = rest.rsplit(|byte| *byte == b'.').next().unwrap_or(rest);
    section == wanted
        && match name.strip_prefix(b"*.") {
            Some(name) => last == name && last.len() < rest.len(),
            None => name == b"**" || rest == name,
        }
}

/// Cuts a key behind its section.
fn cut(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = key.iter().position(|byte| *byte == b'.')?;
    let (section, rest) = key.split_at(dot);
    Some((section, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_matched_by_section_subsection_and_name() {
        for key in [
            "core.hookspath",
            "filter.a.b.clean",
            "remote.origin.url",
            "url.https://x.y/.insteadof",
            "hook.x.command",
            "alias.st",
        ] {
            assert!(covers(key.as_bytes()), "{key}");
        }
        for key in [
            "core.abbrev",
            "remote.url",
            "color.ui",
            "core",
            "core.x.hookspath",
        ] {
            assert!(!covers(key.as_bytes()), "{key}");
        }
    }

    #[test]
    fn the_reference_lists_every_key() {
        let page = include_str!("../../../docs/reference/config.md");

        for key in KEYS {
            assert!(page.contains(&format!("`{key}`")), "{key}");
        }
    }
}
