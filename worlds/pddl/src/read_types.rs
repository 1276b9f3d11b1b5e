//! The parser of `:types`: a hierarchy without cycles.

use crate::error::SyntaxError;
use crate::model::{Type, TypeId};
use crate::scope::{MAX_EITHER, Names, declared, either, typed_groups};
use crate::tree::Node;

/// Maximum number of types of a domain.
pub(crate) const MAX_TYPES: usize = 2_000;

/// Parses the list after `:types`. An undeclared supertype is declared by its use, below `object`.
pub(crate) fn types(nodes: &[Node<'_>]) -> Result<Vec<Type>, SyntaxError> {
    let mut table = Table::default();
    table.id("object");
    for (names, parents) in typed_groups(nodes)? {
        let parents = match parents {
            Some(node) => either(node)?.iter().map(|parent| table.declare(parent)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        for node in names {
            let id = table.declare(node)?;
            if id == TypeId::OBJECT {
                // In a list, `object` is still the root; alone, it is declared below another type.
                if names.len() == 1 && parents.iter().any(|parent| *parent != id) {
                    return Err(node.error("`object` has no supertype", "declare other types below `object`"));
                }
                continue;
            }
            for parent in &parents {
                let of = &mut table.types[usize::from(id.0)];
                if of.parents.contains(parent) {
                    continue;
                }
                if of.parents.len() == MAX_EITHER {
                    let message = format!("`{}` has more than {MAX_EITHER} direct supertypes", of.name);
                    return Err(node.error(message, "declare a type between them"));
                }
                of.parents.push(*parent);
            }
        }
    }
    // A type below `object` and another type is the same as one below the other type.
    for declared in &mut table.types[1..] {
        declared.parents.retain(|parent| *parent != TypeId::OBJECT);
        if declared.parents.is_empty() {
            declared.parents.push(TypeId::OBJECT);
        }
    }
    close(&mut table.types, nodes)?;
    Ok(table.types)
}

#[derive(Default)]
struct Table {
    types: Vec<Type>,
    names: Names,
}

impl Table {
    fn id(&mut self, name: &str) -> TypeId {
        let id = self.names.get(name).unwrap_or_else(|| {
            self.names.insert(name, self.types.len());
            self.types.push(Type { name: name.into(), parents: Vec::new(), ancestors: Vec::new() });
            self.types.len() - 1
        });
        TypeId(id as u16)
    }

    fn declare(&mut self, node: &Node<'_>) -> Result<TypeId, SyntaxError> {
        let name = declared(node, "type")?;
        let id = self.id(&name);
        match self.types.len() > MAX_TYPES {
            true => Err(node.error("too many types", format!("at most {MAX_TYPES} are read"))),
            false => Ok(id),
        }
    }
}

/// Computes the ancestors of all types, each after its supertypes.
fn close(types: &mut [Type], nodes: &[Node<'_>]) -> Result<(), SyntaxError> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut open: Vec<usize> = types.iter().map(|of| of.parents.len()).collect();
    for (id, of) in types.iter().enumerate() {
        of.parents.iter().for_each(|parent| below[usize::from(parent.0)].push(id));
    }
    // The sets are bits, since a type may have thousands of paths to an ancestor.
    let mut ancestors: Vec<Vec<u64>> = vec![vec![0; types.len().div_ceil(64)]; types.len()];
    let mut ready: Vec<usize> = (0..types.len()).filter(|id| open[*id] == 0).collect();
    while let Some(id) = ready.pop() {
        ancestors[id][id / 64] |= 1 << (id % 64);
        let own = std::mem::take(&mut ancestors[id]);
        for child in &below[id] {
            ancestors[*child].iter_mut().zip(&own).for_each(|(word, more)| *word |= more);
            open[*child] -= 1;
            if open[*child] == 0 {
                ready.push(*child);
            }
        }
        let is_ancestor = |at: &usize| own[at / 64] >> (at % 64) & 1 == 1;
        types[id].ancestors = (0..types.len()).filter(is_ancestor).map(|at| TypeId(at as u16)).collect();
    }
    match types.iter().find(|of| of.ancestors.is_empty()) {
        None => Ok(()),
        Some(of) => {
            let circular = |node: &&Node<'_>| node.word().is_some_and(|word| word.eq_ignore_ascii_case(&of.name));
            let node = nodes.iter().find(circular).unwrap_or(&nodes[0]);
            let message = format!("the type `{}` is a subtype of itself", of.name);
            Err(node.error(message, "remove one of the subtypes in the circle"))
        }
    }
}
