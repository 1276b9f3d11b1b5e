//! A book as a graph: its laws, their propositions and their conflicts.

use std::collections::BTreeMap;

use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Strength;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use serde::Serialize;

use crate::book::Book;
use crate::check::Report;

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Node {
    /// A law in force.
    Law {
        /// Its id.
        id: String,
        /// Hard or soft.
        strength: Strength,
        /// Its formula.
        formula: String,
    },
    /// An observation in a law's formula.
    Observation {
        /// Its name.
        name: String,
    },
    /// An action in a law's formula.
    Action {
        /// Its name.
        name: String,
    },
    /// A minimal conflict.
    Conflict {
        /// The observations of its witness state.
        witness: Vec<String>,
    },
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// From an observation to a law that reads it.
    Reads,
    /// From a law to an action in its formula.
    Restricts,
    /// From a law to a conflict it is part of.
    ConflictsIn,
}

/// The graph of the laws in force: observations -> laws -> actions, laws -> conflicts.
pub fn graph(books: &[&Book], vocabulary: &Vocabulary, report: &Report) -> DiGraph<Node, Edge> {
    let mut graph = DiGraph::new();
    let mut propositions: BTreeMap<String, NodeIndex> = BTreeMap::new();
    let mut laws: BTreeMap<(String, String), NodeIndex> = BTreeMap::new();
    for (book, entry) in books.iter().flat_map(|book| book.entries().iter().map(move |entry| (book, entry))) {
        if !entry.in_force() {
            continue;
        }
        let law = graph.add_node(Node::Law {
            id: entry.id.to_string(),
            strength: entry.strength,
            formula: entry.formula.to_string(),
        });
        laws.insert((book.name().to_owned(), entry.id.to_string()), law);
        for atom in entry.formula.atoms() {
            let is_action = vocabulary.action(&atom).is_some();
            let name = atom.to_string();
            let node = *propositions.entry(name.clone()).or_insert_with(|| {
                graph.add_node(if is_action { Node::Action { name } } else { Node::Observation { name } })
            });
            if is_action {
                graph.add_edge(law, node, Edge::Restricts);
            } else {
                graph.add_edge(node, law, Edge::Reads);
            }
        }
    }
    for conflict in report.consistency.iter().flat_map(|consistency| &consistency.conflicts) {
        let node = graph.add_node(Node::Conflict { witness: conflict.witness.clone() });
        for law in &conflict.laws {
            if let Some(law) = laws.get(&(law.book.clone(), law.id.clone())) {
                graph.add_edge(*law, node, Edge::ConflictsIn);
            }
        }
    }
    graph
}

/// The graph in Graphviz's DOT: hard laws red, soft laws blue, conflicts as octagons.
pub fn dot(graph: &DiGraph<Node, Edge>) -> String {
    let edge = |_: &DiGraph<Node, Edge>, edge: petgraph::graph::EdgeReference<'_, Edge>| {
        match edge.weight() {
            Edge::Reads | Edge::Restricts => "",
            Edge::ConflictsIn => "color = firebrick, penwidth = 2",
        }
        .to_owned()
    };
    let node = |_: &DiGraph<Node, Edge>, (_, node): (NodeIndex, &Node)| match node {
        Node::Law { id, strength, formula } => {
            let colour = if *strength == Strength::Hard { "firebrick" } else { "steelblue" };
            format!("label = \"{}\", tooltip = \"{}\", shape = box, color = {colour}", escaped(id), escaped(formula))
        }
        Node::Observation { name } => format!("label = \"{}\", shape = ellipse", escaped(name)),
        Node::Action { name } => format!("label = \"{}\", shape = ellipse, style = filled", escaped(name)),
        Node::Conflict { witness } => {
            let state = if witness.is_empty() { "nothing holds".to_owned() } else { witness.join("\\n") };
            format!("label = \"conflict\\n{}\", shape = octagon, color = firebrick", state.replace('"', "\\\""))
        }
    };
    let config = [Config::NodeNoLabel, Config::EdgeNoLabel, Config::RankDir(petgraph::dot::RankDir::LR)];
    format!("{:?}", Dot::with_attr_getters(graph, &config, &edge, &node))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, check_books};
    use crate::read::Reading;

    #[test]
    fn laws_point_to_actions_and_conflicts() {
        let law = |id: &str, formula: &str, strength: &str, status: &str| {
            format!(
                "[[law]]\nid = \"{id}\"\nformula = '{formula}'\nstrength = \"{strength}\"\nexplanation = \"e\"\nstatus = \"{status}\"\nprovenance = {{ origin = \"hand\" }}\n"
            )
        };
        let text = format!(
            "name = \"b\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ p = \"\", \"on(x, y)\" = \"\" }}\nactions = {{ a = \"\", b = \"\" }}\n{}{}{}",
            law("one", "G(p -> X a)", "hard", "adopted"),
            law("two", "G(on(x, y) -> X !a)", "soft", "adopted"),
            law("not-yet", "G(p -> X b)", "soft", "proposed"),
        );
        let reading = Reading::parse(&text, "b.toml", &[]);
        let report = check_books(std::slice::from_ref(&reading), &CheckOptions::default());
        let graph = graph(&[&reading.book], reading.vocabulary.as_deref().unwrap(), &report);
        insta::assert_snapshot!(dot(&graph));
    }
}
