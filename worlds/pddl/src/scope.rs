//! Names in scope during parsing: types, objects, symbols and variables.

use std::sync::Arc;

use ltlcrit_verifier::syntax::nearest_name;
use rustc_hash::FxHashMap;

use crate::error::SyntaxError;
use crate::model::{Domain, ObjectId, Symbol, Term, Type, TypeId, Typed};
use crate::tree::Node;

/// Maximum number of parameters of a predicate, a fluent, an action or a quantifier.
pub(crate) const MAX_PARAMETERS: usize = 32;

/// Maximum number of types of one `either`.
pub(crate) const MAX_EITHER: usize = 32;

/// Numbers by name. PDDL ignores case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(FxHashMap<String, usize>);

impl Names {
    /// Numbers names in their order.
    pub fn of<'n>(names: impl Iterator<Item = &'n Arc<str>>) -> Self {
        Self(names.enumerate().map(|(number, name)| (name.to_ascii_lowercase(), number)).collect())
    }

    pub fn get(&self, name: &str) -> Option<usize> {
        match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => self.0.get(&name.to_ascii_lowercase()).copied(),
            false => self.0.get(name).copied(),
        }
    }

    /// Adds a name; returns the number that the name already has, if any.
    pub fn insert(&mut self, name: &str, number: usize) -> Option<usize> {
        self.0.insert(name.to_ascii_lowercase(), number)
    }

    /// Returns the number of a name that must exist; `kind` is its kind, such as `predicate`.
    pub fn require(&self, node: &Node<'_>, kind: &str) -> Result<usize, SyntaxError> {
        let name = node.name(&format!("the name of a {kind}"))?;
        self.get(name).ok_or_else(|| {
            let nearest = nearest_name(&name.to_ascii_lowercase(), self.0.keys().map(String::as_str));
            let help = match nearest {
                Some(near) => format!("did you mean `{near}`?"),
                None => "declare it before it is used".to_owned(),
            };
            node.error(format!("there is no {kind} `{name}`"), help)
        })
    }
}

/// Returns a name to declare: a letter, then letters, digits, `-` and `_`.
pub(crate) fn declared(node: &Node<'_>, kind: &str) -> Result<Arc<str>, SyntaxError> {
    let name = node.name(&format!("the name of a {kind}"))?;
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match begins && name.bytes().all(legal) {
        true => Ok(name.into()),
        false => {
            let help = "a name is letters, digits, `-` and `_`, and begins with none but a letter, a digit or `_`";
            Err(node.error(format!("`{name}` is no name of a {kind}"), help))
        }
    }
}

/// The types of a domain by name.
pub(crate) struct Types<'a> {
    names: Names,
    types: &'a [Type],
}

impl<'a> Types<'a> {
    pub fn of(types: &'a [Type]) -> Self {
        Self { names: Names::of(types.iter().map(|of| &of.name)), types }
    }

    /// Parses `NAME` or `(either NAME …)`.
    pub fn read(&self, node: &Node<'_>) -> Result<Vec<TypeId>, SyntaxError> {
        either(node)?.iter().map(|name| self.names.require(name, "type").map(|id| TypeId(id as u16))).collect()
    }

    /// Parses a typed list of variables (`?x ?y - t`) or of objects.
    pub fn list(&self, nodes: &[Node<'_>], kind: &str) -> Result<Vec<Typed>, SyntaxError> {
        let mut typed = Vec::with_capacity(nodes.len());
        for (names, types) in typed_groups(nodes)? {
            let types = types.map_or(Ok(vec![TypeId::OBJECT]), |node| self.read(node))?;
            for node in names {
                let name = if kind == "variable" { variable(node)? } else { declared(node, kind)? };
                typed.push(Typed { name, types: types.clone() });
            }
        }
        Ok(typed)
    }

    /// Parses parameters; no variable may occur twice.
    pub fn parameters(&self, nodes: &[Node<'_>]) -> Result<Vec<Typed>, SyntaxError> {
        let parameters = self.list(nodes, "variable")?;
        if parameters.len() > MAX_PARAMETERS {
            let message = format!("{} parameters", parameters.len());
            return Err(nodes[0].error(message, format!("at most {MAX_PARAMETERS} are read")));
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|other| other.name.eq_ignore_ascii_case(&parameter.name)) {
                let message = format!("the variable `{}` is declared twice", parameter.name);
                return Err(nodes[0].error(message, "give each variable its own name"));
            }
        }
        Ok(parameters)
    }
}

/// Returns the words of `NAME` or `(either NAME …)`.
pub(crate) fn either<'n, 'a>(node: &'n Node<'a>) -> Result<&'n [Node<'a>], SyntaxError> {
    match node.headed() {
        Some((head, rest)) if head == "either" && rest.len() > MAX_EITHER => {
            let help = format!("at most {MAX_EITHER} are read; declare a type above them");
            Err(node.error(format!("an `either` of {} types", rest.len()), help))
        }
        Some((head, rest)) if head == "either" && !rest.is_empty() => Ok(rest),
        None if node.word().is_some() => Ok(std::slice::from_ref(node)),
        _ => Err(node.error(format!("found {}", node.shown()), "write a type, or `(either TYPE …)`")),
    }
}

/// Names with the type that follows them, if there is one.
type Group<'n, 'a> = (&'n [Node<'a>], Option<&'n Node<'a>>);

