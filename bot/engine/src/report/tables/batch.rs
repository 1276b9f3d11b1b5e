//! The tables of a batch, from its document.

use serde_json::Value;

use super::exam::{exam, joint};
use crate::report::table::{Cell, Part, Table, array, escaped, fill, text};

/// Returns the metrics of every condition.
pub fn conditions(document: &Value) -> Table {
    let caption = "The unit is the seed. Steps are means over the seeds that reached the goal; *at limit* is over all seeds, those that \
         missed it counted at {limit} steps; *IQM* is the mean of the middle half of these. *Optimum*: the steps to the goal as a \
         multiple of the least number of actions that the exact planner finds from the first state. *Failed* and *blocked* are \
         shares of the proposals. 95% intervals of the goals are Wilson's.";
    let columns = "condition = {condition:text}; +goals = {goals}/{done}; 95% = {goal_interval:%}; -steps = {mean_steps:.1}; \
         -at limit = {mean_steps_at_limit:.1}; -IQM = {interquartile_steps:.1}; -optimum = {times_optimum:.2}×; \
         -failed = {failed:%1}%; blocked = {blocked:%1}%";
    Table::of("", caption, columns, document, "/conditions")
}

/// Returns the steps of every condition with their intervals.
pub fn intervals(document: &Value) -> Table {
    let caption = "Steps of all seeds, those that missed the goal counted at {limit}, and the mean of their middle half (*IQM*), with \
         bootstrap intervals. A condition with several learnings draws learnings, and then seeds within each.";
    let columns = "condition = {condition:text}; -at limit = {mean_steps_at_limit:.1}; 95% = {steps_interval:to}; \
         -IQM = {interquartile_steps:.1}; 95% = {interquartile_interval:to}";
    Table::of("steps with their intervals", caption, columns, document, "/conditions")
}

/// Returns success and safety over all worlds.
pub fn rates(document: &Value) -> Table {
    let caption = "Over all seeds. *Success*: the goal was reached; *safe*: no law was violated and, where the run stopped, none was owed \
         anything; *aborted*: the run was safe and ended because its laws left no way to the goal. 95% intervals are Wilson's.";
    let columns = "condition = {condition:text}; +success = {successes}/{done}; 95% = {success_interval:%}; +safe = {safe}/{done}; \
         95% = {safe_interval:%}; +both = {safe_successes}/{done}; aborted = {aborted}";
    Table::of("over all worlds", caption, columns, document, "/rates")
}

/// Returns the rates over all numbers of laws. Each row of a paper follows the condition that it is compared with.
pub fn means(document: &Value) -> Table {
    let columns = "condition = {condition:text}; +success = {mean_success:%0}%; +safe = {mean_safe:%0}%";
    let mut table = Table::new("over all numbers of laws", "Over all worlds and seeds.", columns, document);
    if let Some(reference) = document.get("reference") {
        table.caption.0.push(Part::Own(" Rows of a paper: ".to_owned()));
        table.caption.0.extend(fill(SOURCE, reference, "").0);
    }
    for (index, ours) in array(document, "/by_number") {
        table.add(ours, &format!("/by_number/{index}"));
        for (place, paper) in array(document, "/reference/rows").filter(|(_, it)| it["condition"] == ours["condition"])
        {
            let at = format!("/reference/rows/{place}");
            table.rows.push(vec![of_paper(paper), fill("{success:%0}%", paper, &at), fill("{safe:%0}%", paper, &at)]);
        }
    }
    table
}

/// The template for the source of a paper's metrics and its caveat.
const SOURCE: &str = "{source:text}. {note:text}";

