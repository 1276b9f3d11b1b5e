//! Laws compiled over a vocabulary: everything about them that no run changes.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::automaton::{Alphabet, Automaton, DENSE};
use crate::axioms::Axioms;
use crate::before_and_after::SameLetter;
use crate::budget::Budget;
use crate::formula::Formula;
use crate::law::{Law, LawId};
use crate::letter::{Letter, PropSet};
use crate::masks::{self, MaskRow, MaskTable};
use crate::nnf::{Metered, NnfArena, NodeId, accepts_empty};
use crate::options::ShieldOptions;
use crate::residual::{MAX_CLAUSES, MAX_WORK, Residual};
use crate::vocabulary::{ActionId, Axiom, UnknownProposition, Vocabulary, hint};

/// The reason why laws could not be compiled.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShieldError {
    /// A law mentions a proposition that the vocabulary does not have.
    #[error("law `{law}` mentions `{}`, which is not in the vocabulary `{}`{}", .unknown.name, .unknown.vocabulary, hint(&.unknown.suggestion))]
    UnknownProposition {
        /// The law.
        law: LawId,
        /// The name it mentions.
        unknown: UnknownProposition,
    },
    /// Two laws of one name.
    #[error("two laws are called `{law}`; give each its own name")]
    DuplicateLaw {
        /// The repeated name.
        law: LawId,
    },
    /// A law that cannot be watched.
    #[error(
        "law `{law}` is too intricate to be watched: what it demands after a few letters exceeds {MAX_CLAUSES} clauses or \
         {MAX_WORK} units of work; split it"
    )]
    TooIntricate {
        /// The law.
        law: LawId,
    },
    /// There is nothing to shield.
    #[error("the vocabulary `{vocabulary}` has no actions, so there is nothing to shield; judge words with a monitor")]
    NoActions {
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
    /// The axioms contradict each other.
    #[error("the axioms of the vocabulary `{vocabulary}` contradict each other: no state satisfies them all")]
    ContradictoryAxioms {
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
    /// The axioms exceed the budget of the solver.
    #[error(
        "it could not be decided whether any state satisfies the axioms of the vocabulary `{vocabulary}`; simplify them"
    )]
    UndecidedAxioms {
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
}

/// Laws compiled over a vocabulary.
pub struct LawSet {
    vocabulary: Arc<Vocabulary>,
    options: ShieldOptions,
    laws: Vec<Law>,
    pub(crate) arena: NnfArena,
    compiled: Vec<Arc<CompiledLaw>>,
    /// The laws watched by automata, by position in their table: first those with a dense alphabet, then the wide ones.
    pub(crate) watched: Vec<usize>,
    positions: Vec<Option<usize>>,
    /// Observations that axioms tie to each other.
    tied: Vec<PropSet>,
    /// Observations that satisfy the axioms.
    pub(crate) neutral: PropSet,
    /// All laws.
    pub(crate) all: Arc<Group>,
    /// The hard laws alone; `None` if all laws are hard.
    pub(crate) hard: Option<Arc<Group>>,
    same_letter: OnceLock<Vec<(LawId, SameLetter)>>,
    read_by_any: OnceLock<(PropSet, Option<ActionId>)>,
}

/// One compiled law.
pub(crate) struct CompiledLaw {
    node: NodeId,
    accepts_empty: bool,
    /// The guards of a law `G(phi_s -> X phi_a)`; such a law has an automaton only when a search asks for it.
    pub guards: Option<Vec<MaskRow>>,
    alphabet: OnceLock<Arc<Alphabet>>,
}

impl CompiledLaw {
    fn alphabet(&self, arena: &NnfArena, vocabulary: &Vocabulary) -> &Arc<Alphabet> {
        self.alphabet.get_or_init(|| Arc::new(Alphabet::new(arena, self.node, vocabulary)))
    }
}

/// Some of the laws, as a question asks for them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The laws watched by automata, sorted.
    pub watched: Vec<usize>,
    pub masks: Arc<MaskTable>,
}

