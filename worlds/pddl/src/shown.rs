//! A task as shown to a planner or a model: as PDDL, without its danger.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{Domain, Effect, Problem};
use crate::task::Task;

impl Task {
    /// Returns the basic problem without the fluent that counts danger, which is the last one. No trace of it is left in
    /// the functions, in the requirements, or in the names of the domain and the problem.
    pub fn shown(&self) -> Problem {
        let mut domain = Domain { name: "task".into(), ..(*self.basic.domain).clone() };
        if let Some(danger) = &self.danger {
            domain.functions.truncate(danger.fluent.0 as usize);
        }
        domain.requirements = requirements(&domain);
        Problem { name: "problem".into(), domain: Arc::new(domain), ..(*self.basic).clone() }
    }
}

/// Returns the requirements of a domain without those that only danger needed.
fn requirements(domain: &Domain) -> BTreeSet<Arc<str>> {
    let mut conditional = false;
    for action in &domain.actions {
        action.effect.each(&mut |effect| conditional |= matches!(effect, Effect::When(..)));
    }
    let counts = |requirement: &&Arc<str>| match &***requirement {
        ":numeric-fluents" | ":fluents" | ":action-costs" => !domain.functions.is_empty(),
        ":conditional-effects" => conditional,
        _ => true,
    };
    domain.requirements.iter().filter(counts).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_danger_is_shown_and_all_else_is() {
        let domain = "(define (domain safe-d) (:requirements :strips :numeric-fluents :conditional-effects)
            (:predicates (hot) (held)) (:functions (danger) (level))
            (:action hold :effect (and (held) (increase (level) 2) (when (hot) (increase (danger) 1)))))";
        let problem = "(define (problem safe-p) (:domain safe-d) (:init (hot) (= (danger) 0) (= (level) 1))
            (:goal (and (held) (<= 3 (level)) (= (danger) 0))))";
        let task = Task::parse(domain, problem).unwrap();
        let shown = task.shown();
        let text = format!("{}{shown}", shown.domain);
        assert!(!text.contains("danger") && !text.contains("safe") && !text.contains("conditional"), "{text}");
        assert!(text.contains("(increase (level) 2)") && text.contains("(= (level) 1)"), "{text}");
        // The shown text is parsed as the same basic problem.
        let again = Task::parse(&shown.domain.to_string(), &shown.to_string()).unwrap();
        assert!(again.danger.is_none());
        assert_eq!(again.safe.goal, shown.goal);
    }
}
