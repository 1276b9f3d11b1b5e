//! The lexicon of a world: its propositions with their meanings, and its objects with their kinds.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use ltlcrit_verifier::vocabulary::{OTHER, VocabularyError};
use ltlcrit_verifier::{Axiom, Formula, Proposition, Vocabulary};

/// A proposition with its wordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name in formulas.
    pub name: Arc<str>,
    /// Its meaning in one line: a clause for an observation, a verb phrase for an action.
    pub meaning: Arc<str>,
    /// True if it is an action.
    pub is_action: bool,
    /// Further wordings.
    pub phrases: Vec<Arc<str>>,
}

impl Term {
    /// An observation or action of a vocabulary.
    pub fn new(proposition: &Proposition, is_action: bool) -> Self {
        Self { name: proposition.name.clone(), meaning: proposition.meaning.clone(), is_action, phrases: Vec::new() }
    }
}

/// An object of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name in propositions.
    pub name: Arc<str>,
    /// Its nouns in English, without an article; the first one is preferred.
    pub nouns: Vec<Arc<str>>,
    /// Its kinds, such as `room`, in the singular.
    pub kinds: Vec<Arc<str>>,
    /// The kinds that are predicates and never change; the others are types.
    pub predicates: Vec<Arc<str>>,
}

/// The propositions and objects of a world, with their wordings.
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: Arc<str>,
    terms: Vec<Term>,
    objects: Vec<Object>,
    axioms: Vec<Axiom>,
    exclusive: Vec<BTreeSet<Arc<str>>>,
    by_name: HashMap<Arc<str>, usize>,
    classes: BTreeMap<Arc<str>, Formula>,
}

impl Lexicon {
    /// Creates a lexicon of the vocabulary with this name.
    pub fn new(name: impl Into<Arc<str>>, terms: Vec<Term>, objects: Vec<Object>, axioms: Vec<Axiom>) -> Self {
        let by_name = terms.iter().enumerate().map(|(at, term)| (term.name.clone(), at)).collect();
        Self { name: name.into(), terms, objects, axioms, exclusive: Vec::new(), by_name, classes: BTreeMap::new() }
    }

    /// Returns the lexicon with classes of propositions that share a wording. "Go to the kitchen" is the class `go(_,
    /// kitchen)`, any of `go(hall, kitchen)` and `go(bathroom, kitchen)`. In the formulas of an engine, the disjunction
    /// of its members replaces it.
    pub fn with_classes(mut self, classes: impl IntoIterator<Item = (Term, Vec<Arc<str>>)>) -> Self {
        for (term, members) in classes {
            let any = members.into_iter().map(Formula::Atom).reduce(Formula::or);
            let Some(any) = any.filter(|_| !self.by_name.contains_key(&term.name)) else { continue };
            self.by_name.insert(term.name.clone(), self.terms.len());
            self.classes.insert(term.name.clone(), any);
            self.terms.push(term);
        }
        self
    }

    /// Returns the lexicon with the derived propositions of a vocabulary and their meanings.
    #[must_use]
    pub fn with_derived(mut self, vocabulary: &Vocabulary) -> Self {
        for one in vocabulary.derivations().filter(|one| !self.by_name.contains_key(&one.name)).collect::<Vec<_>>() {
            self.by_name.insert(one.name.clone(), self.terms.len());
            self.terms.push(Term::new(one, false));
        }
        for axiom in vocabulary.axioms() {
            if !self.axioms.contains(axiom) {
                self.axioms.push(axiom.clone());
            }
        }
        self
    }

    /// Replaces each class of a formula by the disjunction of its members.
    pub fn expand(&self, formula: &Formula) -> Formula {
        formula.with_atoms(&mut |name| self.classes.get(name).cloned().unwrap_or_else(|| Formula::Atom(name.clone())))
    }

    /// Returns the class whose disjunction a formula is.
    pub(crate) fn class(&self, formula: &Formula) -> Option<&Arc<str>> {
        self.classes.iter().find(|(_, any)| *any == formula).map(|(name, _)| name)
    }

    /// Returns the lexicon with groups of mutually exclusive observations.
    pub fn with_exclusive(self, groups: impl IntoIterator<Item = BTreeSet<Arc<str>>>) -> Self {
        Self { exclusive: groups.into_iter().collect(), ..self }
    }

    /// Returns the lexicon without its axioms and groups of exclusive observations.
    #[must_use]
    pub(crate) fn without_axioms(&self) -> Self {
        Self { axioms: Vec::new(), exclusive: Vec::new(), ..self.clone() }
    }

    /// Creates the lexicon of a vocabulary, with further wordings of some of its propositions.
    pub fn of_vocabulary(vocabulary: &Vocabulary, phrases: &[(&str, &[&str])], objects: Vec<Object>) -> Self {
        let observations = vocabulary.observations().iter().map(|one| Term::new(one, false));
        let actions = vocabulary.actions().iter().map(|one| Term::new(one, true));
        let mut terms: Vec<Term> = observations.chain(actions).collect();
        for term in &mut terms {
            let own = phrases.iter().filter(|(name, _)| **name == *term.name);
            term.phrases.extend(own.flat_map(|(_, phrases)| phrases.iter().map(|phrase| Arc::from(*phrase))));
        }
        Self::new(vocabulary.name(), terms, objects, vocabulary.axioms().to_vec())
    }

    /// The vocabulary's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The propositions.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The objects.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Returns the proposition of this name.
    pub fn term(&self, name: &str) -> Option<&Term> {
        self.by_name.get(name).and_then(|at| self.terms.get(*at))
    }

    /// Returns whether a name is that of an action.
    pub fn is_action(&self, name: &str) -> bool {
        self.term(name).is_some_and(|term| term.is_action)
    }

    /// Returns the vocabulary of the propositions with these names, with all axioms about them alone. In a large world,
    /// letters hold only the propositions that laws mention.
    ///
    /// # Errors
    /// More propositions than a letter holds.
    pub fn vocabulary_of(&self, names: &BTreeSet<Arc<str>>) -> Result<Vocabulary, VocabularyError> {
        let mut names = names.clone();
        names.remove(OTHER);
        let part = |actions: bool| -> Vec<Proposition> {
            let wanted = |term: &&Term| term.is_action == actions && names.contains(&term.name);
            let kept = self.terms.iter().filter(wanted);
            kept.map(|term| Proposition::new(term.name.clone(), term.meaning.clone())).collect()
        };
        let speaks = |axiom: &&Axiom| axiom.formula.atoms().iter().all(|atom| names.contains(atom));
        let mut axioms: Vec<Axiom> = self.axioms.iter().filter(speaks).cloned().collect();
        for group in &self.exclusive {
            let here: Vec<&Arc<str>> = group.iter().filter(|name| names.contains(*name)).collect();
            for (at, one) in here.iter().enumerate() {
                let other =
                    |other: &&Arc<str>| Formula::Atom((*one).clone()).and(Formula::Atom((*other).clone())).not();
                axioms.extend(here[at + 1..].iter().map(other).map(Axiom::new));
            }
        }
        let mut actions = part(true);
        // A run can always take an action that no law mentions.
        actions.push(Proposition::new(OTHER, "Do something else"));
        Vocabulary::new(self.name.clone(), part(false), actions, axioms)
    }
}
