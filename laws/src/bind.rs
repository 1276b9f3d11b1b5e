//! Binds the parameters of a law to objects, and reports the faults that prevent it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ltlcrit_verifier::syntax::nearest_name;
use ltlcrit_verifier::{Signature, Vocabulary};

use crate::book::{Parameter, Template};
use crate::diagnostic::Code;

/// A fault of a law with parameters, with its correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The bytes of the book's text.
    pub span: Range<usize>,
    pub code: Code,
    pub message: String,
    pub help: Option<String>,
}

/// An argument of a proposition.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Parameter(Arc<str>),
    Object(Arc<str>),
}

/// A proposition with parameters.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub symbol: Arc<str>,
    pub arguments: Vec<Argument>,
}

/// A use of a parameter: its argument position, the types allowed there, and its bytes in the book.
struct Use {
    parameter: Arc<str>,
    symbol: Arc<str>,
    position: usize,
    types: Vec<Arc<str>>,
    span: Range<usize>,
}

impl Use {
    fn wanted(&self) -> String {
        wanted(&self.symbol, self.position, &self.types)
    }
}

/// Propositions with parameters, by name.
pub(crate) type LiftedAtoms = BTreeMap<Arc<str>, Lifted>;

/// Parameters in order, each with the objects that it may stand for.
pub(crate) type Parameters = Vec<(Arc<str>, Vec<Arc<str>>)>;

/// Binds a law: returns its propositions by name and its parameters. Propositions that the vocabulary already contains
/// are left out.
pub(crate) fn bind(
    template: &Template,
    vocabulary: &Vocabulary,
    signature: &Signature,
) -> Result<(LiftedAtoms, Parameters), Vec<Fault>> {
    let mut binder = Binder { template, vocabulary, signature, uses: Vec::new(), faults: Vec::new() };
    let atoms = binder.atoms();
    // A fault of a proposition would be repeated for its parameters.
    let parameters = if binder.faults.is_empty() { binder.parameters() } else { Vec::new() };
    if binder.faults.is_empty() { Ok((atoms, parameters)) } else { Err(binder.faults) }
}

/// The state of binding one law.
struct Binder<'a> {
    template: &'a Template,
    vocabulary: &'a Vocabulary,
    signature: &'a Signature,
    uses: Vec<Use>,
    faults: Vec<Fault>,
}

