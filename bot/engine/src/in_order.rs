//! Runs work on several threads and takes the results in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The maximum number of items per thread that are under way or finished before the first of them is taken.
const AHEAD: usize = 4;

/// The state that threads share.
struct Shared<R> {
    /// The index of the next item to begin.
    next: usize,
    /// The index of the next item to take.
    taken: usize,
    /// Finished results, by index.
    done: BTreeMap<usize, R>,
    stopped: bool,
    /// The number of threads that have not ended.
    workers: usize,
}

/// Calls `work` for each item on up to `threads` threads, and `take` with the results, in the items' order, on this
/// thread. After an error of `take`, no further item is begun, and later results are dropped. If `work` is a function
/// of its item, the calls of `take` do not depend on the number of threads.
///
/// # Errors
/// The error of `take`.
pub fn in_order<T: Sync, R: Send, E>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, items.len().max(1));
    let ahead = threads * AHEAD;
    let shared = Mutex::new(Shared { next: 0, taken: 0, done: BTreeMap::new(), stopped: false, workers: threads });
    let changed = Condvar::new();
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    /// Counts a thread as ended when it is dropped, even if its work panics.
    struct Leaves<'a, R>(&'a Mutex<Shared<R>>, &'a Condvar);
    impl<R> Drop for Leaves<'_, R> {
        fn drop(&mut self) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).workers -= 1;
            self.1.notify_all();
        }
    }
    let worker = || {
        let _leaves = Leaves(&shared, &changed);
        loop {
            let mut state = lock();
            while !state.stopped && state.next < items.len() && state.next >= state.taken + ahead {
                state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let Some(item) = items.get(state.next).filter(|_| !state.stopped) else { return };
            let index = state.next;
            state.next += 1;
            drop(state);
            let result = work(item);
            lock().done.insert(index, result);
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
        for (index, item) in items.iter().enumerate() {
            let mut state = lock();
            let result = loop {
                match state.done.remove(&index) {
                    Some(result) => break result,
                    // A thread panicked; the scope passes the panic on.
                    None if state.workers == 0 => return Ok(()),
                    None => state = changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            state.taken = index + 1;
            drop(state);
            changed.notify_all();
            if let Err(error) = take(item, result) {
                lock().stopped = true;
                changed.notify_all();
                return Err(error);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_and_not_too_many_wait() {
        let items: Vec<usize> = (0..200).collect();
        let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut seen = Vec::new();
        let work = |item: &usize| {
            let before = taken.load(Ordering::SeqCst);
            assert!(begun.fetch_add(1, Ordering::SeqCst) <= before + 4 * AHEAD);
            item * item
        };
        let taking = |item: &usize, square: usize| {
            taken.fetch_add(1, Ordering::SeqCst);
            assert_eq!(square, item * item);
            seen.push(*item);
            Ok::<_, ()>(())
        };
        in_order(4, &items, work, taking).unwrap();
        assert_eq!(seen, items);
    }

    #[test]
    fn nothing_is_taken_after_an_error() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let result = in_order(
                threads,
                &[0, 1, 2, 3, 4, 5],
                |item| *item,
                |item, _| {
                    seen.push(*item);
                    if *item == 2 { Err("two") } else { Ok(()) }
                },
            );
            assert_eq!((result, seen), (Err("two"), vec![0, 1, 2]));
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let _ = in_order(2, &[1, 2, 3], |item| assert!(*item != 2), |_, ()| Ok::<_, ()>(()));
    }

    #[test]
    fn no_items_are_no_work() {
        let nothing: [u8; 0] = [];
        assert_eq!(in_order(8, &nothing, |_| (), |_, ()| Err("taken")), Ok(()));
    }
}
