//! The worlds of a plan: their folders, and their names in tables.

use std::collections::BTreeMap;
use std::path::Path;

use crate::world::WorldName;

/// Resolves relative folders of worlds against the folder of the plan, and expands patterns of folders.
///
/// # Errors
/// A pattern is wrong, or no folder matches it.
pub(super) fn resolve(worlds: &[WorldName], plan: &Path) -> Result<Vec<WorldName>, String> {
    let folder = std::path::absolute(plan).map_err(|error| error.to_string())?;
    let folder = folder.parent().unwrap_or(&folder);
    let mut resolved = Vec::new();
    for world in worlds {
        resolved.extend(world.within(folder)?);
    }
    Ok(resolved)
}

/// Returns the name of each world in tables, without the folders above a task's own if that is unambiguous.
pub(super) fn labels(worlds: &[WorldName]) -> Vec<String> {
    let short = |world: &WorldName| {
        let last = Path::new(world.argument()?).file_name()?.to_str()?;
        Some(format!("{}:{last}", world.kind().name()))
    };
    let mut uses = BTreeMap::<String, usize>::new();
    for label in worlds.iter().filter_map(short) {
        *uses.entry(label).or_default() += 1;
    }
    let label = |world: &WorldName| short(world).filter(|label| uses.get(label) == Some(&1));
    worlds.iter().map(|world| label(world).unwrap_or_else(|| world.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_the_plan_and_labels_are_short_where_they_can_be() {
        let worlds = ["embedded", "pddl:tasks/a", "pddl:b", "pddl:/x/b"].map(|name| name.parse().unwrap());
        let worlds = resolve(&worlds, Path::new("/plans/p.toml")).unwrap();
        let names: Vec<String> = worlds.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["embedded", "pddl:/plans/tasks/a", "pddl:/plans/b", "pddl:/x/b"]);
        assert_eq!(labels(&worlds), ["embedded", "pddl:a", "pddl:/plans/b", "pddl:/x/b"]);
    }

    #[test]
    fn a_pattern_stands_for_the_folders_that_match_it() {
        let directory = tempfile::tempdir().unwrap();
        // The name of the plan's own folder is not a pattern.
        let plans = directory.path().join("plans [1]");
        for task in ["tasks/b", "tasks/a", "other/c", "odd[*]"] {
            std::fs::create_dir_all(plans.join(task)).unwrap();
        }
        std::fs::write(plans.join("tasks/notes.txt"), "no folder").unwrap();
        let found = |pattern: &str| {
            let found = resolve(&[pattern.parse().unwrap()], &plans.join("p.toml"))?;
            Ok(found.iter().map(|world| world.to_string().replace(plans.to_str().unwrap(), "")).collect::<Vec<_>>())
        };
        assert_eq!(found("pddl:tasks/*"), Ok(vec!["pddl:/tasks/a".to_owned(), "pddl:/tasks/b".to_owned()]));
        assert_eq!(found("pddl:*/c"), Ok(vec!["pddl:/other/c".to_owned()]));
        assert_eq!(found("pddl:odd[*]"), Ok(vec!["pddl:/odd[*]".to_owned()]));
        let error =
            |pattern: &str| found(pattern).map_err(|why: String| why.replace(plans.to_str().unwrap(), "")).unwrap_err();
        assert_eq!(error("pddl:none/*"), "no folder matches `none/*`");
        assert!(error("pddl:tasks/[").starts_with("`tasks/[` is not a pattern of folders"));
    }
}
