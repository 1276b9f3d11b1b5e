//! Panics of the engine: caught where they happen, put into words, and kept off the terminal.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Once;
use std::thread;

use super::chat::plain;

/// What the threads are called that azalea's tasks run on.
const TASKS: &str = "IO Task Pool";

thread_local! {
    /// Whether this thread is in [`catch`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// What the last panic in it said, and where.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does something that may panic.
///
/// # Errors
/// It panicked: what was said, and where in the code.
pub(super) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, String> {
    listen();
    let outer = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(act));
    GUARDED.set(outer);
    done.map_err(|payload| SAID.with(RefCell::take).unwrap_or_else(|| words(&*payload)))
}

/// Has panics in [`catch`] and in azalea's tasks logged; those of everyone else go to the hook there was before.
fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let in_task = || thread::current().name().is_some_and(|name| name.starts_with(TASKS));
            if !GUARDED.get() && !in_task() {
                return others(panic);
            }
            let said = match panic.location() {
                Some(location) => format!("{} ({})", words(panic.payload()), place(location)),
                None => words(panic.payload()),
            };
            tracing::error!("the game client panicked: {said}");
            SAID.with(|last| last.replace(Some(said)));
        }));
    });
}

/// What a panic said, in one harmless line.
fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    plain(text.unwrap_or("it did not say why"))
}

/// A place in the code; in that of a dependency from its own folder on.
fn place(location: &Location<'_>) -> String {
    let file = location.file().replace('\\', "/");
    let of_a_dependency = file.split_once("/registry/src/").and_then(|(_, file)| file.split_once('/'));
    format!("{}:{}", of_a_dependency.map_or(file.as_str(), |(_, file)| file), location.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_and_where() {
        assert_eq!(catch(|| 1), Ok(1));
        let number = 2;
        let said = catch(|| panic!("number {number}\n\x1b[2J")).unwrap_err();
        assert!(said.starts_with("number 2 [2J (") && said.contains("fault.rs:"), "{said}");
        // A panic within a panic's guard is the inner one's.
        assert_eq!(catch(|| catch(|| panic!("inner")).is_err()), Ok(true));
        assert!(!GUARDED.get());
    }
}
