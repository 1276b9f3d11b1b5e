//! Tasks of 20 and 200 kB of each construct are parsed, judged, grounded and made worlds, or refused, within a budget.
//! The work is measured in allocations; no clock is read.

use ltlcrit_pddl::{Ground, PddlWorld, Task, Validator};

/// Maximum number of allocations of one task, and maximum number of bytes that it holds at once.
const MAX_ALLOCATED: (u64, u64) = (5_000_000, 1 << 30);

/// The sections, preconditions, effects and other parts of an otherwise small task.
#[derive(Default)]
struct Parts {
    sections: String,
    parameters: String,
    constants: String,
    precondition: String,
    effect: String,
    actions: String,
    objects: String,
    init: String,
    plan: String,
}

fn repeated(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        text += &part(number);
        number += 1;
    }
    text
}

/// Returns `open` repeated `depth` times, the middle, and as many closing parentheses.
fn nested(depth: usize, open: &str, middle: &str) -> String {
    format!("{}{middle}{}", open.repeat(depth), ")".repeat(depth))
}

/// The constructs that reach their limits at 20 kB already.
const LIMITED: [&str; 3] = ["nested quantifiers", "nested universal effects", "many parameters"];

fn constructs(size: usize) -> Vec<(&'static str, Parts)> {
    let facts = || repeated(size, |_| "(p) ".to_owned());
    let distinct = || repeated(size, |number| format!("(at o{} o{}) ", number % 40, number / 40 % 40));
    let objects = || (0..40).map(|number| format!("o{number} ")).collect::<String>();
    let one = |name: &'static str, parts: Parts| (name, parts);
    vec![
        one(
            "many equal conjuncts",
            Parts {
                precondition: format!("(and {})", facts()),
                effect: (0..8).map(|at| format!("(when (q{at}) (g))")).collect(),
                ..Parts::default()
            },
        ),
        one(
            "many conjuncts",
            Parts { precondition: format!("(and {})", distinct()), constants: objects(), ..Parts::default() },
        ),
        one(
            "many disjuncts",
            Parts { precondition: format!("(or {})", distinct()), constants: objects(), ..Parts::default() },
        ),
        one(
            "deep conjunctions of disjunctions",
            Parts {
                precondition: nested(50, "(and (p) (or (g) ", &format!("(and {})", facts())) + &")".repeat(50),
                ..Parts::default()
            },
        ),
        one(
            "many conditional effects",
            Parts { effect: repeated(size, |at| format!("(when (q{}) (g))", at % 10)), ..Parts::default() },
        ),
        one(
            "many effects under a large condition",
            Parts {
                effect: format!(
                    "(when (and {}) (and {}))",
                    repeated(size / 2, |_| "(p) ".to_owned()),
                    repeated(size / 2, |_| "(g) ".to_owned())
                ),
                ..Parts::default()
            },
        ),
        one(
            "many dangers under a large condition",
            Parts {
                effect: format!(
                    "(when (and {}) (and {}))",
                    repeated(size / 2, |_| "(p) ".to_owned()),
                    repeated(size / 2, |at| format!("(when (q{}) (increase (danger) 1)) ", at % 10))
                ),
                ..Parts::default()
            },
        ),
        one(
            "dangers that make up for each other",
            Parts {
                effect: repeated(size, |at| {
                    format!("(when (q{}) (increase (danger) {})) ", at % 10, at as i64 % 5 - 2)
                }),
                ..Parts::default()
            },
        ),
        one(
            "nested quantifiers",
            Parts {
                precondition: nested(20, "(forall (?x ?y) (exists (?z) ", "(at ?x ?z)") + &")".repeat(20),
                objects: repeated(size, |number| format!("o{number} ")),
                ..Parts::default()
            },
        ),
        one(
            "nested universal effects",
            Parts {
                effect: nested(20, "(forall (?x) ", "(at ?x ?x)"),
                objects: repeated(size, |number| format!("o{number} ")),
                ..Parts::default()
            },
        ),
        one(
            "many parameters",
            Parts {
                parameters: (0..32).map(|number| format!("?v{number} ")).collect(),
                objects: repeated(size, |number| format!("o{number} ")),
                ..Parts::default()
            },
        ),
        one(
            "many actions",
            Parts { actions: repeated(size, |at| format!("(:action b{at} :effect (g))")), ..Parts::default() },
        ),
        one(
            "actions in a chain",
            Parts {
                actions: {
                    let count = size / 50;
                    (0..count)
                        .map(|at| {
                            format!(
                                "(:action c{at} :precondition (at o{} o0) :effect (at o{} o0))",
                                (count - at) % 40,
                                (count - at + 1) % 40
                            )
                        })
                        .collect()
                },
                constants: objects(),
                ..Parts::default()
            },
        ),
        one(
            "actions with names of each other",
            Parts {
                actions: repeated(size, |at| format!("(:action a_{at} :effect (g))")),
                plan: "(a) (a_0) ".repeat(size / 10),
                ..Parts::default()
            },
        ),
        one(
            "actions with many variants",
            Parts {
                actions: repeated(size, |at| {
                    let effects: String = (0..8).map(|at| format!("(when (q{at}) (g))")).collect();
                    format!("(:action a_{at} :effect (and {effects}))")
                }),
                plan: "(a_0_0) ".repeat(size / 10),
                ..Parts::default()
            },
        ),
        one(
            "layers of types",
            Parts {
                sections: {
                    let layer = |at: usize| (0..30).map(|number| format!("t{at}x{number} ")).collect::<String>();
                    let layers = (1..66).map(|at| format!("{} - (either {})", layer(at), layer(at - 1)));
                    format!("(:types {})", layers.collect::<String>())
                },
                objects: repeated(size, |number| format!("o{number} - (either t65x1 t64x2 t63x3) ")),
                ..Parts::default()
            },
        ),
        one(
            "a chain of types",
            Parts {
                sections: format!(
                    "(:types {})",
                    (1..1_999).map(|at| format!("t{at} - t{} ", at - 1)).collect::<String>()
                ),
                objects: repeated(size, |number| format!("o{number} - t1998 ")),
                ..Parts::default()
            },
        ),
        one(
            "a long `either`",
            Parts {
                sections: format!("(:types {})", repeated(size / 2, |at| format!("t{} ", at % 1_900))),
                objects: format!(
                    "{} - (either {})",
                    repeated(size / 2, |at| format!("o{at} ")),
                    repeated(size / 2, |at| format!("t{} ", at % 1_900))
                ),
                ..Parts::default()
            },
        ),
        one(
            "deep numbers",
            Parts {
                precondition: format!(
                    "(< (n) {})",
                    nested(100, "(+ 1 ", &format!("(+ {})", repeated(size, |_| "1 ".to_owned())))
                ),
                ..Parts::default()
            },
        ),
        one(
            "long sums",
            Parts {
                effect: format!("(increase (n) (+ (n) {}))", repeated(size, |_| "(n) ".to_owned())),
                plan: "(a) ".repeat(size / 4),
                ..Parts::default()
            },
        ),
        one(
            "many comparisons",
            Parts {
                precondition: format!("(or {})", repeated(size, |at| format!("(< (n) {at}) "))),
                ..Parts::default()
            },
        ),
        one("many facts", Parts { init: distinct(), constants: objects(), ..Parts::default() }),
        one("a long plan", Parts { plan: "(a) ".repeat(size / 4), ..Parts::default() }),
        one("a plan of parentheses", Parts { plan: "(".repeat(size), ..Parts::default() }),
        one("a plan of colons", Parts { plan: "1:".repeat(size / 2), ..Parts::default() }),
    ]
}

