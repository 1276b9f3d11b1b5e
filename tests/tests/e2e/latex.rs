//! The tables for papers, compiled by LaTeX.

use std::process::Command;

use crate::report::hostile_batch;
use crate::sandbox::Sandbox;

/// If this environment variable is set, LaTeX is required.
const REQUIRED: &str = "REQUIRE_LATEX";

/// Compiles a document with the packages that the tables name. Returns LaTeX's errors.
fn compile(sandbox: &Sandbox, tables: &[String]) -> Result<(), String> {
    let inputs: String = tables.iter().map(|table| format!("\\input{{{table}}}\n")).collect();
    let packages = "\\usepackage{booktabs}\n\\usepackage{longtable}\n";
    sandbox.write(
        "paper.tex",
        &format!("\\documentclass{{article}}\n{packages}\\begin{{document}}\n{inputs}\\end{{document}}\n"),
    );
    let mut command = Command::new("pdflatex");
    command.args(["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]);
    let output = command.current_dir(sandbox.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() && sandbox.path().join("paper.pdf").exists() { Ok(()) } else { Err(said) }
}

#[test]
fn the_tables_compile_in_a_paper() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        assert!(std::env::var_os(REQUIRED).is_none(), "pdflatex is not installed, and {REQUIRED} is set");
        eprintln!("SKIPPED: no LaTeX compiled the tables. With {REQUIRED} set this is a failure.");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("bad.tex", "\\nothing");
    assert!(compile(&sandbox, &["bad.tex".to_owned()]).unwrap_err().contains("Undefined control sequence"));
    hostile_batch(&sandbox);
    sandbox.run("batch smoke -q").code(0);
    sandbox.run("run -q").code(0);
    sandbox.run("exam make --seed 3 --count 2 -o tasks").code(0);
    sandbox.run("exam run tasks -q -o exam --model planner:safe --model planner:shortest");
    let tables: Vec<String> = ["smoke-results", "hostile-results", "last", "exam"]
        .map(|of| {
            sandbox.run(&format!("report {of} --format latex -o {of}.tex")).code(0);
            format!("{of}.tex")
        })
        .into();
    compile(&sandbox, &tables).unwrap();
}
