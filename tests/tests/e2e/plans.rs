//! Plans over several worlds, with learned laws, and with subgoals as goals.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::endpoint::Endpoint;
use crate::learn::LAWYER;
use crate::page::Page;
use crate::sandbox::Sandbox;

/// The planning tasks of the world's own tests.
const TASKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../worlds/pddl/tests/data/tasks");

fn read(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

fn results(sandbox: &Sandbox, directory: &str) -> Vec<Value> {
    let lines = read(sandbox, &format!("{directory}/results.jsonl"));
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Copies the tasks beside the folder of a plan; returns their names.
fn copy_tasks(sandbox: &Sandbox) -> Vec<String> {
    let mut names = Vec::new();
    for task in fs::read_dir(TASKS).unwrap() {
        let task = task.unwrap().path();
        let name = task.file_name().unwrap().to_str().unwrap().to_owned();
        let copy = sandbox.path().join("tasks").join(&name);
        fs::create_dir_all(&copy).unwrap();
        for file in fs::read_dir(&task).unwrap() {
            let file = file.unwrap().path();
            fs::copy(&file, copy.join(file.file_name().unwrap())).unwrap();
        }
        names.push(name);
    }
    names.sort();
    names
}

#[test]
fn planners_act_in_the_tasks_of_a_plan() {
    let sandbox = Sandbox::new();
    let names = copy_tasks(&sandbox);
    assert_eq!(names.len(), 6);
    let worlds: Vec<String> = names.iter().map(|name| format!("\"pddl:../tasks/{name}\"")).collect();
    let plan = format!(
        "name = \"tasks\"\nseeds = \"1-10\"\nworlds = [{}]\nmodels = [\"planner:shortest\", \"planner:random\"]\n\
         [config.run]\nsteps = 30\n",
        worlds.join(", ")
    );
    fs::create_dir(sandbox.path().join("plans")).unwrap();
    sandbox.write("plans/tasks.toml", &plan);
    let ran = sandbox.run("batch plans/tasks.toml --jobs 1 -o one").code(0);
    sandbox.run("batch plans/tasks.toml --jobs 2 -o two -q").code(0);
    assert_eq!(read(&sandbox, "one/results.jsonl"), read(&sandbox, "two/results.jsonl"));
    let cells = results(&sandbox, "one");
    assert_eq!(cells.len(), 6 * 2 * 10);
    for (name, its) in names.iter().zip(cells.chunks(20)) {
        let world = format!("pddl:{name}");
        assert!(its.iter().all(|cell| cell["world"] == world && cell["books"] == serde_json::json!([])), "{name}");
        let shortest = &its[..10];
        assert!(
            shortest
                .iter()
                .all(|cell| cell["goal"] == true && cell["condition"] == format!("{world}, planner:shortest"))
        );
        // Only the walk depends on the seed.
        assert!(shortest.iter().all(|cell| cell["steps"] == shortest[0]["steps"]));
        assert!(ran.stdout.contains(&format!("\n{world}, planner:random ")), "{}", ran.stdout);
    }
    let steps = |cells: &[Value]| cells.iter().map(|cell| cell["steps"].as_u64().unwrap()).collect::<Vec<_>>();
    assert!(cells.chunks(10).skip(1).step_by(2).any(|walk| steps(walk).windows(2).any(|pair| pair[0] != pair[1])));
    assert!(ran.stdout.contains("is no language model"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("simulated"), "{}", ran.stdout);
    // The random planner is compared with the shortest plan of its own world only.
    let document = sandbox.run("batch plans/tasks.toml -o one --json").code(0).json();
    let compared = document["comparisons"].as_array().unwrap();
    assert_eq!((compared.len(), &document["planners"]), (6, &true.into()));
    assert!(
        compared.iter().all(|it| it["condition"].as_str().unwrap().split(", ").next()
            == it["against"].as_str().unwrap().split(", ").next())
    );

    // The store has every run, and each can be replayed in its world.
    assert!(sandbox.run("store verify --store one/store").code(0).stdout.contains("sound"));
    for run in [1, 15, 101, 120] {
        sandbox.run(&format!("replay {run} --store one/store")).code(0);
    }
    let page = "report one -o page.html --json";
    let document = sandbox.run(page).code(0).json();
    let page = Page::new(read(&sandbox, "page.html"));
    page.check_numbers(&document);
    assert!(
        page.text().contains(&format!("pddl:{}, planner:shortest", names[0]))
            && page.text().contains("no language model")
    );
    sandbox.run("report one --format csv -o cells.csv").code(0);
    assert_eq!(read(&sandbox, "cells.csv").matches(&format!(",pddl:{},", names[5])).count(), 20);

    // The tasks are part of the plan, so changed tasks do not fit the directory.
    sandbox.run("batch one/plan.toml -o one -q").code(0);
    let problem = sandbox.path().join("tasks").join(&names[0]).join("metadata.json");
    let metadata = fs::read_to_string(&problem).unwrap();
    fs::write(&problem, metadata.replacen(&names[0], "another", 1)).unwrap();
    let refused = sandbox.run("batch plans/tasks.toml -o one").code(4);
    assert!(refused.stderr.contains("inputs.pddl:"), "{}", refused.stderr);
}

#[test]
fn a_world_has_its_own_laws_where_none_are_named() {
    let sandbox = Sandbox::new();
    copy_tasks(&sandbox);
    let plan = "name = \"two\"\nseeds = \"1-2\"\nworlds = [\"embedded\", \"pddl:tasks/neiss_2888\"]\n[config.run]\nsteps = 5\n";
    sandbox.write("two.toml", plan);
    let dry = sandbox.run("batch two.toml --dry-run --json").code(0).json();
    let books: Vec<&Value> = dry["conditions"].as_array().unwrap().iter().map(|it| &it["books"]).collect();
    assert_eq!(books, [&serde_json::json!(["minecraft-hard"]), &serde_json::json!([])]);
    sandbox.write("wrong.toml", &plan.replace("worlds", "world"));
    let refused = sandbox.run("batch wrong.toml --dry-run").code(4);
    assert!(refused.stderr.contains("worlds"), "{}", refused.stderr);
}

/// A plan with learned laws: two conditions, the second one with laws learned from 6 episodes twice.
const LEARNS: &str = "name = \"learns\"\nseeds = \"1-4\"\nmodels = [\"simulated:hasty\"]\n[books]\nnone = []\n\
                      learned = { learn = { seeds = \"1001-1006\", iterations = 2 } }\n[config.run]\nsteps = 80\n";

#[test]
fn laws_are_learned_once_and_the_same_everywhere() {
    let sandbox = Sandbox::new();
    sandbox.write("learns.toml", LEARNS);
    let dry = sandbox.run("batch learns.toml --dry-run").code(0).stdout;
    let told = dry.split_whitespace().collect::<Vec<_>>().join(" ");
    let episodes = "learned learns its laws first: 30 episodes, more if a revision is worse or in doubt, the first on seeds 1001-1006";
    assert!(told.contains(episodes), "{dry}");
    let ran = sandbox.run("batch learns.toml -o whole").code(0);
    let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the laws of one learning"), "{}", ran.stdout);
    let document = sandbox.run("batch learns.toml -o whole --json").code(0).json();
    let learning = &document["learnings"][0];
    assert!(learning["laws"].as_u64().unwrap() > 0, "{document}");
    assert_eq!(document["learnings"].as_array().unwrap().len(), 1);
    assert_eq!(learning["iterations"].as_array().unwrap().len(), 2);
    let cells = results(&sandbox, "whole");
    assert!(cells[..4].iter().all(|cell| cell.get("learned").is_none()));
    assert!(
        cells[4..]
            .iter()
            .all(|cell| cell["learned"] == learning["sha256"] && cell["books"] == serde_json::json!(["learned"]))
    );
    // It equals the book that `learn` makes from the same episodes.
    let same = "learn --no-laws --model simulated:hasty --seed 1001 --episodes 6 --iterations 2 --steps 80 -q";
    sandbox.run(same).code(0);
    assert_eq!(read(&sandbox, "learned.toml"), read(&sandbox, "whole/learned/2/learned.toml"));
    // Its runs can be replayed, and the runs it was learned from are kept.
    sandbox.run("replay last --store whole/store").code(0);
    assert!(sandbox.run("store verify --store whole/learned/2/store").code(0).stdout.contains("sound"));

    // Shards learn the same book, and their directories merge into the whole one.
    for number in [1, 2, 3] {
        sandbox.run(&format!("batch learns.toml --shard {number}/3 -o {number} -q --jobs 1")).code(0);
    }
    assert!(!sandbox.path().join("1/learned").exists(), "no cell of it needs the laws");
    sandbox.run("batch merge 1 2 3 -o merged").code(0);
    for name in ["results.jsonl", "learned/2/learned.toml", "learned/2/learning.json", "plan.toml"] {
        assert_eq!(read(&sandbox, &format!("merged/{name}")), read(&sandbox, &format!("whole/{name}")), "{name}");
    }
    // Without a cell's result the batch continues, and nothing is learned again.
    let lines = read(&sandbox, "merged/results.jsonl");
    let last = lines.trim_end().rfind('\n').unwrap() + 1;
    sandbox.write("merged/results.jsonl", &lines[..last]);
    let before = fs::metadata(sandbox.path().join("merged/learned/2/learning.json")).unwrap().modified().unwrap();
    sandbox.run("batch learns.toml -o merged -q").code(0);
    let after = fs::metadata(sandbox.path().join("merged/learned/2/learning.json")).unwrap().modified().unwrap();
    assert_eq!((read(&sandbox, "merged/results.jsonl"), after), (lines, before));
    // Another book is rejected, both by a continued batch and by a merge.
    change(&sandbox.path().join("3/learned/2"), "learned", "learnt");
    let refused = sandbox.run("batch merge 1 2 3 -o other").code(4);
    assert!(refused.stderr.contains("have learned other laws for `learned`"), "{}", refused.stderr);
    let book = sandbox.path().join("merged/learned/2/learned.toml");
    fs::write(&book, fs::read_to_string(&book).unwrap() + "\n").unwrap();
    let refused = sandbox.run("batch learns.toml -o merged").code(4);
    assert!(refused.stderr.contains("is not the book that was learned"), "{}", refused.stderr);
}

/// Neither goal lies on the way to the other, or to the diamond.
#[test]
fn laws_learned_for_one_goal_are_tested_on_another() {
    let sandbox = Sandbox::new();
    let learn = "seeds = \"1001-1004\", iterations = 1, goal = \"furnace, crafting table\"";
    sandbox.write(
        "transfer.toml",
        &format!(
            "name = \"transfer\"\nseeds = \"1-3\"\nmodels = [\"simulated:hasty\"]\n\
             config.run = {{ goal = \"11 planks, 11 cobblestone\", steps = 100 }}\n\
             [books]\nnone = []\nlearned = {{ learn = {{ {learn} }} }}\n"
        ),
    );
    let document = sandbox.run("batch transfer.toml --json").code(0).json();
    let [none, learned] = document["conditions"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!((&none["goals"], &learned["goals"]), (&3.into(), &3.into()), "{document}");
    assert!(document["learnings"][0]["iterations"][0]["goals"].as_u64() > Some(0), "{document}");
    let goal = learned["subgoals"].as_array().unwrap().last().unwrap();
    assert_eq!(goal["subgoal"], "11 planks, 11 cobblestone");
    assert!(learned["times_optimum"].as_f64() >= Some(0.9), "{document}");
}

#[test]
fn several_learnings_have_training_seeds_of_their_own_and_deal_out_the_cells() {
    let sandbox = Sandbox::new();
    let plan = LEARNS.replace("iterations = 2", "iterations = 1, repeats = 2");
    sandbox.write("learns.toml", &plan);
    let dry = sandbox.run("batch learns.toml --dry-run").code(0).stdout;
    assert!(dry.contains("in 2 learnings"), "{dry}");
    let document = sandbox.run("batch learns.toml -o whole --json").code(0).json();
    let learnings = document["learnings"].as_array().unwrap();
    let seeds: Vec<&Value> = learnings.iter().map(|learning| &learning["seeds"]).collect();
    assert_eq!(seeds, ["1001-1006", "1031-1036"], "none is a seed of both");
    let digests: Vec<&Value> = learnings.iter().map(|learning| &learning["sha256"]).collect();
    let cells = results(&sandbox, "whole");
    for cell in &cells[4..] {
        assert_eq!(cell["learned"], *digests[(cell["seed"].as_u64().unwrap() % 2) as usize], "{cell}");
    }
    let compared = &document["comparisons"][0];
    assert_eq!((&compared["learnings"], &compared["saved"]["units"]), (&2.into(), &2.into()), "{compared}");
    // Two learnings that both save steps are no evidence: the other signs are as likely.
    assert!(compared["steps"]["p"].as_f64().unwrap() >= 0.5, "{compared}");

    // Its runs can be replayed, and shards learn the same books.
    sandbox.run("replay last --store whole/store").code(0);
    for number in [1, 2] {
        sandbox.run(&format!("batch learns.toml --shard {number}/2 -o {number} -q")).code(0);
    }
    sandbox.run("batch merge 1 2 -o merged").code(0);
    for name in ["results.jsonl", "learned/2/learned.toml", "learned/2.2/learned.toml", "plan.toml"] {
        assert_eq!(read(&sandbox, &format!("merged/{name}")), read(&sandbox, &format!("whole/{name}")), "{name}");
    }
}

/// Changes a learned book together with its record.
fn change(folder: &Path, from: &str, to: &str) {
    let book = folder.join("learned.toml");
    let text = fs::read_to_string(&book).unwrap().replacen(from, to, 1);
    fs::write(&book, &text).unwrap();
    let record = folder.join("learning.json");
    let mut learning: Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    learning["sha256"] = ltlcrit_store::sha256(text.as_bytes()).into();
    fs::write(&record, learning.to_string()).unwrap();
}

#[test]
fn a_learning_that_was_cut_off_begins_anew() {
    let sandbox = Sandbox::new();
    sandbox.write("learns.toml", LEARNS);
    sandbox.run("batch learns.toml -o whole -q").code(0);
    // The process was killed before the record was written, and no cell of the condition had run.
    let lines = read(&sandbox, "whole/results.jsonl");
    let four: String = lines.split_inclusive('\n').take(4).collect();
    sandbox.write("whole/results.jsonl", &four);
    fs::remove_file(sandbox.path().join("whole/learned/2/learning.json")).unwrap();
    sandbox.write("whole/learned/2/learned.toml", "half a bo");
    sandbox.run("batch learns.toml -o whole -q").code(0);
    assert_eq!(read(&sandbox, "whole/results.jsonl"), lines);
}

#[test]
fn wrong_schedules_are_refused() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    for (from, to) in [
        ("1001-1006", "3-8"),
        ("iterations = 2", "iterations = 0"),
        ("iterations = 2", "episodes = 2"),
        ("[config.run]", "[config.learn]\niterations = 4\n[config.run]"),
        ("[config.run]", "[config.critic]\nanswer_tokens = 400\n[config.run]"),
        ("learned = { learn = { seeds = \"1001-1006\", iterations = 2 } }\n", "[config.learn]\nmargin = 1.0\n"),
    ] {
        sandbox.write("learns.toml", &LEARNS.replace(from, to));
        shown.push_str(&format!("{to}\n{}\n", sandbox.run("batch learns.toml --dry-run").code(4).stderr));
    }
    insta::assert_snapshot!(shown);
}

/// A task beside the diamond: what a person names, with its optimum, and each part of it as a subgoal.
#[test]
fn what_is_carried_at_once_can_be_the_goal() {
    let sandbox = Sandbox::new();
    sandbox.write("steps.txt", &["action_mine_log\n".repeat(3), "action_craft_planks\n".repeat(3)].concat());
    let run = |goal: &str| {
        sandbox.write(
            "planks.toml",
            &format!("name = \"planks\"\nseeds = \"1-3\"\nmodels = [\"plan:steps.txt\"]\nconfig.run = {{ goal = \"{goal}\" }}"),
        );
        let directory = goal.replace([' ', ','], "-");
        sandbox.run(&format!("batch planks.toml -o {directory} --json")).code(0).json()["conditions"][0].clone()
    };
    let planks = run("11 planks");
    assert_eq!(
        (&planks["goals"], &planks["mean_steps"], &planks["times_optimum"]),
        (&3.into(), &6.0.into(), &1.0.into())
    );
    let both = run("11 planks, log");
    let of = |at: usize| (&both["subgoals"][at]["subgoal"], &both["subgoals"][at]["optimum"]);
    assert_eq!([of(0), of(2)], [(&"11 planks".into(), &6.0.into()), (&"11 planks, log".into(), &7.0.into())]);
    assert_eq!(both["goals"], 0);
}

#[test]
fn a_subgoal_can_be_the_goal_of_a_run_and_of_learning() {
    let sandbox = Sandbox::new();
    let whole = sandbox.run("run -q --json").code(0).json();
    let reached = |document: &Value, name: &str| {
        let subgoals = document["metrics"]["subgoals"].as_array().unwrap().clone();
        subgoals.iter().find(|it| it["name"] == name).map(|it| it["step"].as_u64().unwrap())
    };
    let command = sandbox.command(["run", "-q", "--json", "--goal", "iron pickaxe"]).output().unwrap();
    let run = crate::sandbox::Ran::from(command).code(0).json();
    assert_eq!(run["end"]["kind"], whole["end"]["kind"], "{run}");
    assert_eq!(run["metrics"]["steps"], reached(&whole, "iron pickaxe").unwrap());
    assert_eq!((reached(&run, "iron pickaxe").is_some(), reached(&run, "diamond")), (true, None));
    sandbox.run("replay last").code(0);
    // An interrupted run is resumed and reaches the same end.
    let stopped = sandbox.command(["run", "-q", "--goal", "iron pickaxe", "--steps", "20"]).output().unwrap();
    crate::sandbox::Ran::from(stopped).code(10);
    let resumed = sandbox.run("resume last --steps 200 --json -q").code(0).json();
    assert_eq!(resumed["metrics"]["steps"], run["metrics"]["steps"], "{resumed}");
    let refused = sandbox.run("run --goal moon").code(3);
    assert!(refused.stderr.contains("wooden pickaxe, stone pickaxe, iron pickaxe, diamond"), "{}", refused.stderr);
    // The laws are learned for the pickaxe and tested on the diamond.
    let plan = LEARNS.replace("iterations = 2", "iterations = 1, goal = \"iron pickaxe\"");
    sandbox.write("learns.toml", &plan);
    let document = sandbox.run("batch learns.toml --json").code(0).json();
    assert_eq!(document["conditions"][1]["subgoals"].as_array().unwrap().len(), 4);
    let shown = sandbox.run("runs show 1 --json --store learns-results/learned/2/store").code(0).json();
    assert_eq!(shown["metrics"]["subgoals"].as_array().unwrap().len(), 3, "{shown}");
    assert!(reached(&shown, "iron pickaxe").is_some());
}

#[test]
fn the_critic_of_a_plan_has_an_endpoint_of_its_own() {
    let (actor, critic) = (Endpoint::with_critic(LAWYER), Endpoint::with_critic(LAWYER));
    let sandbox = Sandbox::new();
    let plan = "name = \"asked\"\nseeds = \"1-2\"\nmodels = [\"openai:persona\"]\n[books]\nlearned = { learn = { seeds = \
                \"1001-1002\", iterations = 1, critics = [\"openai:lawyer\"] } }\n[config.run]\nsteps = 12\n[config.model]\nretries = 0\n";
    sandbox.write("asked.toml", plan);
    let keys = [("ACTOR_KEY", "actor-secret"), ("CRITIC_KEY", "critic-secret")];
    let line = format!(
        "batch asked.toml --json --base-url {} --key-env ACTOR_KEY --critic-base-url {} --critic-key-env CRITIC_KEY",
        actor.url(),
        critic.url()
    );
    let document = sandbox.run_with(&line, &keys).code(0).json();
    let key = |key: &str| std::collections::BTreeSet::from([key.to_owned()]);
    assert_eq!((actor.keys(), critic.keys()), (key("actor-secret"), key("critic-secret")));
    let usage = &document["learnings"][0]["usage"];
    assert!(usage["actor"]["requests"].as_u64().unwrap() >= 2 * 12, "{document}");
    assert!(usage["critic"]["requests"].as_u64().unwrap() > 0, "{document}");
    // An endpoint that only the plan names gets no key, and the cells report this.
    sandbox.write("asked.toml", &format!("{plan}[config.critic]\nbase_url = \"https://models.example/v1\"\n"));
    let line = format!("batch asked.toml --json -o other --base-url {} --key-env ACTOR_KEY", actor.url());
    let refused = sandbox.run_with(&line, &keys).code(5).json();
    let reason = refused["failures"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("the key in ACTOR_KEY is not sent to https://models.example/v1"), "{reason}");
}

#[test]
fn the_shipped_plans_say_what_they_learn() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    for plan in ["table1", "ablation", "transfer", "small-model"] {
        shown.push_str(&sandbox.run(&format!("batch {plan} --dry-run")).code(0).stdout);
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

/// The shipped plans with fewer seeds, episodes and iterations.
#[test]
fn the_shipped_plans_run() {
    let sandbox = Sandbox::new();
    let plans = concat!(env!("CARGO_MANIFEST_DIR"), "/../bot/engine/plans");
    for (plan, conditions, learnings, within, better) in [
        ("table1", 4, 2, "naive", "learned"),
        ("ablation", 15, 9, "simulated:hasty", "learned"),
        ("transfer", 6, 4, "naive", "from iron pickaxe"),
    ] {
        let text = fs::read_to_string(format!("{plans}/{plan}.toml")).unwrap();
        let small = [
            ("1-30", "1-3"),
            ("1-20", "1-3"),
            ("1001-1005", "1001-1010"),
            ("1001-1040", "1001-1010"),
            ("iterations = 30", "iterations = 1"),
            ("iterations = 3", "iterations = 1"),
        ];
        let mut text = small.iter().fold(text, |text, (from, to)| text.replace(from, to));
        if plan == "table1" {
            // SayCan's persona uses all steps of all its runs.
            text = text.replace("\"saycan\", ", "");
            text.truncate(text.find("[reference]").unwrap());
        }
        sandbox.write(&format!("{plan}.toml"), &text);
        let document = sandbox.run(&format!("batch {plan}.toml --json")).code(0).json();
        let count = |key: &str| document[key].as_array().unwrap().len();
        assert_eq!((count("conditions"), count("learnings")), (conditions, learnings), "{plan}");
        assert_eq!(document["done"], 3 * conditions);
        let steps = |books: &str| {
            let name = format!("{within}, {books}");
            let row = document["conditions"].as_array().unwrap().iter().find(|row| row["condition"] == name);
            row.unwrap_or_else(|| panic!("{name}"))["mean_steps_at_limit"].as_f64().unwrap()
        };
        assert!(steps(better) < steps("no laws"), "{plan}");
        // Conditions that differ only in books are compared with each other, each pair once.
        let compared = document["comparisons"].as_array().unwrap();
        let against = |it: &&Value| it["against"].as_str().unwrap().starts_with(within);
        let books = document["conditions"].as_array().unwrap().iter();
        let books = books.filter(|row| row["condition"].as_str().unwrap().starts_with(&format!("{within}, "))).count();
        assert_eq!(compared.iter().filter(against).count(), books * (books - 1) / 2, "{plan}");
    }
}
