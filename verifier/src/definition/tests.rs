use proptest::prelude::*;

use super::*;
use crate::vocabulary::Proposition;

/// Returns the definitions with the names of their propositions.
fn definitions(observations: &[Proposition]) -> impl Iterator<Item = (&Definition, &Arc<str>)> {
    observations.iter().filter_map(|one| Some((one.definition.as_deref()?, &one.name)))
}

fn read(text: &str) -> Definition {
    text.parse().unwrap()
}

fn error(text: &str) -> String {
    text.parse::<Definition>().unwrap_err().to_string()
}

#[test]
fn definitions_print_in_one_way() {
    for (written, printed) in [
        ("health <= 5", "health <= 5"),
        ("  position.y<=-40.50 ", "position.y <= -40.5"),
        ("inventory[*_log] >= 05", "inventory[*_log] >= 5"),
        ("sum(inventory[*_log]) >= 5", "inventory[*_log] >= 5"),
        ("min( hazards[lava] ) <= 3.000001", "min(hazards[lava]) <= 3.000001"),
        ("min(nearby[coal_ore].distance) <= 8", "nearby[coal_ore].distance <= 8"),
        ("sum(nearby[*].count) >= 3", "sum(nearby[*].count) >= 3"),
        ("tags[minecraft:logs/oak-1.2] >= 1", "tags[minecraft:logs/oak-1.2] >= 1"),
        ("sum >= -0", "sum >= 0"),
        ("position.y<20", "position.y < 20"),
        ("health > -0.5", "health > -0.5"),
    ] {
        assert_eq!(read(written).to_string(), printed);
        assert_eq!(read(printed), read(written));
    }
}

#[test]
fn errors_say_what_is_wrong_where_and_what_would_be_right() {
    for (text, told) in [
        ("", "column 1: the name of a field is missing here, such as `health` or `inventory`"),
        ("5 >= 5", "column 1: the name of a field is missing here, such as `health` or `inventory`"),
        ("position. >= 5", "column 10: the name of a field is missing here, such as `health` or `inventory`"),
        ("inventory[] >= 5", "column 11: the name of an entry is missing here, such as `cobblestone` or `*_log`"),
        ("inventory[*_*] >= 5", "column 11: a name has one `*` at most"),
        ("inventory[a b] >= 5", "column 12: `]` is missing here"),
        ("inventory[log] => 5", "column 16: a comparison is `>=`, `>`, `<=` or `<`; did you mean `>=`?"),
        ("health ≤ 5", "column 8: a comparison is `>=`, `>`, `<=` or `<`; did you mean `<=`?"),
        ("health == 5", "column 8: a comparison is `>=`, `>`, `<=` or `<`"),
        ("health", "column 7: a comparison is missing here: `>=`, `>`, `<=` or `<`"),
        ("health >= many", "column 11: a number is missing here, such as `5` or `0.5`"),
        ("health >= 1.", "column 11: a number is missing here, such as `5` or `0.5`"),
        ("health >= 1e9", "column 12: the definition ends with its number"),
        ("health >= 1234567890", "column 11: a number has at most 9 digits before the point and 6 after it"),
        ("max(inventory[log]) >= 5", "column 1: a function is `sum` or `min`"),
        ("sum(health) >= 5", "column 1: a function needs entries, such as `sum(inventory[*_log])`"),
        ("sum(inventory[log] >= 5", "column 20: `)` is missing here"),
    ] {
        assert_eq!(error(text), format!("line 1, {told}"), "{text}");
    }
    let long = format!("{} >= 5", "a".repeat(MAX_DEFINITION));
    assert!(error(&long).contains("the definition has 261 bytes, at most 256 are read"));
}

#[test]
fn thresholds_are_exact_decimals() {
    let tenth = read("health >= 0.1");
    assert!(tenth.holds(0.1) && !tenth.holds(0.1 - f64::EPSILON / 8.0));
    assert!(read("health <= -3").holds(-3.0) && !read("health <= -3").holds(-2.9));
    assert!(!tenth.holds(f64::NAN) && !read("health <= 1").holds(f64::NAN));
    let (below, above) = (read("position.y < 20"), read("position.y > -0.1"));
    assert!(below.holds(19.0) && below.holds(19.9) && !below.holds(20.0) && !below.holds(20.5));
    assert!(above.holds(0.0) && !above.holds(-0.1) && !above.holds(-1.0));
}

#[test]
fn globs_match_at_both_ends_without_overlap() {
    let glob = |text: &str| read(&format!("i[{text}] >= 1")).quantity.entries.unwrap().pattern;
    assert!(glob("*_log").matches("oak_log") && glob("*_log").matches("_log") && !glob("*_log").matches("log"));
    assert!(glob("a*a").matches("aa") && !glob("a*a").matches("a"));
    assert!(glob("*").matches("") && glob("log").matches("log") && !glob("log").matches("oak_log"));
}

