//! The moves that may repair a broken constraint.

use super::change::{Broken, Move};
use super::{MAX_LETTERS, PlanRepair};
use crate::joint::Joint;
use crate::letter::Letter;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// Maximum number of changes that are examined for a move.
const MAX_CHANGES: usize = 24;
/// The number of other actions that are tried in place of an action.
const REPLACEMENTS: usize = 4;

impl PlanRepair {
    /// Returns the letter at a position with another action, and the changed propositions; `None` if it has that
    /// action.
    pub(super) fn with_action(
        &self,
        vocabulary: &Vocabulary,
        at: usize,
        action: ActionId,
    ) -> Option<(Letter, [PropId; 2])> {
        let old = self.actions[at];
        let mut letter = self.word[at];
        let props = [vocabulary.action_prop(action), vocabulary.action_prop(old)];
        letter.0.remove(props[1]);
        letter.0.insert(props[0]);
        (action != old).then_some((letter, props))
    }

    fn flipped(&self, at: usize, prop: PropId) -> Move {
        let mut letter = self.word[at];
        if letter.holds(prop) {
            letter.0.remove(prop)
        } else {
            letter.0.insert(prop)
        }
        Move::Change(at, letter, [prop, prop])
    }

    /// Returns the changes of one letter that affect propositions of a broken constraint.
    pub(super) fn changes(&mut self, joint: &Joint, target: Broken) -> Vec<Move> {
        let vocabulary = joint.vocabulary().clone();
        let mut changes = Vec::new();
        match target {
            Broken::Law(law) => {
                let law = self.space.laws[law];
                for &prop in joint.table.props(law) {
                    match vocabulary.as_action(prop) {
                        None => changes.extend((self.past()..self.word.len()).map(|at| self.flipped(at, prop))),
                        Some(action) if Some(action) == vocabulary.stop() => {}
                        Some(action) => {
                            for at in 1..self.word.len() {
                                if self.actions[at] != action {
                                    changes.extend(self.change_action(&vocabulary, at, action));
                                } else {
                                    self.replace_action(&vocabulary, at, &mut changes);
                                }
                            }
                        }
                    }
                }
            }
            Broken::Mask(at) => {
                if at > self.past() {
                    let reads = self.space.group.masks.read_by_culprits(&self.word[at - 1], self.actions[at]);
                    changes.extend(reads.iter().map(|prop| self.flipped(at - 1, prop)));
                }
                self.replace_action(&vocabulary, at, &mut changes);
            }
            Broken::Axiom(at, axiom) => {
                let reads = self.axioms.axioms[axiom].1;
                changes.extend(reads.iter().map(|prop| self.flipped(at, prop)));
            }
        }
        while changes.len() > MAX_CHANGES {
            let drawn = self.draw(changes.len());
            changes.swap_remove(drawn);
        }
        let tabu = &self.tabu;
        changes.retain(|change| match change {
            Move::Change(at, _, props) => !tabu.iter().any(|(then, prop)| then == at && props.contains(prop)),
            _ => true,
        });
        changes
    }

    fn change_action(&self, vocabulary: &Vocabulary, at: usize, action: ActionId) -> Option<Move> {
        self.with_action(vocabulary, at, action).map(|(letter, props)| Move::Change(at, letter, props))
    }

    /// Adds changes to some other actions at a letter.
    fn replace_action(&mut self, vocabulary: &Vocabulary, at: usize, changes: &mut Vec<Move>) {
        for _ in 0..REPLACEMENTS {
            let drawn = self.draw(self.choices.len());
            let action = self.choices[drawn];
            changes.extend(self.change_action(vocabulary, at, action));
        }
    }

    /// Returns some moves that change the word's length: they delete a letter, or insert one that a broken law reads.
    pub(super) fn moves_of_length(&mut self, joint: &Joint, target: Broken) -> Vec<Move> {
        let mut moves = Vec::new();
        let length = self.word.len();
        if length > 1 {
            moves.push(Move::Delete(1 + self.draw(length - 1)));
        }
        if length < MAX_LETTERS {
            let vocabulary = joint.vocabulary().clone();
            let place = [1, length, 1 + self.draw(length)][self.draw(3)];
            let props: Vec<PropId> = match target {
                Broken::Law(law) => joint.table.props(self.space.laws[law]).to_vec(),
                Broken::Mask(_) | Broken::Axiom(..) => Vec::new(),
            };
            let copy = self.word[place - 1];
            let observations = copy.observations(&vocabulary);
            let drawn = self.draw(self.choices.len());
            moves.push(Move::Insert(place, Letter::after(&vocabulary, self.choices[drawn], observations)));
            for &prop in &props {
                let mut letter = copy;
                match vocabulary.as_action(prop) {
                    Some(action) if Some(action) == vocabulary.stop() => continue,
                    Some(action) => letter = Letter::after(&vocabulary, action, observations),
                    None if letter.holds(prop) => letter.0.remove(prop),
                    None => letter.0.insert(prop),
                }
                moves.push(Move::Insert(place, letter));
            }
        }
        moves
    }
}