impl Group {
    /// The group without one of its laws, if that one is watched.
    pub fn without(&self, law: usize) -> Option<Self> {
        let at = self.watched.iter().position(|other| *other == law)?;
        let mut others = self.clone();
        others.watched.remove(at);
        Some(others)
    }

    /// The group's laws, sorted.
    pub fn laws(&self) -> Vec<usize> {
        let mut laws: Vec<usize> = self.watched.iter().copied().chain(self.masks.laws()).collect();
        laws.sort_unstable();
        laws.dedup();
        laws
    }
}

impl LawSet {
    /// Compiles laws.
    ///
    /// # Errors
    /// A law over unknown propositions or too intricate to be watched, two laws of one name, a vocabulary without actions or
    /// with contradictory axioms.
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Arc<Self>, ShieldError> {
        let name = || vocabulary.name().into();
        if vocabulary.actions().is_empty() {
            return Err(ShieldError::NoActions { vocabulary: name() });
        }
        let everything = PropSet::first(vocabulary.observations().len());
        let neutral = match Axioms::new(&vocabulary).state_between(&PropSet::EMPTY, &everything) {
            Ok(Some(state)) => state,
            Ok(None) => return Err(ShieldError::ContradictoryAxioms { vocabulary: name() }),
            Err(_) => return Err(ShieldError::UndecidedAxioms { vocabulary: name() }),
        };
        Self::build(vocabulary, neutral, laws, options, NnfArena::new(), HashMap::new())
    }

    /// Other laws over the same vocabulary. Nodes keep their numbers: states of laws that stay mean the same.
    pub(crate) fn with_laws(&self, laws: Vec<Law>) -> Result<Arc<Self>, ShieldError> {
        let old = self.laws.iter().zip(&self.compiled);
        let known = old.map(|(law, compiled)| ((&law.id, &law.formula), compiled)).collect();
        Self::build(self.vocabulary.clone(), self.neutral, laws, self.options.clone(), self.arena.clone(), known)
    }

    fn build(
        vocabulary: Arc<Vocabulary>,
        neutral: PropSet,
        laws: Vec<Law>,
        options: ShieldOptions,
        mut arena: NnfArena,
        known: HashMap<(&LawId, &Formula), &Arc<CompiledLaw>>,
    ) -> Result<Arc<Self>, ShieldError> {
        let mut names = HashSet::with_capacity(laws.len());
        for law in &laws {
            if !names.insert(&law.id) {
                return Err(ShieldError::DuplicateLaw { law: law.id.clone() });
            }
        }
        let mut nodes = Vec::with_capacity(laws.len());
        for law in &laws {
            let node = arena.add(&law.formula, &vocabulary);
            nodes.push(node.map_err(|unknown| ShieldError::UnknownProposition { law: law.id.clone(), unknown })?);
        }
        let mut compiled = Vec::with_capacity(laws.len());
        for (law, node) in laws.iter().zip(nodes) {
            let old = if known.is_empty() { None } else { known.get(&(&law.id, &law.formula)) };
            compiled.push(match old {
                Some(old) => Arc::clone(old),
                None => Arc::new(compile(law, node, &mut arena, &vocabulary)?),
            });
        }
        let is_watched = |law: &usize| compiled[*law].guards.is_none();
        let is_dense = |law: &usize| compiled[*law].alphabet(&arena, &vocabulary).is_dense();
        let (mut watched, wide): (Vec<usize>, Vec<usize>) =
            (0..laws.len()).filter(is_watched).partition(|law| is_dense(law));
        watched.extend(wide);
        let mut positions = vec![None; laws.len()];
        watched.iter().enumerate().for_each(|(position, &law)| positions[law] = Some(position));
        let all = Arc::new(group(&compiled, &vocabulary, 0..laws.len()));
        let hard = laws
            .iter()
            .any(|law| !law.is_hard())
            .then(|| Arc::new(group(&compiled, &vocabulary, (0..laws.len()).filter(|&law| laws[law].is_hard()))));
        let same_letter = OnceLock::new();
        let atoms = |axiom: &Axiom| axiom.formula.atoms().iter().filter_map(|atom| vocabulary.id(atom)).collect();
        let tied = joined(vocabulary.axioms().iter().map(atoms));
        Ok(Arc::new(Self {
            vocabulary,
            options,
            laws,
            arena,
            compiled,
            watched,
            positions,
            tied,
            neutral,
            all,
            hard,
            same_letter,
            read_by_any: OnceLock::new(),
        }))
    }

