//! The propositions of a task as a world: the facts and actions that letters contain, and their numbers.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use ltlcrit_verifier::vocabulary::{STOP, VocabularyError};
use ltlcrit_verifier::{ActionId, Formula as Ltl, PropId, PropSet, Proposition, Signature, Vocabulary};

use crate::atoms::bound;
use crate::formula::{Formula, Id, State};
use crate::ground::Ground;
use crate::instantiate::GroundSymbol;
use crate::model::Atom;
use crate::names::GroundNames;
use crate::write::Writer;

/// In worlds with more observations and actions, letters contain only those that laws mention.
const MAX_WHOLE: usize = 256;

/// The meaning of an observation.
#[derive(Clone, Debug)]
enum Meaning {
    /// A fact that may change.
    Fact(Id),
    /// A comparison of numbers.
    Compared(Formula),
    /// A fact that always holds.
    Always,
}

/// A function from a signature to the names that laws mention. The signature has all possible propositions as unseen
/// ones.
pub type Mentioned<'a> = &'a dyn Fn(&Signature) -> BTreeSet<String>;

/// The propositions of a task.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    pub vocabulary: Arc<Vocabulary>,
    /// The meanings of the observations, in order.
    meanings: Vec<Meaning>,
    /// The ground action of each action of the vocabulary.
    pub numbers: Vec<Option<usize>>,
    /// The action of the vocabulary of each ground action.
    pub ids: Vec<Option<ActionId>>,
    /// The names that letters are made of; `None` if they are all names.
    pub seen: Option<BTreeSet<String>>,
}

impl Alphabet {
    /// Builds the propositions of a ground task whose actions `offered` can be chosen, with its signature. If a letter
    /// cannot hold all of them, letters are made of the mentioned ones.
    ///
    /// # Errors
    /// Two propositions have the same name, or there are too many.
    pub fn new(
        name: &str,
        ground: &Ground,
        offered: &[usize],
        mut signature: Signature,
        mentioned: Option<Mentioned<'_>>,
    ) -> Result<Self, VocabularyError> {
        let names = GroundNames(ground);
        let of_fact = |symbol: &GroundSymbol| Proposition::new(names.observation(symbol), names.fact(symbol));
        let mut observations: Vec<(Proposition, Meaning)> = Vec::new();
        observations.extend(ground.facts.iter().enumerate().map(|(id, at)| (of_fact(at), Meaning::Fact(id as Id))));
        observations.extend(constant_facts(ground).iter().map(|at| (of_fact(at), Meaning::Always)));
        for (formula, text) in comparisons(ground) {
            let name = format!("{}{text}", names.prefix("obs_"));
            observations.push((Proposition::new(name, text.as_str()), Meaning::Compared(formula)));
        }
        let mut actions: Vec<(Proposition, usize)> =
            offered.iter().map(|number| (action(ground, *number), *number)).collect();
        let mut further = Vec::new();
        let mut seen = None;
        if let (true, Some(mentioned)) = (observations.len() + actions.len() + 1 > MAX_WHOLE, mentioned) {
            let all = observations.iter().map(|(of, _)| of).chain(actions.iter().map(|(of, _)| of));
            signature.unseen = all.map(|of| of.name.clone()).collect();
            let mentioned = mentioned(&signature);
            signature.unseen.clear();
            let is_mentioned = |proposition: &Proposition| mentioned.contains(&*proposition.name);
            observations.retain(|(observation, _)| {
                let is_mentioned = is_mentioned(observation);
                if !is_mentioned {
                    signature.unseen.insert(observation.name.clone());
                }
                is_mentioned
            });
            (actions, further) = actions.into_iter().partition(|(action, _)| is_mentioned(action));
            let kept = observations.iter().map(|(of, _)| of).chain(actions.iter().map(|(of, _)| of));
            seen = Some(kept.map(|of| of.name.to_string()).collect());
        }
        let (observations, meanings): (Vec<_>, Vec<_>) = observations.into_iter().unzip();
        let (letters, of_letters): (Vec<_>, Vec<_>) = actions.into_iter().unzip();
        let (others, of_others): (Vec<_>, Vec<_>) = further.into_iter().unzip();
        let vocabulary = Vocabulary::new(name, observations, letters, vec![])?.with_further(others)?;
        let vocabulary = vocabulary.with_signature(Arc::new(signature));
        // Besides the letters' actions, there are the one that ends a run and the one that stands for the others.
        let mut numbers: Vec<Option<usize>> = of_letters.into_iter().map(Some).collect();
        numbers.resize(vocabulary.actions().len(), None);
        numbers.extend(of_others.into_iter().map(Some));
        let mut ids = vec![None; ground.actions().len()];
        for (id, number) in numbers.iter().enumerate() {
            if let Some(number) = number {
                ids[*number] = Some(ActionId(id as u16));
            }
        }
        Ok(Self { vocabulary: Arc::new(vocabulary), meanings, numbers, ids, seen })
    }

