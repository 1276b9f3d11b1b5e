//! Sentences in which one overlooked word changes the law.

use ltlcrit_translate::sound::equivalent;
use ltlcrit_translate::{Lexical, Lexicon};
use ltlcrit_verifier::syntax;

use crate::sentences::{development, held_out, lexicon};

/// Sentences with their formulas, or `-` if no law may be made without a question.
const HOUSEHOLD: [(&str, &str); 66] = [
    ("first visit the study", "-"),
    ("enter the kitchen first", "-"),
    ("touch the phone first, and go to the kitchen", "-"),
    ("the first time you enter the kitchen, touch the phone", "-"),
    ("first touch the phone, then go to the kitchen", "F(is_touched(phone) & F agent_at(kitchen))"),
    ("first touch the phone before you enter the kitchen", "!agent_at(kitchen) W is_touched(phone)"),
    ("if you have been in the study first, don't go to the kitchen", "-"),
    ("never return to the kitchen", "-"),
    ("don't go back to the study", "-"),
    ("return to the kitchen at most once", "-"),
    ("go to the kitchen again", "-"),
    ("touch the phone again later", "-"),
    ("eventually always keep the radio on", "-"),
    ("always touch the phone", "-"),
    ("go to the kitchen at any time", "-"),
    ("go to the kitchen after going to the study", "-"),
    ("touch the phone after touching the radio", "-"),
    ("don't touch the radio if it is on", "-"),
    ("never touch the stove while the stove is on", "-"),
    ("before going to the bedroom, switch off the tv", "G(is_switchedon(tv) -> !agent_at(bedroom))"),
    ("switch off the tv before going to the bedroom", "G(is_switchedon(tv) -> !agent_at(bedroom))"),
    ("you must be in the kitchen while you touch the phone", "-"),
    ("just touch the phone", "-"),
    ("touch only the phone when you are in the study", "-"),
    ("go only to the kitchen when the radio is on", "-"),
    ("don't go to the kitchen even if the radio is on", "-"),
    ("don't go to the kitchen even when the radio is on", "-"),
    ("if the radio is still on, don't go to the study", "G(is_switchedon(radio) -> !agent_at(study))"),
    ("if the radio was on, don't go to the study", "-"),
    ("if you are in the kitchen and before the radio is on, don't touch the stove", "-"),
    ("if the radio is on and until the tv is on, don't go to the study", "-"),
    ("never touch the stove, the radio", "-"),
    ("never go to the kitchen but the study", "-"),
    ("never open the fridge or the window and the cupboard", "-"),
    ("do not touch the stove; the radio", "-"),
    ("visit every room but the kitchen", "-"),
    ("never touch anything but the phone", "-"),
    ("go to the kitchen, not the study", "F agent_at(kitchen) & G !agent_at(study)"),
    ("don't visit both the kitchen and the study", "-"),
    ("visit both the kitchen or the study", "-"),
    ("visit either the kitchen or the study", "F(agent_at(kitchen) | agent_at(study))"),
    ("visit the kitchen or the study, but not both", "-"),
    ("should you go to the kitchen, touch the phone", "-"),
    ("will you go to the kitchen?", "-"),
    ("never go to the kitchen?", "-"),
    ("never touch the stove, then go to the kitchen", "-"),
    ("you needn't touch the phone", "-"),
    ("close the fridge at least twice", "-"),
    ("whenever you enter the kitchen, touch the phone twice", "-"),
    (
        "never go to the kitchen more than once",
        "!F(agent_at(kitchen) & (agent_at(kitchen) U (!agent_at(kitchen) & (!agent_at(kitchen) U F agent_at(kitchen)))))",
    ),
    ("don't visit the study less than twice", "-"),
    ("go to the living room twice, no more and no less", "-"),
    ("you must may go to the kitchen", "-"),
    ("avoid that you may go to the kitchen", "-"),
    ("stop at the kitchen", "-"),
    ("touch neither the stove nor the radio", "G !is_touched(stove) & G !is_touched(radio)"),
    ("never ever touch the stove", "G !is_touched(stove)"),
    ("touch the stove never again", "-"),
    ("never be in the kitchen for long", "-"),
    ("if the radio is on then touch the phone then go to the study", "-"),
    ("take the cup; if it is in the kitchen, touch the phone", "-"),
    ("do not enter the study after the radio is on while the tv is on", "-"),
    ("if the radio is on if the tv is on, don't go to the study", "-"),
    ("never touch another stove", "-"),
    ("do not touch the stove until after you have been in the study", "!is_touched(stove) W agent_at(study)"),
    ("never in the kitchen touch the stove", "-"),
];

