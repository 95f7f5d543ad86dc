//! Types that git's objects decide: exact, whatever the language.

use super::{Form, Layer, Type, may, must, some_of};

/// The kinds of what can stand at a path.
const KINDS: Form = Form::Choice(&["file", "exec", "symlink", "dir", "submodule"]);

/// Something stands at a path.
pub(crate) static PATH_EXISTS: Type = Type {
    name: "path_exists",
    layer: Layer::Objects,
    states: "Something stands at `path`, of `kind` where one is given (`file` is a regular file, also an executable one).",
    abstains: "The path leads through a submodule or a symbolic link, or a directory on the way is not in this clone.",
    fields: &[
        must("path", Form::Path, "where it stands"),
        may("kind", KINDS, "what it is"),
    ],
    example: r#""path":"src/cache.rs","kind":"file""#,
};

/// Nothing stands at a path.
pub(crate) static PATH_ABSENT: Type = Type {
    name: "path_absent",
    layer: Layer::Objects,
    states: "Nothing stands at `path`.",
    abstains: "The path leads through a submodule or a symbolic link, or a directory on the way is not in this clone.",
    fields: &[must("path", Form::Path, "where nothing stands")],
    example: r#""path":"src/cache.rs""#,
};

/// A file has known bytes.
pub(crate) static BLOB_EQUALS: Type = Type {
    name: "blob_equals",
    layer: Layer::Objects,
    states: "The file at `path` has the blob id `blob`, or bytes with the SHA-256 `sha256`.",
    abstains: "As `path_exists`; for `sha256` also where the file is beyond a limit, not in this clone, or an LFS pointer.",
    fields: &[
        must("path", Form::Path, "the file"),
        super::one_of("bytes", "blob", Form::Object, "its git id"),
        super::one_of("bytes", "sha256", Form::Sha256, "the SHA-256 of its bytes"),
    ],
    example: r#""path":"schema.sql","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
};

/// A file is as it was.
pub(crate) static FILE_UNCHANGED_SINCE: Type = Type {
    name: "file_unchanged_since",
    layer: Layer::Objects,
    states: "The file at `path` has the mode and the bytes that it had at `commit`. Where it stood at neither, it fails.",
    abstains: "As `path_exists`, at either commit; `commit` is not in this clone.",
    fields: &[
        must("path", Form::Path, "the file"),
        must("commit", Form::Commit, "since when"),
    ],
    example: r#""path":"api.yaml","commit":"4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
};

/// A directory is as it was.
pub(crate) static TREE_UNCHANGED_SINCE: Type = Type {
    name: "tree_unchanged_since",
    layer: Layer::Objects,
    states: "The directory at `path` (`.` is the top) holds what it held at `commit`. Where it stood at neither, it fails.",
    abstains: "As `file_unchanged_since`.",
    fields: &[
        must("path", Form::Path, "the directory"),
        must("commit", Form::Commit, "since when"),
    ],
    example: r#""path":"migrations","commit":"4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
};

/// A commit comes before the tested one.
pub(crate) static COMMIT_ANCESTOR: Type = Type {
    name: "commit_ancestor",
    layer: Layer::Objects,
    states: "`commit` is the tested commit or one of its ancestors.",
    abstains: "The history in this clone is cut off before that can be said.",
    fields: &[must("commit", Form::Commit, "the earlier commit")],
    example: r#""commit":"4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
};

/// So many files match.
pub(crate) static GLOB_COUNT: Type = Type {
    name: "glob_count",
    layer: Layer::Objects,
    states: "At least `min` and at most `max` files, links and submodules match `paths`.",
    abstains: "A directory is not in this clone, there are more entries than the limit, or a pattern reaches into a submodule.",
    fields: &[
        must("paths", Form::Globs, "what is counted"),
        some_of("bound", "min", Form::Number, "the least"),
        some_of("bound", "max", Form::Number, "the most"),
    ],
    example: r#""paths":["migrations/*.sql"],"min":1,"max":40"#,
};
