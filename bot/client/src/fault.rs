//! Catches panics of the engine, formats their messages, and logs them instead of printing them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Once;
use std::thread;

use super::chat::plain;

/// The name of the threads of azalea's tasks.
const TASKS: &str = "IO Task Pool";

thread_local! {
    /// Whether this thread is in [`catch`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The message and location of the last panic in it.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a function that may panic.
///
/// # Errors
/// It panicked with this message at this location in the code.
pub(super) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, String> {
    listen();
    let outer = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(act));
    GUARDED.set(outer);
    done.map_err(|payload| SAID.with(RefCell::take).unwrap_or_else(|| words(&*payload)))
}

/// Installs a panic hook that logs panics in [`catch`] and in azalea's tasks. All others go to the previous hook.
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

/// The message of a panic, as one line that is safe to print.
fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    plain(text.unwrap_or("it did not say why"))
}

/// A location in the code; in a dependency, relative to the registry.
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
        // The inner guard catches the panic.
        assert_eq!(catch(|| catch(|| panic!("inner")).is_err()), Ok(true));
        assert!(!GUARDED.get());
    }
}
