//! What the client costs: measured figures, how to measure them again, and what they are worth.
//!
//! `cargo bench -p ltlcrit-tests --bench side_by_side` and `--bench ten_bots` print everything below. The first was taken
//! as it is built there, optimised; the second with `--profile dev` (this crate unoptimised, its dependencies little); both
//! on two cores.
//!
//! # Side by side
//!
//! mineflayer and this client, one after the other, each in a process of its own and at the game's speed, on fresh loopback
//! servers of the compact terrain of one seed, do the same 42 actions, from the first log to the diamond. A primitive's
//! time is from asking for it to its verified effect; mineflayer verifies as its script asks it to. Wall time in
//! milliseconds, all actions of a kind together, one round on a machine that did nothing else:
//!
//! | primitive | times | ours | mineflayer | ours / mineflayer |
//! | --- | --- | --- | --- | --- |
//! | join | 1 | 65 | 879 | 0.07 |
//! | mine log | 4 | 14,238 | 15,848 | 0.90 |
//! | mine stone | 11 | 18,197 | 27,934 | 0.65 |
//! | mine coal | 1 | 4,499 | 5,013 | 0.90 |
//! | mine iron ore | 3 | 17,100 | 31,944 | 0.54 |
//! | explore for diamonds, and mine one | 2 | 27,697 | 35,020 | 0.79 |
//! | craft, walking to the table included | 12 | 4,617 | 25,699 | 0.18 |
//! | place | 3 | 138 | 2,978 | 0.05 |
//! | equip | 3 | 0.1 | 0.6 | 0.18 |
//! | smelt | 3 | 30,000 | 30,054 | 1.00 |
//! | in all | 42 | 118,204 | 177,072 | 0.67 |
//!
//! Three times are few for what takes so little: after the sequence both equip the last two tools again in turn, 200 times,
//! with pauses of 7 ms. Half of these took us less than 0.107 ms, mineflayer 0.135 (0.79); nine of ten less than 0.156 and
//! 0.211 (0.74). One equip looks at what the server has told of the inventory, which needs nothing of the engine, and asks
//! the engine once, to send the packet.
//!
//! *Smelting* takes what the server takes, 200 of its ticks, in both.
//!
//! Both saw every loaded block; exploring then ends at once, as diamonds are in sight, and all of the way is part of mining
//! one. Who sees only what is exposed digs ways with the cheapest pickaxe, by stairs, and to the nearest block: that
//! takes longer, and was not measured here. Nor was it measured since who sees every block mines the first stone on its way
//! instead of going to the nearest that shows. The client was resident with 26 MB at most, mineflayer with 149 MB; they took
//! 3.0 s and 7.8 s of CPU time.
//!
//! # Ten at once
//!
//! Ten bots in one engine, by the planner's policy, 40 blocks apart on natural terrain, for 120 seconds at the game's
//! speed: 310 actions (13 to 37 a bot), none failed, no deaths, no connection lost; the one that had come no farther for
//! longest had for 7 seconds. 53 MB resident at most and 22.8 s of CPU time for all ten, 19% of a core.
