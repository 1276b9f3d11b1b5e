//! Snapshots, and a strict reader of HOA files that runs words on the exported automata.

use proptest::prelude::*;

use super::*;
use crate::formulas::formulas;
use crate::semantics::holds_at;
use crate::syntax::parse;

fn explore(formula: &str) -> Automaton {
    Automaton::explore(&parse(formula).unwrap(), &Limits::default()).unwrap()
}

#[test]
fn response_as_dot_and_hoa() {
    let automaton = explore("G(a -> F b)");
    insta::assert_snapshot!("response.dot", automaton.to_dot());
    insta::assert_snapshot!("response.hoa", automaton.to_hoa());
}

#[test]
fn order_as_a_monitor() {
    let automaton = explore("!agent_at(bathroom) W agent_at(livingroom)");
    insta::assert_snapshot!("order.dot", automaton.to_dot());
    insta::assert_snapshot!("order.hoa", automaton.to_hoa());
}

#[test]
fn odd_names_and_constants() {
    let automaton = explore(r#"G("say \"hi\"" -> X "a\\b")"#);
    insta::assert_snapshot!("odd.dot", automaton.to_dot());
    let text = automaton.to_hoa();
    assert_eq!(Hoa::read(&text).unwrap().propositions, ["a\\b", "say \"hi\""]);
    for formula in ["true", "false", "X false", "X[!] true"] {
        Hoa::read(&explore(formula).to_hoa()).unwrap();
    }
}

#[test]
fn limits_are_errors() {
    let wide = (0..13).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" | ");
    let formula = parse(&wide).unwrap();
    let error = Automaton::explore(&formula, &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the formula mentions 13 propositions; an automaton over more than 12 is not written out"
    );
    let formula = parse("F(a & X X X X b)").unwrap();
    let few = Limits { states: 5, ..Limits::default() };
    assert!(matches!(Automaton::explore(&formula, &few), Err(ExportError::States { limit: 5 })));
    let short = Limits { steps: 10, ..Limits::default() };
    assert!(matches!(Automaton::explore(&formula, &short), Err(ExportError::Effort { limit: 10, .. })));
}

/// A file in the HOA format, parsed strictly by its definition for the parts that the export uses.
#[derive(Debug)]
struct Hoa {
    propositions: Vec<String>,
    start: Option<usize>,
    accepting: Vec<bool>,
    edges: Vec<Vec<(Label, usize)>>,
}

/// A label: a disjunction of conjunctions of literals.
type Label = Vec<Vec<(usize, bool)>>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Header(String),
    Word(String),
    Text(String),
    Number(usize),
    Symbol(char),
    Body,
    End,
}

