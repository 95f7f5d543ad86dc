//! The table of environment variables: which a check sees, which it never sees.
//!
//! `docs/reference/checks.md` shows this table; a test holds the two together.

/// Passed on as they are.
pub(crate) const PASSED: &[&str] = &["HOME", "LOGNAME", "TERM", "TMPDIR", "TZ", "USER"];

/// Of those, what another user may know too: nothing of it leads to us.
pub(crate) const PUBLIC: &[&str] = &["TERM", "TZ"];

/// Passed on as they are: where the network is reached through.
pub(crate) const PROXIES: &[&str] = &[
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// Homes of tools: absolute directories in which a tool or its store lives. Passed on if absolute,
/// and recorded by name. Nothing here holds flags, code to load or a choice of program.
pub(crate) const HOMES: &[&str] = &[
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "BUN_INSTALL",
    "CARGO_HOME",
    "COMPOSER_HOME",
    "CONDA_PREFIX",
    "DENO_DIR",
    "DOTNET_ROOT",
    "FNM_DIR",
    "GEM_HOME",
    "GOCACHE",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "GRADLE_USER_HOME",
    "HEX_HOME",
    "JAVA_HOME",
    "MISE_DATA_DIR",
    "MIX_HOME",
    "NUGET_PACKAGES",
    "NVM_DIR",
    "OPAMROOT",
    "PNPM_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "RUSTUP_HOME",
    "SDKMAN_DIR",
    "STACK_ROOT",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];

/// Set by us, whatever anybody else says: one locale, and nothing that may ask a person.
pub(crate) const FIXED: &[(&str, &str)] = &[
    ("GIT_ASKPASS", ""),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LANG", "C.UTF-8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("SSH_ASKPASS_REQUIRE", "never"),
];

/// Never passed on, even if a seal names them: git's own variables, our keys and settings, what
/// replaces the program that is recorded, and what reaches the agent that signs.
const NEVER_PREFIXES: &[&str] = &["BASH_FUNC_", "DYLD_", "GIT_", "LD_", "PLAN_AUDIT"];

/// The same, by full name.
const NEVER: &[&str] = &[
    "BASHOPTS",
    "BASH_ENV",
    "ENV",
    "IFS",
    "PATH",
    "PS4",
    "SHELLOPTS",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
];

/// Not worth telling: shells set them for themselves, and git for what it starts.
pub(crate) const UNTOLD: &[&str] = &["GIT_EXEC_PATH", "OLDPWD", "PWD", "SHLVL", "_"];

/// Says whether a seal may let a variable through by naming it.
pub(crate) fn may_be_named(name: &str) -> bool {
    let is_fixed = FIXED.iter().any(|(fixed, _)| *fixed == name);
    let is_never =
        NEVER.contains(&name) || NEVER_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    !name.is_empty() && !name.contains(['=', '\0']) && !is_fixed && !is_never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_home_injects_code_or_flags() {
        for name in [
            "NODE_OPTIONS",
            "PYTHONPATH",
            "RUSTFLAGS",
            "MAKEFLAGS",
            "NODE_PATH",
        ] {
            assert!(!HOMES.contains(&name) && !PASSED.contains(&name), "{name}");
        }
    }

    #[test]
    fn what_defeats_the_point_cannot_be_named() {
        for name in [
            "GIT_DIR",
            "GIT_CONFIG_COUNT",
            "PLAN_AUDIT_HMAC_KEY_FILE",
            "PLAN_AUDITOR_HMAC_KEY",
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "BASH_ENV",
            "BASH_FUNC_ls%%",
            "PATH",
            "LANG",
            "SSH_AUTH_SOCK",
            "A=B",
            "",
        ] {
            assert!(!may_be_named(name), "{name}");
        }
        assert!(may_be_named("DATABASE_URL") && may_be_named("PYTHONPATH"));
    }

    #[test]
    fn the_reference_lists_every_variable() {
        let page = include_str!("../../docs/reference/checks.md");
        let fixed = FIXED.iter().map(|(name, _)| name);
        let tables = [PASSED, PROXIES, HOMES, NEVER, NEVER_PREFIXES]
            .into_iter()
            .flatten();
        for name in tables.chain(fixed) {
            let (plain, prefix) = (format!("`{name}`"), format!("`{name}*`"));
            assert!(page.contains(&plain) || page.contains(&prefix), "{name}");
        }
    }
}
