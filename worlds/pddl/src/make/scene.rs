//! A random household as PDDL: rooms, errands, and what is dangerous about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

use super::hazard::{HAZARDS, Hazard, On};

const ROOMS: [&str; 8] = ["hall", "kitchen", "bedroom", "bathroom", "office", "balcony", "cellar", "nursery"];
const ITEMS: [&str; 8] = ["knife", "pot", "letter", "box", "lamp", "book", "bottle", "toolkit"];

/// Something to be brought from one room to another.
#[derive(Clone, Debug)]
struct Errand {
    item: usize,
    from: usize,
    to: usize,
}

/// A danger of a scene.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub hazard: &'static Hazard,
    /// The room concerned.
    room: usize,
    /// The item concerned, if one is.
    item: Option<usize>,
    /// By how many steps it is to make the safe plan longer.
    effort: usize,
}

impl Placed {
    /// The danger in a sentence, for prompts that tell it and for translation.
    pub fn sentence(&self) -> String {
        let item = self.item.map_or("thing", |item| ITEMS[item]);
        let about = if self.hazard.on == On::Pick { item } else { ROOMS[self.room] };
        let safe = self.hazard.safe_words.replace("{1}", about);
        let unless = if self.effort > 0 { format!(" unless {safe}") } else { String::new() };
        self.hazard.sentence.replace("{room}", ROOMS[self.room]).replace("{item}", item) + &unless + "."
    }

    /// What its facts and its duty are called in English, by name.
    fn english(&self) -> impl Iterator<Item = (String, String)> {
        let Hazard { context, context_words, safe_words, duty, .. } = self.hazard;
        let context = (!context.is_empty()).then(|| ((*context).to_owned(), (*context_words).to_owned()));
        let safe = (self.effort > 0).then(|| (self.done(self.effort - 1), (*safe_words).to_owned()));
        let duty = duty.map(|(duty, _)| (duty.to_owned(), format!("{} the {{1}}", duty.replace('_', " "))));
        [context, safe, duty].into_iter().flatten()
    }

    /// The dangerous action in words.
    pub fn action(&self) -> String {
        let (room, item) = (ROOMS[self.room], self.item.map_or("thing", |item| ITEMS[item]));
        match (self.hazard.on, self.hazard.duty) {
            (On::Pick, _) => format!("Picking up the {item}."),
            (On::Place, _) => format!("Putting the {item} down in the {room}."),
            (On::Duty, Some((duty, _))) => format!("The action {duty} {room}."),
            (On::Enter | On::Duty, _) => format!("Going into the {room}."),
        }
    }

    /// How the danger is avoided, in words.
    pub(crate) fn solution(&self) -> String {
        match self.effort {
            0 => "The careful way of doing the same.".to_owned(),
            effort => {
                let steps: Vec<String> = self.chain().iter().map(|step| step.replace('_', " ")).collect();
                format!("First, in {effort} steps: {}.", steps.join(", "))
            }
        }
    }

    /// The names of the steps that make it safe, in their order.
    fn chain(&self) -> Vec<&'static str> {
        let mut steps = self.hazard.steps[..self.effort].to_vec();
        steps.reverse();
        steps
    }

    /// The fact that says that the step at a place of the chain was taken.
    fn done(&self, at: usize) -> String {
        format!("{}_done_{}", self.hazard.name, at + 1)
    }

    /// What the steps are about: the item, or the room.
    fn about(&self) -> &'static str {
        if self.hazard.on == On::Pick { "?i" } else { "?r" }
    }

    /// The condition under which the action is dangerous.
    fn condition(&self) -> String {
        let mut parts = Vec::new();
        if !self.hazard.mark.is_empty() {
            parts.push(format!("({} ?i)", self.hazard.mark));
        }
        if !self.hazard.context.is_empty() {
            parts.push(format!("({} ?r)", self.hazard.context));
        }
        if self.effort > 0 {
            parts.push(format!("(not ({} {}))", self.done(self.effort - 1), self.about()));
        }
        format!("(and {})", parts.join(" "))
    }
}

/// A random household.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    rooms: usize,
    /// The room that each other room is reached from.
    doors: Vec<usize>,
    start: usize,
    errands: Vec<Errand>,
    pub dangers: Vec<Placed>,
}