    /// Checks one law as compiling does, within the same bounds: what this refuses, no shield takes.
    ///
    /// # Errors
    /// A law over unknown propositions or too intricate to be watched, by its name.
    pub fn check(law: &Law, vocabulary: &Vocabulary) -> Result<(), ShieldError> {
        let mut arena = NnfArena::new();
        let unknown = |unknown| ShieldError::UnknownProposition { law: law.id.clone(), unknown };
        let node = arena.add(&law.formula, vocabulary).map_err(unknown)?;
        compile(law, node, &mut arena, vocabulary).map(|_| ())
    }

    /// The laws, in the order they were given.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The laws that judge an action by observations of its own letter, and so fail open where nothing is predicted. Found
    /// when first asked for.
    pub fn same_letter(&self) -> &[(LawId, SameLetter)] {
        self.same_letter.get_or_init(|| {
            let found = |law: &Law| SameLetter::find(&law.formula, &self.vocabulary).ok().flatten();
            self.laws.iter().filter_map(|law| Some((law.id.clone(), found(law)?))).collect()
        })
    }

    /// The vocabulary the laws are over.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The bounds of every shield over these laws.
    pub fn options(&self) -> &ShieldOptions {
        &self.options
    }

    /// Some of the laws as a group.
    pub(crate) fn group(&self, laws: impl IntoIterator<Item = usize>) -> Group {
        group(&self.compiled, &self.vocabulary, laws)
    }

    /// The position of a law among the watched ones; `None` for a law `G(phi_s -> X phi_a)`.
    pub(crate) fn position(&self, law: usize) -> Option<usize> {
        self.positions[law]
    }

    /// Returns the propositions that a law reads, with those that axioms tie to them.
    pub(crate) fn reads(&self, law: usize) -> PropSet {
        self.tied_to(self.compiled[law].alphabet(&self.arena, &self.vocabulary).mentioned)
    }

    /// Returns the propositions that some law reads, with those that axioms tie to them and one action that stands for those
    /// that no law reads; and that action.
    pub(crate) fn read_by_any(&self) -> &(PropSet, Option<ActionId>) {
        self.read_by_any.get_or_init(|| {
            let nodes = self.compiled.iter().map(|law| self.arena.propositions(law.node));
            let read = self.tied_to(nodes.fold(PropSet::EMPTY, |read, props| read.union(&props)));
            let other = self.vocabulary.other_than(&read);
            (
                other.iter().fold(read, |read, other| read.union(&PropSet::one(self.vocabulary.action_prop(*other)))),
                other,
            )
        })
    }

    /// Returns these propositions with those that axioms tie to them.
    fn tied_to(&self, read: PropSet) -> PropSet {
        let tied = self.tied.iter().filter(|tied| !tied.intersection(&read).is_empty());
        tied.fold(read, |read, tied| read.union(tied))
    }

    /// Returns whether some axiom mentions one of these propositions.
    pub(crate) fn ties(&self, props: &PropSet) -> bool {
        self.tied.iter().any(|tied| !tied.intersection(props).is_empty())
    }

    /// A fresh automaton of a law, nothing explored yet.
    pub(crate) fn automaton(&self, law: usize) -> Automaton {
        let CompiledLaw { node, accepts_empty, .. } = *self.compiled[law];
        Automaton::new(self.compiled[law].alphabet(&self.arena, &self.vocabulary).clone(), node, accepts_empty)
    }

