//! The pieces and expansions of each dialect, and properties that hold for any text.

use proptest::prelude::*;

use crate::{
    Dialect, ExpandError, FirstIndex, Invocation, Language, Piece, PieceKind, ProseSettings,
    Selector, Template, to_text,
};

/// Shows the placeholders: `ARGS`, `1`, `name`, `(shell …)`, `(block …)`, `<file …>`, `VAR/path`,
/// `\` for escapes, with `?` behind doubtful ones.
fn shown(template: &Template, pieces: &[Piece]) -> String {
    let shown = pieces.iter().filter_map(|piece| {
        let text = match &piece.kind {
            PieceKind::Text => return None,
            PieceKind::Escaped => "\\".to_owned(),
            PieceKind::Arguments => "ARGS".to_owned(),
            PieceKind::Argument {
                selector: Selector::Index(index),
                ..
            } => index.to_string(),
            PieceKind::Argument {
                selector: Selector::Name(name),
                ..
            } => name.clone(),
            PieceKind::Shell { command, is_block } => {
                let word = if *is_block { "block" } else { "shell" };
                format!("({word} {})", shown(template, command))
            }
            PieceKind::File { path } => format!("<{}>", shown_path(template, path)),
            PieceKind::Variable { name, path } => match path {
                Some(path) => format!("{name}/{path}"),
                None => name.clone(),
            },
        };
        let doubt = if piece.doubt.is_some() { "?" } else { "" };
        Some(text + doubt)
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn shown_path(template: &Template, path: &[Piece]) -> String {
    match path {
        [only] if !only.is_placeholder() => template.source(only).to_owned(),
        _ => shown(template, path),
    }
}

fn names() -> Vec<String> {
    ["issue", "branch", "PROJECT"].map(str::to_owned).to_vec()
}

#[track_caller]
fn pieces(dialect: Dialect, text: &str, expected: &str) {
    let template = Template::parse(text, dialect, &names());
    assert_eq!(shown(&template, template.pieces()), expected, "{text}");
}

#[test]
fn claude_code_has_these_placeholders() {
    let check = |text, expected| pieces(Dialect::Claude, text, expected);
    check("Fix $ARGUMENTS now", "ARGS");
    check("$ARGUMENTS[0] $1 $0 $issue $issues ${issue}", "0 1 0 issue");
    check(r"\$1.00 \$ARGUMENTS \\$1 \n \$x", r"\ \ 1");
    check("It costs $5,000 or $1.50 or $3M", "5? 1?");
    check("$0 of $1, not $7", "0 1 7?");
    check("!`git log $0`\nKEY=!`no`\n - !`yes`", "(shell 0) (shell )");
    check("a\n```!\nls $0\npwd\n```\nb", "(block 0)");
    check("```!\n```", "");
    check("```sh\nawk '{print $1}'\n```", "1?");
    check("```bash\ngit checkout $1\n```", "1");
    check("```js\nx.replace(/a/, '$1')\n```", "1?");
    check("Use `awk '{print $2}' f` for $0", "2? 0");
    check(
        "Read @src/a.js, @guide/ and @README.md.",
        "<src/a.js> <guide/> <README.md>",
    );
    check("@$0 @guide/$1.md (@./x)", "<0> <1> <./x>");
    check(
        "@dataclass me@example.org @types/node @app.route('/') `@a.md` @x.com",
        "",
    );
    check(
        "把$0翻译成$1语，$issue翻译 $1x $issue_x $issue-x",
        "0 1 issue issue",
    );
    check(
        "$CLAUDE_PLUGIN_ROOT/a/b.md. $CLAUDE_PLUGIN_ROOT $CLAUDE_PLUGIN_ROOT_2/x",
        "CLAUDE_PLUGIN_ROOT/a/b.md",
    );
    check("参考@指南/规则.md。", "<指南/规则.md>");
    check(
        "${CLAUDE_PLUGIN_ROOT}/data/a.md. ${CLAUDE_SKILL_DIR}",
        "CLAUDE_PLUGIN_ROOT/data/a.md CLAUDE_SKILL_DIR",
    );
    check("@${CLAUDE_PLUGIN_ROOT}/a.md.", "<CLAUDE_PLUGIN_ROOT/a.md>");
    check(
        "${user_config.key} ${HOME} ${{ x }} {{args}} ${input:x}",
        "user_config.key",
    );
    check(
        "!`${CLAUDE_PLUGIN_ROOT}/go.sh`",
        "(shell CLAUDE_PLUGIN_ROOT/go.sh)",
    );
}

#[test]
fn codex_counts_to_nine_or_takes_names() {
    let check = |text, expected| pieces(Dialect::Codex, text, expected);
    check("$1 $0 $10 $ARGUMENTS", "1 1? ARGS");
    check("$$1 $$$1 $$ARGUMENTS", "1");
    check(
        "$FILE on $BRANCH_2, $1 and $ARGUMENTS and $$NO",
        "FILE BRANCH_2",
    );
    check("{{args}} !`x` ${x} @a.md", "");
}

#[test]
fn opencode_takes_numbers_everywhere() {
    let check = |text, expected| pieces(Dialect::OpenCode, text, expected);
    check(
        "$10 $1 $5,000 $0 !`echo $1` @a.md",
        "10? 1 5? 0 (shell 1) <a.md>",
    );
    check("a!`b\nc`", "(shell )");
}

#[test]
fn gemini_has_braces() {
    let check = |text, expected| pieces(Dialect::Gemini, text, expected);
    check("{{args}} {{ args }} {args} $ARGUMENTS $1", "ARGS");
    check(
        "!{echo \"{a}{b}\" {{args}}} @{ guide/a.md } @{x/{{args}}}",
        "(shell ARGS) <guide/a.md> <ARGS>",
    );
    check("!{cat @{a.md}} @property", "(shell <a.md>)");
    check(
        "${extensionPath}/docs/a.md ${workspacePath} ${x} @{${extensionPath}/b.md} $1",
        "extensionPath/docs/a.md workspacePath <extensionPath/b.md>",
    );
    let template = Template::parse("a !{b {{args}}", Dialect::Gemini, &[]);
    assert_eq!(template.unclosed(), Some(2));
    let sent = template.expand(&Invocation::new("a", "b"));
    assert_eq!(sent, Err(ExpandError::Unclosed { at: 2 }));
}

#[test]
fn copilot_asks_for_inputs() {
    let check = |text, expected| pieces(Dialect::Copilot, text, expected);
    check(
        "${input:a:Hint} ${input:b} ${file} ${selection} ${x}",
        "a b file selection",
    );
    check(
        "${workspaceFolder}/src/a.ts ${PROJECT=\"A|B\"} ${{ x }}",
        "workspaceFolder/src/a.ts PROJECT",
    );
    check(
        "#selection ${env:HOME} ${env:a b} #file:'a b.md' [x](#selection)",
        "selection env:HOME <a b.md>",
    );
    check(
        "#file:guide/a.md, #tool:search/x. `#tool:y` c#file:x",
        "<guide/a.md> tool:search/x",
    );
}

/// Compares the arguments of a prompt, `name?` for optional ones.
#[track_caller]
fn arguments(dialect: Dialect, text: &str, hint: &str, expected: &str) {
    let arguments = Template::parse(text, dialect, &[]).arguments(hint);
    let shown = arguments.iter().map(|argument| {
        let mark = if argument.required { "" } else { "?" };
        format!("{}{mark}", argument.name)
    });
    assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{text}");
}

#[test]
fn arguments_are_required_if_the_host_requires_them() {
    arguments(Dialect::Codex, "$A $B", "[A=<x>] [B=<y>]", "A B");
    arguments(Dialect::Codex, "$1", "[branch]", "branch?");
    arguments(Dialect::Copilot, "${input:a}", "[a]", "a?");
    arguments(Dialect::Claude, "PR #$1 $2", "", "argument-1? argument-2?");
}

#[test]
fn others() {
    pieces(Dialect::Cursor, "$1 {{args}} @a.md", "<a.md>");
    pieces(Dialect::Mcpb, "${arguments.code} ${x}", "code");
}

/// Compares what the host sends, as text.
#[track_caller]
fn sent(dialect: Dialect, text: &str, arguments: &str, expected: &str) {
    let names = ["issue", "branch"].map(str::to_owned);
    let template = Template::parse(text, dialect, &names);
    let sent = template.expand(&Invocation::new("do", arguments));
    let sent = sent.map_or_else(|error| format!("error: {error}"), |sent| to_text(&sent));
    assert_eq!(sent, expected, "{text}");
}

#[test]
fn hosts_differ_in_what_they_send() {
    use Dialect::{Claude, Codex, Copilot, Cursor, Gemini, Mcpb, OpenCode};
    sent(Claude, "a $0 $2 $issue [$branch]", "x", "a x $2 x []");
    sent(
        Claude,
        "$ARGUMENTS[9] $ARGUMENTS",
        " a  b ",
        "$ARGUMENTS[9] a  b",
    );
    sent(Claude, "a $1\n", "x", "a $1\n\nARGUMENTS: x");
    sent(Claude, r"\$0 \\$0", "x", r"$0 \\x");
    sent(
        Claude,
        "@guide/$0.md ${CLAUDE_PROJECT_DIR}/b",
        "x",
        "@guide/x.md ./b",
    );
    sent(
        Claude,
        "把$0翻译成$1语 $CLAUDE_PLUGIN_ROOT/a",
        "x y",
        "把x翻译成y语 $CLAUDE_PLUGIN_ROOT/a",
    );
    sent(Codex, "$1-$2", "a", "a-");
    sent(Codex, "$A $1", "A=\"x y\" B=z", "x y $1");
    sent(
        Codex,
        "$A",
        "b",
        "error: `b` has no name; this prompt takes A=VALUE",
    );
    sent(
        Codex,
        "$A $B",
        "A=1",
        "error: missing `B`; this prompt takes A=VALUE B=VALUE",
    );
    sent(OpenCode, "$0 $1", "a", "undefined a");
    sent(OpenCode, "  $ARGUMENTS\n", "cost $$5", "cost $5");
    sent(Gemini, "a @{x} !{  }b", "q  r", "a @{x} b\n\n/do q  r");
    let kept = "a ${extensionPath}/x ${workspacePath} q";
    sent(
        Gemini,
        "a ${extensionPath}/x ${workspacePath} {{args}}",
        "q",
        kept,
    );
    sent(
        Gemini,
        "!{grep {{args}}} {{args}}",
        "a b",
        "[run `grep 'a b'` first and use its output] a b",
    );
    sent(
        Copilot,
        "${input:a:Hint} ${input:b}",
        "b=1 quickly",
        "[ask for a: Hint] 1\n\nquickly",
    );
    sent(Copilot, "${input:a}", "two words", "two words");
    sent(
        Copilot,
        "${env:HOME}",
        "",
        "[the environment variable HOME]",
    );
    sent(Cursor, "a $1\n", "b", "a $1\n\nb");
    sent(Cursor, "See @guide/a.md.", "b", "See @guide/a.md.\n\nb");
    sent(Mcpb, "${arguments.a}${arguments.b}", "a='1 2' c=3", "1 2");
}

#[test]
fn a_prompt_cannot_multiply_a_long_line_without_end() {
    let template = Template::parse(&"$ARGUMENTS".repeat(40_000), Dialect::Claude, &[]);
    let sent = template.expand(&Invocation::new("a", &"b".repeat(1_000)));
    assert_eq!(sent, Err(ExpandError::TooLong));
}

#[test]
fn the_older_base_of_claude_code_is_known_by_its_hint() {
    let first =
        |text: &str, n_hinted| Template::parse(text, Dialect::Claude, &[]).first_index(n_hinted);
    assert_eq!(first("$1 $2", 2), FirstIndex::Known(1));
    assert_eq!(first("$0 $1", 2), FirstIndex::Known(0));
    assert_eq!(first("$1 and $2", 3), FirstIndex::Unsure);
    assert_eq!(first("costs $5,000", 0), FirstIndex::Known(0));
    assert_eq!(first("$1", 0), FirstIndex::Unsure);
}

#[track_caller]
fn prose(dialect: Dialect, language: Language, text: &str, expected: &str) {
    let template = Template::parse(text, dialect, &[]);
    let arguments = template.arguments("<from> <to>");
    let FirstIndex::Known(first_index) = template.first_index(arguments.len()) else {
        panic!("the hint decides");
    };
    let prose = template.prose(&ProseSettings {
        language,
        arguments: &arguments,
        first_index,
        replace: &|_| None,
    });
    assert_eq!(prose, expected);
}

#[test]
fn prose_has_no_placeholders() {
    let english = |dialect, text, expected| prose(dialect, Language::English, text, expected);
    english(
        Dialect::Claude,
        "From $1 to `$2`: $ARGUMENTS",
        "From `<from>` to `<to>`: `<arguments>`",
    );
    english(
        Dialect::Claude,
        "- Branch: !`git branch`\n",
        "- Branch: run `git branch` first and use its output\n",
    );
    english(
        Dialect::Claude,
        "1. !`a`\nthe !`b` is",
        "1. Run `a` first and use its output.\nthe (run `b` first and use its output) is",
    );
    english(
        Dialect::Claude,
        "```!\na $1\nb $2\n```\n",
        "Run these commands first and use their output:\n\n```sh\na <from>\nb <to>\n```\n",
    );
    english(
        Dialect::Claude,
        "Costs $5,000. @a.md\n@b.md",
        "Costs $5,000. `a.md`\nRead `b.md`.",
    );
    english(
        Dialect::Claude,
        "run ${CLAUDE_PLUGIN_ROOT}/go.sh for ${user_config.k}",
        "run go.sh for the setting `k`",
    );
    english(
        Dialect::Gemini,
        "See @{a.md}.\n!{x {{args}}}",
        "See `a.md`.\nRun `x <arguments>` first and use its output.",
    );
    english(
        Dialect::Copilot,
        "In `${file}` use #tool:x on ${selection}",
        "In `<the open file>` use the tool `x` on the selected text",
    );
    english(
        Dialect::Gemini,
        "Search the seed list @{a.csv} for {{args}}.\nExplain: @{b.md}",
        "Search the seed list `a.csv` for `<arguments>`.\nExplain: the content of `b.md`",
    );
    english(
        Dialect::Claude,
        "```\n!`git diff`\n```\nIt costs \\$5 or \\$1.50, not \\$1.",
        "```\n<output of: git diff>\n```\nIt costs $5 or $1.50, not \\$1.\n\nRun each command in `<output of: …>` first and put its output there.\n",
    );
    english(
        Dialect::Claude,
        "Write ${CLAUDE_PLUGIN_DATA}/cache.json, `${CLAUDE_PLUGIN_DATA}/x`",
        "Write `cache.json` in the skill's data directory, `<the skill's data directory>/x`",
    );
    let chinese = |dialect, text, expected| prose(dialect, Language::Chinese, text, expected);
    chinese(
        Dialect::Claude,
        "分支: !`git branch`",
        "分支: 先运行 `git branch`，并使用其输出",
    );
}

const PARTS: [&str; 44] = [
    "$",
    "$$",
    "$1",
    "$0",
    "$10",
    "$ARGUMENTS",
    "$ARGUMENTS[1]",
    "$issue",
    "$NAME",
    "\\",
    "{",
    "}",
    "{{args}}",
    "!{",
    "@{",
    "!`",
    "`",
    "``",
    "```",
    "```!\n",
    "~~~",
    "\n",
    " ",
    "a",
    "é",
    "你",
    "@",
    "@a.md",
    "@./",
    "/",
    "${",
    "${input:",
    "${CLAUDE_PLUGIN_ROOT}",
    "${file}",
    ":",
    "#file:",
    "#tool:",
    ".",
    ",",
    "5",
    "[",
    "]",
    "awk ",
    "=",
];

fn text() -> impl Strategy<Value = String> {
    let made = prop::collection::vec(prop::sample::select(&PARTS[..]), 0..40)
        .prop_map(|parts| parts.concat());
    prop_oneof![4 => made, 1 => any::<String>()]
}

/// Checks that pieces follow each other, from the first byte to the last, and that inner ones are
/// inside.
fn covers(pieces: &[Piece], start: usize, end: usize) -> Result<(), TestCaseError> {
    let mut at = start;
    for piece in pieces {
        prop_assert_eq!(piece.range.start, at);
        prop_assert!(!piece.range.is_empty());
        at = piece.range.end;
        if let (Some(first), Some(last)) = (piece.inner().first(), piece.inner().last()) {
            prop_assert!(first.range.start > piece.range.start && last.range.end <= at);
            covers(piece.inner(), first.range.start, last.range.end)?;
        }
    }
    prop_assert_eq!(at, end);
    Ok(())
}

proptest! {
    #[test]
    fn pieces_cover_the_text(text in text(), arguments in text()) {
        for dialect in Dialect::ALL {
            let template = Template::parse(&text, dialect, &names());
            covers(template.pieces(), 0, text.len())?;
            let sent = template.expand(&Invocation::new("do", &arguments));
            let has_values = template.placeholders().next().is_some();
            if !has_values && arguments.trim().is_empty() && dialect != Dialect::OpenCode {
                let sent = sent.map(|sent| to_text(&sent));
                prop_assert!(sent.is_err() || sent == Ok(text.clone()));
            }
            let arguments = template.arguments(&arguments);
            let settings = ProseSettings {
                language: Language::English,
                arguments: &arguments,
                first_index: 0,
                replace: &|_| None,
            };
            let prose = template.prose(&settings);
            prop_assert!(has_values || prose == text);
        }
    }
}