impl Binder<'_> {
    fn fault(&mut self, span: Range<usize>, code: Code, message: String, help: Option<String>) {
        self.faults.push(Fault { span, code, message, help });
    }

    /// Returns the propositions of the law by name, without those that the vocabulary already contains.
    fn atoms(&mut self) -> LiftedAtoms {
        let mut atoms = BTreeMap::new();
        for (name, span) in &self.template.atoms {
            if self.vocabulary.can_hold(name) || atoms.contains_key(name) {
                continue;
            }
            if let Some(lifted) = self.atom(name, span) {
                atoms.insert(name.clone(), lifted);
            }
        }
        atoms
    }

    fn atom(&mut self, name: &str, span: &Range<usize>) -> Option<Lifted> {
        let (symbol, arguments) = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
            Some((symbol, arguments)) => (symbol, arguments.split(", ").collect::<Vec<_>>()),
            None => (name, Vec::new()),
        };
        let Some((symbol, types)) = self.signature.symbols.get_key_value(symbol) else {
            let message = format!("`{symbol}` is not a predicate or action of the domain `{}`", self.signature.domain);
            let known = self.signature.symbols.keys().map(|known| &**known);
            let help = nearest_name(symbol, known).map(|meant| format!("did you mean `{meant}`?"));
            self.fault(self.template.in_formula(span), Code::UnknownProposition, message, help);
            return None;
        };
        if arguments.len() != types.len() {
            let (takes, has) = (arity(types.len()), arguments.len());
            let message = format!("`{symbol}` takes {takes}, not {has}");
            let help = format!("write {}", usage(symbol, types));
            self.fault(self.template.in_formula(span), Code::UnknownProposition, message, Some(help));
            return None;
        }
        let symbol = symbol.clone();
        let mut lifted = Vec::new();
        for (position, (argument, types)) in arguments.into_iter().zip(types).enumerate() {
            let span = self.argument(span, position);
            let argument: Arc<str> = Arc::from(argument);
            if argument.starts_with('?') {
                let (symbol, types) = (symbol.clone(), types.clone());
                self.uses.push(Use { parameter: argument.clone(), symbol, position, types, span });
                lifted.push(Argument::Parameter(argument));
            } else {
                self.object(&argument, &symbol, position, types, span)?;
                lifted.push(Argument::Object(argument));
            }
        }
        Some(Lifted { symbol, arguments: lifted })
    }

    /// Checks an object as an argument.
    fn object(
        &mut self,
        object: &str,
        symbol: &str,
        position: usize,
        types: &[Arc<str>],
        span: Range<usize>,
    ) -> Option<()> {
        let fitting = self.signature.objects(types);
        if fitting.iter().any(|one| **one == *object) {
            return Some(());
        }
        let its = self.signature.types_of(object);
        let message = match its.as_slice() {
            [] => format!("there is no object `{object}`"),
            its => format!("`{object}` is of type `{}`, {}", its.join("`, `"), wanted(symbol, position, types)),
        };
        let help =
            nearest_name(object, fitting.iter().map(|one| &**one)).map(|meant| format!("did you mean `{meant}`?"));
        self.fault(span, Code::UnknownProposition, message, help);
        None
    }

    /// Returns the bytes in the book of an argument of the proposition at these bytes of the formula.
    fn argument(&self, span: &Range<usize>, position: usize) -> Range<usize> {
        let text = self.template.law.formula_text.get(span.clone()).unwrap_or_default();
        let whole = self.template.in_formula(span);
        let Some(open) = text.find('(').filter(|_| !text.starts_with('"')) else { return whole };
        let inner = text[open + 1..].trim_end_matches(')');
        let Some(argument) = inner.split(',').nth(position) else { return whole };
        let before: usize = inner.split(',').take(position).map(|argument| argument.len() + 1).sum();
        let blank = argument.len() - argument.trim_start().len();
        let start = span.start + open + 1 + before + blank;
        self.template.in_formula(&(start..start + argument.trim().len()))
    }

    /// Returns the declared parameters or, without a declaration, those that occur.
    fn parameters(&mut self) -> Parameters {
        let template = self.template;
        match &template.parameters {
            Some(declared) => self.declared(declared),
            None => self.inferred(),
        }
    }

    fn declared(&mut self, declared: &[Parameter]) -> Parameters {
        let mut parameters: Parameters = Vec::new();
        for Parameter { name: (name, span), type_name } in declared {
            if parameters.iter().any(|(known, _)| known == name) {
                self.fault(span.clone(), Code::Book, format!("the parameter `{name}` is declared twice"), None);
                continue;
            }
            if self.uses.iter().all(|one| one.parameter != *name) {
                let help = "mention it in the formula, or leave it out".to_owned();
                self.fault(span.clone(), Code::Book, format!("the parameter `{name}` is not used"), Some(help));
            }
            let mut objects = Vec::new();
            match type_name {
                None => {
                    let first = self.uses.iter().find(|one| one.parameter == *name).and_then(|one| one.types.first());
                    let first = first.map_or("TYPE", |first| &**first);
                    let help = format!("write `{name} - {first}`");
                    self.fault(span.clone(), Code::Book, format!("the parameter `{name}` has no type"), Some(help));
                }
                Some((type_name, span)) => match self.signature.types.get(type_name) {
                    Some(of_type) => {
                        objects.clone_from(of_type);
                        self.fits(name, type_name, of_type, span);
                    }
                    None => {
                        let known = self.signature.types.keys().map(|known| &**known);
                        let help = match nearest_name(type_name, known) {
                            Some(meant) => format!("did you mean `{meant}`?"),
                            None => format!("its types: {}", quoted(self.signature.types.keys()).replace(" or ", ", ")),
                        };
                        let message = format!("the domain `{}` has no type `{type_name}`", self.signature.domain);
                        self.fault(span.clone(), Code::Book, message, Some(help));
                    }
                },
            }
            parameters.push((name.clone(), objects));
        }
        let undeclared = self.uses.iter().filter(|one| parameters.iter().all(|(known, _)| *known != one.parameter));
        let faults: Vec<Fault> = undeclared
            .map(|one| Fault {
                span: one.span.clone(),
                code: Code::Book,
                message: format!("`{}` is not among the parameters", one.parameter),
                help: one.types.first().map(|first| format!("add `{} - {first}` to `parameters`", one.parameter)),
            })
            .collect();
        self.faults.extend(faults);
        parameters
    }

    /// Checks that a parameter fits every position in which it occurs.
    fn fits(&mut self, name: &Arc<str>, type_name: &str, objects: &[Arc<str>], span: &Range<usize>) {
        let misfit = self.uses.iter().filter(|one| one.parameter == *name).find_map(|one| {
            let fitting = self.signature.objects(&one.types);
            let outside = objects.iter().find(|object| !fitting.contains(object))?;
            let message = format!("`{outside}` is of type `{type_name}`, {}", one.wanted());
            Some((message, one.types.first().map(|first| format!("write `{name} - {first}`, or a type within it"))))
        });
        if let Some((message, help)) = misfit {
            self.fault(span.clone(), Code::Book, message, help);
        }
    }

    fn inferred(&mut self) -> Parameters {
        let mut parameters: Parameters = Vec::new();
        let mut faults = Vec::new();
        for one in &self.uses {
            let fitting = self.signature.objects(&one.types);
            let Some((_, objects)) = parameters.iter_mut().find(|(name, _)| *name == one.parameter) else {
                parameters.push((one.parameter.clone(), fitting));
                continue;
            };
            let was_empty = objects.is_empty();
            objects.retain(|object| fitting.contains(object));
            let first = self.uses.iter().find(|first| first.parameter == one.parameter);
            if let (true, Some(first)) = (objects.is_empty() && !was_empty && !fitting.is_empty(), first) {
                let (name, there, here) = (&one.parameter, first.wanted(), one.wanted());
                let message = format!("no object can be `{name}`: {there}, and {here}");
                let help = "give one of them another parameter".to_owned();
                faults.push(Fault { span: one.span.clone(), code: Code::Book, message, help: Some(help) });
            }
        }
        self.faults.extend(faults);
        parameters
    }
}

/// Describes the expected type: `argument 1 of `drop` is an `item``.
fn wanted(symbol: &str, position: usize, types: &[Arc<str>]) -> String {
    format!("argument {} of `{symbol}` is of type {}", position + 1, quoted(types))
}

fn quoted<'a>(names: impl IntoIterator<Item = &'a Arc<str>>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(" or ")
}

fn arity(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

/// Returns the signature of a predicate or action: `move(?x, ?y)` with the types of the arguments.
fn usage(symbol: &str, types: &[Vec<Arc<str>>]) -> String {
    if types.is_empty() {
        return format!("`{symbol}`");
    }
    let names: Vec<String> = (1..=types.len()).map(|number| format!("?{number}")).collect();
    let typed: Vec<String> =
        names.iter().zip(types).map(|(name, types)| format!("{name} of type {}", quoted(types))).collect();
    format!("`{symbol}({})` with {}", names.join(", "), typed.join(" and "))
}
