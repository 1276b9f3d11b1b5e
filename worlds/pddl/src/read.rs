//! The parser of domains and problems.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::constraints;
use crate::danger::DANGER;
use crate::error::SyntaxError;
use crate::list::list;
use crate::model::{
    Action, Atom, Condition, Domain, Effect, Fluent, FunctionId, Metric, Problem, Symbol, Typed, Update,
};
use crate::number::Number;
use crate::read_condition::unsupported;
use crate::read_types::types;
use crate::scope::{Names, Scope, Types, declared, typed_groups};
use crate::tree::{self, Node};

/// The supported entries of `:requirements`.
const REQUIREMENTS: &[&str] = &[
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":fluents",
    ":numeric-fluents",
    ":action-costs",
    ":adl",
    ":constraints",
];

impl Domain {
    /// Parses a domain.
    ///
    /// # Errors
    /// The first place that is not PDDL, is not supported here, or uses an undeclared name.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let root = tree::read(text)?;
        let (name, sections) = define(&root, "domain")?;
        let sections = Sections::of(sections, DOMAIN_SECTIONS, &[":action"])?;
        let requirements = requirements(sections.get(":requirements"))?;
        let types = types(sections.get(":types"))?;
        let names = Types::of(&types);
        let constants = objects(sections.get(":constants"), &names, &[])?;
        let predicates = symbols(sections.get(":predicates"), &names, "predicate")?;
        let functions = functions(sections.get(":functions"), &names)?;
        let (actions, constraints) = (Vec::new(), Vec::new());
        let domain = Self { name, requirements, types, constants, predicates, functions, actions, constraints };
        let mut scope = Scope::new(&domain, &domain.constants);
        let (mut actions, mut action_names) = (Vec::new(), Names::default());
        for node in &sections.repeated {
            let action = action(node, &mut scope)?;
            if action_names.insert(&action.name, actions.len()).is_some() {
                return Err(node.error(format!("the action `{}` is declared twice", action.name), "rename one"));
            }
            actions.push(action);
        }
        let constraints = constraints::read(sections.get(":constraints"), &mut scope)?;
        drop(scope);
        Ok(Self { actions, constraints, ..domain })
    }

    /// Parses a condition over the constants and over the parameters of an action, by its number.
    ///
    /// # Errors
    /// The first place that is not a condition of the domain; or the action does not exist.
    pub fn condition(&self, action: usize, text: &str) -> Result<Condition, SyntaxError> {
        let root = tree::read(text)?;
        let parameters = self.actions.get(action).map_or(&[][..], |action| &action.parameters);
        Scope::new(self, &self.constants).with(parameters, &root, |scope| scope.condition(&root))
    }
}

impl Problem {
    /// Parses a problem of a domain.
    ///
    /// # Errors
    /// The first place that is not PDDL, is not supported here, or uses an undeclared name.
    pub fn parse(text: &str, domain: Arc<Domain>) -> Result<Self, SyntaxError> {
        let root = tree::read(text)?;
        let (name, all) = define(&root, "problem")?;
        let sections = Sections::of(all, PROBLEM_SECTIONS, &[])?;
        match sections.get(":domain") {
            [node] if node.word().is_some_and(|word| word.eq_ignore_ascii_case(&domain.name)) => {}
            [node] => {
                let message = format!("the problem is of the domain {}", node.shown());
                return Err(node.error(message, format!("the domain at hand is `{}`", domain.name)));
            }
            _ => return Err(root.error("the problem names no domain", format!("add `(:domain {})`", domain.name))),
        }
        requirements(sections.get(":requirements"))?;
        let objects = objects(sections.get(":objects"), &Types::of(&domain.types), &domain.constants)?;
        let mut scope = Scope::new(&domain, &objects);
        let (facts, values) = initial(sections.get(":init"), &scope)?;
        let goal = match sections.get(":goal") {
            [goal] => scope.condition(goal)?,
            [] => return Err(root.error("the problem has no goal", "add `(:goal (and …))`")),
            [_, node, ..] => return Err(node.error("a second goal", "join the goals with `and`")),
        };
        let constraints = constraints::read(sections.get(":constraints"), &mut scope)?;
        let metric = metric(sections.get(":metric"), &scope)?;
        drop(scope);
        let mut problem = Self { name, domain, objects, facts, values, goal, constraints, metric };
        problem.give_total_cost();
        let Some(Symbol { name, parameters }) = problem.never_valued() else { return Ok(problem) };
        let init = all.iter().find(|node| node.headed().is_some_and(|(head, _)| head == ":init"));
        let message = format!("nothing gives the numeric fluent `{name}` a value, and the task reads it");
        let fluent = list(name, parameters.iter().map(|parameter| parameter.name.to_string()));
        Err(init.unwrap_or(&root).error(message, format!("add to `:init`, for example, `(= {fluent} 0)`")))
    }

