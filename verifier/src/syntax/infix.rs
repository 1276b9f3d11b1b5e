//! The infix parser: operator precedence with explicit stacks, so that no text can exhaust the call stack.

use std::ops::Range;

use super::error::SyntaxError;
use super::lexer::{Kind, Token};
use super::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::formula::{Binary, Formula, Parts, Unary};

/// A formula under construction.
pub(super) struct Node {
    pub formula: Formula,
    depth: usize,
    /// The place of an operator in it that looks ahead.
    ahead: Option<Range<usize>>,
    /// Its properties as a chain, if its operator is associative.
    chain: Option<Chain>,
}

/// Operands joined by one associative operator, in any grouping.
#[derive(Clone, Copy)]
struct Chain {
    operator: Binary,
    /// The number of levels at which the operator is nested in itself.
    levels: usize,
    /// The depth of the deepest operand.
    deepest: usize,
}

impl Node {
    fn new(formula: Formula, depth: usize) -> Self {
        Self { formula, depth, ahead: None, chain: None }
    }

    /// Returns the number of levels at which this operator is nested in itself, and the depth of the deepest operand.
    fn chain(&self, operator: Binary) -> (usize, usize) {
        match self.chain {
            Some(chain) if chain.operator == operator => (chain.levels, chain.deepest),
            _ => (0, self.depth),
        }
    }
}

pub(super) fn leaf(token: &Token) -> Option<Node> {
    match &token.kind {
        Kind::Constant(true) => Some(Node::new(Formula::True, 1)),
        Kind::Constant(false) => Some(Node::new(Formula::False, 1)),
        Kind::Atom(name) => Some(Node::new(Formula::Atom(name.clone()), 1)),
        _ => None,
    }
}

fn checked(text: &str, span: &Range<usize>, node: Node) -> Result<Node, SyntaxError> {
    if node.depth > MAX_DEPTH {
        let message = format!("the formula is nested deeper than {MAX_DEPTH} operators");
        return Err(SyntaxError::new(text, span.clone(), message));
    }
    Ok(node)
}

pub(super) fn unary(text: &str, operator: Unary, span: &Range<usize>, operand: Node) -> Result<Node, SyntaxError> {
    let node = Node::new(Formula::unary(operator, operand.formula), operand.depth + 1);
    directed(text, span, node, operand.ahead)
}

pub(super) fn binary(
    text: &str,
    operator: Binary,
    span: &Range<usize>,
    left: Node,
    right: Node,
) -> Result<Node, SyntaxError> {
    let depth = 1 + left.depth.max(right.depth);
    let ((left_levels, left_deepest), (right_levels, right_deepest)) = (left.chain(operator), right.chain(operator));
    let (levels, deepest) = (1 + left_levels.max(right_levels), left_deepest.max(right_deepest));
    let node = Node::new(Formula::binary(operator, left.formula, right.formula), depth);
    let node = match operator {
        Binary::And | Binary::Or | Binary::Xor => chained(node, Chain { operator, levels, deepest }),
        _ => node,
    };
    directed(text, span, node, left.ahead.or(right.ahead))
}

/// Checks a formula, with the place of an operator in its operands that looks ahead: no past operator applies to one.
fn directed(text: &str, span: &Range<usize>, mut node: Node, ahead: Option<Range<usize>>) -> Result<Node, SyntaxError> {
    let is_past = node.formula.is_past();
    if is_past && let Some(ahead) = ahead {
        let [past, ahead] = [span, &ahead].map(|place| &text[place.clone()]);
        let message = format!(
            "`{past}` looks back, and `{ahead}` inside it looks ahead; put `{ahead}` outside, as in `G(a -> O b)` or `F(a S b)`"
        );
        return Err(SyntaxError::new(text, span.clone(), message));
    }
    node.ahead = ahead.or_else(|| (!is_past && node.formula.is_temporal()).then(|| span.clone()));
    checked(text, span, node)
}

/// The number of operands of a long chain that form a block.
const BLOCK: usize = MAX_CHAIN / 2;

/// Balances a long chain, so that its length does not count as depth.
fn chained(node: Node, chain: Chain) -> Node {
    if chain.levels <= MAX_CHAIN {
        return Node { chain: Some(chain), ..node };
    }
    let (mut open, mut operands) = (vec![&node.formula], Vec::new());
    while let Some(formula) = open.pop() {
        match formula.parts() {
            Parts::Binary(operator, a, b) if operator == chain.operator => open.extend([b, a]),
            _ => operands.push(formula.clone()),
        }
    }
    let join = |a, b| Formula::binary(chain.operator, a, b);
    // Blocks are read from left to right, as short chains are, and joined by a balanced tree: few parentheses when
    // printed.
    let mut rest = operands.into_iter();
    let mut operands = Vec::with_capacity(rest.len().div_ceil(BLOCK));
    while let Some(first) = rest.next() {
        operands.push(rest.by_ref().take(BLOCK - 1).fold(first, join));
    }
    let mut levels = BLOCK - 1;
    while operands.len() > 1 {
        let pairs = operands.chunks(2).map(|pair| pair.iter().cloned().reduce(join).unwrap_or(Formula::True));
        (operands, levels) = (pairs.collect(), levels + 1);
    }
    let formula = operands.pop().unwrap_or(Formula::True);
    Node { formula, depth: levels + chain.deepest, chain: Some(Chain { levels, ..chain }), ..node }
}

/// An entry of the stack that waits for its right operand or its closing parenthesis.
enum Waiting {
    Unary(Unary, Range<usize>),
    Binary(Binary, Range<usize>, Node),
    Open(Range<usize>),
}

struct Parser<'a> {
    text: &'a str,
    stack: Vec<Waiting>,
}

