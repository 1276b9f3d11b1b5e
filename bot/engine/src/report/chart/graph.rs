//! The graph of states and choices (LTLCrit section 3.2), in layers.

use ltlcrit_critic::graph::{Document, short};
use maud::html;
use rust_sugiyama::configure::{Config, RankingType};

use super::{Chart, named};

/// The maximum number of lines in a state.
const MAX_LINES: usize = 5;
/// The width of a letter, in pixels.
const LETTER: f64 = 6.4;
/// The height of a line, in pixels.
const LINE: f64 = 13.0;
/// The distance between nodes, in pixels.
const SPACING: f64 = 20.0;

/// A box in the drawing.
struct Node {
    class: &'static str,
    /// The anchor of its steps.
    anchor: String,
    lines: Vec<String>,
    /// The text of its tooltip.
    title: String,
}

/// An arrow between two boxes, by number.
struct Arrow {
    from: usize,
    to: usize,
    class: &'static str,
    fails: bool,
}

impl Node {
    /// Returns its width and height.
    fn size(&self) -> (f64, f64) {
        let longest = self.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        (LETTER * longest as f64 + 14.0, LINE * self.lines.len() as f64 + 6.0)
    }
}

/// Draws the states and the choices in them. Each links to its steps, at the anchor `s` or `c` with the number of the graph
/// and its own numbers. Arrows of choices that change nothing are left out.
pub fn graph(number: usize, document: &Document) -> Chart {
    let mut nodes: Vec<Node> = Vec::new();
    let mut arrows: Vec<Arrow> = Vec::new();
    for state in &document.states {
        let mut lines: Vec<String> = state.label().iter().map(|line| named(&line.replace('_', " "))).collect();
        let more = lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        lines.extend((more > 0).then(|| format!("and {more} more")));
        let class = if state.goals > 0 { "state target" } else { "state" };
        nodes.push(Node { class, anchor: format!("s{number}-{}", state.state), lines, title: state.holds.join(", ") });
    }
    for state in &document.states {
        for (at, choice) in state.choices.iter().enumerate() {
            let (class, own) = (choice.report.class.name(), nodes.len());
            let label = format!("{} {}×", short(&choice.action).replace('_', " "), choice.report.made);
            let anchor = format!("c{number}-{}-{at}", state.state);
            nodes.push(Node { class, anchor, lines: vec![named(&label)], title: choice.details() });
            arrows.push(Arrow { from: state.state, to: own, class, fails: false });
            let mut led: Vec<usize> = vec![state.state];
            for outcome in &choice.outcomes {
                let Some(to) = outcome.state.filter(|to| !led.contains(to)) else { continue };
                led.push(to);
                arrows.push(Arrow { from: own, to, class, fails: outcome.failure.is_some() });
            }
        }
    }
    let sizes: Vec<(f64, f64)> = nodes.iter().map(Node::size).collect();
    let edges: Vec<(u32, u32)> = arrows.iter().map(|arrow| (arrow.from as u32, arrow.to as u32)).collect();
    let (places, size) = layout(&sizes, &edges);
    let path = |arrow: &Arrow| {
        let ((x, y), (to_x, to_y)) = (places[arrow.from], places[arrow.to]);
        let (half, to_half) = (sizes[arrow.from].1 / 2.0, sizes[arrow.to].1 / 2.0);
        let (y, to_y) = if y < to_y { (y + half, to_y - to_half) } else { (y - half, to_y + to_half) };
        let middle = (y + to_y) / 2.0;
        format!("M{x:.1} {y:.1}C{x:.1} {middle:.1} {to_x:.1} {middle:.1} {to_x:.1} {to_y:.1}")
    };
    let content = html! {
        defs {
            marker #arrow markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto" { path.head d="M0 0L8 4L0 8z" {} }
        }
        @for arrow in &arrows {
            path class={ "arrow " (arrow.class) @if arrow.fails { " fails" } } d=(path(arrow)) marker-end="url(#arrow)" {}
        }
        @for (node, ((x, y), (wide, high))) in nodes.iter().zip(places.iter().zip(&sizes)) {
            @let (left, top) = (x - wide / 2.0, y - high / 2.0);
            a href={ "#" (node.anchor) } {
                rect class={ "node " (node.class) } x={ (format!("{left:.1}")) } y={ (format!("{top:.1}")) }
                    width={ (format!("{wide:.1}")) } height=(high) rx=(if node.lines.len() > 1 { 3 } else { 9 }) {}
                @for (line, text) in node.lines.iter().enumerate() {
                    text x={ (format!("{:.1}", left + 7.0)) } y={ (format!("{:.1}", top + 14.0 + LINE * line as f64)) } { (text) }
                }
                title { (named(&node.title)) }
            }
        }
    };
    Chart { title: "States and choices".to_owned(), size, content, ..Chart::default() }
}

/// Returns the centre of each box, given their sizes and the edges between them, and the size of the whole.
fn layout(sizes: &[(f64, f64)], edges: &[(u32, u32)]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let vertices: Vec<(u32, (f64, f64))> = (0..).zip(sizes.iter().copied()).collect();
    // The network simplex, which is the default, goes round in circles for ever on some graphs.
    let config = Config { vertex_spacing: SPACING, ranking_type: RankingType::Original, ..Config::default() };
    let (mut places, mut left, mut bottom) = (vec![(0.0, 0.0); sizes.len()], SPACING / 2.0, 0.0);
    // Parts without a way between them stand side by side.
    for (part, ..) in rust_sugiyama::from_vertices_and_edges(&vertices, edges, &config) {
        let edge =
            |of: fn((f64, f64), (f64, f64)) -> f64| part.iter().map(move |(node, place)| of(*place, sizes[*node]));
        let first = edge(|(x, _), (wide, _)| x - wide / 2.0).fold(f64::INFINITY, f64::min);
        let last = edge(|(x, _), (wide, _)| x + wide / 2.0).fold(f64::NEG_INFINITY, f64::max);
        let top = edge(|(_, y), (_, high)| y - high / 2.0).fold(f64::INFINITY, f64::min);
        for (node, (x, y)) in &part {
            places[*node] = (left + x - first, SPACING / 2.0 + y - top);
            bottom = f64::max(bottom, places[*node].1 + sizes[*node].1 / 2.0);
        }
        left += last - first + SPACING;
    }
    (places, (left.ceil(), (bottom + SPACING / 2.0).ceil()))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Any graph, with circles and parts of its own, gets places inside the picture, and no two boxes overlap.
        #[test]
        fn boxes_lie_apart(sizes in vec((20.0..200.0f64, 15.0..80.0f64), 1..40), edges in vec((0u32..40, 0u32..40), 0..80)) {
            let most = sizes.len() as u32;
            let mut edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| a != b && a.max(b) < &most).collect();
            edges.sort_unstable();
            edges.dedup();
            let (places, (wide, high)) = layout(&sizes, &edges);
            let apart = |a: usize, b: usize| {
                let ((ax, ay), (bx, by)) = (places[a], places[b]);
                (ax - bx).abs() >= (sizes[a].0 + sizes[b].0) / 2.0 || (ay - by).abs() >= (sizes[a].1 + sizes[b].1) / 2.0
            };
            for a in 0..sizes.len() {
                let ((x, y), (w, h)) = (places[a], sizes[a]);
                prop_assert!(x - w / 2.0 >= 0.0 && x + w / 2.0 <= wide && y - h / 2.0 >= 0.0 && y + h / 2.0 <= high);
                prop_assert!((0..a).all(|b| apart(a, b)), "{places:?} {sizes:?} {edges:?}");
            }
        }
    }
}
