//! What sentences can speak of in a planning task.

use std::sync::Arc;

use ltlcrit_pddl::Ground;
use ltlcrit_translate::{Lexicon, Object, Term};

/// The lexicon of a planning task: its facts and actions as its metadata call them in English, and its objects with their
/// types as kinds. `name` is the vocabulary's.
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
                // One of a class is known by its name alone.
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
