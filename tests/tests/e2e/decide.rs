//! Decisions on learned laws (`laws pending`, `adopt`, `reject`) and their history (`blame`, `history`, `diff`).

use std::fs;
use std::process::Command;
use std::sync::Mutex;

use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::{GateRuling, LawSource, Proposal, ProposedFormula};
use ltlcrit_critic::critique::Critic;
use ltlcrit_laws::{Book, Evidence};
use ltlcrit_store::{RunId, Store};
use serde_json::{Value, json};

use crate::endpoint::Endpoint;
use crate::run::exported;
use crate::sandbox::{BINARY, EMBEDDED, Sandbox};

const EMPTY: &str = "# What the critic learned; do not lose this line.\nname = \"learned\"\nvocabulary = \"minecraft\"\n\
                     revision = 1 # counts up\n";

const LAW: &str = "G(!obs_has_8x_cobble -> X !action_craft_furnace)";

/// Returns a proposed law in the form in which a person would write it.
fn by_hand(id: &str, formula: &str) -> String {
    format!(
        "\n[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"soft\"\nexplanation = \"This is {id}.\"\n\
         status = \"proposed\"\nprovenance = {{ origin = \"hand\" }}\n"
    )
}

fn read(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path().join("learned.toml")).unwrap()
}

/// Returns the steps of run 1 that tried to craft a furnace without enough cobblestone, and the number of steps that
/// lacked it.
fn vain(sandbox: &Sandbox) -> (Vec<Value>, u64) {
    let steps = exported(sandbox, 1, "step");
    let lacks = |step: &Value| !step["holds"].as_array().unwrap().contains(&json!("obs_has_8x_cobble"));
    let lacking: Vec<Value> = steps.windows(2).filter(|two| lacks(&two[0])).map(|two| two[1].clone()).collect();
    let count = lacking.len() as u64;
    (lacking.into_iter().filter(|step| step["action"] == "action_craft_furnace").collect(), count)
}

/// A sandbox with a run without laws, and a law learned from it that waits in `learned.toml`, revision 2.
fn learned() -> Sandbox {
    let sandbox = Sandbox::new();
    let path = sandbox.write("learned.toml", EMPTY);
    sandbox.run("run -q --laws learned.toml --steps 40").code(10);
    let step = vain(&sandbox).0[0]["step"].as_u64().unwrap();
    let store = Store::open(sandbox.path().join(".ltlcrit/store")).unwrap();
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let mut critic = Critic::new(vocabulary.clone());
    critic.read(&store, [RunId(1)]).unwrap();
    let runs = GateRuns { graph: critic.graph(), trials: &critic.trials(Default::default()) };
    let now = store.manifest(RunId(1)).unwrap().created;
    let book = Book::parse(EMPTY, "learned.toml").unwrap();
    let mut gate = Gate::new(&book, &[], vocabulary.clone(), runs, Staging::Propose).unwrap();
    let mut proposal = Proposal {
        formula: ProposedFormula::parse("G(obs_has_8x_cobble -> X action_fly)", &vocabulary),
        explanation: "A furnace takes eight cobblestone.".to_owned(),
        source: LawSource::EnvironmentFeedback,
        proposer: "trials".to_owned(),
        evidence: vec![Evidence { run: 1, step }],
    };
    let first = gate.admit(&store, &proposal.clone().into(), now).unwrap();
    assert!(matches!(first, GateRuling::Refused { .. }));
    proposal.formula = ProposedFormula::parse(LAW, &vocabulary);
    assert!(matches!(gate.admit(&store, &proposal.into(), now).unwrap(), GateRuling::Admitted { .. }));
    gate.finish(&store, now).unwrap().save(&path).unwrap();
    sandbox
}