impl Parts {
    fn texts(&self) -> [String; 2] {
        let Self { sections, parameters, constants, precondition, effect, actions, objects, init, .. } = self;
        let predicates: String = (0..10).map(|at| format!("(q{at})")).collect();
        let precondition = if precondition.is_empty() { "()" } else { precondition };
        let domain = format!(
            "(define (domain d) {sections} (:constants {constants}) (:predicates {predicates} (p) (g) (at ?x ?y)) (:functions (n) (danger))
               (:action a :parameters ({parameters}) :precondition {precondition} :effect (and (g) {effect})) {actions})"
        );
        let problem = format!(
            "(define (problem p) (:domain d) (:objects {objects}) (:init (p) (q0) (= (n) 0) (= (danger) 0) {init})
               (:goal (and (g) (<= (danger) 0))))"
        );
        [domain, problem]
    }
}

#[test]
fn every_construct_is_done_with_or_refused_within_a_budget() {
    for size in [20_000, 200_000] {
        for (name, parts) in constructs(size) {
            if size > 20_000 && LIMITED.contains(&name) {
                continue;
            }
            let [domain, problem] = parts.texts();
            let plan = if parts.plan.is_empty() { "(a)" } else { &*parts.plan };
            let mut outcome = Vec::new();
            let counted = allocation_counter::measure(|| {
                let task = match Task::parse(&domain, &problem) {
                    Ok(task) => task,
                    Err(error) => return outcome.push(format!("read: {error}")),
                };
                let validator = Validator::new(&task);
                outcome.push(match validator.validate(plan) {
                    Ok(verdict) => format!("{:?}", verdict.answers.feasible),
                    Err(error) => error.to_string(),
                });
                outcome.push(
                    Ground::new(&task)
                        .map_or_else(|error| error.to_string(), |ground| ground.actions().len().to_string()),
                );
                outcome.push(match PddlWorld::new(&task) {
                    Ok(world) => format!("{} laws", world.danger_laws().len()),
                    Err(error) => error.to_string(),
                });
            });
            let (count, bytes) = MAX_ALLOCATED;
            assert!(
                counted.count_total < count && counted.bytes_max < bytes,
                "{size} {name}: {counted:?}, {outcome:?}"
            );
            // The error must not be about the text's form.
            assert!(!outcome[0].contains("declare it before"), "{name}: {outcome:?}");
        }
    }
}