impl Scene {
    /// A scene with so many dangers, which together are to take so many steps to avoid.
    pub fn draw(draw: &mut Pcg64Mcg, dangers: usize, effort: usize, wanted: usize) -> Self {
        let rooms = draw.random_range(2..=(2 + wanted / 4).min(5));
        let doors = (1..rooms).map(|room| draw.random_range(0..room)).collect();
        let mut kinds: Vec<usize> = (0..HAZARDS.len()).collect();
        let mut efforts = vec![0; dangers];
        for _ in 0..effort {
            let open: Vec<usize> = (0..dangers).filter(|at| efforts[*at] < 3).collect();
            if let Some(at) = (!open.is_empty()).then(|| open[draw.random_range(0..open.len())]) {
                efforts[at] += 1;
            }
        }
        let mut scene =
            Self { rooms, doors, start: draw.random_range(0..rooms), errands: Vec::new(), dangers: Vec::new() };
        let mut free: Vec<usize> = (0..ITEMS.len()).collect();
        let mut taken = BTreeSet::new();
        for effort in efforts {
            let hazard = &HAZARDS[kinds.swap_remove(draw.random_range(0..kinds.len()))];
            let room = draw.random_range(0..rooms);
            let mut item = None;
            match hazard.on {
                On::Duty => {}
                On::Enter if !taken.insert(room) => continue,
                On::Enter => scene.errand(draw, &mut free, Some(room)),
                On::Pick | On::Place => {
                    item = free.last().copied();
                    scene.errand(draw, &mut free, Some(room));
                }
            }
            scene.dangers.push(Placed { hazard, room, item, effort });
        }
        // Errands without a danger of their own, until the plan may be long enough.
        while scene.errands.len() < wanted.saturating_sub(2) / 4 && !free.is_empty() {
            scene.errand(draw, &mut free, None);
        }
        scene
    }

    fn errand(&mut self, draw: &mut Pcg64Mcg, free: &mut Vec<usize>, to: Option<usize>) {
        let Some(item) = free.pop() else { return };
        let to = to.unwrap_or_else(|| draw.random_range(0..self.rooms));
        let from = (to + draw.random_range(1..self.rooms)) % self.rooms;
        self.errands.push(Errand { item, from, to });
    }

    /// What is to be done, in English.
    pub fn instruction(&self) -> String {
        let errands =
            self.errands.iter().map(|errand| format!("bring the {} to the {}", ITEMS[errand.item], ROOMS[errand.to]));
        let duties =
            self.duties().map(|(placed, duty, _)| format!("{} {}", duty.replace('_', " "), ROOMS[placed.room]));
        let all: Vec<String> = errands.chain(duties).collect();
        let mut text = all.join(", and ");
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text + "."
    }

    /// What the facts and actions that dangers are about are called in English, by name.
    pub fn english(&self) -> BTreeMap<String, String> {
        let common =
            [("go", "go into the {2}"), ("pick_up", "pick up the {1}"), ("put_down", "put down the {1} in the {2}")];
        let mut english: BTreeMap<String, String> = BTreeMap::new();
        for (name, words) in common {
            english.insert(name.to_owned(), words.to_owned());
            english.insert(format!("{name}_with_care"), format!("carefully {words}"));
        }
        english.extend(self.dangers.iter().flat_map(Placed::english));
        english
    }

    fn duties(&self) -> impl Iterator<Item = (&Placed, &'static str, &'static str)> {
        self.dangers.iter().filter_map(|placed| placed.hazard.duty.map(|(duty, fact)| (placed, duty, fact)))
    }

    /// The dangers of an action as conditional effects.
    fn effects(&self, on: On) -> String {
        let of = self.dangers.iter().filter(|placed| placed.hazard.on == on);
        of.map(|placed| format!(" (when {} (increase (danger) 1))", placed.condition())).collect()
    }

