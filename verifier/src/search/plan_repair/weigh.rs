//! The value of moves: the change of the objective.

use super::change::{Broken, Move};
use super::{PlanRepair, ROW};
use crate::actions::ActionSet;
use crate::joint::Joint;
use crate::letter::Letter;
use crate::vocabulary::{ActionId, PropId};

impl PlanRepair {
    /// Returns the change of one letter that lowers the objective most, with the difference. Changes that satisfy a
    /// broken law are preferred.
    pub(super) fn best_change(&mut self, joint: &mut Joint, target: Broken) -> Option<(i64, Move)> {
        let mut changes = self.changes(joint, target);
        if let Broken::Law(law) = target {
            let settles: Vec<bool> = changes.iter().map(|&change| self.accepts(joint, law, change)).collect();
            if settles.contains(&true) {
                let mut settles = settles.iter();
                changes.retain(|_| settles.next() == Some(&true));
            }
        }
        self.best(joint, &changes)
    }

    fn best(&mut self, joint: &mut Joint, moves: &[Move]) -> Option<(i64, Move)> {
        let mut best: Option<(i64, Move)> = None;
        let first = self.draw(moves.len());
        let broken: Vec<usize> = self.broken_laws().collect();
        for &one in moves[first.min(moves.len())..].iter().chain(&moves[..first.min(moves.len())]) {
            let least = best.map_or(i64::MAX, |(least, _)| least);
            let change = self.evaluate(joint, one, &broken, least);
            if change < least {
                best = Some((change, one));
            }
        }
        best
    }

    /// Returns the best move as [`Self::best_change`] does, including moves that change the word's length.
    pub(super) fn best_of_all(
        &mut self,
        joint: &mut Joint,
        target: Broken,
        best: Option<(i64, Move)>,
    ) -> Option<(i64, Move)> {
        let moves = self.moves_of_length(joint, target);
        // A longer word alone is not an improvement.
        match (best, self.best(joint, &moves)) {
            (Some(one), Some(other)) => Some(if other.0 < one.0.min(0) { other } else { one }),
            (one, other) => one.or(other),
        }
    }

    /// Returns whether a law accepts the word after a move.
    fn accepts(&mut self, joint: &mut Joint, position: usize, change: Move) -> bool {
        let law = self.space.laws[position];
        let row = position * ROW;
        let (mut state, from) = match change {
            Move::Change(at, letter, _) | Move::Insert(at, letter) => {
                let code = joint.table.code(law, &letter);
                let after = if matches!(change, Move::Insert(..)) { at } else { at + 1 };
                (joint.step(law, self.states[row + at], code), after)
            }
            Move::Delete(at) => (self.states[row + at], at + 1),
        };
        for at in from..self.word.len() {
            if state == self.states[row + at] {
                self.steps += at - from + 3;
                return self.accepting[position];
            }
            state = joint.step(law, state, self.codes[row + at]);
        }
        self.steps += self.word.len() - from + 3;
        state.accepts()
    }

    /// Returns the change of the objective by a move, or a number of at least `least` if the change is at least that.
    /// Broken laws come first: all later terms can only increase the sum.
    fn evaluate(&mut self, joint: &mut Joint, change: Move, broken: &[usize], least: i64) -> i64 {
        let mut total = self.evaluate_letters(change);
        self.steps += 2 * self.axioms.size;
        let space = self.space.clone();
        let read = |joint: &Joint, law: usize| match change {
            Move::Change(_, _, props) => joint.table.props(space.laws[law]).iter().any(|prop| props.contains(prop)),
            Move::Insert(..) | Move::Delete(_) => true,
        };
        for &law in broken {
            if read(joint, law) && self.accepts(joint, law, change) {
                total -= self.weights[law];
            }
        }
        if total >= least {
            return total;
        }
        match change {
            Move::Change(_, _, [one, other]) => {
                for prop in [one, other] {
                    for number in 0..self.readers[usize::from(prop.0)].len() {
                        let law = self.readers[usize::from(prop.0)][number] as usize;
                        if prop == one || !joint.table.props(space.laws[law]).contains(&one) {
                            total += self.breaking(joint, law, change);
                            if total >= least {
                                return total;
                            }
                        }
                    }
                    if one == other {
                        break;
                    }
                }
            }
            Move::Insert(..) | Move::Delete(_) => {
                for law in 0..space.laws.len() {
                    total += self.breaking(joint, law, change);
                    if total >= least {
                        return total;
                    }
                }
            }
        }
        total
    }

    /// Returns the weight of a law if a move breaks it, else 0.
    fn breaking(&mut self, joint: &mut Joint, law: usize, change: Move) -> i64 {
        let breaks = self.accepting[law] && !self.accepts(joint, law, change);
        if breaks { self.weights[law] } else { 0 }
    }

    /// Returns the change of the masks' and axioms' share of the objective by a move.
    fn evaluate_letters(&self, change: Move) -> i64 {
        let masks = &self.space.group.masks;
        let mut count = 0;
        let action = |at: usize| self.actions.get(at).copied();
        if !masks.is_empty() {
            let breaks = |allowed: Option<ActionSet>, action: Option<ActionId>| match (allowed, action) {
                (Some(allowed), Some(action)) => i64::from(!allowed.contains(action)),
                _ => 0,
            };
            let before = |at: usize| self.allowed_at(at);
            let after = |letter: &Letter| Some(masks.allowed(letter));
            count += match change {
                Move::Change(at, letter, [one, other]) => {
                    let mut change = 0;
                    if self.mask_reads.contains(one) {
                        change += breaks(after(&letter), action(at + 1)) - breaks(before(at + 1), action(at + 1));
                    }
                    if one != other {
                        let new = self.choice_of(&letter);
                        change += breaks(before(at), new) - breaks(before(at), action(at));
                    }
                    change
                }
                Move::Insert(at, letter) => {
                    breaks(before(at), self.choice_of(&letter)) + breaks(after(&letter), action(at))
                        - breaks(before(at), action(at))
                }
                Move::Delete(at) => {
                    breaks(before(at), action(at + 1))
                        - breaks(before(at), action(at))
                        - breaks(before(at + 1), action(at + 1))
                }
            };
        }
        if !self.axioms.axioms.is_empty() {
            let broken = |letter: &Letter| self.axioms.broken(letter).count() as i64;
            count += match change {
                Move::Change(at, letter, _) => broken(&letter) - broken(&self.word[at]),
                Move::Insert(_, letter) => broken(&letter),
                Move::Delete(at) => -broken(&self.word[at]),
            };
        }
        count * self.letter_weight
    }

    /// Returns the action of a letter.
    fn choice_of(&self, letter: &Letter) -> Option<ActionId> {
        let action = |prop: PropId| usize::from(prop.0).checked_sub(self.first_action);
        letter.0.iter().find_map(action).map(|at| ActionId(at as u16))
    }
}
