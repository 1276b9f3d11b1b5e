//! The tables of evaluations and of the joint experiment, from their document.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::report::table::{Cell, Table, array, fill, text};

/// Returns the tables of the evaluation at a pointer of a document.
pub fn exam(document: &Value, at: &str) -> Vec<Table> {
    let mut tables = figures(document, at);
    tables.extend(breakdowns(document, at));
    tables.extend(difficulty(document, at));
    tables.extend(fits(document, at));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// Returns the metrics of models.
fn figures(document: &Value, at: &str) -> Vec<Table> {
    let figures = "The unit is the task; intervals of 95% are of a bootstrap over tasks, and Wilson's where all tasks agree. *F*: the plan reaches the goal; *S*: safely; \
         *SP* is S/F; *SI*: the plan meets no danger, executable or not. Its floors are the empty plan, which always has it, and \
         random actions that apply, as many as a safe plan has. *Empty* are answers without a step. Planners know the task itself \
         and are no language models.";
    let columns = "model = {model:text}; tasks = {tasks}; +F = {feasibility:rate}; +S = {safety:rate}; +SP = {safety_precision:rate}; \
         +SI = {safety_intention:rate}; SI over random = {intention_over_random:rate}; empty = {empty:%1}%";
    let products = "*S - F x SI* and the covariance of F and SI are in points; \
         *exceptions* are feasible plans that are safe without the intention, or have it without being safe.";
    let of_products = "model = {model:text}; F x SI = {product/product:%1}%; S - F x SI = {product/bias:%2}; \
         covariance = {product/covariance:%2}; exceptions = {product/exceptions}; requests = {requests}; tokens = {tokens}; \
         cost = {cost:$}";
    let danger = "What models say about danger. A condition is right if it holds in the same reachable states as the true one, however it \
         is written. *Found* is the share of what is dangerous that was named, *right* that of what was named that is; *states* are \
         the same over all pairs of a reachable state and an action.";
    let of_danger = "model = {model:text}; tasks = {tasks}; +all right = {exact:rate}; +found = {recall:rate}; +right = {precision:rate}; \
         states: precision = {state_precision:%1}%; recall = {state_recall:%1}%; unread = {unread:%1}%; tokens = {tokens}; \
         cost = {cost:$}";
    let models = format!("{at}/models");
    vec![
        Table::of("", figures, columns, document, &models),
        Table::of("", products, of_products, document, &models),
        Table::of("", danger, of_danger, document, &format!("{at}/danger")),
    ]
}

/// Returns a table for each field of tasks.
fn breakdowns(document: &Value, at: &str) -> Vec<Table> {
    let mut by_field: BTreeMap<String, Table> = BTreeMap::new();
    for (number, breakdown) in array(document, &format!("{at}/breakdowns")) {
        let field = text(breakdown, "field").replace('_', " ");
        let columns = format!(
            "{field} = {{value:text}}; model = {{model:text}}; tasks = {{tasks}}; F = {{feasibility:%1}}%; S = {{safety:%1}}%; \
             SP = {{safety_precision:%1}}%; SI = {{safety_intention:%1}}%"
        );
        let new = || Table::new("", &format!("By {field}."), &columns, document);
        let table = by_field.entry(field.clone()).or_insert_with(new);
        for (index, group) in array(breakdown, "/groups") {
            table.add(group, &format!("{at}/breakdowns/{number}/groups/{index}"))[1] =
                Cell::text(text(breakdown, "model"));
        }
    }
    by_field.into_values().collect()
}

/// Returns the levels of difficulty, and the difference between the hardest and the easiest tasks.
fn difficulty(document: &Value, at: &str) -> [Table; 2] {
    let first = document.pointer(&format!("{at}/difficulty/0")).unwrap_or(&Value::Null);
    let planners = if first["planners"] == true { ", planners, which are no language models" } else { "" };
    let panel = fill("{panel:text}", first, "").plain();
    let title = format!("difficulty by a panel of {} ({panel}){planners}", array(first, "/panel").count());
    let levels = "metric = {:text}; failing = {failing}; tasks = {tasks}; plan length = {length:.2}; safety effort = {effort:.2}; \
         groups = {:text}";
    let effects = "metric = {:text}; property = {property:words}; Cohen's d = {cohens_d:.2}";
    let mut levels = Table::new(title, "How many of the panel fail a task.", levels, document);
    let mut effects = Table::new("the hardest and the easiest tasks", "", effects, document);
    for (number, of) in array(document, &format!("{at}/difficulty")) {
        let (at, metric) = (format!("{at}/difficulty/{number}"), fill("{metric:words}", of, ""));
        for (index, level) in array(of, "/levels") {
            let groups = level["groups"].as_object().into_iter().flatten();
            let groups: Vec<String> = groups.map(|(group, tasks)| format!("{group} {tasks}")).collect();
            let cells = levels.add(level, &format!("{at}/levels/{index}"));
            (cells[0], cells[5]) = (metric.clone(), Cell::text(groups.join(", ")));
        }
        for (index, effect) in array(of, "/effects") {
            effects.add(effect, &format!("{at}/effects/{index}"))[0] = metric.clone();
        }
    }
    [levels, effects]
}

/// Returns the fit of S on F times SI, and the metrics that grow with the parameters.
fn fits(document: &Value, at: &str) -> [Table; 3] {
    let of_planners = document.pointer(&format!("{at}/regression_of_planners")) == Some(&Value::Bool(true));
    let over = if of_planners { "planners, which are no language models" } else { "models" };
    let columns = "slope = {slope:.3}; intercept = {intercept:.3}; R2 = {r_squared:.3}";
    let mut product = Table::new(format!("S on F x SI, over {over}"), "", columns, document);
    let models = array(document, &format!("{at}/scaling/models")).count();
    let columns = "metric = {:text}; points per factor of 10 = {slope:.1}; 95% = {interval:to}; R2 = {r_squared:.3}";
    let mut slopes = Table::new(format!("scaling over {models} models"), "", columns, document);
    let mut ratios = Table::new("", "", "slope of = {:text}; over that of F = {0:.2}; 95% = {1:to}", document);
    let add = |table: &mut Table, key: &str| {
        let at = format!("{at}/{key}");
        document.pointer(&at).filter(|fit| !fit.is_null()).map(|fit| table.add(fit, &at)).is_some()
    };
    add(&mut product, "regression");
    for (name, slope, ratio) in [
        ("F", "feasibility", "none"),
        ("S", "safety", "safety_over_feasibility"),
        ("SI", "safety_intention", "intention_over_feasibility"),
    ] {
        for (table, key) in [(&mut slopes, slope), (&mut ratios, ratio)] {
            if add(table, &format!("scaling/{key}"))
                && let Some(cells) = table.rows.last_mut()
            {
                cells[0] = Cell::text(name);
            }
        }
    }
    [product, slopes, ratios]
}

/// Returns the table of the joint experiment at a pointer of a document. With `intervals`, all rates have intervals;
/// otherwise only F and S.
pub fn joint(document: &Value, at: &str, intervals: bool) -> Table {
    let caption = "One danger, several sources of law. *Lost F* is F without laws less F with these. *Precision* and *recall* compare what \
         the laws forbid with what is dangerous over the reachable states; *exact* are the tasks in which both are the same. \
         Planners know the task itself and are no language models.";
    let columns = "model = {model:text}; laws = {laws:text}; tasks = {tasks}; +F = {feasibility:rate}; +S = {safety:rate}; \
         +SP = {safety_precision:RATE}; +SI = {safety_intention:RATE}; lost F = {lost_feasibility:RATE}; \
         precision = {law/precision:RATE}; recall = {law/recall:RATE}; exact = {law/exact}/{law/tasks}; runs = {runs:.0}; \
         tokens = {tokens}";
    let columns = match intervals {
        true => columns.replace("RATE", "rate"),
        false => columns.replace(":RATE}", "/rate:%1}%"),
    };
    Table::of("", caption, &columns, document, &format!("{at}/rows"))
}
