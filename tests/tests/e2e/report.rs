//! `report`: one page with the numbers of its document, and tables for other programs.

use std::fs;

use serde_json::Value;

use crate::foreign::HOSTILE;
use crate::page::Page;
use crate::sandbox::Sandbox;

/// Returns a page and its document.
pub fn report(sandbox: &Sandbox, of: &str) -> (Page, Value) {
    let document = sandbox.run(&format!("report {of} --json -o page.html")).code(0).json();
    let page = Page::new(fs::read_to_string(sandbox.path().join("page.html")).unwrap());
    assert_eq!(page.document(), document);
    (page, document)
}

#[test]
fn every_number_of_a_page_is_one_of_its_document() {
    let sandbox = Sandbox::new();
    sandbox.run("batch smoke -q").code(0);
    sandbox.run("run -q").code(0);
    sandbox.run("learn -q --no-laws --episodes 4 --iterations 2 --test 3 --store learned").code(0);
    for (of, numbers) in [("smoke-results", 200), ("last", 80), ("all --store learned", 100)] {
        let (page, document) = report(&sandbox, of);
        let checked = page.check_numbers(&document);
        assert!(checked > numbers, "{of}: only {checked} numbers");
        // The same batch or run gives the same bytes.
        sandbox.run(&format!("report {of} -o again.html")).code(0);
        assert_eq!(fs::read_to_string(sandbox.path().join("again.html")).unwrap(), page.html(), "{of}");
    }
}

#[test]
fn a_batch_has_the_tables_of_the_terminal() {
    let sandbox = Sandbox::new();
    let printed = sandbox.run("batch smoke").code(0).stdout;
    let (page, document) = report(&sandbox, "smoke-results");
    let rows = page.rows();
    let mut compared = 0;
    let is_row = |line: &&str| line.starts_with("naive") || line.starts_with("inner-monologue");
    // The page has another layout for steps to subgoals and for the game time.
    for line in printed.lines().filter(is_row).filter(|line| !line.contains(" / ")) {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty() && !cell.contains(':'));
        let cells: Vec<&str> = cells.collect();
        let shown = |cell: &String| cell.replace('–', "-").replace('×', "x");
        let found = rows.iter().any(|row| row.iter().map(shown).take(cells.len()).eq(cells.iter().copied()));
        assert!(found, "not in the page: {cells:?}\n{rows:#?}");
        compared += 1;
    }
    assert_eq!(compared, 4 + (3 + 1) + 4);
    assert!(page.text().contains("no evidence about language models"));
    assert!(page.text().contains("All conditions reached the goal equally often: 5/5."), "{}", page.text());
    assert_eq!(document["laws"].as_array().unwrap().len(), 2 * 21);
    assert_eq!(document["conditions"].as_array().unwrap().len(), 4);
    assert_eq!(document["outcomes"][1]["steps"].as_array().unwrap().len(), 5);
    let plan = fs::read_to_string(sandbox.path().join("smoke-results/plan.toml")).unwrap();
    assert_eq!(document["plan"]["text"], plan);
    assert!(plan.contains(document["plan"]["sha256"].as_str().unwrap()));
}

