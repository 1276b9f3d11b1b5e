//! `batch`: the cells of a plan, after any interruption, and the table.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::books::book;
use crate::endpoint::Endpoint;
use crate::sandbox::{Ran, Sandbox};

/// A plan of 6 short cells.
const PLAN: &str = "name = \"small\"\nseeds = \"1-3\"\nactors = [\"naive\", \"inner-monologue\"]\n\
                    [config.run]\nsteps = 12\n";

fn results(sandbox: &Sandbox, directory: &str) -> String {
    fs::read_to_string(sandbox.path().join(directory).join("results.jsonl")).unwrap()
}

/// Runs a plan with the program's output in pipes without readers.
fn start(sandbox: &Sandbox, line: &str) -> Child {
    sandbox.std_command(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until a file has a number of lines, or the process has ended.
fn wait_for_lines(child: &mut Child, file: &Path, lines: usize) {
    while fs::read_to_string(file).unwrap_or_default().lines().count() < lines {
        if child.try_wait().unwrap().is_some() {
            return;
        }
        std::thread::yield_now();
    }
}

#[test]
fn the_smoke_plan_gives_the_same_bytes_with_any_number_of_jobs() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("batch smoke --jobs 1").code(0);
    insta::assert_snapshot!(ran.shown());
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        assert!(line.chars().count() <= 100, "wider than a terminal of 100 columns: {line}");
    }
    let one = results(&sandbox, "smoke-results");
    assert_eq!(one.lines().count(), 20);
    insta::assert_snapshot!(one.lines().next().unwrap());
    sandbox.run("batch smoke --jobs 4 -o four -q").code(0);
    assert_eq!(results(&sandbox, "four"), one);
    // All cells are finished, so nothing runs again.
    let again = sandbox.run("batch smoke --jobs 4").code(0);
    assert!(again.stderr.contains("0 to run"), "{}", again.stderr);
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(results(&sandbox, "smoke-results"), one);
    assert!(sandbox.run("store verify --store smoke-results/store").code(0).stdout.contains("sound"));
    // The plan in the directory is equal to the original plan.
    sandbox.run("batch smoke-results/plan.toml").code(0);
    let document = sandbox.run("batch smoke --json").code(0).json();
    assert_eq!((&document["done"], &document["simulated"]), (&20.into(), &true.into()));
    assert_eq!(document["comparisons"][0]["seeds"], 5);
}

#[test]
fn a_dry_run_shows_the_conditions_and_makes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", PLAN);
    let ran = sandbox.run("batch small.toml --dry-run").code(0);
    insta::assert_snapshot!(ran.shown());
    let document = sandbox.run("batch small.toml --dry-run --json").code(0).json();
    assert_eq!((&document["cells"], &document["steps"]), (&6.into(), &72.into()));
    assert!(!sandbox.path().join("small-results").exists());
}

#[test]
fn a_killed_batch_goes_on_to_the_same_bytes() {
    let sandbox = Sandbox::new();
    sandbox.run("batch smoke -q -o whole").code(0);
    let whole = results(&sandbox, "whole");
    for lines in [0, 1, 7, 19] {
        let directory = format!("killed-{lines}");
        let mut child = start(&sandbox, &format!("batch smoke -q -o {directory} --jobs 2"));
        wait_for_lines(&mut child, &sandbox.path().join(&directory).join("results.jsonl"), lines);
        child.kill().unwrap();
        child.wait().unwrap();
        let path = sandbox.path().join(&directory).join("results.jsonl");
        let begun = fs::read_to_string(&path).unwrap_or_default();
        assert!(whole.starts_with(&begun) && begun.lines().count() >= lines);
        sandbox.run(&format!("batch smoke -q -o {directory}")).code(0);
        assert_eq!(results(&sandbox, &directory), whole, "killed after {lines} lines");
    }
    // Temporary files of a killed process do not count as other content.
    fs::create_dir(sandbox.path().join("early")).unwrap();
    sandbox.write("early/.ltlcrit-a1b2c3.tmp", "name = \"smo");
    sandbox.run("batch smoke -q -o early").code(0);
    assert_eq!(results(&sandbox, "early"), whole);
    assert!(!sandbox.path().join("early/.ltlcrit-a1b2c3.tmp").exists());
    // A torn last line, left by a power failure, is cut off at any byte.
    let path = sandbox.path().join("whole/results.jsonl");
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    for cut in [last, last + 1, (last + whole.len()) / 2, whole.len() - 1] {
        fs::write(&path, &whole[..cut]).unwrap();
        let ran = sandbox.run("batch smoke -o whole").code(0);
        assert!(ran.stderr.contains("1 to run"), "{}", ran.stderr);
        assert_eq!(results(&sandbox, "whole"), whole, "cut at {cut}");
    }
}

