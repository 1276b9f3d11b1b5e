//! Cassettes: runs repeat byte for byte, and broken files are reported.

use std::fs;

use crate::endpoint::Endpoint;
use crate::run::steps;
use crate::sandbox::Sandbox;

#[test]
fn a_recorded_run_repeats_itself() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --seed 4 --record run.cassette");
    let repeated = sandbox.run("run --seed 4 --model cassette:run.cassette");
    assert_eq!(steps(&sandbox, 1), steps(&sandbox, 2));
    // The recorded answers were simulated, and the replay reports that.
    assert!(repeated.stdout.contains("simulated"), "{}", repeated.stdout);
}

#[test]
fn a_cassette_that_is_there_is_recorded_over_only_if_that_is_said() {
    let sandbox = Sandbox::new();
    let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap();
    sandbox.run("run -q --steps 3 --record run.cassette").code(10);
    let first = read("run.cassette");
    let refused = sandbox.run("run --seed 2 --steps 3 --record run.cassette").code(2);
    assert!(refused.stderr.contains("run.cassette is there already"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--overwrite"), "{}", refused.stderr);
    assert_eq!(read("run.cassette"), first);
    sandbox.run("run -q --seed 2 --steps 3 --record run.cassette --overwrite").code(10);
    assert_ne!(read("run.cassette"), first);
    sandbox.run("run -q --seed 2 --steps 3 --model cassette:run.cassette").code(10);
    // A resumed run is recorded in the same cassette.
    let recorded = read("run.cassette");
    sandbox.run("run -q --seed 2 --steps 3").code(10);
    sandbox.run("resume -q --steps 4 --record run.cassette").code(10);
    assert!(read("run.cassette").starts_with(&recorded) && read("run.cassette").len() > recorded.len());
    // Every cassette to be written counts, and only cassettes are ever replaced.
    sandbox.write("talk.critic", &first);
    let line = "learn -q --no-laws --episodes 1 --iterations 1 --steps 5 --critic cassette:run.cassette --record talk";
    assert!(sandbox.run(line).code(2).stderr.contains("talk.critic is there already"));
    sandbox.write("notes.txt", "not a cassette\n");
    sandbox.run("run --steps 3 --record notes.txt --overwrite").code(4);
    assert_eq!(read("notes.txt"), "not a cassette\n");
}

#[test]
fn a_question_that_was_never_recorded_fails_loudly_and_says_what_differs() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 3 --record run.cassette").code(10);
    let missed = sandbox.run("run -q --seed 2 --model cassette:run.cassette").code(7);
    assert!(missed.stdout.contains("differs first in `messages[1].text`"), "{}", missed.stdout);
}

#[test]
fn further_fields_of_requests_are_sent_kept_and_told_apart() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start();
    let fields = |temperature: f64| {
        format!("[model.body]\ntemperature = {temperature}\nchat_template_kwargs = {{ enable_thinking = false }}\n")
    };
    let ask = format!("--model openai:persona --base-url {}", endpoint.url());
    sandbox.write("ltlcrit.toml", &fields(0.7));
    sandbox.run(&format!("run -q --steps 2 --record talk {ask}")).code(10);
    for body in endpoint.bodies() {
        assert_eq!(
            (&body["temperature"], &body["chat_template_kwargs"]["enable_thinking"]),
            (&0.7.into(), &false.into())
        );
    }
    assert!(sandbox.run("store export").code(0).stdout.contains("\"chat_template_kwargs\""));
    sandbox.run("run -q --steps 2 --model cassette:talk").code(10);
    sandbox.write("ltlcrit.toml", &fields(0.5));
    let other = sandbox.run("run --steps 2 --model cassette:talk").code(7);
    let told = other.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("`body.temperature`, character 3: asked \"0.5\", recorded \"0.7\""), "{told}");
    // A plan may contain these fields, and they are part of it.
    let plan = |seed: u64| {
        format!(
            "name = \"p\"\nseeds = \"1\"\nmodels = [\"openai:persona\"]\nconfig.run.steps = 1\nconfig.model.body.seed = {seed}\n"
        )
    };
    sandbox.write("plan.toml", &plan(4));
    sandbox.run(&format!("batch plan.toml -q {ask}").replace("--model openai:persona ", "")).code(0);
    let last = endpoint.bodies().pop().unwrap();
    assert_eq!((&last["seed"], &last["temperature"]), (&4.into(), &0.5.into()));
    sandbox.write("plan.toml", &plan(5));
    let refused = sandbox.run(&format!("batch plan.toml -q {ask}").replace("--model openai:persona ", "")).code(4);
    assert!(refused.stderr.contains("config.model.body.seed"), "{}", refused.stderr);
    // Fields that the program writes, and keys, are not allowed.
    for (field, told) in
        [("stream = true", "`model.body.stream` cannot be set"), ("user = \"me sk-very-secret\"", "holds the key")]
    {
        sandbox.write("ltlcrit.toml", &format!("[model.body]\n{field}\n"));
        let refused =
            sandbox.run_with(&format!("run --steps 2 {ask}"), &[("OPENAI_API_KEY", "sk-very-secret")]).code(3);
        assert!(refused.stderr.contains(told) && !refused.stderr.contains("sk-very-secret"), "{}", refused.stderr);
    }
}

#[test]
fn broken_cassettes_say_which_line() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 3 --record run.cassette").code(10);
    let sound = fs::read_to_string(sandbox.path().join("run.cassette")).unwrap();
    let lines: Vec<&str> = sound.lines().collect();
    let cut = lines[1].len() / 2;
    let broken = [
        ("cut", format!("{}\n{}\n{}\n", lines[0], &lines[1][..cut], lines[2]), "line 2"),
        ("headless", format!("{}\n", lines[1]), "line 1"),
        ("empty", String::new(), ""),
        ("garbage", "\u{0}\u{1b}[31m not a cassette".to_owned(), "line 1"),
    ];
    for (name, text, place) in broken {
        sandbox.write(name, &text);
        let ran = sandbox.run(&format!("run --model cassette:{name}")).code(4);
        assert!(ran.stderr.contains(name) && ran.stderr.contains(place), "{name}: {}", ran.stderr);
        assert!(!ran.stderr.contains('\u{1b}'), "{name}: {:?}", ran.stderr);
    }
    sandbox.run("run --model cassette:missing").code(4);
    // No run was begun.
    assert_eq!(sandbox.run("store stats --json").code(0).json()["runs"], 1);
}

/// Recorded answers of a real model, SmolLM2-135M-Instruct on two processor cores. At 36 of 38 steps the laws leave one
/// action. The test shows the machinery and the book, and little of the model.
#[test]
fn a_model_of_135_million_parameters_mines_a_diamond_beside_the_book_for_small_models() {
    let sandbox = Sandbox::new();
    sandbox.write("smollm2.cassette", include_str!("fixtures/smollm2-135m.cassette"));
    let line =
        "run --model cassette:smollm2.cassette --actor naive --laws minecraft-hard --laws small-model --offer allowed";
    let ran = sandbox.run(line).code(0);
    assert!(ran.stdout.contains("goal reached in 38 steps"), "{}", ran.stdout);
    assert!(ran.stdout.contains("only allowed actions were offered"), "{}", ran.stdout);
    assert_eq!(steps(&sandbox, 1).len(), 40, "with the first observation and stopping");
}