    /// Sets the initial total cost to 0.
    fn give_total_cost(&mut self) {
        let functions = &self.domain.functions;
        let is_cost = |of: &Symbol| of.name.eq_ignore_ascii_case("total-cost") && of.parameters.is_empty();
        let Some(at) = functions.iter().position(is_cost) else { return };
        let function = FunctionId(at as u32);
        if !self.values.iter().any(|(fluent, _)| fluent.function == function) {
            self.values.push((Fluent { function, arguments: Vec::new() }, Number::ZERO));
        }
    }

    /// Returns a numeric fluent that is read, that has no initial value for any arguments, and that no effect assigns.
    /// Danger begins at 0.
    fn never_valued(&self) -> Option<&Symbol> {
        let mut valued = vec![false; self.domain.functions.len()];
        let mut read = vec![false; valued.len()];
        let at = |fluent: &Fluent| fluent.function.0 as usize;
        self.values.iter().for_each(|(fluent, _)| valued[at(fluent)] = true);
        let mut reads = |fluent: &Fluent| read[at(fluent)] = true;
        for action in &self.domain.actions {
            action.precondition.each_fluent(&mut reads);
            action.effect.each_fluent(&mut reads);
            action.effect.each(&mut |effect| match effect {
                Effect::Update(Update::Assign, fluent, _) => valued[at(fluent)] = true,
                Effect::Update(_, fluent, _) => reads(fluent),
                _ => {}
            });
        }
        let constraints = self.constraints().flat_map(|of| std::iter::once(&of.condition).chain(&of.other));
        std::iter::once(&self.goal).chain(constraints).for_each(|condition| condition.each_fluent(&mut reads));
        let is_danger = |of: &Symbol| of.name.eq_ignore_ascii_case(DANGER);
        let exists = |parameter: &Typed| self.instances(&parameter.types).next().is_some();
        let functions = self.domain.functions.iter().zip(read.into_iter().zip(valued));
        let mut unvalued = functions.filter(|(_, (read, valued))| *read && !valued).map(|(of, _)| of);
        unvalued.find(|of| !is_danger(of) && of.parameters.iter().all(exists))
    }
}

const DOMAIN_SECTIONS: &[&str] =
    &[":requirements", ":types", ":constants", ":predicates", ":functions", ":constraints"];
const PROBLEM_SECTIONS: &[&str] =
    &[":domain", ":requirements", ":objects", ":init", ":goal", ":constraints", ":metric"];

/// The sections of a definition, by their names.
struct Sections<'n, 'a> {
    once: Vec<(&'static str, &'n [Node<'a>])>,
    repeated: Vec<&'n Node<'a>>,
}

impl<'n, 'a> Sections<'n, 'a> {
    fn of(nodes: &'n [Node<'a>], known: &'static [&'static str], repeated: &[&str]) -> Result<Self, SyntaxError> {
        let mut sections = Self { once: Vec::new(), repeated: Vec::new() };
        for node in nodes {
            let Some((head, rest)) = node.headed() else {
                let help = format!("write a section, one of {}", known.join(", "));
                return Err(node.error(format!("found {} between the sections", node.shown()), help));
            };
            if repeated.contains(&head.as_str()) {
                sections.repeated.push(node);
                continue;
            }
            let Some(name) = known.iter().find(|name| **name == head) else {
                return Err(match head.as_str() {
                    ":durative-action" | ":process" | ":event" => {
                        unsupported(node, "An action takes one step here; write it as `:action`")
                    }
                    ":derived" => {
                        unsupported(node, "Write what follows as an effect of the actions that bring it about")
                    }
                    ":length" => unsupported(node, "Plans are searched for in any length"),
                    _ => {
                        let help = format!("write one of {}", [repeated, known].concat().join(", "));
                        node.error(format!("there is no section {}", node.shown()), help)
                    }
                });
            };
            if sections.once.iter().any(|(other, _)| other == name) {
                return Err(node.error(format!("a second section `{name}`"), "write each section once"));
            }
            sections.once.push((name, rest));
        }
        Ok(sections)
    }

