//! A law that blocks, and the letters of the run that it read.

use crate::dfa_table::StateRef;
use crate::history::History;
use crate::joint::Joint;
use crate::letter::PropSet;

/// One of the laws that block.
pub(super) struct Reader {
    /// Its position among the watched laws; `None` for a law that only reads the current letter.
    pub position: Option<usize>,
    /// The number of the first letter it read.
    pub begun: usize,
    pub mentioned: PropSet,
}

impl Reader {
    pub fn new(joint: &mut Joint, history: &History, law: usize) -> Self {
        let vocabulary = joint.vocabulary();
        let formula = joint.laws.laws().get(law).map(|law| &law.formula);
        let mentioned =
            formula.into_iter().flat_map(|law| law.atoms()).filter_map(|name| vocabulary.id(&name)).collect();
        let position = joint.laws.position(law);
        let mut begun = position.map_or(history.now(), |position| history.begun(position));
        if let (Some(position), Some(letter)) = (position, history.letter(begun)) {
            let mut state = initial(joint, position);
            // A letter that alone breaks the law is passed over.
            begun += usize::from(joint.read(position, &mut state, &letter));
        }
        Self { position, begun, mentioned }
    }
}

/// The state of a watched law before any letter.
pub(super) fn initial(joint: &mut Joint, position: usize) -> StateRef {
    joint.initial_states().nth(position).unwrap_or(StateRef::LOST)
}