impl Hoa {
    fn tokens(text: &str) -> Result<Vec<Token>, String> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if c.is_ascii_whitespace() {
                rest = &rest[1..];
            } else if let Some(after) = rest.strip_prefix("--BODY--") {
                tokens.push(Token::Body);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("--END--") {
                tokens.push(Token::End);
                rest = after;
            } else if c == '"' {
                let (mut string, mut escaped, mut end) = (String::new(), false, None);
                for (at, c) in rest.char_indices().skip(1) {
                    match c {
                        c if escaped => (string.push(c), escaped = false).0,
                        '\\' => escaped = true,
                        '"' => {
                            end = Some(at + 1);
                            break;
                        }
                        c => string.push(c),
                    }
                }
                tokens.push(Token::Text(string));
                rest = &rest[end.ok_or("an open string")?..];
            } else if c.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                tokens.push(Token::Number(rest[..end].parse().map_err(|_| "a number")?));
                rest = &rest[end..];
            } else if c.is_ascii_alphabetic() || c == '_' {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = rest[..end].to_owned();
                rest = &rest[end..];
                match rest.strip_prefix(':') {
                    Some(after) => (tokens.push(Token::Header(word)), rest = after).0,
                    None => tokens.push(Token::Word(word)),
                }
            } else if "!&|()[]{}".contains(c) {
                tokens.push(Token::Symbol(c));
                rest = &rest[1..];
            } else {
                return Err(format!("`{c}` is no token"));
            }
        }
        Ok(tokens)
    }

    fn read(text: &str) -> Result<Self, String> {
        let tokens = Self::tokens(text)?;
        let body = tokens.iter().position(|token| *token == Token::Body).ok_or("no body")?;
        if tokens.last() != Some(&Token::End) || tokens[..2] != [Token::Header("HOA".into()), Token::Word("v1".into())]
        {
            return Err("it must begin with the version and end with the end mark".into());
        }
        let mut headers: Vec<(&str, Vec<Token>)> = Vec::new();
        for token in &tokens[..body] {
            match (token, headers.last_mut()) {
                (Token::Header(name), _) => headers.push((name, Vec::new())),
                (value, Some((_, values))) => values.push(value.clone()),
                (_, None) => return Err("a value before any header".into()),
            }
        }
        for (position, (name, _)) in headers.iter().enumerate() {
            if headers[..position].iter().any(|(other, _)| other == name) {
                return Err(format!("`{name}` twice"));
            }
        }
        let header = |name: &str| headers.iter().find(|(found, _)| *found == name).map(|(_, values)| values.clone());
        let states = match header("States").as_deref() {
            Some([Token::Number(states)]) => *states,
            _ => return Err("States".into()),
        };
        let start = match header("Start").as_deref() {
            None => None,
            Some([Token::Number(start)]) if *start < states => Some(*start),
            _ => return Err("Start".into()),
        };
        let ap = header("AP").ok_or("AP")?;
        let propositions: Vec<String> = ap[1..]
            .iter()
            .map(|token| match token {
                Token::Text(name) => Ok(name.clone()),
                _ => Err("AP".to_owned()),
            })
            .collect::<Result<_, _>>()?;
        if ap[0] != Token::Number(propositions.len()) {
            return Err("AP's number".into());
        }
        let word = |word: &str| Token::Word(word.into());
        let buchi = [Token::Number(1), word("Inf"), Token::Symbol('('), Token::Number(0), Token::Symbol(')')];
        let sets = match (header("acc-name").as_deref(), header("Acceptance").as_deref()) {
            (Some([name]), Some(acceptance)) if *name == word("Buchi") && *acceptance == buchi => 1,
            (Some([name]), Some(acceptance))
                if *name == word("all") && *acceptance == [Token::Number(0), word("t")] =>
            {
                0
            }
            _ => return Err("Acceptance".into()),
        };
        let mut hoa = Self { propositions, start, accepting: Vec::new(), edges: Vec::new() };
        let mut at = body + 1;
        while tokens[at] != Token::End {
            match &tokens[at..] {
                [Token::Header(name), Token::Number(number), Token::Text(_), ..]
                    if name == "State" && *number == hoa.edges.len() =>
                {
                    at += 3;
                    let set = [Token::Symbol('{'), Token::Number(0), Token::Symbol('}')];
                    let marked = sets == 1 && tokens[at..].starts_with(&set);
                    at += if marked { 3 } else { 0 };
                    hoa.accepting.push(marked);
                    hoa.edges.push(Vec::new());
                }
                [Token::Symbol('['), ..] => {
                    let end = at + tokens[at..].iter().position(|token| *token == Token::Symbol(']')).ok_or("]")?;
                    let label = Self::label(&tokens[at + 1..end], hoa.propositions.len())?;
                    let Token::Number(target) = tokens[end + 1] else { return Err("a target".into()) };
                    if target >= states {
                        return Err("a target that is no state".into());
                    }
                    hoa.edges.last_mut().ok_or("an edge before any state")?.push((label, target));
                    at = end + 2;
                }
                _ => return Err(format!("{:?} in the body", tokens[at])),
            }
        }
        if hoa.edges.len() != states {
            return Err("the number of states".into());
        }
        let properties = header("properties").ok_or("properties")?;
        let claims = |name: &str| properties.contains(&word(name));
        for edges in &hoa.edges {
            for letter in 0..1u32 << hoa.propositions.len() {
                let targets = edges.iter().filter(|(label, _)| satisfied(label, letter)).count();
                if (claims("deterministic") && targets > 1) || (claims("complete") && targets < 1) {
                    return Err(format!("{targets} targets of one letter"));
                }
            }
        }
        Ok(hoa)
    }

    fn label(tokens: &[Token], propositions: usize) -> Result<Label, String> {
        if *tokens == [Token::Word("t".into())] {
            return Ok(vec![vec![]]);
        }
        let mut label = vec![vec![]];
        let mut rest = tokens;
        loop {
            let (holds, after) = match rest {
                [Token::Symbol('!'), after @ ..] => (false, after),
                _ => (true, rest),
            };
            let [Token::Number(proposition), after @ ..] = after else { return Err(format!("{rest:?} in a label")) };
            if *proposition >= propositions {
                return Err("a proposition that is not declared".into());
            }
            label.last_mut().ok_or("label")?.push((*proposition, holds));
            rest = match after {
                [] => return Ok(label),
                [Token::Symbol('&'), after @ ..] => after,
                [Token::Symbol('|'), after @ ..] => (label.push(vec![]), after).1,
                _ => return Err(format!("{after:?} in a label")),
            };
        }
    }

    /// Returns the state that a word leads to.
    fn run(&self, word: &[u32]) -> Option<usize> {
        word.iter().try_fold(self.start?, |state, letter| {
            self.edges[state].iter().find(|(label, _)| satisfied(label, *letter)).map(|(_, target)| *target)
        })
    }
}

