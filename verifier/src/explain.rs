//! Explanations of blocks: the laws, the propositions that trigger them, the allowed actions, and the open obligations.
//!
//! The Safety Chip (section III-F) gives a language model the constraint, the action, and the propositions in the safe
//! and in the violated state. Another model puts the reason into words. Here the reason is computed, so it is always
//! true: the literals of the run, each with its step, that make the laws block the action. Every run that agrees with
//! them is blocked too, and none of them can be left out. `G(obs_open -> F action_close)` blocks stopping because
//! `obs_open` held at step 3 and `action_close` did not happen since. [`Explanation::provenance`] says where a bound
//! kept the search from a proof; then no more is claimed than was found out.

mod text;

use serde::{Deserialize, Serialize};

pub use crate::causes::CauseProof;
use crate::causes::Causes;
use crate::engine::Engine;
use crate::judgement::{Enforcement, Judgement};
use crate::law::{Law, LawId, Strength};
use crate::letter::{Letter, PropSet};
use crate::verdict::Verdict;
use crate::vocabulary::{ActionId, PropId};

/// The shield's word on an action in the state it was asked in, with its reasons: see [`Shield::explain`](crate::Shield::explain).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The action's name.
    pub action: String,
    /// The shield's judgement of it.
    pub judgement: Judgement,
    /// The reason why each law that the judgement names blocks it; empty unless blocked.
    pub laws: Vec<BlockingLaw>,
    /// The mentioned literals that the action may change, if it is blocked for its possible outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_lead_to: Vec<Literal>,
    /// The mentioned literals of the action's intermediate states, if it is blocked and has some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes_through: Vec<Vec<Literal>>,
    /// The extent to which the literals cited by all reasons together are proved to be the cause.
    pub provenance: CauseProof,
    /// The step that the run is at: 0 for the initial letter, `n` after `n` steps.
    pub step: usize,
    /// The laws enforced in this state.
    pub enforcement: Enforcement,
    /// The actions that may run instead, in the vocabulary's order.
    pub allowed: Vec<String>,
    /// The obligations that are open: the run may not stop before they are met.
    pub obligations: Vec<Obligation>,
}

/// One law of those that block an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockingLaw {
    /// The law's name.
    pub law: LawId,
    /// Hard or soft.
    pub strength: Strength,
    /// The law, in infix syntax.
    pub formula: String,
    /// The reason for the law, in English.
    pub explanation: String,
    /// The law's verdict on the run so far.
    pub so_far: Verdict,
    /// The literals of the run that make the law block the action, by step; empty if it does so in any run. All reasons
    /// together cite a cause of the block, each law the part of it that it reads: a literal that several of the laws read
    /// comes up with each.
    pub because: Vec<Cause>,
    /// The literals that the law mentions, now and after the action.
    pub change: Vec<TruthChange>,
}

/// The literals of one letter of the run that made a law block an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The step: 0 for the initial letter, `n` for what held after step `n` and the action that led there, or while it went
    /// on.
    pub step: usize,
    /// The literals, in the vocabulary's order.
    pub literals: Vec<Literal>,
}

/// A proposition and its truth.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// Its name.
    pub proposition: String,
    /// True if it holds.
    pub holds: bool,
}

/// A proposition's truth before and after an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthChange {
    /// Its name.
    pub proposition: String,
    /// True if it holds now.
    pub now: bool,
    /// True if it holds after the action; `None` if that is not known beforehand.
    pub after: Option<bool>,
}

/// A law that does not hold if the run stops now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obligation {
    /// The law's name.
    pub law: LawId,
    /// The law, in infix syntax.
    pub formula: String,
    /// The reason for the law, in English.
    pub explanation: String,
}

impl Explanation {
    /// Judges an action and gathers the reasons, by the laws enforced or by the hard laws alone: then only what these are
    /// owed is listed.
    pub(crate) fn new(engine: &mut Engine, action: ActionId, by_hard_laws: bool) -> Self {
        let judgement = engine.judge_by(action, by_hard_laws);
        let decision = engine.decide();
        let obligations = engine.obligations();
        let is_owed = |law: &&Law| (!by_hard_laws || law.is_hard()) && obligations.contains(&law.id);
        let causes = match &judgement {
            Judgement::Blocked { laws, .. } => engine.causes(laws, action),
            Judgement::Allowed | Judgement::Undecided { .. } | Judgement::Ended => None,
        };
        let because = |at, law| causes.as_ref().map_or_else(Vec::new, |causes| because(engine, causes, at, law));
        let because: Vec<Vec<Cause>> = judgement.laws().iter().enumerate().map(|(at, law)| because(at, law)).collect();
        let laws = judgement.laws().iter().zip(because);
        let reasons: Vec<BlockingLaw> =
            laws.filter_map(|(law, because)| reason(engine, law, action, because)).collect();
        let may_lead_to = may_lead_to(engine, action, &reasons);
        let passes_through = passes_through(engine, action, &reasons);
        let vocabulary = engine.vocabulary();
        Self {
            action: vocabulary.action_name(action).to_owned(),
            judgement,
            laws: reasons,
            may_lead_to,
            passes_through,
            provenance: causes.map_or(CauseProof::Minimal, |causes| causes.provenance),
            step: engine.step_of(engine.letter_number()),
            enforcement: decision.enforcement,
            allowed: decision.allowed.names(vocabulary).into_iter().map(str::to_owned).collect(),
            obligations: engine.laws().iter().filter(is_owed).map(obligation).collect(),
        }
    }
}