#[test]
fn figures_are_files_of_their_own() {
    let sandbox = Sandbox::new();
    sandbox.run("batch smoke -q").code(0);
    sandbox.run("run -q").code(0);
    let mut names = Vec::new();
    for of in ["smoke-results", "last"] {
        let ran = sandbox.run(&format!("report {of} --figures figures")).code(0);
        assert!(ran.stderr.contains("figures into figures"), "{}", ran.stderr);
        for file in fs::read_dir(sandbox.path().join("figures")).unwrap() {
            let path = file.unwrap().path();
            let svg = fs::read_to_string(&path).unwrap();
            assert!(svg.starts_with("<svg xmlns=") && svg.contains("<style>"), "{svg}");
            assert!(svg.contains("no evidence about language models"), "{svg}");
            // Every element is closed, and no variable of the page is left.
            assert_eq!(svg.matches("</").count(), svg.matches('<').count() / 2, "{svg}");
            assert!(!svg.contains("var("), "{svg}");
            names.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert!(names.iter().any(|name| name.ends_with("map-from-above.svg")), "{names:?}");
}

#[test]
fn a_batch_is_reported_while_it_is_incomplete_and_stays_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "two.toml",
        "name = \"two\"\nseeds = \"1-2\"\nmodels = [\"simulated:hasty\", \"openai:gone\"]\n[config.run]\nsteps = 12\n\
         [config.model]\nretries = 0\nbase_url = \"http://127.0.0.1:9/v1\"\n",
    );
    sandbox.run("batch two.toml -q").code(5);
    let results = sandbox.path().join("two-results/results.jsonl");
    let whole = fs::read_to_string(&results).unwrap();
    // An incomplete line does not count, and the file is not changed.
    let half = &whole[..whole.len() - 9];
    fs::write(&results, half).unwrap();
    let (page, document) = report(&sandbox, "two-results");
    assert_eq!((&document["done"], &document["failed"], &document["waiting"]), (&1.into(), &2.into(), &1.into()));
    assert!(page.text().contains("Failed cells") && page.text().contains("openai:gone"), "{}", page.text());
    assert_eq!(fs::read_to_string(&results).unwrap(), half);
    page.check_numbers(&document);
    let wrong = sandbox.run("report none").code(4);
    assert!(wrong.stderr.contains("`none` is not the directory of a batch"), "{}", wrong.stderr);
}

#[test]
fn a_run_is_its_trajectory_with_a_map() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q").code(0);
    let (page, document) = report(&sandbox, "1");
    assert_eq!(document["metrics"]["steps"], 38);
    let trajectory = document["trajectory"].as_array().unwrap();
    assert_eq!(trajectory.len(), 40);
    assert!(trajectory.iter().all(|step| step["position"].as_array().is_some_and(|place| place.len() == 3)));
    assert_eq!(trajectory[10]["reached"], serde_json::json!(["wooden pickaxe"]));
    let refused = &trajectory[4]["refused"];
    assert_eq!(refused[1]["laws"], serde_json::json!(["craft-wooden-pickaxe"]));
    let rows = page.rows();
    let row = |cells: [&str; 3]| rows.iter().any(|row| row.iter().eq(cells.iter()));
    assert!(row(["10", "craft wooden pickaxe", "Crafted 1 wooden_pickaxe."]), "{rows:#?}");
    assert!(row(["10", "reached", "wooden pickaxe"]), "{rows:#?}");
    assert!(page.html().contains("<polyline class=\"way\""));
    let shown = sandbox.run("runs show 1 --json").code(0).json();
    assert_eq!(document["metrics"], shown["metrics"]);
}

#[test]
fn runs_of_learning_are_grouped_by_revision() {
    let sandbox = Sandbox::new();
    let learned = "learn --no-laws --episodes 10 --iterations 2 --test 3 --store learned --json";
    let learned = sandbox.run(learned).code(0).json();
    let (page, document) = report(&sandbox, "all --store learned");
    let groups = document["groups"].as_array().unwrap();
    let episodes: Vec<u64> = groups.iter().map(|group| group["episodes"].as_u64().unwrap()).collect();
    // Each revision plays the seeds that decide on it, and those that decide on the next.
    assert_eq!(episodes, [20, 20, 10, 3, 3]);
    for (group, iteration) in groups[1..].iter().zip(learned["iterations"].as_array().unwrap()) {
        assert_eq!(group["comparison"], iteration["decision"]["comparison"]);
    }
    assert_eq!(groups[4]["comparison"], learned["test"]["comparison"]);
    assert!(page.text().contains("Learning curve of learned"), "{}", page.text());
    let admitted = document["proposals"].as_array().unwrap().iter().filter(|it| it["ruling"] == "admitted").count();
    let said = learned["iterations"].as_array().unwrap();
    assert_eq!(admitted, said.iter().map(|it| it["admitted"].as_array().unwrap().len()).sum::<usize>());
}

/// Markup in every text that a plan, a model or a run may choose.
pub const MARKUP: &str =
    "</td></script><script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(2)>&lt;\u{202e}";

