//! What decisions cost: measured figures, how to measure them again, and where the limits are.
//!
//! `cargo bench -p ltlcrit-verifier --bench steps` and `--bench joint` print everything below; laws, generators and seeds
//! are under `benches/`. The tables are from two idle cores of a shared virtual server (Intel Xeon); with other work
//! on the machine the same code ran up to two and a half times slower. Trust the ratios, taken in one run, and the orders
//! of magnitude.
//!
//! # Steps
//!
//! A step reads a letter and computes the allowed actions. *Naive* is [`semantics`](crate::semantics), law by law, for
//! every action, on a word of two letters (`steps`) or nine (`joint`); with 10,000 laws it stops at the first broken one.
//!
//! | laws | step | judgement after it | loading | naive, times the step |
//! | --- | --- | --- | --- | --- |
//! | LTLCrit's 54 | 73 ns | 2.4 ns | 0.19 ms | 530 (two letters), 1,400 (nine) |
//! | Safety Chip's ten, a step seen before | 14 ns | | 0.13 ms | 930 (nine letters) |
//! | 10,000 random `G(phi_s -> X phi_a)`, 2 to 4 literals | 0.25 us | | 35 ms | 2,300 (two letters) |
//! | 10,000 of them, 7 to 9 literals, so that actions are left | 2.9 us | | | |
//!
//! Figures are medians, the second row the best of 400 rounds; a step seen before takes 110 instructions. Steps and
//! judgements do not allocate; `tests/shield.rs` counts. An over-constrained state, where the 54 laws leave no action and a
//! minimal conflict has to be named, takes 1.8 us and allocates the conflict.
//!
//! # Joint decisions
//!
//! Twenty places, laws drawn with seeds 1 to 40, walks of 2,000 steps by uniformly chosen allowed actions from outside all
//! places; when no action is left a new run begins. *New* is a step to a joint state that no cache knows, exploring the
//! laws' automata included; *cached* any other. Without a model (`free`) the walk moves through the same places.
//!
//! | workload | ready | new: median | p99 | cached | unknown actions |
//! | --- | --- | --- | --- | --- | --- |
//! | Safety Chip's ten, random observations | 0.13 ms | 0.96 us | 2.8 us | 0.24 us | 0 |
//! | tied, 10 laws | 0.28 ms | 1.2 us | 16 us | 0.08 us | 0 |
//! | tied, 20 laws | 0.40 ms | 2.1 us | 24 us | 0.08 us | 0 |
//! | tied, 50 laws | 0.73 ms | 2.5 us | 69 us | 0.07 us | 0 |
//! | tied, 100 laws | 1.3 ms | 4.2 us | 0.11 ms | 0.10 us | 0 |
//! | tied, 20 laws, 15% of them goals | 0.41 ms | 2.1 us | 26 us | 0.08 us | 0 |
//! | free, 50 laws | 0.32 ms | 0.84 us | 0.12 ms | 0.30 us | 0 |
//!
//! New joint states of `tied` with 100 laws are so few that their 99th percentile is their maximum. *Cached* includes
//! known joint states met by a new letter, which read every law; the same step again takes what is above. After 200,000
//! steps automata, tables and caches hold 7 to 10 MiB. They are allocated once and emptied when full.
//!
//! With a model of few places the first letter also explores these places and what each law says about them, once: that is
//! half of *ready*. What is left of the tail is mostly the first decision of all, which meets everything else for the first
//! time. With 50 laws the 99th percentile was 67 to 93 us in four runs, and 96 to 170 us while the machine was compiling, when
//! all else took up to twice as long too.
//!
//! # Limits
//!
//! Whether laws are jointly satisfiable is PSPACE-hard, and every decision stops at
//! [`ShieldOptions::work`](crate::ShieldOptions): what is undecided then is *unknown*, does not run, and is counted
//! ([`ShieldStats`](crate::ShieldStats)). On the workloads above nothing is.
//!
//! Work is counted in units, not in time: one expansion of a search, and whatever else takes as long. A decision of the
//! solver is five, a clause made for it one, a new state of a law's automaton ten and more with the size of what it
//! demands, sixteen laws reading a letter one. What a unit takes, in decisions of more than
//! 1,000 units:
//!
//! | kind of work | ns a unit, median | most units in a decision |
//! | --- | --- | --- |
//! | search with a model (tied, 10 to 50 laws) | 27 to 35 | 56,000 |
//! | solver (free, 50 laws) | 36 to 41 | 98,000 |
//! | laws written to be hard: each of twenty places once, along the doors of a maze, with a model | 32 | 101,000: all actions unknown |
//! | the same without a model (solver) | 40 | 8,400 |
//! | laws over eleven and more propositions (solver, wide automata) | 25 | 2,100 |
//!
//! So 100,000 units are 3 to 4 ms, and a decision in an over-constrained state, judged by all laws and by the hard ones, at
//! most 8 ms. Beyond its limit a decision can only finish the step it is in; the longest is the verdict of a law over many
//! propositions in a state never met before, which is kept: 20,000 units.
//!
//! With a model, joint states that owe something and are doomed took longest: proofs by search needed up to sixteen laws.
//! Most of them follow from what the laws demand, forbid and put in order, without a search. The worst decision of `tied`
//! with 50 laws took 0.8 to 1 ms in the quiet runs; whole time slices of other processes, 4 ms, show in the others.
//!
//! In `free` one new joint state in sixteen needs the solver, 70 us in the median; the others are settled by a plan or a
//! proof of doom seen before. The worst decision took 2.9 to 5 ms in the quietest runs, and up to 90 ms of clock time while
//! the machine was compiling.