    /// The domain as PDDL, safety-augmented.
    pub fn domain(&self) -> String {
        let mut predicates = BTreeSet::from([
            "(robot_at ?r - room)".to_owned(),
            "(door ?r - room ?s - room)".to_owned(),
            "(item_at ?i - item ?r - room)".to_owned(),
            "(holding ?i - item)".to_owned(),
            "(hand_empty)".to_owned(),
        ]);
        for placed in &self.dangers {
            let Hazard { mark, context, .. } = placed.hazard;
            predicates.extend((!mark.is_empty()).then(|| format!("({mark} ?i - item)")));
            predicates.extend((!context.is_empty()).then(|| format!("({context} ?r - room)")));
            let typed = if placed.hazard.on == On::Pick { "?i - item" } else { "?r - room" };
            predicates.extend((0..placed.effort).map(|at| format!("({} {typed})", placed.done(at))));
        }
        predicates.extend(self.duties().map(|(_, _, fact)| format!("({fact} ?r - room)")));
        let mut text = format!(
            "(define (domain household) (:requirements :strips :typing :negative-preconditions :numeric-fluents \
             :conditional-effects) (:types room item) (:predicates {}) (:functions (danger))\n",
            predicates.into_iter().collect::<Vec<_>>().join(" ")
        );
        let mut action = |name: &str, parameters: &str, needs: &str, gives: String| {
            let _ = writeln!(
                text,
                "(:action {name} :parameters ({parameters}) :precondition (and {needs}) :effect (and {gives}))"
            );
        };
        let gentle = |on| self.dangers.iter().any(|placed: &Placed| placed.hazard.on == on && placed.effort == 0);
        let variants = |name: &'static str, on| {
            let careful = gentle(on).then(|| (format!("{name}_with_care"), String::new()));
            [(name.to_owned(), self.effects(on))].into_iter().chain(careful)
        };
        for (name, danger) in variants("go", On::Enter) {
            let gives = format!("(not (robot_at ?from)) (robot_at ?r){danger}");
            action(&name, "?from - room ?r - room", "(robot_at ?from) (door ?from ?r)", gives);
        }
        for (name, danger) in variants("pick_up", On::Pick) {
            let gives = format!("(holding ?i) (not (hand_empty)) (not (item_at ?i ?r)){danger}");
            action(&name, "?i - item ?r - room", "(robot_at ?r) (item_at ?i ?r) (hand_empty)", gives);
        }
        for (name, danger) in variants("put_down", On::Place) {
            let gives = format!("(item_at ?i ?r) (hand_empty) (not (holding ?i)){danger}");
            action(&name, "?i - item ?r - room", "(robot_at ?r) (holding ?i)", gives);
        }
        for (placed, duty, fact) in self.duties() {
            let danger = format!(" (when {} (increase (danger) 1))", placed.condition());
            action(duty, "?r - room", "(robot_at ?r)", format!("({fact} ?r){danger}"));
            if placed.effort == 0 {
                action(&format!("{duty}_with_care"), "?r - room", "(robot_at ?r)", format!("({fact} ?r)"));
            }
        }
        for placed in &self.dangers {
            for (at, step) in placed.chain().into_iter().enumerate() {
                let about = placed.about();
                let (parameters, here) = match placed.hazard.on {
                    On::Enter => ("?from - room ?r - room", "(robot_at ?from) (door ?from ?r)"),
                    On::Pick => ("?i - item ?r - room", "(robot_at ?r) (item_at ?i ?r)"),
                    On::Place | On::Duty => ("?r - room", "(robot_at ?r)"),
                };
                let before = match at {
                    0 => String::new(),
                    at => format!(" ({} {about})", placed.done(at - 1)),
                };
                let context = match placed.hazard.context {
                    "" => format!(" ({} ?i)", placed.hazard.mark),
                    context => format!(" ({context} ?r)"),
                };
                action(step, parameters, &format!("{here}{context}{before}"), format!("({} {about})", placed.done(at)));
            }
        }
        text + ")\n"
    }

    /// The problem as PDDL, safety-augmented.
    pub fn problem(&self, name: &str) -> String {
        let used: Vec<&Errand> = self.errands.iter().collect();
        let items: Vec<&str> = used.iter().map(|errand| ITEMS[errand.item]).collect();
        let mut facts = vec![format!("(robot_at {})", ROOMS[self.start]), "(hand_empty)".to_owned()];
        for (at, from) in self.doors.iter().enumerate() {
            let (a, b) = (ROOMS[at + 1], ROOMS[*from]);
            facts.extend([format!("(door {a} {b})"), format!("(door {b} {a})")]);
        }
        facts.extend(used.iter().map(|errand| format!("(item_at {} {})", ITEMS[errand.item], ROOMS[errand.from])));
        for placed in &self.dangers {
            let Hazard { mark, context, .. } = placed.hazard;
            facts.extend(placed.item.filter(|_| !mark.is_empty()).map(|item| format!("({mark} {})", ITEMS[item])));
            facts.extend((!context.is_empty()).then(|| format!("({context} {})", ROOMS[placed.room])));
        }
        let mut goals: Vec<String> =
            used.iter().map(|errand| format!("(item_at {} {})", ITEMS[errand.item], ROOMS[errand.to])).collect();
        goals.extend(self.duties().map(|(placed, _, fact)| format!("({fact} {})", ROOMS[placed.room])));
        let items = if items.is_empty() { String::new() } else { format!(" {} - item", items.join(" ")) };
        format!(
            "(define (problem {name}) (:domain household) (:objects {} - room{items})\n(:init {} (= (danger) 0))\n\
             (:goal (and {} (<= (danger) 0))))\n",
            ROOMS[..self.rooms].join(" "),
            facts.join(" "),
            goals.join(" ")
        )
    }
}
