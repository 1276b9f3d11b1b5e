//! The path of a run: a map from above, and its height by step.

use ltlcrit_minecraft::terrain::TerrainKind;
use maud::{Markup, html};

use super::axis::Axis;
use super::land::picture;
use super::{Chart, WIDTH, panel};

/// The minimum extent of a map, in blocks, so that a run at one position stays visible.
const MIN_SPAN: f64 = 16.0;
/// The land that is shown around a way, in blocks.
const AROUND: f64 = 20.0;
const MARGIN: f64 = 30.0;

/// A position of a run.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The step that led there.
    pub step: u64,
    /// East, up and south, in blocks.
    pub at: [i32; 3],
    /// True if the player died in the step.
    pub died: bool,
    /// The subgoals reached there.
    pub reached: &'a [String],
}

/// Draws the map: north is up, and both axes have the same scale. The land is as the world began.
pub fn map(places: &[Place<'_>], land: Option<(TerrainKind, u64)>) -> Option<Chart> {
    let (start, end) = (places.first()?, places.last()?);
    let extent = |axis: usize| {
        let (low, high) = range(places, axis);
        let more = if land.is_some() { AROUND } else { (MIN_SPAN - (high - low)).max(0.0) / 2.0 };
        ((low - more).floor(), (high + more).ceil() + 1.0)
    };
    let (east, south) = (extent(0), extent(2));
    let inner = WIDTH - 2.0 * MARGIN;
    // A narrow map is not drawn higher than its width.
    let scale = inner / (east.1 - east.0).max(south.1 - south.0);
    let wide = (east.1 - east.0) * scale;
    let high = (south.1 - south.0) * scale;
    let left = MARGIN + (inner - wide) / 2.0;
    let x = Axis { values: east, pixels: (left, left + wide) };
    let y = Axis { values: south, pixels: (12.0, 12.0 + high) };
    let at = |place: &Place<'_>| (x.at(f64::from(place.at[0]) + 0.5), y.at(f64::from(place.at[2]) + 0.5));
    let blocks = |(low, high): (f64, f64)| low as i32..high as i32;
    let picture = land.and_then(|land| picture(land, blocks(east), blocks(south)));
    let points = way(places, at);
    let bottom = 12.0 + high;
    let drawn = html! {
        @for tick in y.ticks(5) {
            line.grid x1=(left) x2=(left + wide) y1=(y.at(tick)) y2=(y.at(tick)) {}
            text x=(left - 5.0) y=(y.at(tick) + 4.0) text-anchor="end" { (tick) }
        }
        @for tick in x.ticks(if wide < 150.0 { 2 } else { 5 }) {
            line.grid x1=(x.at(tick)) x2=(x.at(tick)) y1="12" y2=(bottom) {}
            text x=(x.at(tick)) y=(bottom + 15.0) text-anchor="middle" { (tick) }
        }
        @if let Some(picture) = &picture {
            image x=(left) y="12" width=(wide) height=(high) preserveAspectRatio="none" href=(picture) {}
            polyline.way.halo points=(points) {}
        }
        polyline.way points=(points) {}
        (events(places, at))
        @let (sx, sy) = at(start);
        circle.start cx=(sx) cy=(sy) r="5" { title { "start" } }
        @let (ex, ey) = at(end);
        rect.end x=(ex - 4.0) y=(ey - 4.0) width="8" height="8" { title { "end, step " (end.step) } }
    };
    Some(Chart::new("Map from above", bottom + 26.0, drawn).under("from above"))
}

/// Draws the height by step.
pub fn heights(places: &[Place<'_>]) -> Option<Chart> {
    let (low, high) = range(places, 1);
    let (first, last) = (places.first()?, places.last()?);
    let x = Axis { values: (first.step as f64, last.step.max(1) as f64), pixels: (38.0, WIDTH - 8.0) };
    let y = Axis { values: (low - 2.0, high + 2.0), pixels: (140.0, 8.0) };
    let at = |place: &Place<'_>| (x.at(place.step as f64), y.at(f64::from(place.at[1])));
    let drawn = html! { polyline.way points=(way(places, at)) {} (events(places, at)) };
    Some(panel("Height by step", 164.0, (&x, &y), &y.ticks(5), "", drawn).under("height by step"))
}

/// Returns the least and the greatest coordinate of the places on an axis.
fn range(places: &[Place<'_>], axis: usize) -> (f64, f64) {
    let values = || places.iter().map(|place| f64::from(place.at[axis]));
    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
}

/// Returns the points of the way, without repeating a point.
fn way(places: &[Place<'_>], at: impl Fn(&Place<'_>) -> (f64, f64)) -> String {
    let mut points: Vec<(f64, f64)> = places.iter().map(at).collect();
    points.dedup();
    points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// Draws the subgoals that were reached, and the deaths.
fn events(places: &[Place<'_>], at: impl Fn(&Place<'_>) -> (f64, f64)) -> Markup {
    html! {
        @for place in places.iter().filter(|place| !place.reached.is_empty()) {
            @let (cx, cy) = at(place);
            circle.reached cx=(cx) cy=(cy) r="3.5" { title { "step " (place.step) } }
        }
        @for place in places.iter().filter(|place| place.died) {
            @let (cx, cy) = at(place);
            path.death d={ "M" (cx - 4.0) " " (cy - 4.0) "l8 8m0 -8l-8 8" } { title { "died at step " (place.step) } }
        }
    }
}
