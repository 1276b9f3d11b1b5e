//! Verb frames: the English patterns for states and actions.
//!
//! A frame is a pattern of words with numbered slots for nouns. Frames of one *sense* mean the same. The same frames
//! read the meanings of a vocabulary's propositions and the sentences, so this module is independent of worlds.

use std::sync::LazyLock;

/// The aspect of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Sense, aspect and patterns; `!` before the sense negates it, `+` joins parts, and slots are `0` and `1`. The passive
/// of an event, "0 be open", is derived.
const TABLE: &[(&str, Aspect, &str)] = &[
    (
        "at 0",
        Aspect::Event,
        "go to 0|go into 0|go in 0|go inside 0|walk to 0|walk into 0|walk in 0|walk through 0|go through 0|enter 0|visit 0|\
         reach 0|get to 0|come to 0|come into 0|arrive at 0|arrive in 0|move to 0|move into 0|step into 0|head to 0|pass 0|\
         pass through 0|travel to 0|set foot in 0|go and see 0|pass by 0",
    ),
    ("at 0", Aspect::State, "be in 0|be at 0|be inside 0|be to 0"),
    ("at 0", Aspect::Maintained, "stay in 0|stay at 0|remain in 0|remain at 0|keep to 0"),
    (
        "!at 0",
        Aspect::Maintained,
        "stay out of 0|keep out of 0|keep away from 0|stay away from 0|0 be off limits|0 be out of bounds|0 be taboo|0 be closed to you",
    ),
    ("hold 0", Aspect::Event, "pick up 0|pick 0 up|grab 0|take 0|get 0|fetch 0|lift 0|collect 0|take hold of 0"),
    (
        "hold 0",
        Aspect::State,
        "hold 0|carry 0|have 0 in your hand|0 be in your hand|0 be in the robot hand|0 be in its hand",
    ),
    ("hold 0", Aspect::Maintained, "keep hold 0|hold on to 0|keep carry 0|keep 0 in your hand"),
    (
        "hold 0 + at 1",
        Aspect::State,
        "carry 0 through 1|take 0 through 1|carry 0 into 1|take 0 into 1|carry 0 in 1|bring 0 into 1|carry 0 past 1|carry 0 to 1",
    ),
    (
        "on 0 1",
        Aspect::Event,
        "put 0 on 1|put 0 onto 1|place 0 on 1|lay 0 on 1|set 0 on 1|bring 0 to 1|put 0 down on 1",
    ),
    ("on 0 1", Aspect::State, "0 be on 1|0 lie on 1|0 stand on 1|0 rest on 1"),
    ("on 0 1", Aspect::Maintained, "keep 0 on 1|leave 0 on 1|0 stay on 1|0 remain on 1"),
    (
        "in 0 1",
        Aspect::Event,
        "put 0 into 1|put 0 in 1|put 0 inside 1|place 0 in 1|place 0 into 1|place 0 inside 1|lay 0 in 1|throw 0 into 1|\
         throw 0 in 1|bring 0 to 1|0 end up in 1",
    ),
    ("in 0 1", Aspect::State, "0 be in 1|0 be inside 1|0 lie in 1"),
    ("in 0 1", Aspect::Maintained, "keep 0 in 1|leave 0 in 1|0 stay in 1|0 remain in 1"),
    ("open 0", Aspect::Event, "open 0|open up 0"),
    ("open 0", Aspect::State, "0 be open"),
    ("open 0", Aspect::Maintained, "keep 0 open|leave 0 open|0 stay open|0 remain open"),
    ("!open 0", Aspect::Event, "close 0|shut 0"),
    ("!open 0", Aspect::State, "0 be close|0 be shut"),
    (
        "!open 0",
        Aspect::Maintained,
        "keep 0 close|keep 0 shut|leave 0 close|leave 0 shut|0 stay close|0 stay shut|0 remain close",
    ),
    ("running 0", Aspect::Event, "switch on 0|switch 0 on|turn on 0|turn 0 on|start 0|activate 0"),
    ("running 0", Aspect::State, "0 be on|0 be switch on|0 be turn on|0 run|run 0"),
    ("running 0", Aspect::Maintained, "keep 0 on|leave 0 on|0 stay on|0 remain on|keep 0 run"),
    ("!running 0", Aspect::Event, "switch off 0|switch 0 off|turn off 0|turn 0 off"),
    ("!running 0", Aspect::State, "0 be off|0 be switch off|0 be turn off"),
    ("!running 0", Aspect::Maintained, "keep 0 off|leave 0 off|0 stay off|0 remain off"),
    ("running 0 + open 0", Aspect::State, "run 0 open|run 0 with the door open|0 run open"),
    ("touch 0", Aspect::Event, "touch 0"),
    ("have 0", Aspect::State, "have 0|carry 0|own 0|possess 0|be in possession of 0"),
    ("have 0", Aspect::Event, "get 0|obtain 0|acquire 0|collect 0"),
    ("mine 0", Aspect::Event, "mine 0|dig 0|dig out 0|dig up 0|chop 0|chop down 0|cut 0|cut down 0|harvest 0"),
    ("craft 0", Aspect::Event, "craft 0|make 0|build 0"),
    ("smelt 0", Aspect::Event, "smelt 0"),
    ("equip 0", Aspect::Event, "equip 0|take 0 into your hand|take 0 in your hand|put 0 in your hand"),
    (
        "in-hand 0",
        Aspect::State,
        "0 be in your hand|hold 0 in your hand|wield 0|0 be equip|have 0 in your hand|have 0 equip|hold 0",
    ),
    ("place 0", Aspect::Event, "place 0|put down 0|put 0 down|set down 0|set 0 down"),
    (
        "near 0",
        Aspect::State,
        "0 be near|0 be nearby|be near 0|0 be close|0 be close by|0 be near you|there be 0 near|there be 0 nearby|\
         there be 0 close by|be close to 0|be next to 0|0 near|near 0",
    ),
    ("see 0", Aspect::State, "0 be in sight|0 be visible|see 0|there be 0 in sight|can see 0|0 be within sight"),
];

