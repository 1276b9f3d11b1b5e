//! Executes every command of the README and of the pages of `docs`, and compares the output with the shown one. Each page has
//! a fresh directory and a test of its own, so that pages run in parallel; in pages of `docs` the world is the embedded one.
//!
//! Blocks of `sh` and `console` contain commands. In a `console` block, the lines below a `$ ` are the expected output
//! (both streams); a line `...` stands for any lines. A comment before a block has settings. `<!-- file: NAME -->`
//! writes the block to a file. `<!-- exit: N -->` expects that exit code of its last command. `<!-- numbers vary -->`
//! lets the numbers of the output differ. `<!-- not run: REASON -->` skips the block. A server in this process replaces
//! endpoints and answers as a simulated persona. A block without a language is not executed: it names a server of the
//! reader, or shows output that another test checks.
//!
//! Every page is a chapter of the book, and every relative link of a page leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ltlcrit::exit::ExitCode;

use crate::endpoint::Endpoint;
use crate::sandbox::Sandbox;

const CHECKS: &str = include_str!("../../../.ci/run");

/// One test for each page with commands.
macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $test() {
                commands_work($page);
            }
        )*
    };
}

pages! {
    the_readme: "README.md",
    audit: "docs/audit.md",
    batch: "docs/batch.md",
    book_format: "docs/book-format.md",
    cli: "docs/cli.md",
    configuration: "docs/configuration.md",
    derived: "docs/derived.md",
    exam: "docs/exam.md",
    exit_codes: "docs/exit-codes.md",
    first_runs: "docs/first-runs.md",
    household: "docs/household.md",
    laws: "docs/laws.md",
    learn: "docs/learn.md",
    models: "docs/models.md",
    personas: "docs/personas.md",
    pddl: "docs/pddl.md",
    proofs: "docs/proofs.md",
    runs: "docs/runs.md",
    shield: "docs/shield.md",
    translate: "docs/translate.md",
}

/// The pages whose commands another test executes: `bot/guard/tests/it/docs.rs`.
const ELSEWHERE: [&str; 1] = ["docs/guard.md"];

/// A file of the repository.
fn file(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page)
}

fn read(page: &str) -> String {
    std::fs::read_to_string(file(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The README and all pages of `docs`.
fn all_pages() -> BTreeSet<String> {
    let entries =
        std::fs::read_dir(file("docs")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = entries.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    pages.chain(["README.md".to_owned()]).collect()
}

/// A fenced block with the settings of the comment before it.
struct Block<'a> {
    line: usize,
    language: &'a str,
    note: Option<&'a str>,
    body: Vec<&'a str>,
}

impl Block<'_> {
    /// Returns whether its commands are executed.
    fn has_commands(&self) -> bool {
        let skipped = self.note.is_some_and(|note| note.starts_with("not run: ") || note.starts_with("file: "));
        matches!(self.language, "sh" | "console") && !skipped
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut note = None;
    let mut open: Option<Block<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block { line: index + 1, language, note: note.take(), body: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.body.push(line),
            (None, None) => {
                if let Some(text) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
                    note = Some(text);
                } else if !line.is_empty() {
                    note = None;
                }
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Returns the arguments of a call of the binary; `None` for any other command line.
fn arguments(command: &str) -> Option<&str> {
    ["cargo run --release -- ", "ltlcrit "].iter().find_map(|call| command.strip_prefix(call))
}

/// Returns the words of a command line; single quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (position, part) in line.split('\'').enumerate() {
        if position % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Returns a line with every number replaced by 0 and every run of spaces by one space.
fn without_numbers(line: &str) -> String {
    let mut plain = String::new();
    for character in line.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }) {
        if !(matches!(character, '0' | ' ') && plain.ends_with(character)) {
            plain.push(character);
        }
    }
    plain
}

/// Returns whether the printed text matches the shown one, where `...` stands for any lines.
fn fits(shown: &[&str], printed: &[&str], same: &dyn Fn(&str, &str) -> bool) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..], same)),
        ([first, shown @ ..], [line, printed @ ..]) => same(first, line) && fits(shown, printed, same),
        _ => false,
    }
}

/// Executes the commands of a page in order.
fn commands_work(page: &str) {
    let text = read(page);
    let sandbox = if page == "README.md" { Sandbox::out_of_the_box() } else { Sandbox::new() };
    let endpoint = Endpoint::start();
    let mut environment: BTreeMap<String, String> = BTreeMap::new();
    environment.insert("LTLCRIT_MODEL__BASE_URL".to_owned(), endpoint.url());
    for block in blocks(&text) {
        if let Some(name) = block.note.and_then(|note| note.strip_prefix("file: ")) {
            sandbox.write(name, &(block.body.join("\n") + "\n"));
            continue;
        }
        if !block.has_commands() {
            continue;
        }
        let expected: i32 =
            block.note.and_then(|note| note.strip_prefix("exit: ")).map_or(0, |code| code.parse().unwrap());
        let is_command = |line: &&str| match block.language {
            "sh" => !line.is_empty() && !line.starts_with('#'),
            _ => line.starts_with("$ "),
        };
        let commands = block.body.iter().filter(|line| is_command(line)).count();
        assert!(commands > 0, "{page}:{}: a block without a command", block.line);
        let mut lines = block.body.iter().copied().enumerate().peekable();
        let mut done = 0;
        while let Some((offset, line)) = lines.next() {
            if !is_command(&line) {
                continue;
            }
            done += 1;
            let place = format!("{page}:{}", block.line + 1 + offset);
            let command = line.trim_start_matches("$ ");
            let mut shown = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| block.language == "console" && !is_command(line)) {
                shown.push(line);
            }
            if let Some((variable, value)) = command.strip_prefix("export ").and_then(|rest| rest.split_once('=')) {
                environment.insert(variable.to_owned(), value.to_owned());
                continue;
            }
            if command.starts_with("cargo test") {
                // It would never end here; the checks run exactly this command.
                let stage = |line: &str| line.starts_with("run ") && line.ends_with(&format!("\" {command}"));
                assert!(CHECKS.lines().any(stage), "{place}: not what .ci/run does");
                continue;
            }
            let line = arguments(command).unwrap_or_else(|| panic!("{place}: no test knows how to run `{command}`"));
            let words: Vec<String> = words(line).iter().map(|word| endpoint.instead_of(word)).collect();
            let output = sandbox.command(&words).envs(&environment).output().unwrap();
            let stdout = String::from_utf8(output.stdout).unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            let code = if done == commands { expected } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{place}: `{command}`\n{stdout}\n{stderr}");
            if !shown.is_empty() {
                let printed = format!("{stderr}{stdout}");
                let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
                let same = |shown: &str, printed: &str| match block.note {
                    Some("numbers vary") => without_numbers(shown) == without_numbers(printed),
                    _ => shown == printed,
                };
                assert!(
                    fits(&shown, &printed, &same),
                    "{place}: `{command}` prints\n{}\n--- shown is\n{}",
                    printed.join("\n"),
                    shown.join("\n")
                );
            }
        }
    }
}

