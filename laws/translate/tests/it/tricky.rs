//! More sentences that are easily read wrongly, with what becomes of each. They were looked at while the grammar was written.

use ltlcrit_translate::{Lexical, Refusal};

use crate::sentences::lexicon;

const HOUSEHOLD: &str = "\
never go to the kitchen if the radio is on and the window is open
never open the fridge and the window
close the fridge before you leave the kitchen
don't leave the fridge open
do not close the window
switch the radio on and off
go to the kitchen only once the window is open
go to the kitchen once
don't always stay in the kitchen
not every room may be visited
don't visit every room
you don't have to go to the kitchen
you should never have to go to the kitchen
it is not forbidden to go to the kitchen
before you go to the kitchen, switch on the radio
without touching the keys, never enter the study
never put the cup on the bed or the sofa
if you have closed the fridge, never go to the study
once you switch off the radio, go to the study
don't enter the study until you have closed the fridge
before you close the fridge, touch the phone
never be in the kitchen twice
always keep the radio on
go to the kitchen, not the study
nobody may go to the kitchen
visit all rooms except the kitchen
whenever you open any container, close it later
only go to the kitchen
touch the phone as soon as you are in the study
if you did not touch the phone, do not go to the kitchen
never open the fridge while the stove is on unless the robot is in the kitchen
never open the fridge if the stove is on unless you have been in the kitchen
never open the fridge if you have been in the kitchen unless the stove is on";

const MINECRAFT: &str = "\
never have fewer than 3 planks
if you have less than 3 planks, don't craft a stick
have 3 planks
mine 3 logs
if you have a wooden pickaxe or a stone pickaxe, don't mine logs
if there is no furnace nearby, don't smelt iron
never mine stone with the iron pickaxe
stop when you have a diamond
place the furnace once you have it
don't mine coal or iron ore before you have a stone pickaxe
only mine coal
never hold a pickaxe";

#[test]
fn sentences_that_are_easily_read_wrongly() {
    let mut out = String::new();
    for (world, sentences) in [("household:mobile-1", HOUSEHOLD), ("minecraft", MINECRAFT)] {
        let lexicon = lexicon(world);
        let engine = Lexical::new(&lexicon);
        for sentence in sentences.lines() {
            let outcome = match engine.translate(sentence) {
                Ok(found) => found.formula().to_string(),
                Err(Refusal::Ambiguous { choices, .. }) => {
                    let all: Vec<String> = choices.iter().map(|one| one.segment.formula.to_string()).collect();
                    format!("asked: {}", all.join("  or  "))
                }
                Err(_) => "refused".to_owned(),
            };
            out += &format!("{sentence}\n    {outcome}\n");
        }
    }
    insta::assert_snapshot!(out);
}