/// Writes a batch directory whose names are markup.
pub fn hostile_batch(sandbox: &Sandbox) {
    let plan = format!(
        "name = \"hostile\"\nseeds = \"1-2\"\n[books]\n'{MARKUP}' = []\n'{MARKUP}2' = [\"minecraft-hard\"]\n[config.run]\nsteps = 12\n"
    );
    sandbox.write("hostile.toml", &plan);
    sandbox.run("batch hostile.toml -q").code(0);
}

#[test]
fn hostile_names_stay_text() {
    let sandbox = Sandbox::new();
    hostile_batch(&sandbox);
    let (page, document) = report(&sandbox, "hostile-results");
    assert_eq!(document["conditions"][0]["condition"], MARKUP);
    page.check_harmless();
    page.check_numbers(&document);
    assert!(page.html().contains("&lt;script&gt;alert(1)"));
    // The markup is in a model's name, its thoughts and its actions.
    sandbox.run("run -q --steps 3 --model simulated:careful --record talk").code(10);
    let hostile: String = serde_json::from_str(&format!("\"{HOSTILE}\"")).unwrap();
    let hostile = format!("{hostile}{MARKUP}");
    let recorded = fs::read_to_string(sandbox.path().join("talk")).unwrap();
    let mut lines: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[0]["model"]["name"] = hostile.clone().into();
    lines[1]["reply"]["text"] = serde_json::json!({ "thought": hostile, "action": hostile }).to_string().into();
    sandbox.write("hostile", &lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    sandbox.run("run -q --steps 3 --model cassette:hostile");
    for of in ["last", "all"] {
        let (page, document) = report(&sandbox, of);
        page.check_harmless();
        page.check_numbers(&document);
    }
}

#[test]
fn results_and_runs_are_written_for_other_programs() {
    let sandbox = Sandbox::new();
    sandbox.run("batch smoke -q").code(0);
    sandbox.run("run -q").code(0);
    let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap();
    for (format, ending) in
        [("csv", "csv"), ("jsonl", "jsonl"), ("markdown", "md"), ("latex", "tex"), ("parquet", "parquet")]
    {
        for of in ["smoke-results", "last"] {
            let name = format!("report.{ending}");
            let said = sandbox.run(&format!("report {of} --format {format}")).code(0).stderr;
            assert_eq!(said, format!("wrote {name}\n"));
            fs::rename(sandbox.path().join(&name), sandbox.path().join(format!("{of}.{ending}"))).unwrap();
        }
        sandbox.run(&format!("store export --format {format} -o steps.{ending}")).code(0);
    }
    // The cells equal those of the results.
    let cells = read("smoke-results.jsonl");
    let results = read("smoke-results/results.jsonl");
    assert_eq!(cells.lines().count(), 20);
    for (cell, result) in cells.lines().zip(results.lines()) {
        let (cell, result): (Value, Value) =
            (serde_json::from_str(cell).unwrap(), serde_json::from_str(result).unwrap());
        for key in ["cell", "condition", "seed", "steps", "goal", "blocked", "ticks"] {
            assert_eq!(cell[key], result[key], "{key}");
        }
        assert_eq!(cell["steps_to_diamond"], result["subgoals"][3][1]);
        assert_eq!(cell["prompt_tokens"], result["usage"]["actor"]["usage"]["prompt"]);
    }
    let csv = read("smoke-results.csv");
    assert_eq!(csv.lines().count(), 21);
    assert!(csv.starts_with("cell,condition,seed,") && csv.contains("\r\n0,\"naive, no laws\",1,naive,"), "{csv}");
    let steps = read("steps.csv");
    assert_eq!(steps.lines().count(), 41);
    assert!(steps.contains("\r\n1,10,craft wooden pickaxe,,Crafted 1 wooden_pickaxe.,"), "{steps}");
    insta::assert_snapshot!([read("smoke-results.md"), read("smoke-results.tex"), read("last.md")].join("\n"));
    for name in ["smoke-results.parquet", "last.parquet", "steps.parquet"] {
        let bytes = fs::read(sandbox.path().join(name)).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
    let refused = sandbox.run("store export --format csv").code(2);
    assert!(refused.stderr.contains("only jsonl is written to standard output"), "{}", refused.stderr);
}