    fn get(&self, name: &str) -> &'n [Node<'a>] {
        self.once.iter().find(|(other, _)| *other == name).map_or(&[], |(_, nodes)| nodes)
    }
}

/// Returns the name and the sections of `(define (KIND NAME) …)`.
fn define<'n, 'a>(root: &'n Node<'a>, kind: &str) -> Result<(Arc<str>, &'n [Node<'a>]), SyntaxError> {
    let wanted = format!("write `(define ({kind} NAME) …)`");
    let Some((head, [title, sections @ ..])) = root.headed() else {
        return Err(root.error(format!("found {}", root.shown()), wanted));
    };
    match title.headed() {
        Some((of, [name])) if head == "define" && of == kind => Ok((declared(name, kind)?, sections)),
        _ => Err(title.error(format!("found {}", title.shown()), wanted)),
    }
}

fn requirements(nodes: &[Node<'_>]) -> Result<BTreeSet<Arc<str>>, SyntaxError> {
    let read = |node: &Node<'_>| {
        let name = node.name("a requirement such as `:typing`")?.to_ascii_lowercase();
        match REQUIREMENTS.contains(&name.as_str()) {
            true => Ok(name.into()),
            false => {
                let help = format!("supported are {}", REQUIREMENTS.join(" "));
                Err(node.error(format!("the requirement `{name}` is not supported here"), help))
            }
        }
    };
    nodes.iter().map(read).collect()
}

