//! Checks that files do not import each other in cycles.
//!
//! A file imports the file that defines an item it names; `pub use` is followed to the definition. Tests at the end of
//! a file are ignored.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree, Visibility};

/// A module's path from the root of its crate.
type Module = Vec<String>;

/// The paths in a file.
#[derive(Default)]
struct Named {
    /// Its `pub use` items, by their names here.
    exports: BTreeMap<String, Module>,
    /// The paths that it uses itself.
    uses: Vec<Module>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Returns the paths in a `use`, each with its name in this file.
fn leaves(tree: &UseTree, prefix: &[String], into: &mut Vec<(String, Module)>) {
    let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), into),
        UseTree::Name(name) => into.push((name.ident.to_string(), with(&name.ident))),
        UseTree::Rename(rename) => into.push((rename.rename.to_string(), with(&rename.ident))),
        UseTree::Glob(_) => into.push(("*".to_owned(), prefix.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, prefix, into)),
    }
}

impl<'a> Visit<'a> for Named {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Use(item) => {
                let mut named = Vec::new();
                leaves(&item.tree, &[], &mut named);
                match item.vis {
                    Visibility::Inherited => self.uses.extend(named.into_iter().map(|(_, path)| path)),
                    _ => self.exports.extend(named),
                }
            }
            _ => syn::visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            self.uses.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }
}

/// Returns the modules of a crate with their paths.
fn modules(source: &Path) -> BTreeMap<Module, Named> {
    fn files(directory: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, into),
                false => into.push(path),
            }
        }
    }
    let mut found = Vec::new();
    files(source, &mut found);
    let rust = found.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let module = |path: &PathBuf| {
        let inside = path.strip_prefix(source).unwrap().with_extension("");
        let mut module: Module = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        module.pop_if(|last| ["lib", "main", "mod"].contains(&last.as_str()));
        let mut named = Named::default();
        named.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
        (module, named)
    };
    rust.map(module).filter(|(module, _)| !module.iter().any(|part| part == "tests")).collect()
}

/// Returns the module that defines the item of a path.
fn definition(from: &Module, path: &[String], modules: &BTreeMap<Module, Named>, depth: usize) -> Option<Module> {
    let (mut module, mut rest) = (from.clone(), path);
    match rest.first()?.as_str() {
        "crate" => (module, rest) = (Module::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                module.pop()?;
                rest = &rest[1..];
            }
        }
        child if modules.contains_key(&[&module[..], &[child.to_owned()]].concat()) => {}
        _ => return None,
    }
    while let Some(child) = rest.first()
        && modules.contains_key(&[&module[..], std::slice::from_ref(child)].concat())
    {
        module.push(child.clone());
        rest = &rest[1..];
    }
    let passed_on = rest.first().and_then(|name| modules.get(&module)?.exports.get(name)).filter(|_| depth < 8);
    let further = passed_on.map(|target| [target, &rest[1..]].concat());
    further.and_then(|path| definition(&module, &path, modules, depth + 1)).or(Some(module))
}

/// Returns the cycles among the files of a crate.
fn cycles(source: &Path) -> Vec<Vec<String>> {
    let modules = modules(source);
    let names: Vec<&Module> = modules.keys().collect();
    let number = |module: &Module| names.binary_search(&module).ok();
    let mut graph = DiGraphMap::<usize, ()>::new();
    for (module, named) in &modules {
        for path in &named.uses {
            let target = definition(module, path, &modules, 0);
            if let Some((from, to)) =
                number(module).zip(target.and_then(|target| number(&target))).filter(|(a, b)| a != b)
            {
                graph.add_edge(from, to, ());
            }
        }
    }
    let file = |number: usize| if names[number].is_empty() { "lib".to_owned() } else { names[number].join("/") };
    let cycles = tarjan_scc(&graph).into_iter().filter(|files| files.len() > 1);
    cycles.map(|files| files.into_iter().map(file).collect()).collect()
}

#[test]
fn no_file_imports_itself_by_way_of_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let rooms = [
        "verifier",
        "laws",
        "worlds",
        "worlds/minecraft",
        "worlds/pddl",
        "worlds/server",
        "critic",
        "critic/store",
        "critic/model",
        "bot",
        "bot/client",
        "bot/engine",
        "bot/guard",
        "bot/statistics",
        "bot/watch",
    ];
    let found = rooms.map(|room| (room, cycles(&root.join(room).join("src"))));
    let found: Vec<_> = found.into_iter().filter(|(_, cycles)| !cycles.is_empty()).collect();
    assert!(found.is_empty(), "{found:#?}");
}
