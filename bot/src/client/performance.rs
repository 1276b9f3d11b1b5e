//! What the client costs: measured figures, how to measure them again, and what they are worth.
//!
//! `cargo bench -p ltlcrit-tests --bench side_by_side` and `--bench ten_bots` print everything below. The figures here
//! were taken with `--profile dev` (this crate unoptimised, its dependencies little) on two cores.
//!
//! # Side by side
//!
//! mineflayer and this client, one after the other, each in a process of its own and at the game's speed, on fresh loopback
//! servers of the compact terrain of one seed, do the same 42 actions, from the first log to the diamond. A primitive's
//! time is from asking for it to its verified effect; mineflayer verifies as its script asks it to. Wall time in
//! milliseconds, all actions of a kind together, one round on an idle machine:
//!
//! | primitive | times | ours | mineflayer | ours / mineflayer |
//! | --- | --- | --- | --- | --- |
//! | join | 1 | 206 | 436 | 0.47 |
//! | mine log | 4 | 14,193 | 18,423 | 0.77 |
//! | mine stone | 11 | 17,992 | 26,203 | 0.69 |
//! | mine coal | 1 | 4,499 | 8,297 | 0.54 |
//! | mine iron ore | 3 | 17,100 | 28,959 | 0.59 |
//! | explore for diamonds, and mine one | 2 | 27,699 | 30,771 | 0.90 |
//! | craft, walking to the table included | 12 | 4,625 | 14,904 | 0.31 |
//! | place | 3 | 137 | 2,962 | 0.05 |
//! | equip | 3 | 1.7 | 0.8 | 2.09 |
//! | smelt | 3 | 29,999 | 29,999 | 1.00 |
//! | in all | 42 | 116,454 | 161,132 | 0.72 |
//!
//! Where it is not faster:
//!
//! * *Equipping* takes a tenth of a millisecond to one, as the lock of the engine is free or not; mineflayer takes a fifth to
//!   two fifths.
//! * *Smelting* takes what the server takes, 200 of its ticks, in both.
//!
//! Both saw every loaded block; exploring then ends at once, as diamonds are in sight, and all of the way is part of mining
//! one. Who sees only what is exposed digs ways with the cheapest pickaxe, by stairs, and to the nearest block: that
//! takes longer, and was not measured here. The client was resident with 31 MB at most, mineflayer with 148 MB; they took
//! 3.8 s and 6.0 s of CPU time.
//!
//! # Ten at once
//!
//! Ten bots in one engine, by the planner's policy, 40 blocks apart on natural terrain, for 120 seconds at the game's
//! speed: 310 actions (13 to 37 a bot), none failed, no deaths, no connection lost; the one that had come no farther for
//! longest had for 7 seconds. 53 MB resident at most and 22.8 s of CPU time for all ten, 19% of a core.