/// Kills happen at random moments from before the first cell of a batch to after its last one.
#[test]
#[ignore = "each kill starts a process"]
fn thirty_kills_at_random_lose_no_finished_cell() {
    let sandbox = Sandbox::new();
    sandbox.run("batch smoke -q -o whole").code(0);
    let whole = results(&sandbox, "whole");
    let mut state = 0x5eed_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut kills, mut story) = (0, 0);
    while kills < 30 {
        let directory = format!("story-{story}");
        let path = sandbox.path().join(&directory).join("results.jsonl");
        let done = || fs::read_to_string(&path).unwrap_or_default().matches('\n').count();
        while kills < 30 && done() < 20 {
            let (before, more) = (done(), random(5) as usize);
            let mut child = start(&sandbox, &format!("batch smoke -q -o {directory} --jobs 2"));
            wait_for_lines(&mut child, &path, before + more);
            // The kill happens anywhere in the first milliseconds of a process, or of a cell.
            for turn in 0..random(20_000_000) {
                std::hint::black_box(turn);
            }
            child.kill().unwrap();
            kills += u64::from(!child.wait().unwrap().success());
            let begun = fs::read_to_string(&path).unwrap_or_default();
            assert!(whole.starts_with(&begun) && done() >= before, "kill {kills}");
        }
        sandbox.run(&format!("batch smoke -q -o {directory}")).code(0);
        assert_eq!(results(&sandbox, &directory), whole, "story {story}");
        assert!(sandbox.run(&format!("store verify --store {directory}/store")).code(0).stdout.contains("sound"));
        story += 1;
    }
    assert!(story > 1, "one batch was killed 30 times");
}

#[test]
fn another_plan_is_refused_with_the_differing_keys() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", PLAN);
    sandbox.run("batch small.toml -q").code(0);
    let before = results(&sandbox, "small-results");
    sandbox.write("small.toml", &PLAN.replace("1-3", "1-4").replace("steps = 12", "steps = 13"));
    let refused = sandbox.run("batch small.toml").code(4);
    insta::assert_snapshot!(refused.shown());
    assert_eq!(results(&sandbox, "small-results"), before);
    // A different configuration and a law book with other content are rejected as well.
    sandbox.write("small.toml", PLAN);
    let refused = sandbox.run_with("batch small.toml", &[("LTLCRIT_SHIELD__ENVIRONMENT", "cooperative")]).code(4);
    assert!(refused.stderr.contains("config.shield.environment: \"robust\" there"), "{}", refused.stderr);
    sandbox.write("mine.toml", &crate::books::book(&[]));
    sandbox.write("small.toml", &format!("books = [[\"mine.toml\"]]\n{PLAN}"));
    sandbox.run("batch small.toml -q -o mine").code(0);
    sandbox.write("mine.toml", &format!("{}\n", crate::books::book(&[])));
    let refused = sandbox.run("batch small.toml -q -o mine").code(4);
    assert!(refused.stderr.contains("inputs.mine.toml: "), "{}", refused.stderr);
    // A directory with other content is not changed.
    fs::create_dir(sandbox.path().join("other")).unwrap();
    sandbox.write("other/notes", "mine\n");
    let refused = sandbox.run("batch smoke -o other").code(4);
    assert!(refused.stderr.contains("is not the directory of a batch"), "{}", refused.stderr);
}

