//! Verb frames: the English patterns for states and actions.
//!
//! A frame is a pattern of words with numbered slots for nouns. Frames of one *sense* mean the same. The same frames
//! read the meanings of a vocabulary's propositions and the sentences, so this module is independent of worlds.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::words::{is_form_of, table, value};

/// The aspect of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    /// An event: "open the fridge".
    Event,
    /// A state: "the fridge is open".
    State,
    /// A state to maintain: "keep the fridge open".
    Maintained,
}

/// A word or a slot of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A word, or a form of this verb.
    Word(&'static str),
    /// A noun.
    Slot(usize),
}

/// A part of a frame's meaning: a sense of some of its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The sense, such as `hold`.
    pub sense: &'static str,
    /// The slots that it applies to.
    pub slots: Vec<usize>,
}

/// A pattern of words with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The words.
    pub pieces: Vec<Piece>,
    /// The meaning; several parts hold at once.
    pub parts: Vec<Part>,
    /// True if the frame denies its sense: "close the fridge".
    pub is_negated: bool,
    /// Its aspect.
    pub aspect: Aspect,
}

/// Returns all frames, including the passives of events.
pub fn frames() -> &'static [Frame] {
    static FRAMES: LazyLock<Vec<Frame>> =
        LazyLock::new(|| table("frames").iter().flat_map(|line| read(*line)).collect());
    &FRAMES
}

/// Returns whether a frame begins with a form of this verb.
pub(crate) fn begins_a_frame(word: &str) -> bool {
    let is = |frame: &Frame| matches!(frame.pieces.first(), Some(Piece::Word(base)) if is_form_of(word, base));
    frames().iter().any(is)
}

/// Returns whether a word occurs in a frame, unchanged or as a form of a verb.
pub(crate) fn is_frame_word(word: &str) -> bool {
    let is = |piece: &Piece| matches!(piece, Piece::Word(base) if is_form_of(word, base));
    frames().iter().any(|frame| frame.pieces.iter().any(is))
}

/// Reads a pattern after its aspect and sense. The passive of an event, "0 be open", is derived.
fn read((pattern, meaning): (&'static str, &'static str)) -> Vec<Frame> {
    let Some((aspect, sense)) = meaning.split_once(' ') else { return Vec::new() };
    let Some(aspect) = value(aspect) else { return Vec::new() };
    let part = |text: &'static str| {
        let mut words = text.trim_start_matches('!').split_whitespace();
        let sense = words.next().unwrap_or_default();
        Part { sense, slots: words.filter_map(|slot| slot.parse().ok()).collect() }
    };
    let parts: Vec<Part> = sense.split('+').map(part).collect();
    let frame = |pieces| Frame { pieces, parts: parts.clone(), is_negated: sense.starts_with('!'), aspect };
    let piece = |word: &'static str| word.parse().map_or(Piece::Word(word), Piece::Slot);
    let pieces: Vec<Piece> = pattern.split_whitespace().map(piece).collect();
    let first = pieces.iter().position(|piece| *piece == Piece::Slot(0));
    let has_passive = aspect == Aspect::Event && parts.len() == 1 && first != Some(0);
    let others = pieces.iter().enumerate().filter(|(at, _)| Some(*at) != first).map(|(_, piece)| piece.clone());
    let passive = has_passive.then(|| [Piece::Slot(0), Piece::Word("be")].into_iter().chain(others).collect());
    passive.into_iter().chain([pieces.clone()]).map(frame).collect()
}