/// Splits a typed list at its dashes.
pub(crate) fn typed_groups<'n, 'a>(nodes: &'n [Node<'a>]) -> Result<Vec<Group<'n, 'a>>, SyntaxError> {
    let mut groups = Vec::new();
    let mut rest = nodes;
    while !rest.is_empty() {
        let Some(dash) = rest.iter().position(|node| node.word() == Some("-")) else {
            groups.push((rest, None));
            break;
        };
        let Some(types) = rest.get(dash + 1).filter(|_| dash > 0) else {
            return Err(rest[dash].error("this `-` stands alone", "write `NAME - TYPE`"));
        };
        groups.push((&rest[..dash], Some(types)));
        rest = &rest[dash + 2..];
    }
    Ok(groups)
}

fn variable(node: &Node<'_>) -> Result<Arc<str>, SyntaxError> {
    let name = node.name("a variable such as `?x`")?;
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match name.strip_prefix('?') {
        Some(rest) if !rest.is_empty() && rest.bytes().all(legal) => Ok(name.into()),
        _ => Err(node.error(format!("`{name}` is no variable"), "a variable begins with `?`, such as `?x`")),
    }
}

/// The names that a condition or an effect may use.
pub(crate) struct Scope<'a> {
    pub domain: &'a Domain,
    objects: &'a [Typed],
    pub types: Types<'a>,
    pub predicate_names: Names,
    pub function_names: Names,
    pub object_names: Names,
    /// The variables in scope; later ones hide earlier ones of the same name.
    variables: Vec<Typed>,
}

impl<'a> Scope<'a> {
    /// Creates the scope of a domain's symbols and of some objects, without variables.
    pub fn new(domain: &'a Domain, objects: &'a [Typed]) -> Self {
        Self {
            domain,
            objects,
            types: Types::of(&domain.types),
            predicate_names: Names::of(domain.predicates.iter().map(|of| &of.name)),
            function_names: Names::of(domain.functions.iter().map(|of| &of.name)),
            object_names: Names::of(objects.iter().map(|of| &of.name)),
            variables: Vec::new(),
        }
    }

    /// Parses a term: a variable in scope or an object.
    pub fn term(&self, node: &Node<'_>) -> Result<Term, SyntaxError> {
        let name = node.name("a variable or an object")?;
        if !name.starts_with('?') {
            return self.object_names.require(node, "object").map(|id| Term::Object(ObjectId(id as u32)));
        }
        let found = self.variables.iter().rposition(|variable| variable.name.eq_ignore_ascii_case(name));
        found.map(|index| Term::Variable(index as u16)).ok_or_else(|| {
            let known: Vec<&str> = self.variables.iter().map(|variable| &*variable.name).collect();
            let help = match known.is_empty() {
                true => "no variables are in scope here".to_owned(),
                false => format!("in scope are {}", known.join(", ")),
            };
            node.error(format!("the variable `{name}` is not declared"), help)
        })
    }

    /// Parses the arguments of a symbol and checks their number and types.
    pub fn arguments(
        &self,
        node: &Node<'_>,
        symbol: &Symbol,
        arguments: &[Node<'_>],
    ) -> Result<Vec<Term>, SyntaxError> {
        let (found, wanted) = (arguments.len(), symbol.parameters.len());
        if found != wanted {
            let message = format!("`{}` has {wanted} parameters, not {found}", symbol.name);
            return Err(node.error(message, format!("write {wanted} arguments")));
        }
        let terms = arguments.iter().map(|argument| self.term(argument)).collect::<Result<Vec<_>, _>>()?;
        for ((term, parameter), argument) in terms.iter().zip(&symbol.parameters).zip(arguments) {
            self.check_type(*term, parameter, argument, symbol)?;
        }
        Ok(terms)
    }

    /// Refuses a term that can never have a parameter's type. A variable of a supertype is accepted.
    fn check_type(&self, term: Term, parameter: &Typed, node: &Node<'_>, symbol: &Symbol) -> Result<(), SyntaxError> {
        let typed = match term {
            Term::Variable(index) => &self.variables[usize::from(index)],
            Term::Object(id) => &self.objects[id.0 as usize],
        };
        let is = |of: &[TypeId], types: &[TypeId]| of.iter().any(|of| self.domain.is_subtype(*of, types));
        let below = is(&typed.types, &parameter.types);
        let above = matches!(term, Term::Variable(_)) && is(&parameter.types, &typed.types);
        if below || above {
            return Ok(());
        }
        let names = |types: &[TypeId]| {
            let names: Vec<&str> = types.iter().map(|id| &*self.types.types[usize::from(id.0)].name).collect();
            names.join("` or `")
        };
        let (own, wanted) = (names(&typed.types), names(&parameter.types));
        let message = format!("`{}` is of type `{own}`, but `{}` takes `{wanted}` here", typed.name, symbol.name);
        Err(node.error(message, "use something of that type, or declare the type as a subtype"))
    }

    /// Calls `run` with more variables in scope.
    pub fn with<T>(
        &mut self,
        variables: &[Typed],
        node: &Node<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        let before = self.variables.len();
        if before + variables.len() > MAX_VARIABLES {
            let message = format!("more than {MAX_VARIABLES} variables in scope");
            return Err(node.error(message, "split the expression"));
        }
        self.variables.extend_from_slice(variables);
        let result = read(self);
        self.variables.truncate(before);
        result
    }
}

/// Maximum number of variables in scope at one place.
const MAX_VARIABLES: usize = 64;