/// A grown plan continues in its directory, with the same result as a fresh run of the larger plan.
#[test]
fn a_plan_may_grow() {
    let sandbox = Sandbox::new();
    let larger = PLAN.replace("1-3", "0-5").replace("[\"naive\",", "[\"saycan\", \"naive\",");
    sandbox.write("small.toml", PLAN);
    sandbox.run("batch small.toml -q").code(0);
    let (before, plan) = (results(&sandbox, "small-results"), sandbox.path().join("small-results/plan.toml"));
    let earlier = fs::read_to_string(&plan).unwrap();
    sandbox.write("small.toml", &larger);
    let grown = sandbox.run("batch small.toml").code(0);
    assert!(grown.stderr.contains("18 (3 conditions, seeds 0-5), 12 to run"), "{}", grown.stderr);
    sandbox.run("batch small.toml -q -o whole").code(0);
    let whole = results(&sandbox, "whole");
    assert_eq!(results(&sandbox, "small-results"), whole);
    let runs = sandbox.run("store stats --store small-results/store --json").code(0).json();
    assert_eq!(runs["runs"], 18, "nothing has run twice: {runs}");
    // The process may be killed after the results have their new numbers and before the plan is replaced.
    fs::write(&plan, earlier).unwrap();
    sandbox.run("batch small.toml -q").code(0);
    assert_eq!(results(&sandbox, "small-results"), whole);
    // A plan does not shrink, and a shard does not grow.
    sandbox.write("small.toml", PLAN);
    let refused = sandbox.run("batch small.toml").code(4);
    assert!(refused.stderr.contains("seeds: \"0-5\" there, \"1-3\" here"), "{}", refused.stderr);
    sandbox.run("batch small.toml -q --shard 1/2 -o half").code(0);
    sandbox.write("small.toml", &larger);
    let refused = sandbox.run("batch small.toml --shard 1/2 -o half").code(4);
    assert!(refused.stderr.contains("seeds: \"1-3\" there, \"0-5\" here"), "{}", refused.stderr);
    assert_ne!(before, whole);
}

/// Each group of settings is a condition, and its suspended laws are reported.
#[test]
fn settings_are_an_axis() {
    let sandbox = Sandbox::new();
    let guard = "G(!obs_has_log & !obs_has_plank -> X";
    let (log, look) = (format!("{guard} action_mine_log)"), format!("{guard} action_explore_general)"));
    sandbox.write("mine.toml", &book(&[("log-first", "soft", &log), ("look-first", "soft", &look)]));
    let plan = "name = \"falls\"\nseeds = \"1-2\"\nbooks = [[\"mine.toml\"]]\nmodels = [\"simulated:careful\"]\n\
                [config.run]\nsteps = 4\n[settings]\n\"one by one\" = {}\nall = { shield.fallback = \"all\" }\n";
    sandbox.write("falls.toml", plan);
    let ran = sandbox.run("batch falls.toml").code(0);
    let told: Vec<&str> = ran.stdout.lines().skip_while(|line| !line.starts_with("steps for which")).take(4).collect();
    let rows: Vec<Vec<&str>> = told.iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[2][..3], ["one", "by", "one"], "{told:?}");
    assert!(told[2].contains("look-first") && !told[2].contains("log-first"), "{told:?}");
    assert!(told[3].starts_with("all ") && told[3].ends_with("all soft ones"), "{told:?}");
    let document = sandbox.run("batch falls.toml --json").code(0).json();
    assert_eq!(document["comparisons"][0]["condition"], "all");
    assert!(document["conditions"][0]["suspended_by_law"]["look-first"].as_u64().unwrap() >= 2);
    // A further group adds a condition.
    sandbox.write("falls.toml", &format!("{plan}allowed = {{ actor.offer = \"allowed\" }}\n"));
    let grown = sandbox.run("batch falls.toml").code(0);
    assert!(grown.stderr.contains("6 (3 conditions, seeds 1-2), 2 to run"), "{}", grown.stderr);
    // `--set` overrides the plan, and a change of the plan's meaning is rejected.
    let set = sandbox.run("batch falls.toml --set run.steps=5").code(4);
    assert!(set.stderr.contains("config.run.steps: 4 there, 5 here"), "{}", set.stderr);
    let set = sandbox.run("batch falls.toml --set run.seed=5").code(4);
    assert!(set.stderr.contains("`seed` of `[config.run]` has no effect in a batch"), "{}", set.stderr);
}

