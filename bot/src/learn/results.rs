//! What learning comes to in the embedded world: measured figures, and how to measure them again.
//!
//! Everything here is of *simulated personas*: it shows that the machinery works and says nothing about language models.
//! Laws are learned on the seeds 0 to 49, by the graph critic alone; the figures are of the fresh seeds 1000 to 1099.
//! *Times the optimum* compares the steps to the diamond with what an exact planner's policy needs in the very same worlds,
//! explorations included. The same seeds give the same figures.
//!
//! # Two actors
//!
//! `cargo test -p ltlcrit --test learning -- --nocapture`
//!
//! | actor | critiques | diamonds | steps | times the optimum | failed actions |
//! | --- | --- | --- | --- | --- | --- |
//! | InnerMonologue, no laws | 0 | 100 | 45.1 | 1.166 | 13.44% |
//! | InnerMonologue | 3 | 100 | 39.1 | 1.011 | 0.38% |
//! | SayCan, hard laws only, the first ten | 0 | 0 | | | |
//! | SayCan | 4 | 100 | 43.4 | 1.121 | 0.18% |
//!
//! The paper (tables 1 and 2, five runs each) has 35.8 instead of 45.5 steps and 4.5% instead of 23% failed actions for the
//! first; for the second all diamonds, in 45.4 steps, instead of none. SayCan begins with nothing but runs that led nowhere:
//! its training seeds reach no diamond before the first and second critique and all 50 after the second; the fourth
//! changes nothing any more.
//!
//! Other fresh seeds by hundreds: InnerMonologue gets every diamond of 2000, 3000 and 4000 too, in 1.010, 1.012 and 1.006
//! times the optimum with 0.33%, 0.15% and 0.38% failed actions; SayCan every diamond of 2000 and 3000, in 1.105 and 1.117.
//!
//! # Parts left out
//!
//! InnerMonologue, three critiques: `cargo test -p ltlcrit --test learning ablations -- --ignored --nocapture`
//!
//! | critic | laws | diamonds | times the optimum | failed actions |
//! | --- | --- | --- | --- | --- |
//! | everything | 17 | 100 | 1.011 | 0.38% |
//! | environment feedback only | 11 | 100 | 1.013 | 0.38% |
//! | efficiency only | 5 | 100 | 1.149 | 12.63% |
//! | without generalisation | 78 | 100 | 1.024 | 1.82% |
//! | without the gate, four critiques | 18 | 100 | 1.009 | 0.38% |
//! | none | 0 | 100 | 1.166 | 13.44% |
//! | none, the shipped hard laws in force | 21 | 100 | 1.013 | 0.38% |
//!
//! Without the gate the laws are proved to leave some state no action, though these runs met none. This persona's mistakes
//! are mostly actions that fail, so facts are what helps it: efficiency alone has little to say and adds little to them.