const MINECRAFT: [(&str, &str); 34] = [
    ("if you've got a stone pickaxe, don't mine logs", "G(obs_has_stone_pickaxe -> X !action_mine_log)"),
    ("don't mine iron ore until you've got a stone pickaxe", "X !action_mine_iron_ore W obs_has_stone_pickaxe"),
    ("once you've got an iron pickaxe, never mine logs", "G(obs_has_iron_pickaxe -> X G !action_mine_log)"),
    ("while you've got 11 cobblestone, don't mine stone", "G(obs_has_11x_cobble -> X !action_mine_stone)"),
    ("you've got to mine coal", "F action_mine_coal"),
    ("first craft a furnace", "-"),
    ("craft a crafting table first", "-"),
    ("first craft planks, then sticks", "F(action_craft_planks & F action_craft_stick)"),
    ("never dig straight down", "-"),
    ("just mine coal", "-"),
    ("mine only coal when you have a stone pickaxe", "-"),
    ("only mine coal when you have a stone pickaxe", "G(!obs_has_stone_pickaxe -> X !action_mine_coal)"),
    ("mine a log now", "-"),
    ("mine another log", "-"),
    ("mine all logs", "-"),
    ("never mine more logs", "-"),
    ("mine two more logs", "-"),
    ("never mine a new log", "-"),
    ("never mine the nearest log", "-"),
    ("if you have 3 more planks, don't craft sticks", "-"),
    ("if you have all planks, don't craft sticks", "-"),
    ("if you have at least planks, don't craft sticks", "-"),
    ("mine a log again", "-"),
    ("never mine coal, iron ore", "-"),
    ("never mine coal but iron ore", "-"),
    ("place the furnace after crafting it", "-"),
    ("mine coal once or twice", "-"),
    ("mine at least two logs", "F(action_mine_log & X[!] F action_mine_log)"),
    ("craft no more than one furnace", "!F(action_craft_furnace & X[!] F action_craft_furnace)"),
    ("do not craft at least two furnaces", "-"),
    ("if you have at least 5 planks, don't craft sticks", "-"),
    ("mine coal when you are in a cave or have a torch", "-"),
    ("you may mine coal, then iron ore", "-"),
    ("always mine coal", "-"),
];

/// Returns the formula of a sentence, if it is wrong.
fn wrong(engine: &Lexical<'_>, lexicon: &Lexicon, sentence: &str, wanted: &str) -> Option<String> {
    let found = engine.translate(sentence).ok()?.formula();
    let is_right = wanted != "-" && equivalent(&found, &syntax::parse(wanted).unwrap(), lexicon) == Some(true);
    (!is_right).then(|| format!("{sentence}\n    {found}, not {wanted}\n"))
}

#[test]
fn no_sentence_becomes_another_law() {
    let (mut out, mut right) = (String::new(), 0);
    for (world, table) in [("household:mobile-1", &HOUSEHOLD[..]), ("minecraft", &MINECRAFT[..])] {
        let lexicon = lexicon(world);
        let engine = Lexical::new(&lexicon);
        for (sentence, wanted) in table {
            out.extend(wrong(&engine, &lexicon, sentence, wanted));
            if *wanted != "-" {
                match engine.translate(sentence) {
                    Ok(_) => right += 1,
                    Err(why) => println!("refused: {sentence}: {why}"),
                }
            }
        }
    }
    println!("{right} are laws; wrong: {}\n{out}", out.lines().count() / 2);
    assert!(out.is_empty(), "{out}");
}

/// Words that change the law or end it, at any position. Articles, fillers, subjects, verbs that oblige, and adverbs of
/// time are left out, because they may repeat the meaning of the sentence. Every second sentence is tried, to save
/// time.
const SAY_SOMETHING: &str = "first back only just even another more all every each both either nearest new almost quickly \
    straight twice 3 not never no stop avoid if when while before unless without was had did ? or nor neither than least most at in \
    on of for with there finally now soon exactly about during except instead maybe rarely";

/// No word is ignored: a meaningful word, inserted into any understood sentence, changes the law or ends it.
#[test]
fn no_word_is_passed_over() {
    let words: Vec<&str> = SAY_SOMETHING.split_whitespace().collect();
    let mut passed_over = String::new();
    for world in ["household:mobile-1", "minecraft"] {
        let lexicon = lexicon(world);
        let engine = Lexical::new(&lexicon);
        let halves = [development(), held_out()];
        let entries = halves.iter().flat_map(|half| &half.formula).filter(|entry| entry.world == world);
        // A few words are tried at each position, in turn.
        let mut turn = 0;
        for (entry, sentence) in
            entries.flat_map(|entry| entry.sentences.iter().step_by(2).map(move |sentence| (entry, sentence)))
        {
            let Ok(law) = engine.translate(sentence) else { continue };
            let parts: Vec<&str> = sentence.split(' ').collect();
            for at in 0..=parts.len() {
                turn = (turn + 7) % words.len();
                // "first" does not change a sentence about order.
                if words[turn] == "first" && ["sequence", "precedence", "until"].contains(&&*entry.pattern) {
                    continue;
                }
                let longer = [&parts[..at], &[words[turn]], &parts[at..]].concat().join(" ");
                if let Ok(found) = engine.translate(&longer)
                    && found.formula() == law.formula()
                {
                    passed_over += &format!("{}: {longer}\n    {}\n", words[turn], found.formula());
                }
            }
        }
    }
    assert!(passed_over.is_empty(), "{passed_over}");
}