#[test]
fn a_failing_condition_is_listed_and_can_be_tried_again() {
    let sandbox = Sandbox::new();
    let plan = "name = \"three\"\nseeds = \"1-2\"\nmodels = [\"simulated:./mine.toml\", \"openai:gone\", \"simulated:hasty\"]\n\
                [config.run]\nsteps = 12\n[config.model]\nretries = 0\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    sandbox.write("three.toml", plan);
    let ran = sandbox.run("batch three.toml").code(5);
    insta::assert_snapshot!(ran.shown());
    assert_eq!(results(&sandbox, "three-results").lines().count(), 2);
    // Without --retry failed cells are not repeated.
    let again = sandbox.run("batch three.toml").code(5);
    assert!(again.stderr.contains("0 to run"), "{}", again.stderr);
    assert!(again.stderr.contains("4 cells failed earlier") && again.stderr.contains("`--retry`"), "{}", again.stderr);
    // The persona exists now, so its cells come before those of the others.
    let hasty = include_str!("../../../bot/engine/personas/hasty.toml");
    sandbox.write("mine.toml", hasty);
    let retried = sandbox.run("batch three.toml --retry --json").code(5).json();
    assert_eq!((&retried["done"], &retried["failed"]), (&4.into(), &2.into()));
    assert_eq!(retried["failures"][0]["condition"], "openai:gone");
    let lines = results(&sandbox, "three-results");
    let cells: Vec<u64> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["cell"].as_u64().unwrap()).collect();
    assert_eq!(cells, [0, 1, 4, 5]);
    // The results equal those of a batch with the persona from the start.
    sandbox.run("batch three.toml -q -o other").code(5);
    assert_eq!(results(&sandbox, "other"), lines);
}

#[test]
fn results_that_came_late_are_put_in_order() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", PLAN);
    let ran = sandbox.run("batch small.toml").code(0);
    let whole = results(&sandbox, "small-results");
    let document = sandbox.run("report small-results --json -o page.html").code(0).json();
    // A process killed after it repeated failed cells leaves the results in this order.
    let late: String = whole.split_inclusive('\n').rev().collect();
    sandbox.write("small-results/results.jsonl", &late);
    assert_eq!(sandbox.run("batch status small-results --json").code(0).json()["done"], 6);
    assert_eq!(sandbox.run("report small-results --json -o page.html").code(0).json(), document);
    assert_eq!(results(&sandbox, "small-results"), late, "what only reads leaves them as they are");
    assert_eq!(sandbox.run("batch small.toml").code(0).stdout, ran.stdout);
    assert_eq!(results(&sandbox, "small-results"), whole);
    // A missing cell is appended at the end.
    let without: String = whole.split_inclusive('\n').skip(1).collect();
    sandbox.write("small-results/results.jsonl", &without);
    sandbox.run("batch small.toml -q").code(0);
    assert_eq!(results(&sandbox, "small-results"), whole);
    let first = whole.split_inclusive('\n').next().unwrap();
    sandbox.write("small-results/results.jsonl", &format!("{whole}{first}"));
    let refused = sandbox.run("batch small.toml").code(4);
    assert!(refused.stderr.contains("results.jsonl:7: the cell 0 has a line before"), "{}", refused.stderr);
}

#[test]
fn a_cap_counts_all_that_was_ever_asked_for_a_condition() {
    let sandbox = Sandbox::new();
    let plan = |cap: u64| {
        format!(
            "name = \"one\"\nseeds = \"1-3\"\nmodels = [\"openai:persona\"]\n[config.run]\nsteps = 12\n\
             [config.caps]\nrequests = {cap}\n"
        )
    };
    sandbox.write("one.toml", &plan(20));
    let endpoint = Endpoint::hanging_at(16);
    let line = format!("batch one.toml -q --jobs 1 --base-url {}", endpoint.url());
    // The process is killed in the second cell, while it waits for an answer.
    let mut child = start(&sandbox, &line);
    endpoint.wait_until_asked(16);
    child.kill().unwrap();
    child.wait().unwrap();
    // The cell begins anew and meets the cap; repeated failed cells ask nothing.
    for flags in ["", "", "--retry", "--retry"] {
        sandbox.run(&format!("{line} {flags}")).code(5);
        assert_eq!(endpoint.questions(), 20);
    }
    let document = sandbox.run(&format!("{line} --json")).code(5).json();
    assert!(
        document["failures"][0]["reason"].as_str().unwrap().contains("request cap reached: 20 of 20"),
        "{document}"
    );
    // A higher cap leaves the plan the same.
    sandbox.write("one.toml", &plan(200));
    sandbox.run(&format!("{line} --retry")).code(0);
    assert_eq!(results(&sandbox, "one-results").lines().count(), 3);
}

