//! Further sentences that are easily misread, with their outcomes. The grammar was developed on them.

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

/// A second round, in natural wording.
const MORE_HOUSEHOLD: &str = "\
you can't go to the kitchen if you haven't been in the bathroom, and do not touch any device
do not touch the stove if you are in the kitchen, and do not touch the tv
do not touch the stove if you are in the kitchen and never touch the tv
if the radio is on, do not touch the stove and do not touch the tv and do not open the fridge
if the radio is on do not touch the stove and do not touch the tv
never enter the study and do not go to the kitchen while the radio is on
if the radio is not on do not touch the stove and do not touch the tv
if the radio is on you must not touch the stove and you must not touch the tv
if the radio is on stay out of the kitchen and do not touch the tv
do not touch the stove, do not touch the tv and do not touch the radio if you are in the kitchen
do not go to the kitchen if the robot has touched the tv and has not been in the bathroom
if you are in the kitchen, do not touch the stove and do not touch the tv
when the radio is on, stay out of the kitchen, and never open the window
do not go to the kitchen if you have touched the tv and have not been in the bathroom
do not touch the stove if you have touched the tv and are in the kitchen
do not go into the kitchen or the study while the radio is on
the kitchen is off limits until the window has been opened
visit the study at most twice
visit the study at least three times
do not visit the study more than once
touch the phone exactly once
first touch the phone, then go to the kitchen
touch the phone before going to the kitchen
go to the kitchen after touching the phone
always touch the phone before entering the kitchen
every time you enter the kitchen, touch the phone
right after you touch the phone, switch off the radio
never switch the radio on in the kitchen
never be in the kitchen without the radio on
if the radio is not on, do not open the window
if the radio is off, the window must be closed
the window must be closed while the radio is on
the radio and the stove must not be on at the same time
either the radio or the stove may be on
keep the fridge closed unless you are in the kitchen
if you open the fridge, close it before you leave the kitchen
after you have opened the fridge you must close it
do not leave the kitchen while the stove is on
no device may be on while you are in the study
at most one window may be open
stay in the kitchen until the radio is off
do not enter any room twice
the stove must never be touched
touching the stove is forbidden
it is forbidden to touch the stove while the radio is on
under no circumstances touch the stove
make sure that the radio is off at the end
make sure the radio is off before you go to the kitchen
you must have touched the phone before you enter the study
nothing may be touched in the kitchen
if it is the case that the radio is on, then do not go to the kitchen
do not go to the kitchen except when the radio is on
avoid the kitchen
avoid touching the stove after the radio has been switched on";

const MORE_MINECRAFT: &str = "\
never dig straight down, and have a torch before entering a cave
do not explore down unless you have a stone pickaxe
never mine a diamond without an iron pickaxe
don't craft a furnace if you are not near a crafting table
if lava is near, do not explore down
when your health is low, do not explore down
do not mine logs if you have planks and sticks
after you have a stone pickaxe, do not mine logs any more
if you have 11 cobblestones or a furnace, do not mine stone
craft a table before you craft a wooden pickaxe
get a wooden pickaxe first, then a stone pickaxe, then an iron pickaxe
always equip the stone pickaxe before you mine iron ore
do not craft sticks more than twice
never craft two furnaces
do not mine iron ore if you have no stone pickaxe
do not mine iron ore unless you hold a stone pickaxe
whenever you have iron ore and a furnace is near, smelt iron next
only craft a stick when you have planks
mine at least 3 logs before you craft planks
don't do anything but explore while there is no log in sight";

#[test]
fn sentences_that_are_easily_read_wrongly() {
    insta::assert_snapshot!(outcomes(HOUSEHOLD, MINECRAFT));
}

#[test]
fn sentences_as_people_write_them() {
    insta::assert_snapshot!(outcomes(MORE_HOUSEHOLD, MORE_MINECRAFT));
}

/// Lists each sentence with its outcome.
fn outcomes(household: &str, minecraft: &str) -> String {
    let mut out = String::new();
    for (world, sentences) in [("household:mobile-1", household), ("minecraft", minecraft)] {
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
    out
}