/// Parses objects and adds them to the known ones. A repeated declaration with the same types is the same object.
fn objects(nodes: &[Node<'_>], types: &Types<'_>, known: &[Typed]) -> Result<Vec<Typed>, SyntaxError> {
    let mut names = Names::of(known.iter().map(|object| &object.name));
    let mut objects = known.to_vec();
    for object in types.list(nodes, "object")? {
        match names.get(&object.name) {
            None => {
                names.insert(&object.name, objects.len());
                objects.push(object);
            }
            Some(same) if objects[same].types == object.types => {}
            Some(_) => {
                let named = |node: &&Node<'_>| node.word().is_some_and(|word| word == &*object.name);
                let node = nodes.iter().rfind(named).unwrap_or(&nodes[0]);
                let message = format!("the object `{}` is declared with two types", object.name);
                return Err(node.error(message, "declare it once, with `(either …)` if it has several types"));
            }
        }
    }
    Ok(objects)
}

fn symbols(nodes: &[Node<'_>], types: &Types<'_>, kind: &str) -> Result<Vec<Symbol>, SyntaxError> {
    let reserved = ["and", "or", "not", "imply", "exists", "forall", "when", "either"];
    let (mut names, mut symbols) = (Names::default(), Vec::with_capacity(nodes.len()));
    for node in nodes {
        let items = node.items(&format!("a {kind} with its parameters, such as `(at ?x - thing)`"))?;
        let Some((first, rest)) = items.split_first() else {
            return Err(node.error("found `()`", format!("write a {kind} with its parameters")));
        };
        let name = declared(first, kind)?;
        if reserved.iter().any(|word| name.eq_ignore_ascii_case(word)) {
            return Err(first.error(format!("`{name}` is a word of PDDL"), format!("rename the {kind}")));
        }
        let parameters = types.parameters(rest)?;
        if names.insert(&name, symbols.len()).is_some() {
            return Err(node.error(format!("the {kind} `{name}` is declared twice"), "rename one"));
        }
        symbols.push(Symbol { name, parameters });
    }
    Ok(symbols)
}

/// Parses numeric fluents; each may be followed by `- number`. Danger becomes the last one, so that the others keep their
/// numbers without it.
fn functions(nodes: &[Node<'_>], types: &Types<'_>) -> Result<Vec<Symbol>, SyntaxError> {
    let mut declared = Vec::with_capacity(nodes.len());
    for (group, result) in typed_groups(nodes)? {
        if let Some(node) = result.filter(|node| !node.word().is_some_and(|word| word.eq_ignore_ascii_case("number"))) {
            let help = "fluents have numbers as values; write `- number`, or use a predicate";
            return Err(node.error(format!("fluents of type {} are not supported here", node.shown()), help));
        }
        declared.extend_from_slice(group);
    }
    let mut functions = symbols(&declared, types, "numeric fluent")?;
    functions.sort_by_key(|of| of.name.eq_ignore_ascii_case(DANGER));
    Ok(functions)
}

fn action(node: &Node<'_>, scope: &mut Scope<'_>) -> Result<Action, SyntaxError> {
    let (name, parts) = match node.list() {
        Some([_, name, parts @ ..]) => (declared(name, "action")?, parts),
        _ => return Err(node.error("an action without a name", "write `(:action NAME …)`")),
    };
    const PARTS: [&str; 3] = [":parameters", ":precondition", ":effect"];
    let (mut found, mut rest) = ([None; 3], parts);
    while let [key, tail @ ..] = rest {
        let wanted = "`:parameters`, `:precondition` or `:effect`";
        let name = key.name(wanted)?.to_ascii_lowercase();
        let Some(at) = PARTS.iter().position(|part| *part == name) else {
            return Err(key.error(format!("an action has no {}", key.shown()), format!("write {wanted}")));
        };
        let Some((value, tail)) = tail.split_first() else {
            return Err(key.error(format!("nothing follows {}", key.shown()), "write a list after it"));
        };
        if found[at].replace(value).is_some() {
            return Err(key.error(format!("a second {}", key.shown()), "write each part once"));
        }
        rest = tail;
    }
    let [parameters, precondition, effect] = found;
    let parameters = match parameters {
        Some(node) => scope.types.parameters(node.items("a list of parameters such as `(?x - block)`")?)?,
        None => Vec::new(),
    };
    let (precondition, effect) = scope.with(&parameters, node, |scope| {
        let precondition = precondition.map_or(Ok(Condition::always()), |node| scope.condition(node))?;
        let effect = effect.map_or(Ok(Effect::And(Vec::new())), |node| scope.effect(node))?;
        Ok((precondition, effect))
    })?;
    Ok(Action { name, parameters, precondition, effect })
}

type Initial = (Vec<Atom>, Vec<(Fluent, Number)>);

fn initial(nodes: &[Node<'_>], scope: &Scope<'_>) -> Result<Initial, SyntaxError> {
    let (mut facts, mut values) = (Vec::new(), Vec::new());
    let (mut seen, mut negated, mut valued) = (FxHashSet::default(), Vec::new(), FxHashSet::default());
    for node in nodes {
        let (head, rest) = node.headed().unwrap_or_default();
        match (head.as_str(), rest) {
            ("=", [fluent, value]) => {
                let fluent = scope.fluent(fluent)?;
                let number = value.name("a number")?;
                let Some(number) = Number::parse(number) else {
                    return Err(value.error(format!("`{number}` is not a number"), "write a decimal such as 3 or 0.5"));
                };
                if !valued.insert(fluent.clone()) {
                    return Err(node.error("a second value of the same fluent", "keep one"));
                }
                values.push((fluent, number));
            }
            ("not", [atom]) => negated.push((scope.atom(atom)?, node)),
            ("at", [time, fact])
                if fact.list().is_some() && time.word().is_some_and(|t| Number::parse(t).is_some()) =>
            {
                return Err(unsupported(node, "A plan has no clock; write an action that makes the fact true"));
            }
            _ => {
                let atom = scope.atom(node)?;
                if seen.insert(atom.clone()) {
                    facts.push(atom);
                }
            }
        }
    }
    match negated.iter().find(|(atom, _)| seen.contains(atom)) {
        None => Ok((facts, values)),
        Some((_, node)) => Err(node.error("the same fact holds and does not hold", "keep one of the two")),
    }
}

fn metric(nodes: &[Node<'_>], scope: &Scope<'_>) -> Result<Option<Metric>, SyntaxError> {
    let [first, rest @ ..] = nodes else { return Ok(None) };
    let direction = first.name("`minimize` or `maximize`")?.to_ascii_lowercase();
    let ([expression], "minimize" | "maximize") = (rest, direction.as_str()) else {
        return Err(first.error("a metric that cannot be read", "write `(:metric minimize EXPRESSION)`"));
    };
    // Without durations, the total time is the number of steps.
    let words = expression.list().unwrap_or(std::slice::from_ref(expression));
    let is_total_time =
        matches!(words, [word] if word.word().is_some_and(|word| word.eq_ignore_ascii_case("total-time")));
    if is_total_time && scope.function_names.get("total-time").is_none() {
        return Ok(None);
    }
    Ok(Some(Metric { minimize: direction == "minimize", expression: scope.expression(expression)? }))
}
