//! What each kind of manifest and lock file names.

use super::*;

/// Lists packages as `name group version`, and `...` where there may be more.
fn listed(read: Option<(Naming, Read)>, text: &str) -> String {
    let (_, read) = read.unwrap();
    let listing = match read(text) {
        Ok(listing) => listing,
        Err(reason) => return reason.as_str().to_owned(),
    };
    let one = |package: &Package| {
        let version = package.version.as_deref().unwrap_or("-");
        assert!(package.span.end <= text.len() && !package.span.is_empty());
        format!("{} {} {version}", package.name, package.group.as_str())
    };
    let mut all: Vec<String> = listing.packages.iter().map(one).collect();
    if listing.is_open {
        all.push("...".to_owned());
    }
    all.join(", ")
}

#[test]
fn cargo() {
    let said = |text: &str| listed(manifest(b"a/Cargo.toml"), text);
    assert_eq!(
        said(
            "[dependencies]\na = \"1\"\nb = { version = \"1\", package = \"c\" }\nd = { version = \"1\", optional = true }\n[dev-dependencies]\ne = \"1\"\n[build-dependencies]\nf = \"1\"\n[target.'cfg(unix)'.dependencies]\ng = \"1\"\n"
        ),
        "a normal -, c normal -, d optional -, e dev -, f build -, g normal -"
    );
    assert_eq!(said("[dependencies]\na.workspace = true\n"), "...");
    assert_eq!(
        said(
            "[dependencies]\na.workspace = true\n[workspace.dependencies]\na = { package = \"b\", version = \"1\" }\n"
        ),
        "b normal -"
    );
    let lock = listed(
        lock(b"Cargo.lock"),
        "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n",
    );
    assert_eq!(lock, "a normal 1.0.0, a normal 2.0.0");
    assert_eq!(Naming::Cargo.is_same("a-b", "a_b"), None);
}

#[test]
fn npm() {
    assert_eq!(
        listed(
            manifest(b"package.json"),
            r#"{"dependencies":{"a":"^1","b":"npm:@s/c@2"},"devDependencies":{"d":"1"},"peerDependencies":{"e":"1"}}"#
        ),
        "a normal -, @s/c normal -, d dev -, e peer -"
    );
    let text = r#"{"lockfileVersion":3,"packages":{"":{"name":"me","version":"9.0.0"},"node_modules/a":{"version":"1.0.0"},"node_modules/x/node_modules/@s/b":{"version":"2.0.0"},"node_modules/l":{"link":true},"lib":{"name":"l","version":"0.1.0"}}}"#;
    assert_eq!(
        listed(lock(b"package-lock.json"), text),
        "a normal 1.0.0, @s/b normal 2.0.0, l normal 0.1.0"
    );
    assert_eq!(
        listed(
            lock(b"package-lock.json"),
            r#"{"lockfileVersion":1,"dependencies":{}}"#
        ),
        "UNSUPPORTED_LANGUAGE"
    );
    for (version, keys) in [
        ("'9.0'", ["a@1.0.0", "'@s/b@2.0.0'"]),
        ("'6.0'", ["/a@1.0.0(p@3.0.0)", "/@s/b@2.0.0"]),
        ("5.4", ["/a/1.0.0_p@3.0.0", "/@s/b/2.0.0"]),
    ] {
        let [a, b] = keys;
        let text = format!(
            "lockfileVersion: {version}\npackages:\n  {a}: {{dev: true}}\n  {b}: {{dev: true}}\n"
        );
        assert_eq!(
            listed(lock(b"pnpm-lock.yaml"), &text),
            "a normal 1.0.0, @s/b normal 2.0.0",
            "{version}"
        );
    }
}

#[test]
fn python() {
    let text = "[build-system]\nrequires = [\"hatchling\"]\n[project]\ndependencies = [\"Requests[socks]>=2; python_version>'3'\"]\n[project.optional-dependencies]\nx = [\"a\"]\n[dependency-groups]\ntest = [\"pytest>8\", {include-group = \"lint\"}]\n[tool.poetry.dependencies]\npython = \"^3\"\ndjango = \"^5\"\n";
    assert_eq!(
        listed(manifest(b"pyproject.toml"), text),
        "Requests normal -, hatchling build -, a optional -, pytest dev -, django normal -"
    );
    assert_eq!(
        listed(
            manifest(b"pyproject.toml"),
            "[project]\ndynamic = [\"dependencies\"]\n"
        ),
        "..."
    );
    let pins = "# x\na==1.2.3 # y\nb>=1\nC_d[e] == 1.0.0 \\\n    --hash=sha256:00\nf==1.0.0; python_version<'3'\n";
    assert_eq!(
        listed(lock(b"requirements-dev.txt"), pins),
        "a normal 1.2.3, b normal -, C_d normal 1.0.0, f normal -"
    );
    assert_eq!(
        listed(manifest(b"requirements.txt"), "-r base.txt\na\n"),
        "a normal -, ..."
    );
    assert_eq!(
        listed(
            manifest(b"requirements.txt"),
            "-c limits.txt\na\ngit+https://x/y\n"
        ),
        "a normal -, ..."
    );
    assert_eq!(
        listed(manifest(b"requirements.txt"), "-c limits.txt\na\n"),
        "a normal -"
    );
    assert_eq!(
        listed(manifest(b"requirements.txt"), "a b\n"),
        "PARSE_ERROR"
    );
    assert_eq!(
        Naming::Python.is_same("Zope.Interface", "zope--interface"),
        Some(true)
    );
}

#[test]
fn go() {
    let text = "module m\ngo 1.22\nrequire (\n\tx/a v1.2.3 // indirect\n\tx/b v2.0.0+incompatible\n)\nrequire x/c v0.1.0\nreplace x/c => ../c\n";
    assert_eq!(
        listed(manifest(b"go.mod"), text),
        "x/a normal 1.2.3, x/b normal 2.0.0+incompatible, x/c normal 0.1.0"
    );
    assert_eq!(
        listed(lock(b"go.mod"), text),
        "x/a normal 1.2.3, x/b normal 2.0.0+incompatible, x/c normal -"
    );
    let old = text.replace("go 1.22", "go 1.16");
    assert_eq!(
        listed(lock(b"go.mod"), &old),
        "x/a normal -, x/b normal -, x/c normal -"
    );
    assert_eq!(listed(lock(b"go.mod"), "require (\n"), "PARSE_ERROR");
}