/// Returns all frames, including the passives of events.
pub fn frames() -> &'static [Frame] {
    static FRAMES: LazyLock<Vec<Frame>> = LazyLock::new(|| TABLE.iter().flat_map(|line| read(*line)).collect());
    &FRAMES
}

/// Returns whether a frame begins with a form of this verb.
pub(crate) fn begins_a_frame(word: &str) -> bool {
    let is =
        |frame: &Frame| matches!(frame.pieces.first(), Some(Piece::Word(base)) if crate::words::is_form_of(word, base));
    frames().iter().any(is)
}

/// Returns whether a word occurs in a frame, unchanged or as a form of a verb.
pub(crate) fn is_frame_word(word: &str) -> bool {
    let is = |piece: &Piece| matches!(piece, Piece::Word(base) if crate::words::is_form_of(word, base));
    frames().iter().any(|frame| frame.pieces.iter().any(is))
}

fn read((sense, aspect, patterns): (&'static str, Aspect, &'static str)) -> Vec<Frame> {
    let is_negated = sense.starts_with('!');
    let part = |text: &'static str| {
        let mut words = text.trim_start_matches('!').split_whitespace();
        let sense = words.next().unwrap_or_default();
        Part { sense, slots: words.filter_map(|slot| slot.parse().ok()).collect() }
    };
    let parts: Vec<Part> = sense.split('+').map(part).collect();
    let mut frames = Vec::new();
    for pattern in patterns.split('|') {
        let piece = |word: &'static str| word.parse().map_or(Piece::Word(word), Piece::Slot);
        let pieces: Vec<Piece> = pattern.split_whitespace().map(piece).collect();
        if aspect == Aspect::Event && parts.len() == 1 && pieces.first() != Some(&Piece::Slot(0)) {
            let first = pieces.iter().position(|piece| *piece == Piece::Slot(0));
            let mut passive = vec![Piece::Slot(0), Piece::Word("be")];
            passive
                .extend(pieces.iter().enumerate().filter(|(at, _)| Some(*at) != first).map(|(_, piece)| piece.clone()));
            frames.push(Frame { pieces: passive, parts: parts.clone(), is_negated, aspect });
        }
        frames.push(Frame { pieces, parts: parts.clone(), is_negated, aspect });
    }
    frames
}