fn satisfied(label: &Label, letter: u32) -> bool {
    label.iter().any(|cube| cube.iter().all(|(proposition, holds)| (letter >> proposition & 1 == 1) == *holds))
}

#[test]
fn the_reader_is_strict() {
    let good = explore("G(a -> F b)").to_hoa();
    Hoa::read(&good).unwrap();
    for (from, to) in [
        ("HOA: v1", "HOA: v2"),
        ("--END--", ""),
        ("States: 2", "States: 3"),
        ("AP: 2", "AP: 1"),
        ("Inf(0)", "Fin(0)"),
        ("State: 1", "State: 2"),
        ("] 0", "] 7"),
        ("[1 | !0]", "[1 | 0]"),
        ("[!1]", "[!9]"),
        ("tool:", "name:"),
    ] {
        assert!(good.contains(from), "{from}");
        assert!(Hoa::read(&good.replacen(from, to, 1)).is_err(), "{from}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// An exported automaton, read back and run, accepts exactly the words that satisfy the formula.
    #[test]
    fn written_automata_accept_what_the_definition_says(
        formula in formulas(&["a", "b", "c"], 4),
        words in prop::collection::vec(prop::collection::vec(0u32..8, 1..6), 1..12),
    ) {
        let Ok(automaton) = Automaton::explore(&formula, &Limits::default()) else {
            return Err(TestCaseError::reject("too large"));
        };
        let names: Vec<&str> = automaton.propositions().iter().map(|name| &**name).collect();
        let finite = Hoa::read(&automaton.to_hoa()).unwrap();
        prop_assert_eq!(&finite.propositions, &names);
        for word in words {
            let word: Vec<u32> = word.iter().map(|letter| letter & ((1 << names.len()) - 1)).collect();
            let holds = |name: &str, position: usize| {
                names.iter().position(|known| *known == name).is_some_and(|bit| word[position] >> bit & 1 == 1)
            };
            let wanted = holds_at(&formula, 0, word.len(), &holds);
            let end = finite.run(&word).unwrap();
            prop_assert_eq!(finite.accepting[end], wanted, "{} on {:?}", formula, word);
        }
    }
}
