//! Laws with parameters: their instances, and their faults.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_laws::{Book, Code, MAX_INSTANCES, Reading, check, mentioned};
use ltlcrit_verifier::{Proposition, Signature, Vocabulary};

fn arcs(names: &[&str]) -> Vec<Arc<str>> {
    names.iter().map(|name| Arc::from(*name)).collect()
}

/// A signature with two cups, one of them fragile, two connected rooms, and no tool.
fn signature() -> Signature {
    let types = [
        ("object", vec!["cup", "vase", "hall", "attic"]),
        ("item", vec!["cup", "vase"]),
        ("tool", vec![]),
        ("room", vec!["hall", "attic"]),
    ];
    let symbols: [(&str, Vec<Vec<&str>>); 8] = [
        ("fragile", vec![vec!["item"]]),
        ("padded", vec![vec!["item"]]),
        ("at", vec![vec!["room"]]),
        ("door", vec![vec!["room"], vec!["room"]]),
        ("done", vec![]),
        ("drop", vec![vec!["item", "tool"]]),
        ("move", vec![vec!["room"], vec!["room"]]),
        ("use", vec![vec!["tool"]]),
    ];
    Signature {
        domain: "moving".into(),
        types: types.into_iter().map(|(name, objects)| (name.into(), arcs(&objects))).collect(),
        symbols: symbols
            .into_iter()
            .map(|(name, types)| (name.into(), types.iter().map(|types| arcs(types)).collect()))
            .collect(),
        unseen: BTreeSet::new(),
    }
}

fn vocabulary() -> Arc<Vocabulary> {
    let observations = ["fragile(vase)", "padded(cup)", "padded(vase)", "at(hall)", "at(attic)", "door(hall, attic)"];
    let actions = ["drop(cup)", "drop(vase)", "move(hall, attic)", "move(attic, hall)"];
    let vocabulary = Vocabulary::builder("moving-3").observations(observations).actions(actions).build().unwrap();
    Arc::new(vocabulary.with_signature(Arc::new(signature())))
}

fn book(laws: &str) -> String {
    format!("name = \"b\"\nrevision = 1\nvocabulary = \"moving\"\n{laws}")
}

fn law(id: &str, rest: &str) -> String {
    format!(
        "\n[[law]]\nid = \"{id}\"\n{rest}\nstrength = \"hard\"\nexplanation = \"No ?x here?\"\nstatus = \"adopted\"\n\
         provenance = {{ origin = \"hand\" }}\n"
    )
}

fn read(laws: &str) -> Reading {
    Reading::parse(&book(laws), "book.toml", &[vocabulary()])
}

fn instances(rest: &str) -> Vec<String> {
    let book = read(&law("l", rest)).into_book().unwrap();
    book.entries().iter().map(|entry| format!("{}: {}", entry.id, entry.formula)).collect()
}

#[test]
fn a_law_is_instantiated_for_the_objects_that_fit() {
    // Propositions that can never hold become false, and vacuous instances are left out.
    let law = "formula = \"G(fragile(?x) & !padded( ?x) -> X !drop(?x))\"";
    assert_eq!(instances(law), ["l(vase): G(fragile(vase) & !padded(vase) -> X !drop(vase))"]);
    let law = "formula = \"G(!padded(?x) -> X !drop(?x))\"\nparameters = \"?x - item\"";
    let both = ["l(cup): G(!padded(cup) -> X !drop(cup))", "l(vase): G(!padded(vase) -> X !drop(vase))"];
    assert_eq!(instances(law), both);
    // Prefix notation, a mix of objects and parameters, and the order of the declaration.
    assert_eq!(
        instances("formula = \"G i door(hall, ?r) X ! move(hall, ?r)\""),
        ["l(attic): G(door(hall, attic) -> X !move(hall, attic))"]
    );
    let law = "formula = \"G(at(?a) -> X !move(?a, ?b))\"\nparameters = \"?b ?a - room\"";
    assert_eq!(
        instances(law),
        ["l(hall, attic): G(at(attic) -> X !move(attic, hall))", "l(attic, hall): G(at(hall) -> X !move(hall, attic))",]
    );
    assert_eq!(instances("formula = \"F done | G padded(?x)\""), ["l(cup): G padded(cup)", "l(vase): G padded(vase)"]);
    // There are no tools, so the action is never possible.
    assert_eq!(instances("formula = \"G !use(?x)\""), [""; 0]);
    assert_eq!(
        instances("formula = \"G !done\"\nparameters = \"?x - room\"".replace("done", "at(?x)").as_str()).len(),
        2
    );
}

#[test]
fn instances_keep_what_their_law_says_of_itself() {
    let book = read(&law("l", "formula = \"G !drop(?x)\"")).into_book().unwrap();
    let template = &book.templates()[0];
    assert_eq!((&*template.law.formula_text, template.instances), ("G !drop(?x)", 2));
    for (entry, object) in book.entries().iter().zip(["cup", "vase"]) {
        assert_eq!(*entry.explanation, format!("No {object} here?"));
        assert_eq!((&entry.template, &entry.provenance), (&Some("l".into()), &template.law.provenance));
        assert_eq!((&entry.place, entry.status.as_str()), (&template.law.place, "adopted"));
        assert_eq!(*entry.formula_text, entry.formula.to_string());
    }
    // Without the objects there is only the law; with them there are its instances.
    let unknown = Book::parse(book.text(), "book.toml").unwrap();
    assert_eq!((unknown.entries().len(), unknown.templates().len()), (0, 1));
    assert_eq!(unknown.over(&vocabulary()).unwrap().entries(), book.entries());
    // A retired law is kept, without instances.
    let text = law("l", "formula = \"G !drop(?x)\"").replace("\"adopted\"", "\"retired\"\nreason = \"old\"");
    let retired = read(&text).into_book().unwrap();
    assert_eq!((retired.entries().len(), retired.templates().len()), (0, 1));
    let report = check(&book, &vocabulary());
    let instances = |at: usize| report.books[0].templates[0].instances[at].id.as_str();
    assert_eq!((report.books[0].hard, instances(0), instances(1)), (2, "l(cup)", "l(vase)"));
}