#[test]
fn caps_on_personas_end_at_the_same_cell_with_any_number_of_jobs() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", &format!("{PLAN}[config.caps]\nrequests = 30\n"));
    for jobs in [1, 4] {
        let document = sandbox.run(&format!("batch small.toml --json --jobs {jobs} -o {jobs}")).code(5).json();
        assert!(document["failures"][0]["reason"].as_str().unwrap().contains("request cap"), "{document}");
    }
    assert_eq!(results(&sandbox, "1"), results(&sandbox, "4"));
    assert!((1..6).contains(&results(&sandbox, "1").lines().count()));
}

#[test]
fn ctrl_c_leaves_the_cells_under_way_waiting() {
    let sandbox = Sandbox::new();
    // A cell takes 12 questions; one in the second cell hangs.
    let endpoint = Endpoint::hanging_after(15);
    let url = endpoint.url();
    sandbox.write(
        "one.toml",
        "name = \"one\"\nseeds = \"1-3\"\nmodels = [\"openai:persona\"]\n[config.run]\nsteps = 12\n",
    );
    let mut command = sandbox.std_command(["batch", "one.toml", "--json", "--jobs", "1", "--base-url", &url]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    endpoint.wait_until_asked(16);
    let kill = std::process::Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let document = Ran::from(child.wait_with_output().unwrap()).code(130).json();
    assert_eq!(
        (&document["failed"], document["done"].as_u64().unwrap() + document["waiting"].as_u64().unwrap()),
        (&0.into(), 3)
    );
    assert_eq!(results(&sandbox, "one-results").lines().count() as u64, document["done"].as_u64().unwrap());
}

#[test]
fn figures_from_elsewhere_stand_beside_those_of_the_plan() {
    let sandbox = Sandbox::new();
    let reference = "[reference]\nsource = \"a paper\"\nnote = \"Its actions do more than ours.\"\n\
                     [[reference.rows]]\nname = \"Actor\"\ncondition = \"naive\"\nruns = 5\ngoals = 4\n\
                     steps = { \"wooden pickaxe\" = 12.5, diamond = 34.2 }\nfailed = 0.23\n";
    let plan = format!("{}{reference}", PLAN.replace("steps = 12", "steps = 40"));
    sandbox.write("small.toml", &plan);
    let ran = sandbox.run("batch small.toml").code(0);
    insta::assert_snapshot!(ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100));
    let document = sandbox.run("batch small.toml --json").code(0).json();
    assert_eq!(document["reference"]["rows"][0]["steps"]["diamond"], 34.2);
    let wooden = &document["conditions"][0]["subgoals"][0];
    assert_eq!((&wooden["reached"], &wooden["optimum"]), (&3.into(), &10.0.into()), "{document}");
    // No result depends on the changed value.
    sandbox.write("small.toml", &plan.replace("12.5", "12.6"));
    sandbox.run("batch small.toml -q").code(0);
    sandbox.write("small.toml", &plan.replace("\"naive\"\nruns", "\"nobody\"\nruns"));
    let refused = sandbox.run("batch small.toml").code(4);
    assert!(refused.stderr.contains("`nobody` is no condition of the plan"), "{}", refused.stderr);
}

#[test]
fn a_wrong_plan_is_said_with_its_place() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.toml", "name = \"wrong\"\nseeds = \"1-3\"\nactor = [\"naive\"]\n");
    let mut shown = String::new();
    for line in ["batch wrong.toml", "batch none.toml", "batch smoke --store x"] {
        let ran = sandbox.run(line);
        shown.push_str(&format!("$ ltlcrit {line}\n{}\n", ran.shown()));
    }
    insta::assert_snapshot!(shown);
}