    /// The ids of laws given by number.
    pub(crate) fn ids(&self, laws: impl IntoIterator<Item = usize>) -> Vec<LawId> {
        laws.into_iter().map(|law| self.laws[law].id.clone()).collect()
    }
}

impl fmt::Debug for LawSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laws: Vec<&LawId> = self.laws.iter().map(|law| &law.id).collect();
        f.debug_struct("CompiledLaws")
            .field("vocabulary", &self.vocabulary.name())
            .field("laws", &laws)
            .finish_non_exhaustive()
    }
}

fn compile(law: &Law, node: NodeId, arena: &mut NnfArena, vocabulary: &Vocabulary) -> Result<CompiledLaw, ShieldError> {
    let accepts_empty = accepts_empty(&law.formula);
    let guards = masks::guards(&law.formula, vocabulary);
    if !can_watch(arena, node, accepts_empty, guards.is_some(), vocabulary) {
        return Err(ShieldError::TooIntricate { law: law.id.clone() });
    }
    if guards.is_none() || law.formula.atom_count() > DENSE {
        // Only the search that judges wide automata negates.
        arena.negate(node);
    }
    Ok(CompiledLaw { node, accepts_empty, guards, alphabet: OnceLock::new() })
}

/// The letters of each word that a law must be able to read to be accepted.
const TRIAL_LETTERS: usize = 4;

/// Returns whether a law can read some words within the bounds. One that cannot would decide nothing from then on. A
/// law `G(phi_s -> X phi_a)` reads every letter if it reads one; others are tried on words of nothing observed, of
/// everything, and of both and halves in turn.
fn can_watch(arena: &NnfArena, node: NodeId, accepts_empty: bool, is_guarded: bool, vocabulary: &Vocabulary) -> bool {
    let initial = Residual::initial(node, accepts_empty);
    let budget = Budget::new();
    let arena = Metered { arena, budget: &budget };
    let all = PropSet::first(vocabulary.observations().len());
    let half = |rest: u16| -> PropSet { all.iter().filter(|prop| prop.0 % 2 == rest).collect() };
    let (none, all, even, odd) = (Letter::default(), Letter(all), Letter(half(0)), Letter(half(1)));
    let reads = |word: &[Letter]| {
        let mut residual = initial.clone();
        word.iter().all(|letter| residual.progress(arena, letter).map(|next| residual = next).is_ok())
    };
    if is_guarded {
        return reads(&[none]) && reads(&[all]);
    }
    [[none, none], [all, all], [even, odd], [none, all]]
        .iter()
        .all(|turns| reads(&std::array::from_fn::<_, TRIAL_LETTERS, _>(|at| turns[at % turns.len()])))
}

fn group(compiled: &[Arc<CompiledLaw>], vocabulary: &Vocabulary, laws: impl IntoIterator<Item = usize>) -> Group {
    let (guarded, mut watched): (Vec<_>, Vec<_>) = laws.into_iter().partition(|&law| compiled[law].guards.is_some());
    watched.sort_unstable();
    let guards = guarded
        .iter()
        .flat_map(|&law| compiled[law].guards.iter().flatten().map(move |guard| (law, guard.clone())))
        .collect::<Vec<_>>();
    Group { watched, masks: Arc::new(MaskTable::new(guards, vocabulary)) }
}

/// Sets of propositions that overlap, joined.
fn joined(sets: impl IntoIterator<Item = PropSet>) -> Vec<PropSet> {
    let mut joined: Vec<PropSet> = Vec::new();
    for set in sets {
        let (touching, apart): (Vec<PropSet>, Vec<PropSet>) =
            joined.into_iter().partition(|other| !other.intersection(&set).is_empty());
        joined = apart;
        joined.push(touching.iter().fold(set, |set, other| set.union(other)));
    }
    joined
}