pub(super) fn parse(text: &str, tokens: &[Token]) -> Result<Formula, SyntaxError> {
    let mut parser = Parser { text, stack: Vec::new() };
    // The operand just completed; `None` if an operand is expected.
    let mut operand: Option<Node> = None;
    for (position, token) in tokens.iter().enumerate() {
        operand = match (operand.take(), &token.kind) {
            (None, Kind::Unary(operator)) => {
                parser.stack.push(Waiting::Unary(*operator, token.span.clone()));
                None
            }
            (None, Kind::Open) => {
                parser.stack.push(Waiting::Open(token.span.clone()));
                None
            }
            (None, Kind::Constant(_) | Kind::Atom(_)) => leaf(token),
            (None, Kind::Binary(_) | Kind::Close) => return Err(missing_operand(text, tokens, position)),
            (Some(node), Kind::Binary(operator)) => {
                let left = parser.reduce(node, Some(*operator))?;
                parser.stack.push(Waiting::Binary(*operator, token.span.clone(), left));
                None
            }
            (Some(node), Kind::Close) => {
                let inner = parser.reduce(node, None)?;
                if parser.stack.pop().is_none() {
                    return Err(SyntaxError::new(text, token.span.clone(), "this `)` closes nothing; remove it"));
                }
                Some(inner)
            }
            (Some(_), Kind::Unary(_) | Kind::Open | Kind::Constant(_) | Kind::Atom(_)) => {
                return Err(missing_operator(text, tokens, position));
            }
        };
    }
    let Some(node) = operand else { return Err(missing_operand(text, tokens, tokens.len())) };
    let Node { formula, .. } = parser.reduce(node, None)?;
    match parser.stack.pop() {
        None => Ok(formula),
        Some(Waiting::Open(span) | Waiting::Unary(_, span) | Waiting::Binary(_, span, _)) => {
            Err(SyntaxError::new(text, span, "this `(` is never closed; add `)`"))
        }
    }
}

impl Parser<'_> {
    /// Applies the waiting operators to `node`, down to the innermost open parenthesis or to an operator that binds
    /// less tightly than `next`.
    fn reduce(&mut self, mut node: Node, next: Option<Binary>) -> Result<Node, SyntaxError> {
        loop {
            let applies = match self.stack.last() {
                None | Some(Waiting::Open(_)) => false,
                Some(Waiting::Unary(..)) => true,
                Some(Waiting::Binary(operator, ..)) => next.is_none_or(|next| {
                    let (waiting, _) = operator.precedence();
                    let (coming, right) = next.precedence();
                    waiting > coming || (waiting == coming && !right)
                }),
            };
            if !applies {
                return Ok(node);
            }
            node = match self.stack.pop() {
                Some(Waiting::Unary(operator, span)) => unary(self.text, operator, &span, node)?,
                Some(Waiting::Binary(operator, span, left)) => binary(self.text, operator, &span, left, node)?,
                None | Some(Waiting::Open(_)) => return Ok(node),
            };
        }
    }
}

/// Returns the error for a missing formula: the token at `position`, or the end, cannot begin one.
fn missing_operand(text: &str, tokens: &[Token], position: usize) -> SyntaxError {
    let show = |token: &Token| &text[token.span.clone()];
    let previous = position.checked_sub(1).and_then(|previous| tokens.get(previous));
    let (span, message) = match (previous, tokens.get(position)) {
        (None, None) => (0..0, "an empty formula; the formula that is always true is `true`".to_owned()),
        (Some(previous), None) => (previous.span.clone(), format!("a formula is missing after `{}`", show(previous))),
        (None, Some(Token { kind: Kind::Close, span })) => {
            (span.clone(), "this `)` closes nothing; remove it".to_owned())
        }
        (Some(Token { kind: Kind::Open, .. }), Some(Token { kind: Kind::Close, span })) => {
            (span.clone(), "these parentheses are empty; a formula goes inside".to_owned())
        }
        (Some(previous), Some(Token { kind: Kind::Close, span })) => {
            (span.clone(), format!("a formula is missing between `{}` and `)`", show(previous)))
        }
        (_, Some(token)) => (token.span.clone(), format!("a formula is missing before `{}`", show(token))),
    };
    SyntaxError::new(text, span, message)
}

/// Returns the error for two formulas side by side.
fn missing_operator(text: &str, tokens: &[Token], position: usize) -> SyntaxError {
    let token = &tokens[position];
    let word = &text[token.span.clone()];
    let instead = match word.to_ascii_lowercase().as_str() {
        "and" => Some("&"),
        "or" => Some("|"),
        "implies" => Some("->"),
        "iff" => Some("<->"),
        "until" => Some("U"),
        "release" | "releases" => Some("R"),
        _ => None,
    };
    if let Some(symbol) = instead {
        let message = format!("`{word}` is not an operator here");
        return SyntaxError::new(text, token.span.clone(), message).suggest(symbol);
    }
    let message = match position.checked_sub(1).and_then(|previous| tokens.get(previous)) {
        Some(Token { kind: Kind::Atom(name), .. }) if token.kind == Kind::Open => {
            format!("an operator is missing between `{name}` and `(`; a predicate has no space there: `{name}(…)`")
        }
        Some(Token { kind: Kind::Atom(name), .. }) if name.eq_ignore_ascii_case("not") => {
            format!("`{name}` is not an operator; write `!` before `{word}`")
        }
        Some(previous) => {
            format!(
                "an operator such as `&` or `->` is missing between `{}` and `{word}`",
                &text[previous.span.clone()]
            )
        }
        None => format!("an operator is missing before `{word}`"),
    };
    SyntaxError::new(text, token.span.clone(), message)
}
