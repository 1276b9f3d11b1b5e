//! Reading and checking large generated books.

mod generated;

use divan::Bencher;
use generated::{book, general, guarded};
use ltlcrit_laws::{CheckOptions, Reading, check_books};

fn main() {
    divan::main();
}

fn check(bencher: Bencher<'_, '_>, formulas: &[String]) {
    let reading = Reading::parse(&book(formulas), "generated", &[]);
    bencher.bench_local(|| check_books(std::slice::from_ref(&reading), &CheckOptions::default()));
}

fn read(bencher: Bencher<'_, '_>, formulas: &[String]) {
    let text = book(formulas);
    bencher.bench_local(|| Reading::parse(&text, "generated", &[]));
}

#[divan::bench(args = [100, 200, 400, 800], sample_count = 3)]
fn check_general(bencher: Bencher<'_, '_>, laws: usize) {
    check(bencher, &general(laws));
}

#[divan::bench(args = [1_250, 2_500, 5_000, 10_000], sample_count = 3)]
fn check_guarded(bencher: Bencher<'_, '_>, laws: usize) {
    check(bencher, &guarded(laws));
}

#[divan::bench(args = [2_500, 5_000, 10_000], sample_count = 3)]
fn read_guarded(bencher: Bencher<'_, '_>, laws: usize) {
    read(bencher, &guarded(laws));
}

/// Every observation is unknown.
#[divan::bench(args = [2_500, 5_000, 10_000], sample_count = 3)]
fn read_unknown(bencher: Bencher<'_, '_>, laws: usize) {
    let formulas: Vec<String> = guarded(laws).iter().map(|formula| formula.replace('o', "obs_o")).collect();
    read(bencher, &formulas);
}
