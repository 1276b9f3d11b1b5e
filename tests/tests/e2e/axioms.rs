//! Axioms: conditions of every reachable state. Proofs rely on them, and every stored state is checked against them.

use ltlcrit_store::{Durability, RunId, StepRecord, Store};
use ltlcrit_verifier::Letter;

use crate::sandbox::Sandbox;

/// A store whose run 2 is a copy of run 1, except that it carries three planks instead of two after step 2.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --model simulated:careful --steps 4").code(10);
    let store = Store::open(sandbox.path().join(".ltlcrit/store")).unwrap();
    let steps: Vec<StepRecord> = store.steps(RunId(1)).map(Result::unwrap).collect();
    let mut manifest = store.manifest(RunId(1)).unwrap();
    let run = store.begin(&mut manifest).unwrap();
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let planks = ["obs_has_plank", "obs_has_3x_plank", "obs_has_fuel"];
    for mut step in steps {
        if let (2, Some(executed)) = (step.step, &step.executed) {
            step.observation.holds = vocabulary.set(planks).unwrap();
            step.letter = Letter::after(&vocabulary, executed.action, step.observation.holds);
        }
        store.append_step(run, &step, Durability::EachEpisode).unwrap();
    }
    store.finish(run, &store.outcome(RunId(1)).unwrap().unwrap()).unwrap();
    sandbox
}

#[test]
fn a_stored_state_that_breaks_an_axiom_is_found_by_whatever_relies_on_it() {
    let sandbox = sandbox();
    let error = sandbox.run("critique --no-laws").code(6).stderr;
    insta::assert_snapshot!(error.lines().find(|line| line.starts_with("error: ")).unwrap());
    let told = "run 2 step 2 breaks the axiom `obs_has_3x_plank -> obs_has_2x_plank` of the vocabulary `minecraft`";
    assert!(error.contains(told), "{error}");
    assert!(!sandbox.path().join("learned.toml").exists());
    for line in ["graph all", "replay 2", "resume 2"] {
        let ran = sandbox.run(line).code(6);
        assert!(ran.stderr.contains(told), "{line}: {}", ran.stderr);
    }
    // A run that satisfies the axioms can be read, and the other one can be inspected.
    sandbox.run("critique 1 --no-laws").code(0);
    sandbox.run("replay 1").code(0);
    sandbox.run("runs show 2").code(0);
    let verified = sandbox.run("store verify").code(5).stdout;
    let problem =
        "steps 2/2: the letter breaks the axiom `obs_has_3x_plank -> obs_has_2x_plank` of the run's vocabulary";
    assert!(verified.contains(problem), "{verified}");
}

const KITCHEN: &str = r#"name = "kitchen"
revision = 1

[vocabulary]
name = "kitchen"
observations = { obs_hot = "the pot is hot", obs_gloves = "the cook wears gloves" }
actions = { action_grab = "grab the pot", action_wait = "wait" }
axioms = []

[[law]]
id = "bare-hands"
formula = "G(!obs_gloves -> X !action_grab)"
strength = "hard"
explanation = "Bare hands grab no pot."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "burning"
formula = "G(obs_hot -> X !action_wait)"
strength = "hard"
explanation = "Nobody waits beside a hot pot."
status = "adopted"
provenance = { origin = "hand" }
"#;

/// The laws leave no action at a hot pot without gloves, a state that the invariant excludes.
#[test]
fn an_invariant_takes_states_that_no_run_reaches_out_of_the_proof() {
    let sandbox = Sandbox::new();
    let invariant = "{ formula = \"obs_hot -> obs_gloves\", reason = \"gloves are put on before the stove is lit\" }";
    sandbox.write("kitchen.toml", KITCHEN);
    let report = sandbox.run("laws check kitchen.toml --json").code(5).json();
    assert_eq!(report["consistency"]["hard"], "over-constrained", "{report}");
    sandbox.write("kitchen.toml", &KITCHEN.replace("axioms = []", &format!("axioms = [{invariant}]")));
    let report = sandbox.run("laws check kitchen.toml --json").code(0).json();
    assert_eq!(report["consistency"]["hard"], "consistent", "{report}");
    // A word that breaks the invariant is rejected, with the reason.
    let ran = sandbox.run("ltl allowed --laws kitchen.toml obs_hot").code(4);
    let told = "breaks the axiom `obs_hot -> obs_gloves` (gloves are put on before the stove is lit)";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}