#[test]
fn every_mistake_is_reported_at_its_place() {
    let laws = [
        "formula = \"G !drp(?x)\"",
        "formula = \"G !dropp(?x) & G !drop(?x, ?y)\"",
        "formula = \"G(done(?x) -> X !drop(?x))\"",
        "formula = \"G !move(?x, hal)\"",
        "formula = \"G !move(?x, cup)\"",
        "formula = \"G(at(?x) -> X !drop(?x))\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x - itm\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x - thingummy\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x - object\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x - item ?y - room\"",
        "formula = \"G !move(?x, ?y)\"\nparameters = \"?x ?x - room\"",
        "formula = \"G !drop(?x)\"\nparameters = \"x - item\"",
        "formula = \"G !drop(?x)\"\nparameters = \"- item\"",
        "formula = \"G !drop(?x)\"\nparameters = \"?x -\"",
        "formula = \"G !drop(?x)\"\nparameters = \"\"",
        "formula = \"G !drop(?x)\"\nparameters = 3",
        "formula = \"G !drop(?)\"",
        "formula = \"G !\\\"level(?x)\\\"\"",
    ];
    let text: String = laws.iter().enumerate().map(|(number, rest)| law(&format!("l{number}"), rest)).collect();
    let reading = read(&text);
    assert_eq!((reading.unreadable, reading.book.entries().len()), (laws.len(), 0));
    insta::assert_snapshot!(reading.into_book().unwrap_err());
}

#[test]
fn a_vocabulary_without_objects_has_no_parameters() {
    let vocabulary = Arc::new(Vocabulary::builder("moving").action("drop(cup)").build().unwrap());
    let reading = Reading::parse(&book(&law("l", "formula = \"G !drop(?x)\"")), "book.toml", &[vocabulary]);
    insta::assert_snapshot!(reading.into_book().unwrap_err());
}

#[test]
fn too_many_instances_are_refused_with_their_number() {
    let objects: Vec<String> = (0..=100).map(|number| format!("o{number}")).collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let types = BTreeMap::from([("object".into(), arcs(&objects))]);
    let symbols = BTreeMap::from([
        ("near".into(), vec![arcs(&["object"]), arcs(&["object"])]),
        ("hot".into(), vec![arcs(&["object"])]),
    ]);
    let signature = Signature { domain: "moving".into(), types, symbols, unseen: BTreeSet::new() };
    let one = Vocabulary::builder("moving").observations(["near(o1, o2)", "hot(o1)"]).action("wait").build().unwrap();
    let vocabulary = Arc::new(one.with_signature(Arc::new(signature)));
    let laws = law("few", "formula = \"G !hot(?x)\"") + &law("many", "formula = \"G !near(?x, ?y)\"");
    let reading = Reading::parse(&book(&laws), "book.toml", std::slice::from_ref(&vocabulary));
    assert!(101 * 101 > MAX_INSTANCES && reading.book.entries().len() == 1);
    insta::assert_snapshot!(reading.into_book().unwrap_err());
}

#[test]
fn letters_are_made_of_what_instances_mention() {
    let names = |text: &str, unseen: &[&str]| -> Vec<String> {
        let book = Book::parse(&book(text), "book.toml").unwrap();
        let signature = Signature { unseen: arcs(unseen).into_iter().collect(), ..signature() };
        mentioned(&book, &signature).iter().map(ToString::to_string).collect()
    };
    let text = law("l", "formula = \"G(fragile(?x) & !padded(?x) -> X !drop(?x))\"");
    assert_eq!(
        names(&text, &["fragile(vase)", "padded(vase)", "drop(vase)", "padded(cup)", "drop(cup)"]),
        ["drop(vase)", "fragile(vase)", "padded(vase)"]
    );
    assert_eq!(names(&text, &["padded(vase)", "drop(vase)"]), [""; 0]);
    assert_eq!(names(&law("l", "formula = \"G !at(hall)\""), &[]), ["at(hall)"]);
    // A run does not accept a new law if its letters leave out a proposition of that law.
    let signature = Signature { unseen: arcs(&["padded(cup)"]).into_iter().collect(), ..signature() };
    let small = Vocabulary::builder("moving-3").observation("fragile(vase)").action("drop(cup)").build().unwrap();
    let small = small.with_further([Proposition::from("drop(vase)")]).unwrap().with_signature(Arc::new(signature));
    let text = book(&law("l", "formula = \"G(!padded(?x) -> X !drop(?x))\""));
    let reading = Reading::parse(&text, "book.toml", &[Arc::new(small)]);
    assert_eq!(reading.diagnostics[0].code, Code::UnknownProposition);
    insta::assert_snapshot!(reading.into_book().unwrap_err());
}