/// Returns the text without times of day, which differ from run to run.
fn without_times(text: &str) -> String {
    let pattern = "0000-00-00 00:00:00 UTC";
    let fits = |at: &[u8]| {
        at.len() >= pattern.len()
            && at.iter().zip(pattern.bytes()).all(|(c, p)| if p == b'0' { c.is_ascii_digit() } else { *c == p })
    };
    let (bytes, mut plain, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        if fits(&bytes[at..]) {
            plain.extend(b"TIME");
            at += pattern.len();
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(plain).unwrap()
}

#[test]
fn a_learned_law_is_shown_with_what_speaks_for_it_and_adopted() {
    let sandbox = learned();
    insta::assert_snapshot!("pending", sandbox.run("laws pending learned.toml").code(0).shown());
    let pending = sandbox.run("laws pending learned.toml --json").code(0).json();
    let law = &pending["laws"][0];
    let (vain, lacking) = vain(&sandbox);
    let said = &law["hindsight"];
    assert_eq!((said["applied"].as_u64(), said["blocked"].as_u64()), (Some(lacking), Some(vain.len() as u64)));
    assert_eq!(law["evidence"][0]["happened"]["step"], vain[0]["step"]);
    assert_eq!(law["evidence"][0]["happened"]["condition_held"], true);
    assert_eq!((&law["proposal"]["number"], &law["proposal"]["source"]), (&json!(2), &json!("environment-feedback")));

    // The law comes into force, and the rest of the file does not change.
    let waiting = read(&sandbox);
    insta::assert_snapshot!("adopted", sandbox.run("laws adopt learned.toml no-craft-furnace").code(0).shown());
    let adopted = waiting.replace("\"proposed\"", "\"adopted\"").replace("revision = 2 #", "revision = 3 #");
    assert_eq!(read(&sandbox), adopted);
    assert!(adopted.starts_with("# What the critic learned"));
    let blocked = sandbox.run("replay 1 --laws learned.toml --json").code(0).json();
    assert_eq!(blocked["counts"]["executed_now_blocked"].as_u64(), Some(vain.len() as u64));
    assert!(sandbox.run("laws pending learned.toml").code(0).stdout.contains("no law waits for a decision"));
    let again = sandbox.run("laws adopt learned.toml no-craft-furnace").code(4);
    assert!(again.stderr.contains("waits for no decision: it is in force"), "{}", again.stderr);

    insta::assert_snapshot!("blame", without_times(&sandbox.run("laws blame learned.toml no-craft-furnace").shown()));
    let blame = sandbox.run("laws blame learned.toml no-craft-furnace --json").code(0).json();
    let statuses: Vec<&Value> = blame["changes"].as_array().unwrap().iter().map(|change| &change["what"]).collect();
    assert_eq!(statuses, ["proposed", "adopted"]);
    assert_eq!((&blame["proposal"]["number"], &blame["proposal"]["ruling"]["ruling"]), (&json!(2), &json!("admitted")));

    insta::assert_snapshot!("history", without_times(&sandbox.run("laws history learned").code(0).shown()));
    let history = sandbox.run("laws history learned --json").code(0).json();
    assert_eq!(history.as_array().unwrap().iter().map(|one| &one["in_force"]).collect::<Vec<_>>(), [0, 0, 1]);
    let unknown = sandbox.run("laws history nobody").code(4);
    assert!(unknown.stderr.contains("it knows learned"), "{}", unknown.stderr);
    insta::assert_snapshot!("diff", sandbox.run("laws diff learned@1 learned@3").code(0).shown());
    // The first command compares a revision with a file, the second one a revision that comes with the program.
    let same = sandbox.run("laws diff learned@3 learned.toml --json").code(0).json();
    assert_eq!(same["unchanged"], 1);
    sandbox.run("laws diff minecraft-hard@1 minecraft-hard").code(0);
    let missing = sandbox.run("laws diff learned@9 learned@1").code(4);
    insta::assert_snapshot!("no_such_revision", missing.shown());
    assert!(sandbox.run("laws diff nobody@1 learned@1").code(4).stderr.contains("it knows learned"));
    sandbox.run("store verify").code(0);
}

#[test]
fn what_would_leave_some_state_without_an_action_is_not_adopted() {
    let sandbox = Sandbox::new();
    let laws = [
        by_hand("planks", "G(obs_has_log -> X (action_craft_planks | action_stop))"),
        by_hand("no-planks", "G(obs_has_log -> X !action_craft_planks)"),
        by_hand("some-time", "F obs_has_log"),
    ];
    sandbox.write("learned.toml", &format!("{EMPTY}{}", laws.concat()));
    let before = read(&sandbox);
    insta::assert_snapshot!("refused", sandbox.run("laws adopt learned.toml planks no-planks").code(5).shown());
    assert_eq!(read(&sandbox), before);
    let error = sandbox.run("laws adopt learned.toml planks no-planks --json").code(5).json_error();
    assert!(error["details"][0].as_str().unwrap().contains("obs_has_log"));

    // Either law may be in force alone, but not both, in any books.
    let adopted = sandbox.run("laws adopt learned.toml planks some-time --json").code(0).json();
    assert_eq!((&adopted["book"], &adopted["with"]), (&json!("learned@2"), &json!(["minecraft-hard@1"])));
    assert_eq!((&adopted["beyond_proof"], &adopted["recorded"]), (&Value::Null, &Value::Null));
    let other = read(&sandbox).replace("name = \"learned\"", "name = \"other\"");
    sandbox.write("other.toml", &other);
    sandbox.write("learned.toml", &format!("{EMPTY}{}", laws[1]));
    sandbox.run("laws adopt learned.toml no-planks --with other.toml").code(5);
    // Laws that already leave no action in some state must be resolved first.
    let worse = other.replace("name = \"other\"", "name = \"worse\"").replace("\"proposed\"", "\"adopted\"");
    sandbox.write("worse.toml", &worse);
    sandbox.write("learned.toml", &format!("{EMPTY}{}", by_hand("no-coal", "G(obs_has_fuel -> X !action_mine_coal)")));
    let ran = sandbox.run("laws adopt learned.toml no-coal --with worse.toml").code(5);
    assert!(ran.stderr.contains("some state has no action left as it is"), "{}", ran.stderr);

    let near = sandbox.run("laws adopt learned.toml no-caol").code(4);
    assert!(near.stderr.contains("did you mean `no-coal`?"), "{}", near.stderr);
    let shipped = sandbox.run("laws adopt minecraft-hard mine-coal").code(4);
    assert!(shipped.stderr.contains("comes with the program"), "{}", shipped.stderr);
    assert!(sandbox.run("laws pending minecraft-hard").code(0).stdout.contains("no law waits"));
}

#[test]
fn a_rejected_law_is_retired_with_the_reason() {
    let sandbox = learned();
    let waiting = read(&sandbox);
    sandbox.run("laws reject learned.toml no-craft-furnace").code(2);
    let words = ["laws", "reject", "learned.toml", "no-craft-furnace", "--reason", "It is \"obvious\"."];
    let ran = crate::sandbox::Ran::from(sandbox.command(words).output().unwrap()).code(0);
    assert_eq!(ran.stdout, "learned@3: rejected no-craft-furnace\n");
    let book = Book::parse(&read(&sandbox), "learned.toml").unwrap();
    assert_eq!((book.revision(), book.laws_in_force().len()), (3, 0));
    assert!(read(&sandbox).starts_with(waiting.lines().next().unwrap()));
    let history = sandbox.run("laws history learned").code(0).stdout;
    assert!(history.contains("- no-craft-furnace retired: It is \"obvious\"."), "{history}");
    let again = sandbox.run("laws adopt learned.toml no-craft-furnace").code(4);
    assert!(again.stderr.contains("it is retired (It is \"obvious\".)"), "{}", again.stderr);
}

#[test]
fn a_law_adopted_while_a_bot_runs_is_in_force_from_its_next_step_on() {
    let sandbox = learned();
    let adopt = {
        let mut command = Command::new(BINARY);
        command.args(["laws", "adopt", "learned.toml", "no-craft-furnace"]);
        command.current_dir(sandbox.path()).env_clear().envs([EMBEDDED]);
        Mutex::new(command)
    };
    // The run holds the store. A book can be changed without it, unless the store is named.
    let endpoint = Endpoint::doing(move |question| {
        if question == 2 {
            let mut adopt = adopt.lock().unwrap();
            let output = adopt.output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && said.contains("is in use by another process"), "{said}");
            assert_eq!(adopt.args(["--store", ".ltlcrit/store"]).output().unwrap().status.code(), Some(6));
        }
    });
    let line = format!("run --laws learned.toml --steps 4 --model openai:persona --base-url {}", endpoint.url());
    let ran = sandbox.run(&line).code(10);
    let said = "   3                        new laws    learned@3 in place of learned@2: 1 added (no-craft-furnace); 1 in force";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    // The run has recorded it in the store. Changes that only the file has are marked.
    let blame = || without_times(&sandbox.run("laws blame learned.toml no-craft-furnace").code(0).stdout);
    assert!(blame().contains("learned@3 TIME  adopted"), "{}", blame());
    let retired =
        read(&sandbox).replace("\"adopted\"", "\"retired\"\nreason = \"late\"").replace("revision = 3", "revision = 4");
    sandbox.write("learned.toml", &retired);
    assert!(blame().contains("learned@4 in the file  retired: late"), "{}", blame());
}

#[test]
fn a_law_refined_again_and_again_is_shown_in_short_too() {
    let long = "G(obs_has_log & !(!obs_has_log | obs_has_stick) & !!obs_near_furnace & !(obs_has_log & obs_has_stick) \
                -> X !action_craft_planks)"
        .replace("obs_has_stick", "obs_has_2x_stick");
    let short = "G(obs_has_log & !obs_has_2x_stick & obs_near_furnace -> X !action_craft_planks)";
    let sandbox = Sandbox::new();
    sandbox.write("learned.toml", &format!("{EMPTY}{}{}", by_hand("long", &long), by_hand("short", short)));
    for line in ["laws pending learned.toml", "laws blame learned.toml long"] {
        let shown = sandbox.run(line).code(0).stdout;
        assert!(shown.contains(&long), "{line}: {shown}");
        assert_eq!(shown.matches("in short").count(), 1, "only what can be shorter: {shown}");
        assert!(shown.contains(&format!("in short      {short}\n")), "{line}: {shown}");
    }
    let shown = sandbox.run("laws explain --laws learned.toml long").code(0).stdout;
    assert!(shown.contains("when     obs_has_log & !obs_has_2x_stick & obs_near_furnace\n"), "{shown}");
}