    /// Returns whether an action has the name of the action that ends a run.
    pub(crate) fn names_stop(ground: &Ground, offered: &[usize]) -> bool {
        offered.iter().any(|number| GroundNames(ground).action(*number) == STOP)
    }

    /// Returns the observations that hold in a state.
    pub fn holds(&self, state: &State) -> PropSet {
        let holds = |meaning: &Meaning| match meaning {
            Meaning::Fact(id) => state.fact(*id),
            Meaning::Compared(formula) => formula.holds(state),
            Meaning::Always => true,
        };
        let numbered = self.meanings.iter().zip(0u16..);
        numbered.filter(|(meaning, _)| holds(meaning)).map(|(_, number)| PropId(number)).collect()
    }
}

/// Returns a condition as a formula over observations.
pub(crate) fn as_law(ground: &Ground, formula: &Formula) -> Ltl {
    let signed = |name: String, holds: bool| if holds { Ltl::atom(name) } else { Ltl::atom(name).not() };
    let names = GroundNames(ground);
    match formula {
        Formula::Fact(id, holds) => signed(names.observation(&ground.facts[*id as usize]), *holds),
        Formula::Compare { comparison, holds, a, b } => {
            signed(format!("{}{}", names.prefix("obs_"), names.comparison(*comparison, a, b)), *holds)
        }
        Formula::All(parts) | Formula::Any(parts) => {
            let all = matches!(formula, Formula::All(_));
            let join = |a: Ltl, b: Ltl| if all { a.and(b) } else { a.or(b) };
            let joined = parts.iter().map(|part| as_law(ground, part)).reduce(join);
            joined.unwrap_or(if all { Ltl::True } else { Ltl::False })
        }
    }
}

/// Returns the facts that hold in every state.
pub(crate) fn constant_facts(ground: &Ground) -> Vec<GroundSymbol> {
    let changing: HashSet<&GroundSymbol> = ground.facts.iter().collect();
    let facts = ground.task().basic.facts.iter();
    let objects = |fact: &Atom| fact.arguments.iter().map(|term| bound(*term, &[])).collect();
    let symbols = facts.map(|fact| GroundSymbol { symbol: fact.predicate.0, arguments: objects(fact) });
    symbols.filter(|symbol| !changing.contains(&symbol)).collect()
}

/// Returns the comparisons in preconditions, the goal, constraints and danger, each once and without a negation, with
/// their texts.
fn comparisons(ground: &Ground) -> Vec<(Formula, String)> {
    let names = GroundNames(ground);
    let (mut known, mut all) = (HashSet::new(), Vec::new());
    let mut collect = |formula: &Formula| {
        formula.each_leaf(&mut |leaf| {
            let Formula::Compare { comparison, a, b, .. } = leaf else { return };
            let text = names.comparison(*comparison, a, b);
            if known.insert(text.clone()) {
                let (a, b) = (a.clone(), b.clone());
                all.push((Formula::Compare { comparison: *comparison, holds: true, a, b }, text));
            }
        });
    };
    collect(&ground.goal);
    ground.constraints.iter().flat_map(|of| [&of.condition, &of.other]).for_each(&mut collect);
    for action in ground.actions() {
        collect(&action.precondition);
        action.danger.iter().for_each(|rule| collect(&rule.condition));
    }
    all
}

/// Returns an action as a proposition: its meaning is the step, its recipe the preconditions and effects.
fn action(ground: &Ground, number: usize) -> Proposition {
    let of = &ground.actions()[number];
    let problem = &ground.task().basic;
    let lifted = &problem.domain.actions[of.action];
    let objects: Vec<&str> = of.arguments.iter().map(|id| &*problem.objects[id.0 as usize].name).collect();
    let writer = Writer::of(problem);
    let precondition = writer.condition(&lifted.precondition, &objects);
    let recipe = format!("needs {precondition}, gives {}", writer.effect(&lifted.effect, &objects));
    Proposition::new(GroundNames(ground).action(number), of.name.as_str()).with_recipe(recipe)
}