#[test]
fn every_page_with_commands_is_executed() {
    let with_commands = |page: &String| blocks(&read(page)).iter().any(Block::has_commands);
    let found: Vec<String> = all_pages().into_iter().filter(with_commands).collect();
    let executed: BTreeSet<&str> = PAGES.iter().copied().chain(ELSEWHERE).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), executed);
}

/// The lines of a page outside its blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    lines.collect()
}

/// The targets of the links and pictures of a page.
fn links(text: &str) -> Vec<String> {
    let after_names = prose(text).into_iter().flat_map(|line| line.split("](").skip(1));
    after_names.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The names by which links reach the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        kept.chars().filter(|character| character.is_alphanumeric() || matches!(character, '-' | '_')).collect()
    };
    headings.map(name).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in all_pages() {
        let text = read(&page);
        for link in links(&text).iter().filter(|link| !link.starts_with("https://") && !link.starts_with("http://")) {
            let (to, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if to.is_empty() { file(&page) } else { file(&page).parent().unwrap().join(to) };
            assert!(target.exists(), "{page} links to {to}, which is not there");
            if !anchor.is_empty() {
                let there = std::fs::read_to_string(&target).unwrap();
                assert!(anchors(&there).contains(anchor), "{page} links to {link}, and there is no such heading");
            }
        }
    }
}

#[test]
fn every_page_is_a_chapter_of_the_book() {
    let chapters: BTreeSet<String> = links(&read("docs/SUMMARY.md")).iter().map(|to| format!("docs/{to}")).collect();
    let mut pages = all_pages();
    pages.retain(|page| page != "README.md" && page != "docs/SUMMARY.md");
    assert_eq!(chapters, pages);
}

#[test]
fn the_example_that_is_shown_is_the_one_that_is_tested() {
    let example = include_str!("../../../verifier/examples/shield.rs");
    assert!(
        read("docs/library.md").contains(&format!("```rust\n{example}```")),
        "docs/library.md shows another example"
    );
    let readme = read("README.md");
    let blocks = blocks(&readme);
    let shown = blocks.iter().find(|block| block.language == "rust").unwrap();
    let mut lines = example.lines().map(str::trim);
    for line in &shown.body {
        assert!(lines.any(|tested| tested == line.trim()), "README.md:{}: {line}", shown.line);
    }
}

#[test]
fn the_walks_through_the_code_name_functions_that_are_there() {
    let page = read("docs/architecture.md");
    let hops: Vec<&str> = page.lines().filter(|line| line.starts_with("| ") && line.contains(".rs)")).collect();
    assert!(!hops.is_empty());
    for hop in hops {
        let function = hop.split('`').nth(3).unwrap();
        let code = read(&format!("docs/{}", links(hop)[0]));
        let defined = ["(", "<"].iter().any(|after| code.contains(&format!("fn {function}{after}")));
        assert!(defined, "{hop}");
    }
}

#[test]
fn every_exit_code_is_documented() {
    let page = read("docs/exit-codes.md");
    for code in ExitCode::ALL {
        let row = format!("| {} | {} |", code.number(), code.meaning());
        assert!(page.contains(&row), "missing: {row}");
    }
}

#[test]
fn what_is_shown_of_books_that_change_under_a_run_is_what_happens() {
    let happens = include_str!("snapshots/e2e__live_laws__a_running_bot_takes_a_new_revision_between_two_steps.snap");
    let page = read("docs/laws.md");
    let blocks = blocks(&page);
    let shown = blocks.iter().find(|block| block.body.iter().any(|line| line.contains("new laws"))).unwrap();
    let mut lines = happens.lines();
    for line in &shown.body {
        assert!(lines.any(|happening| happening == *line), "docs/laws.md:{}: {line}", shown.line);
    }
}

#[test]
fn three_dots_stand_for_any_lines() {
    assert_eq!(words("ltl judge 'G a' b"), ["ltl", "judge", "G a", "b"]);
    let fits = |shown: &[&str], printed: &[&str]| fits(shown, printed, &|a, b| a == b);
    assert!(fits(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(fits(&["...", "d"], &["d"]));
    assert!(!fits(&["a", "...", "d"], &["a", "b"]));
    assert!(!fits(&["a"], &["a", "b"]));
    assert_eq!(without_numbers("  10  at 127.0.0.1:80, y -4"), without_numbers("   7  at 10.2.30.4:1234, y -61"));
}
