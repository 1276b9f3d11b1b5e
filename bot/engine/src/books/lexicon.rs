//! Lexicons of planning tasks: the terms that sentences may use.

use std::sync::Arc;

use ltlcrit_household::English;
use ltlcrit_pddl::Ground;
use ltlcrit_translate::{Lexicon, Object, Term};

/// Returns the lexicon of a planning task. The task's metadata name its facts and actions in English; its types are the
/// kinds of its objects. `name` is the vocabulary's name.
pub fn of_task(ground: &Ground, name: &str) -> Lexicon {
    let term = |name: &str, words: &str, is_action: bool| {
        let words: Arc<str> = words.into();
        Term { name: name.into(), meaning: words.clone(), is_action, phrases: vec![words] }
    };
    let (mut terms, mut classes) = (Vec::new(), Vec::new());
    for said in ground.english() {
        match said.names.as_slice() {
            [one] => terms.push(term(one, &said.words, said.is_action)),
            several => {
                // A single member of a class has no phrase other than its name.
                let alone = |name: &String| Term {
                    name: name.as_str().into(),
                    meaning: name.as_str().into(),
                    is_action: said.is_action,
                    phrases: Vec::new(),
                };
                terms.extend(several.iter().map(alone));
                let members = several.iter().map(|name| Arc::from(name.as_str())).collect();
                classes.push((term(&said.class, &said.words, said.is_action), members));
            }
        }
    }
    let problem = &ground.task().basic;
    let object = |(name, types): (String, Vec<Arc<str>>)| Object {
        nouns: vec![name.replace(['_', '-'], " ").into()],
        name: name.into(),
        kinds: types,
        predicates: Vec::new(),
    };
    let objects = problem.objects.iter().map(|of| {
        let types = of.types.iter().map(|of| Arc::from(problem.domain.types[usize::from(of.0)].name.to_lowercase()));
        (of.name.to_lowercase(), types.collect())
    });
    Lexicon::new(name, terms, objects.map(object).collect(), Vec::new()).with_classes(classes)
}

/// Returns the lexicon of a household in English.
pub fn of_household(english: English) -> Lexicon {
    let fact = |name: Arc<str>, meaning: Arc<str>| Term { name, meaning, is_action: false, phrases: Vec::new() };
    // Laws over the domain mention the kinds of objects.
    let kinds = english.objects.iter().flat_map(|object| {
        object.predicates.iter().map(|kind| {
            let name = &object.name;
            fact(format!("{kind}({name})").into(), format!("{name} is of the kind {kind}").into())
        })
    });
    let kinds: Vec<Term> = kinds.collect();
    let terms = english.facts.into_iter().map(|of| fact(of.name, of.meaning)).chain(kinds);
    let objects = english.objects.into_iter().map(|object| Object {
        name: object.name,
        nouns: object.nouns,
        kinds: object.kinds,
        predicates: object.predicates,
    });
    Lexicon::new("household", terms.collect(), objects.collect(), Vec::new())
        .with_exclusive(english.exclusive.into_iter().map(|group| group.into_iter().collect()))
}
