//! A task in English: texts for its facts and actions.

use std::collections::BTreeMap;

use crate::alphabet::constant_facts;
use crate::ground::Ground;
use crate::model::ObjectId;
use crate::names::GroundNames;

/// Facts or actions with the same words: "go to the kitchen" is a step from the hall as well as from the bathroom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The words: a clause for facts, a verb phrase for actions.
    pub words: String,
    /// True if they are actions.
    pub is_action: bool,
    /// The propositions, at least one.
    pub names: Vec<String>,
    /// A common name of several propositions: the name of one, with `_` for the arguments in which they differ.
    pub class: String,
}

impl Ground {
    /// Returns all facts and actions in English. The words come from the templates of
    /// [`Metadata::english`](crate::Metadata::english), otherwise from the names, with underscores as spaces.
    pub fn english(&self) -> Vec<Said> {
        let domain = &self.task().basic.domain;
        let names = GroundNames(self);
        let mut said: BTreeMap<(bool, String), Vec<Vec<String>>> = BTreeMap::new();
        let mut add = |is_action: bool, symbol: &str, arguments: &[ObjectId], name: String| {
            let objects: Vec<String> = arguments.iter().map(|id| names.object(*id)).collect();
            let named = std::iter::once(name).chain(objects.iter().cloned()).collect();
            said.entry((is_action, self.words(symbol, &objects))).or_default().push(named);
        };
        for fact in self.facts.iter().chain(&constant_facts(self)) {
            add(false, &domain.predicates[fact.symbol as usize].name, &fact.arguments, names.observation(fact));
        }
        for (number, action) in self.actions().iter().enumerate() {
            add(true, &domain.actions[action.action].name, &action.arguments, names.action(number));
        }
        let all = said.into_iter().map(|((is_action, words), named)| {
            let class = class(&named);
            let names = named.into_iter().filter_map(|one| one.into_iter().next()).collect();
            Said { words, is_action, names, class }
        });
        all.collect()
    }

    fn words(&self, symbol: &str, objects: &[String]) -> String {
        let plain = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
        let templates = &self.task().metadata.english;
        let template = templates.iter().find(|(name, _)| name.eq_ignore_ascii_case(symbol)).map(|(_, words)| words);
        match template {
            Some(template) => objects.iter().zip(1usize..).fold(template.clone(), |text, (object, number)| {
                text.replace(&format!("{{{number}}}"), &plain(object))
            }),
            None => std::iter::once(plain(symbol))
                .chain(objects.iter().map(|object| plain(object)))
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}

/// Returns the common name of propositions, with `_` in place of the arguments in which they differ.
fn class(named: &[Vec<String>]) -> String {
    let Some((first, others)) = named.split_first() else { return String::new() };
    let [name, arguments @ ..] = first.as_slice() else { return String::new() };
    let head = name.split('(').next().unwrap_or(name);
    if arguments.is_empty() {
        return head.to_owned();
    }
    let shared = arguments.iter().enumerate().map(|(at, argument)| {
        let is_shared = others.iter().all(|other| other.get(at + 1) == Some(argument));
        if is_shared { argument.as_str() } else { "_" }
    });
    format!("{head}({})", shared.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::named;

    #[test]
    fn what_the_same_words_say_is_one_class() {
        let mut task = named("1-1").unwrap();
        task.metadata.english = BTreeMap::from([("go".to_owned(), "go to the {2}".to_owned())]);
        let ground = Ground::new(&task).unwrap();
        let said = ground.english();
        let go: Vec<&Said> = said.iter().filter(|one| one.words.starts_with("go to the")).collect();
        assert!(!go.is_empty());
        for one in go {
            let room = one.words.strip_prefix("go to the ").unwrap();
            assert!(one.is_action && one.names.iter().all(|name| name.ends_with(&format!(", {room})"))), "{one:?}");
            assert!(one.names.len() == 1 || one.class == format!("action_go(_, {room})"), "{one:?}");
        }
        // Without a template, the words come from the name.
        assert!(said.iter().any(|one| one.words == "hand empty" && one.names == ["obs_hand_empty"]));
    }
}