/// The observations that an action may change and that the laws mention which refuse it for that.
fn may_lead_to(engine: &Engine, action: ActionId, reasons: &[BlockingLaw]) -> Vec<Literal> {
    let Some(open) = engine.refused_prediction(action).map(|prediction| prediction.open()) else { return Vec::new() };
    let (vocabulary, now) = (engine.vocabulary(), engine.letter().copied().unwrap_or_default());
    let is_mentioned = |name: &str| reasons.iter().any(|r| r.change.iter().any(|change| change.proposition == name));
    let literal = |id: PropId| Literal { proposition: vocabulary.name_of(id).to_owned(), holds: !now.holds(id) };
    open.iter().map(literal).filter(|literal| is_mentioned(&literal.proposition)).collect()
}

/// By letter that an action passes through: what holds there and not now, or the other way round, and the laws mention which
/// refuse it.
fn passes_through(engine: &Engine, action: ActionId, reasons: &[BlockingLaw]) -> Vec<Vec<Literal>> {
    let (vocabulary, now) = (engine.vocabulary(), engine.letter().copied().unwrap_or_default());
    let is_mentioned = |name: &str| reasons.iter().any(|r| r.change.iter().any(|change| change.proposition == name));
    let literals = |passed: &PropSet| -> Vec<Literal> {
        let changed = passed.difference(&now.0).iter().map(|id| (id, true));
        let changed = changed.chain(now.observations(vocabulary).difference(passed).iter().map(|id| (id, false)));
        let named = changed.map(|(id, holds)| Literal { proposition: vocabulary.name_of(id).to_owned(), holds });
        named.filter(|literal| is_mentioned(&literal.proposition)).collect()
    };
    engine.passing(action).iter().map(literals).filter(|literals| !literals.is_empty()).collect()
}

fn obligation(law: &Law) -> Obligation {
    Obligation { law: law.id.clone(), formula: law.formula.to_string(), explanation: law.explanation.to_string() }
}

/// The part of a cause that one of the laws reads: the law with this name, which was asked about at this position.
fn because(engine: &Engine, causes: &Causes, at: usize, law: &LawId) -> Vec<Cause> {
    let Some(law) = engine.laws().iter().find(|other| other.id == *law) else { return Vec::new() };
    let vocabulary = engine.vocabulary();
    let mentioned: PropSet = law.formula.atoms().iter().filter_map(|name| vocabulary.id(name)).collect();
    let literal = |letter: &Letter, id: PropId| Literal {
        proposition: vocabulary.name_of(id).to_owned(),
        holds: letter.holds(id),
    };
    // Before its monitor began a law reads nothing.
    let begun = causes.begun.get(at).copied().unwrap_or_default();
    let read = causes.cited.iter().filter(|(step, ..)| *step >= begun);
    let causes = read.map(|(step, letter, cited)| Cause {
        step: engine.step_of(*step),
        literals: cited.intersection(&mentioned).iter().map(|id| literal(letter, id)).collect(),
    });
    causes.filter(|cause| !cause.literals.is_empty()).collect()
}

fn reason(engine: &mut Engine, law: &LawId, action: ActionId, because: Vec<Cause>) -> Option<BlockingLaw> {
    let so_far = engine.verdict(law)?;
    let vocabulary = engine.vocabulary().clone();
    let now = engine.letter().copied().unwrap_or_default();
    let predicted = engine.predicted(action).map(|observations| Letter::after(&vocabulary, action, observations));
    let law = engine.laws().iter().find(|other| other.id == *law)?;
    let mentioned = (0..vocabulary.propositions().len())
        .map(|position| PropId(position as u16))
        .filter(|id| law.formula.mentions(vocabulary.name_of(*id)));
    let change = mentioned
        .map(|id| TruthChange {
            proposition: vocabulary.name_of(id).to_owned(),
            now: now.holds(id),
            after: match vocabulary.as_action(id) {
                Some(mentioned) => Some(mentioned == action),
                None => predicted.map(|letter| letter.holds(id)),
            },
        })
        .collect();
    Some(BlockingLaw {
        law: law.id.clone(),
        strength: law.strength,
        formula: law.formula.to_string(),
        explanation: law.explanation.to_string(),
        so_far,
        because,
        change,
    })
}

#[cfg(test)]
mod tests;
