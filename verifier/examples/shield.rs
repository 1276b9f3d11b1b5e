//! A shield around an arbitrary agent: here, a cook.

use std::sync::Arc;

use ltlcrit_verifier::{Judgement, Law, Shield, ShieldOptions, Vocabulary, syntax};

/// Judges an action, acts, and reports the real outcome to the shield.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kitchen = Vocabulary::builder("kitchen")
        .observations(["obs_pot_hot", "obs_gloves_on"])
        .actions(["action_grab_pot", "action_put_gloves_on", "action_turn_off_stove"])
        .build()?;
    let kitchen = Arc::new(kitchen);

    let law = |text: &str| syntax::parse_over(text, &kitchen);
    let no_burns = law("G(obs_pot_hot & !obs_gloves_on -> X !action_grab_pot)")?;
    let stove_off = law("F action_turn_off_stove")?;
    let laws = vec![
        Law::hard("no-burns", no_burns, "A hot pot burns bare hands."),
        Law::hard("stove-off", stove_off, "The stove is off in the end."),
    ];
    let mut shield = Shield::new(kitchen.clone(), laws, ShieldOptions::default())?;

    let action = |name: &str| kitchen.action(name).ok_or("no such action");
    shield.start(kitchen.set(["obs_pot_hot"])?)?;
    assert_eq!(
        shield.judge(action("action_grab_pot")?),
        Judgement::Blocked { laws: vec!["no-burns".into()], minimal: true }
    );
    assert_eq!(
        shield.judge(action("action_stop")?),
        Judgement::Blocked { laws: vec!["stove-off".into()], minimal: true }
    );

    let gloves_on = action("action_put_gloves_on")?;
    assert_eq!(shield.judge(gloves_on), Judgement::Allowed);
    // The action runs, and these are the observations afterwards.
    let seen = kitchen.set(["obs_pot_hot", "obs_gloves_on"])?;
    let violations = shield.step(gloves_on, seen)?;
    assert!(violations.is_empty());
    assert_eq!(shield.judge(action("action_grab_pot")?), Judgement::Allowed);
    assert_eq!(shield.obligations(), ["stove-off".into()]);
    Ok(())
}
