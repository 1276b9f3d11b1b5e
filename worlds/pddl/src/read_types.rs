//! Reading `:types`: a hierarchy without circles.

use rustc_hash::FxHashMap;

use crate::error::SyntaxError;
use crate::model::{Type, TypeId};
use crate::scope::{Names, declared, either, typed_groups};
use crate::tree::Node;

/// The most types of a domain.
pub const MAX_TYPES: usize = 2_000;

/// Reads the list after `:types`. A supertype that is not declared itself is declared by its use, below `object`.
pub(crate) fn types(nodes: &[Node<'_>]) -> Result<(Vec<Type>, Names), SyntaxError> {
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
                if parents.iter().any(|parent| *parent != id) {
                    return Err(node.error("`object` has no supertype", "declare other types below `object`"));
                }
                continue;
            }
            for parent in &parents {
                let of = &mut table.types[usize::from(id.0)].parents;
                if !of.contains(parent) {
                    of.push(*parent);
                }
            }
        }
        if table.types.len() > MAX_TYPES {
            return Err(nodes[0].error("too many types", format!("at most {MAX_TYPES} are read")));
        }
    }
    // A type below `object` and something else says nothing more than below something else.
    for declared in &mut table.types[1..] {
        declared.parents.retain(|parent| *parent != TypeId::OBJECT);
        if declared.parents.is_empty() {
            declared.parents.push(TypeId::OBJECT);
        }
    }
    close(&mut table.types, nodes)?;
    Ok((table.types, table.names))
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
        if self.types.len() > MAX_TYPES {
            return Err(node.error("too many types", format!("at most {MAX_TYPES} are read")));
        }
        Ok(self.id(&name))
    }
}

/// Computes the ancestors of all types.
fn close(types: &mut [Type], nodes: &[Node<'_>]) -> Result<(), SyntaxError> {
    let mut done: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
    loop {
        let ready = |(id, of): &(usize, &Type)| {
            !done.contains_key(&TypeId(*id as u16)) && of.parents.iter().all(|parent| done.contains_key(parent))
        };
        let next: Vec<usize> = types.iter().enumerate().filter(ready).map(|(id, _)| id).collect();
        if next.is_empty() {
            break;
        }
        for id in next {
            let mut ancestors: Vec<TypeId> = types[id].parents.iter().flat_map(|parent| done[parent].clone()).collect();
            ancestors.push(TypeId(id as u16));
            ancestors.sort_unstable();
            ancestors.dedup();
            done.insert(TypeId(id as u16), ancestors);
        }
    }
    for (id, of) in types.iter_mut().enumerate() {
        match done.remove(&TypeId(id as u16)) {
            Some(ancestors) => of.ancestors = ancestors,
            None => {
                let circular = |node: &&Node<'_>| node.word().is_some_and(|word| word.eq_ignore_ascii_case(&of.name));
                let node = nodes.iter().find(circular).unwrap_or(&nodes[0]);
                let message = format!("the type `{}` is a subtype of itself", of.name);
                return Err(node.error(message, "remove one of the subtypes in the circle"));
            }
        }
    }
    Ok(())
}
