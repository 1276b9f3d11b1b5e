//! `config show`, and errors of wrong configurations.

use crate::sandbox::Sandbox;

#[test]
fn the_defaults_are_a_configuration_file() {
    let sandbox = Sandbox::out_of_the_box();
    let defaults = sandbox.run("config show --defaults").code(0).stdout;
    sandbox.write("ltlcrit.toml", &defaults);
    assert_eq!(sandbox.run("config show").code(0).stdout, defaults);
    insta::assert_snapshot!(defaults);
}

#[test]
fn flags_win_over_the_environment_the_environment_over_the_file_the_file_over_the_defaults() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "[run]\nseed = 2\nsteps = 3\n[store]\npath = \"a\"\n");
    let environment = [("LTLCRIT_RUN__STEPS", "4"), ("LTLCRIT_STORE__PATH", "b"), ("LTLCRIT_RUN__LAWS", "[x, y]")];
    let config = sandbox.run_with("config show --json --store c", &environment).code(0).json();
    assert_eq!(config["run"]["seed"], 2);
    assert_eq!(config["run"]["steps"], 4);
    assert_eq!(config["run"]["laws"], serde_json::json!(["x", "y"]));
    assert_eq!(config["run"]["max_reprompts"], 3);
    assert_eq!(config["store"]["path"], "c");
}

#[test]
fn another_file_can_be_named() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "[run]\nseed = 2\n");
    sandbox.write("other.toml", "[run]\nseed = 3\n");
    assert_eq!(sandbox.run("--config other.toml config show --json").code(0).json()["run"]["seed"], 3);
    let missing = sandbox.run("--config missing.toml config show").code(3);
    insta::assert_snapshot!(missing.shown());
}

#[test]
fn a_wrong_file_says_where_and_what_would_be_right() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "# mine\n[run]\nseed = 7\nstpes = 9\n");
    insta::assert_snapshot!(sandbox.run("config show").code(3).shown());
    let error = sandbox.run("config show --json").code(3).json_error();
    assert_eq!(error["code"], "config");
    assert_eq!(error["exit"], 3);
    assert_eq!(error["place"], "ltlcrit.toml:4:1");
    assert_eq!(error["help"], "did you mean `steps`?");
}

#[test]
fn a_wrong_environment_variable_is_named() {
    let sandbox = Sandbox::new();
    let shown: Vec<String> =
        [("LTLCRIT_RUN__SEDE", "1"), ("LTLCRIT_RUN__SEED", "one"), ("LTLCRIT_RUN__ACTOR", "saycna")]
            .into_iter()
            .map(|variable| sandbox.run_with("config show", &[variable]).code(3).stderr)
            .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn values_out_of_range_are_refused() {
    let sandbox = Sandbox::new();
    for text in ["[run]\nsteps = 0\n", "[model]\ntimeout = 0\n", "[caps]\ncost = -1.0\n"] {
        sandbox.write("ltlcrit.toml", text);
        let error = sandbox.run("config show --json").code(3).json_error();
        assert!(error["help"].is_string(), "{error}");
    }
}