#[test]
fn thresholds_of_one_quantity_imply_each_other() {
    let derived = |name: &str, definition: &str| Proposition::derived(name, read(definition), None);
    let observations = [
        Proposition::new("base", ""),
        derived("five", "logs >= 5"),
        derived("three", "logs >= 3"),
        derived("four", "logs >= 4"),
        derived("also_four", "logs >= 4"),
        derived("two", "logs <= 2"),
        derived("one", "logs <= 1"),
        derived("other", "planks >= 4"),
    ];
    let axioms: Vec<String> = implied_axioms(definitions(&observations)).iter().map(ToString::to_string).collect();
    assert_eq!(
        axioms,
        [
            "four -> three",
            "also_four -> four",
            "four -> also_four",
            "five -> also_four",
            "one -> two",
            "!(three & one)",
            "!(three & two)",
        ]
    );
    let strict = [
        derived("above_four", "logs > 4"),
        derived("four", "logs >= 4"),
        derived("at_most_four", "logs <= 4"),
        derived("below_four", "logs < 4"),
    ];
    let axioms: Vec<String> = implied_axioms(definitions(&strict)).iter().map(ToString::to_string).collect();
    assert_eq!(
        axioms,
        ["above_four -> four", "below_four -> at_most_four", "!(four & below_four)", "!(above_four & at_most_four)"]
    );
}

fn quantities() -> impl Strategy<Value = String> {
    let fields = "[a-z_][a-z0-9_]{0,5}(\\.[a-z_][a-z0-9_]{0,5}){0,2}";
    let entries = ("[a-z0-9_.:/-]{0,5}(\\*)?[a-z0-9_]{1,5}", "(\\.[a-z_]{1,5}){0,2}");
    (fields, proptest::option::of(entries), 0..3).prop_map(|(fields, entries, function)| match (entries, function) {
        (None, _) => fields,
        (Some((name, inner)), 0) => format!("{fields}[{name}]{inner}"),
        (Some((name, inner)), 1) => format!("sum({fields}[{name}]{inner})"),
        (Some((name, inner)), _) => format!("min({fields}[{name}]{inner})"),
    })
}

#[test]
fn names_say_what_is_defined() {
    for (definition, name) in [
        ("inventory[*_log] >= 5", "obs_has_5x_log"),
        ("inventory[raw_iron] >= 4", "obs_has_4x_raw_iron"),
        ("inventory[coal] <= 2", "obs_has_at_most_2x_coal"),
        ("health <= 6.5", "obs_health_at_most_6_5"),
        ("position.y < -40", "obs_position_y_below_minus_40"),
        ("inventory[coal] > 2", "obs_has_above_2x_coal"),
        ("position.y <= -40", "obs_position_y_at_most_minus_40"),
        ("nearby[coal_ore].distance <= 5", "obs_nearby_coal_ore_distance_at_most_5"),
        ("min(hazards[lava]) <= 3", "obs_hazards_lava_at_most_3"),
        ("inventory[minecraft:Oak-*] >= 1", "obs_has_1x_minecraft_oak_"),
    ] {
        assert_eq!(read(definition).name(), name);
    }
}

#[test]
fn definitions_are_made_from_quantities_and_numbers() {
    let logs = || read("inventory[*_log] >= 0").quantity().clone();
    let shown = |made: Option<Definition>| made.map(|definition| definition.to_string());
    assert_eq!(shown(Definition::at_least(logs(), 5.0)).as_deref(), Some("inventory[*_log] >= 5"));
    assert_eq!(shown(Definition::at_most(logs(), -0.1)).as_deref(), Some("inventory[*_log] <= -0.1"));
    assert_eq!(shown(Definition::at_most(logs(), 1e9)), None);
    assert_eq!(shown(Definition::at_most(logs(), f64::NAN)), None);
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(quantity in quantities(), least: bool, number in "-?[0-9]{1,9}(\\.[0-9]{1,6})?") {
        let definition = read(&format!("{quantity} {} {number}", if least { ">=" } else { "<=" }));
        prop_assert_eq!(&read(&definition.to_string()), &definition);
        prop_assert_eq!(definition.to_string().parse::<Definition>().unwrap().to_string(), definition.to_string());
        let value: f64 = number.parse().unwrap();
        prop_assert!(definition.holds(value));
        prop_assert_eq!(definition.holds(value + 1.0), least);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z.\\[\\]*()<>=≤0-9 -]{0,40}|\\PC{0,40}") {
        if let Ok(definition) = text.parse::<Definition>() {
            prop_assert_eq!(definition.to_string().parse(), Ok(definition));
        }
    }

    /// No value contradicts the axioms.
    #[test]
    fn implied_axioms_are_true(thresholds in proptest::collection::vec((0..4usize, -3..4i32), 0..6), value in -8..9i32) {
        let value = f64::from(value) / 2.0;
        let observations: Vec<Proposition> = thresholds.iter().enumerate().map(|(at, (comparison, number))| {
            let definition = read(&format!("q {} {number}", [">=", ">", "<=", "<"][*comparison]));
            Proposition::derived(format!("p{at}"), definition, None)
        }).collect();
        let holds = |name: &str| {
            let proposition = observations.iter().find(|one| &*one.name == name).unwrap();
            proposition.definition.as_ref().unwrap().holds(value)
        };
        for axiom in implied_axioms(definitions(&observations)) {
            let truth = match &axiom {
                Formula::Implies(a, b) => !holds(&a.to_string()) || holds(&b.to_string()),
                Formula::Not(both) => {
                    let Formula::And(a, b) = &**both else { panic!("{axiom}") };
                    !(holds(&a.to_string()) && holds(&b.to_string()))
                }
                other => panic!("{other}"),
            };
            prop_assert!(truth, "{}", axiom);
        }
    }
}
