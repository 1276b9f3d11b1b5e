//! Renders a replay as text for a terminal.

use std::fmt::{self, Write as _};

use ltlcrit_store::LawId;
use ltlcrit_verifier::Enforcement;

use super::{Replay, StepDiff, Unpredicted};
use crate::agent::readable;

/// Renders every step that differs (or every step, with `all`), then the counts.
pub fn render(replay: &Replay, all: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_replay(&mut text, replay, all);
    text
}

fn write_replay(out: &mut String, replay: &Replay, all: bool) -> fmt::Result {
    let simulated = if replay.simulated { " (simulated model)" } else { "" };
    let laws = |count: usize| if count == 1 { "1 law".to_owned() } else { format!("{count} laws") };
    if replay.same_laws {
        writeln!(out, "Run {}{simulated} judged again by its own {}", replay.run, laws(replay.laws_now))?;
    } else {
        let (then, now) = (laws(replay.laws_then), laws(replay.laws_now));
        writeln!(out, "Run {}{simulated}: its {then} then, {now} now", replay.run)?;
    }
    let names = replay.steps.iter().flat_map(|step| &step.proposals).map(|it| readable(&it.action).len());
    let width = names.max().unwrap_or(0);
    let nothing = Vec::new();
    let mut owed = (&nothing, &nothing);
    for step in &replay.steps {
        write_step(out, step, width, all, &mut owed)?;
        if replay.first_blocked == Some(step.step) {
            writeln!(out, "        from here on the run would have been another")?;
        }
    }
    write_counts(out, replay)
}

/// Writes the differences in a step. Pending laws are shown when they change, because they stay the same for many
/// steps.
fn write_step<'a>(
    out: &mut String,
    step: &'a StepDiff,
    width: usize,
    all: bool,
    owed: &mut (&'a Vec<LawId>, &'a Vec<LawId>),
) -> fmt::Result {
    let mut label = format!("{:>5} ", step.step);
    let mut line = |mark: char, text: &str| {
        let result = writeln!(out, "{label}{mark} {text}");
        label = " ".repeat(6);
        result
    };
    if step.force_then != step.force_now {
        line('~', &format!("in force: {} then, {} now", force(&step.force_then), force(&step.force_now)))?;
    }
    for proposal in step.proposals.iter().filter(|proposal| all || proposal.differs()) {
        let ran = if proposal.executed { "ran " } else { "    " };
        let mark = match (proposal.then.is_allowed(), proposal.now.is_allowed()) {
            (true, false) => '-',
            (false, true) => '+',
            _ if proposal.differs() => '~',
            _ => ' ',
        };
        let said = match proposal.differs() {
            true => format!("{} then, {} now", proposal.then, proposal.now),
            false => proposal.now.to_string(),
        };
        line(mark, &format!("{ran}{:<width$}  {said}", readable(&proposal.action)))?;
    }
    if let Some(Unpredicted { action, literals }) = &step.unpredicted {
        line('!', &format!("{} led to what was not predicted: {}", readable(action), literals.join(", ")))?;
    }
    let (then, now) = (&step.violations_then, &step.violations_now);
    if then != now {
        line('~', &format!("violated: {} then, {} now", list(then), list(now)))?;
    } else if all && !now.is_empty() {
        line(' ', &format!("violated: {}", list(now)))?;
    }
    let (then, now) = (&step.owed_then, &step.owed_now);
    if *owed != (then, now) {
        if then != now {
            line('~', &format!("owed: {} then, {} now", list(then), list(now)))?;
        } else if all || owed.0 != owed.1 {
            line(' ', &format!("owed: {}", list(now)))?;
        }
        *owed = (then, now);
    }
    Ok(())
}

fn write_counts(out: &mut String, replay: &Replay) -> fmt::Result {
    let counts = &replay.counts;
    let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (steps, proposals) = (plural(counts.steps, "step"), plural(counts.proposals, "proposal"));
    if counts.unpredicted > 0 {
        writeln!(out, "{} not predicted", plural(counts.unpredicted, "outcome"))?;
    }
    if replay.is_same() {
        return writeln!(out, "No difference in {steps} and {proposals}");
    }
    writeln!(out, "{steps}, {proposals}; {} of these steps differ", counts.steps_that_differ)?;
    let mut figure = |label: &str, value: String| writeln!(out, "  {label:<36} {value}");
    figure("executed actions now blocked", counts.executed_now_blocked.to_string())?;
    figure("blocked proposals now allowed", counts.blocked_now_allowed.to_string())?;
    figure("blocked proposals, now by other laws", counts.blocked_by_others.to_string())?;
    figure("steps with soft laws set aside", format!("{} then, {} now", counts.fallbacks_then, counts.fallbacks_now))?;
    figure("violations", format!("{} then, {} now", counts.violations_then, counts.violations_now))?;
    let blocks: Vec<String> = counts.blocks_by_law.iter().map(|(law, count)| format!("{law} {count}")).collect();
    if !blocks.is_empty() {
        figure("blocks by law, now", blocks.join(", "))?;
    }
    Ok(())
}

fn force(force: &Enforcement) -> String {
    match force {
        Enforcement::All => "all laws".to_owned(),
        Enforcement::Ended => "the run has ended".to_owned(),
        Enforcement::HardOnly { conflict, .. } => format!("hard laws only ({} in conflict)", list(conflict)),
        Enforcement::Suspended { suspended, conflict, .. } => {
            format!("without {} ({} in conflict)", list(suspended), list(conflict))
        }
        Enforcement::Nothing { conflict, .. } => format!("nothing allowed ({} in conflict)", list(conflict)),
        Enforcement::Undecided { laws, .. } => format!("undecided (searching for {})", list(laws)),
    }
}

fn list(laws: &[LawId]) -> String {
    if laws.is_empty() { "none".to_owned() } else { laws.join(", ") }
}