/// Returns the rows of a paper, each above the condition that it is compared with.
pub fn beside(document: &Value) -> Table {
    let Some(reference) = document.get("reference") else { return Table::default() };
    let rows = || array(document, "/reference/rows");
    let steps = |row: &Value, name: &str| row["steps"][name].as_f64();
    let mut names = subgoal_names(document);
    names.retain(|name| rows().any(|(_, row)| steps(row, name).is_some()));
    let shares = rows().any(|(_, row)| row.get("failed").is_some());
    let mut table = Table::new(format!("beside {}", text(reference, "source")), "", "= {name:text}; goals", document);
    table.caption = fill(SOURCE, reference, "");
    names.iter().for_each(|name| table.column(name, ""));
    if shares {
        table.column("failed", "");
        table.column("blocked", "");
    }
    for (place, paper) in rows() {
        let ours = array(document, "/conditions").find(|(_, it)| it["condition"] == paper["condition"]);
        let Some((index, ours)) = ours else { continue };
        let (at, own_at) = (format!("/reference/rows/{place}"), format!("/conditions/{index}"));
        let mut theirs = vec![of_paper(paper), fill("{goals}/{runs}", paper, &at)];
        let mut own = vec![Cell::text(text(ours, "condition")), fill("{goals}/{done}", ours, &own_at)];
        for name in &names {
            own.push(match of_subgoal(ours, &own_at, name, "{mean_steps:.1} {times_optimum:.2}×") {
                missing if missing == Cell::missing() => of_subgoal(ours, &own_at, name, "{mean_steps:.1}"),
                both => both,
            });
            let at = format!("{at}/steps/{}", escaped(name));
            let mut cell = fill("{:.1}", &paper["steps"][name], &at);
            let optimum = subgoal(ours, name).and_then(|(_, subgoal)| subgoal["optimum"].as_f64());
            if let Some((steps, optimum)) = steps(paper, name).zip(optimum) {
                let times = Part::Number { at, scale: 1.0 / optimum, text: format!("{:.2}", steps / optimum) };
                cell.0.extend([Part::Own(" ".to_owned()), times, Part::Own("×".to_owned())]);
            }
            theirs.push(cell);
        }
        for share in ["{failed:%1}%", "{blocked:%1}%"].iter().filter(|_| shares) {
            theirs.push(fill(share, paper, &at));
            own.push(fill(share, ours, &own_at));
        }
        table.rows.extend([theirs, own]);
    }
    table
}

/// Returns the steps with suspended soft laws, and the laws that were suspended most often.
pub fn suspended(document: &Value) -> Table {
    let columns = "condition = {condition:text}; steps = {fallbacks}; laws = {:text}";
    let mut table = Table::new("steps for which soft laws gave way, and which", "", columns, document);
    for (index, of) in array(document, "/conditions").filter(|(_, of)| of["fallbacks"].as_u64() > Some(0)) {
        let by_law = of["suspended_by_law"].as_object().into_iter().flatten();
        let mut laws: Vec<(u64, &str)> = by_law.map(|(law, steps)| (steps.as_u64().unwrap_or(0), &**law)).collect();
        laws.sort_unstable_by_key(|(steps, law)| (u64::MAX - steps, *law));
        let named: Vec<String> = laws.iter().take(4).map(|(steps, law)| format!("{law} {steps}")).collect();
        let shown = match laws.len() {
            0 => "all soft ones".to_owned(),
            1..=4 => named.join(", "),
            more => format!("{}, {} more", named.join(", "), more - 4),
        };
        table.add(of, &format!("/conditions/{index}"))[2] = Cell::text(shown);
    }
    table
}

/// Returns the comparisons over the same seeds, with one table for each condition that others are compared with.
pub fn comparisons(document: &Value) -> Vec<Table> {
    compared(document, "/comparisons", "on the same seeds")
}

/// Returns the comparisons over all worlds.
pub fn pooled(document: &Value) -> Vec<Table> {
    compared(document, "/pooled", "over all worlds, by world and seed")
}

fn compared(document: &Value, at: &str, over: &str) -> Vec<Table> {
    let columns = "condition = {condition:text}; seeds = {seeds}; saved = {saved/estimate:.1}; 95% = {saved/interval:to}; \
         p = {corrected/steps:p}; goals p = {corrected/goals:p}";
    let caption = "*Saved* are steps, those of seeds that missed the goal counted at the limit, with a BCa bootstrap interval of 95%. *p* \
         is the sign-flip test of the steps, *goals p* and *safe p* are the exact McNemar tests of the goals and of safety, each with \
         Holm's correction for all comparisons of the batch. *Better* is the share of seeds with fewer steps, ties counting one half.";
    let all: Vec<(usize, &Value)> = array(document, at).collect();
    let against = |number: usize, its: &[(usize, &Value)]| {
        let title = format!("compared with {} {over}", text(its[0].1, "against"));
        let mut table = Table::new(title, if number == 0 { caption } else { "" }, columns, document);
        if its.iter().any(|(_, it)| !it["safety"].is_null()) {
            table.column("safe p", "{corrected/safety:p}");
        }
        table.column("better", "{improvement:%0}%");
        for (index, comparison) in its {
            table.add(comparison, &format!("{at}/{index}"));
        }
        table
    };
    let groups = all.chunk_by(|(_, one), (_, next)| one["against"] == next["against"]);
    groups.enumerate().map(|(number, its)| against(number, its)).collect()
}

/// Returns the names of the subgoals, in the task's order; empty if no cell has finished.
fn subgoal_names(document: &Value) -> Vec<&str> {
    let first = array(document, "/conditions").find(|(_, condition)| array(condition, "/subgoals").next().is_some());
    first.into_iter().flat_map(|(_, it)| array(it, "/subgoals")).map(|(_, it)| text(it, "subgoal")).collect()
}

/// Returns the steps to every subgoal, a column for each.
pub fn subgoals_by_name(document: &Value) -> Table {
    let names = subgoal_names(document);
    let title = "steps to each subgoal, of those that reached it / of all at limit";
    let mut table = Table::new(title, "", "condition = {condition:text}", document);
    for (index, condition) in array(document, "/conditions").filter(|_| !names.is_empty()) {
        let at = format!("/conditions/{index}");
        let of = |name: &&str| {
            let means = ["{mean_steps:.1}", " / ", "{mean_steps_at_limit:.1}"];
            Cell(means.iter().flat_map(|template| of_subgoal(condition, &at, name, template).0).collect())
        };
        let known = |name: &&str| subgoal(condition, name).map_or_else(Cell::missing, |_| of(name));
        table
            .rows
            .push(std::iter::once(Cell::text(text(condition, "condition"))).chain(names.iter().map(known)).collect());
    }
    names.iter().for_each(|name| table.column(name, ""));
    table
}

/// Returns the learnings, with the metrics of the episodes of each iteration.
pub fn learnings(document: &Value) -> Table {
    let columns = "condition = {condition:text}; book = {book:text}; laws = {laws}; seeds = {seeds:text}; goals; tokens = {tokens}; \
         cost = {cost:$}; SHA-256 = {sha256:hash}";
    let caption = "The goals are those of each iteration's episodes. Cells that share the laws of one learning \
         are one cluster. Intervals of a condition with one learning do not include how much another one would have differed, and there \
         is no value of p. Of several learnings, intervals draw learnings and then seeds within each, and tests flip the signs of the \
         learnings' means: with N learnings, p is at least 2 / 2^N.";
    let mut table = Table::new("learned before the first cell", caption, columns, document);
    for (index, learning) in array(document, "/learnings") {
        let at = format!("/learnings/{index}");
        let goals = array(learning, "/iterations").flat_map(|(number, iteration)| {
            let template = if number == 0 { "{goals}/{episodes}" } else { " {goals}/{episodes}" };
            fill(template, iteration, &format!("{at}/iterations/{number}")).0
        });
        table.add(learning, &at)[4] = Cell(goals.collect());
    }
    table
}

/// Returns tokens, cost and time.
pub fn usage(document: &Value) -> Table {
    let caption =
        "Tokens and US dollars of all finished cells; the mean game time of a cell. Personas and recordings are free.";
    let columns = "condition = {condition:text}; tokens = {tokens}; cost = {cost:$}; game time = {ticks:time}";
    let mut table = Table::new("", caption, columns, document);
    for (index, condition) in array(document, "/conditions") {
        let cells = table.add(condition, &format!("/conditions/{index}"));
        if condition["done"] == 0 {
            cells[2] = Cell::missing();
        }
    }
    table
}

/// Returns the tables of a batch that a paper prints: those of an evaluation or of the joint experiment, or else
/// metrics, rates and comparisons.
pub fn main_tables(document: &Value) -> Vec<Table> {
    if document.get("exam").is_some() {
        return exam(document, "/exam");
    }
    if document.get("joint").is_some() {
        return vec![joint(document, "/joint", true)];
    }
    let first = [conditions(document), rates(document), means(document)];
    first
        .into_iter()
        .chain(pooled(document))
        .chain(comparisons(document))
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn subgoal<'a>(condition: &'a Value, name: &str) -> Option<(usize, &'a Value)> {
    array(condition, "/subgoals").find(|(_, subgoal)| subgoal["subgoal"] == *name)
}

/// Fills a template with the values of a subgoal of a condition.
fn of_subgoal(condition: &Value, at: &str, name: &str, template: &str) -> Cell {
    let Some((number, subgoal)) = subgoal(condition, name) else { return Cell::missing() };
    fill(template, subgoal, &format!("{at}/subgoals/{number}"))
}

fn of_paper(row: &Value) -> Cell {
    Cell(vec![Part::Emphasis(format!("{}, paper", text(row, "name")))])
}
