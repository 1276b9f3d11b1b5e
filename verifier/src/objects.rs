//! Laws about objects that are not declared: `G(write(?f) -> F test(?f))`, for each file that occurs.
//!
//! A law has at most one parameter. It is compiled once; an object that occurs gets a number for its state. An [`ObjectRun`] is
//! a shield along a run of [events](Event) with any objects; its vocabulary grows with the run.
//!
//! # What is decided
//!
//! For each decision, the laws are written out for the objects that the event names, for a new one, and for one of those in the
//! same state of all laws. A [`Shield`](crate::Shield) decides these instances together. One object stands for all in its
//! state: a continuation does for each of them what it does for one. That holds as long as no law counts events; where one does,
//! each object that is owed something is written out. More than 60 objects are an [error](ObjectError::TooManyObjects): the
//! event is not decided, and must not run. A law with two parameters is refused, because it would quantify over pairs; `_`
//! leaves an object open.
//!
//! An event that only may have happened counts as happened where that is worse: an occurrence of a proposition that helps (a
//! positive one) holds for events that happened for sure, one that hinders holds for all.
//!
//! ```
//! use ltlcrit_verifier::Law;
//! use ltlcrit_verifier::objects::{Catalogue, Event, ObjectLaws, ObjectRun};
//!
//! let catalogue =
//!     Catalogue::default().action("write", &["file"]).action("test", &["file"]).action("freeze", &[]);
//! let laws = ObjectLaws::new(catalogue, vec![
//!     Law::hard("tested", "G(write(?f) -> F test(?f))".parse()?, "Test what you write."),
//!     Law::hard("frozen", "G(freeze -> G !test(_))".parse()?, "Nothing is tested any more."),
//! ])?;
//! let mut run = ObjectRun::new(laws);
//! let (write, freeze) = (Event::new("write", &["a.rs"]), Event::new("freeze", &[]));
//! assert!(run.judge(&write)?.is_allowed());
//! run.step(write)?;
//! assert_eq!(run.owed()?, ["tested(a.rs)".into()]);
//! // The two laws together forbid it.
//! assert_eq!(run.judge(&freeze)?.laws(), ["tested(a.rs)".into(), "frozen".into()]);
//! assert_eq!(run.lifted_by(&freeze)?, Some(vec!["test(a.rs)".to_owned()]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabet;
mod coming;
mod events;
mod ground;
mod law;
mod run;
mod tracker;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::events::{Event, Events, OTHER};
pub use self::ground::{Encoded, Ground};
pub use self::law::{
    Argument, Atom, Catalogue, Counts, Fault, Like, MAX_ATOMS, MAX_PATTERNS, ObjectError, ObjectLaw, ReadLike, classes,
    pessimistic,
};
pub use self::run::{Instances, Memory, ObjectRun};
pub use self::tracker::needed;
use crate::law::Law;

impl ObjectLaw {
    /// Reads the propositions of a law. An argument such as `a.rs` is the object of that name.
    ///
    /// # Errors
    /// [`ObjectError::Law`]: a proposition of no action or fact, a second parameter, a law that asks something of objects to
    /// which nothing happened.
    pub fn new(law: Law, catalogue: &Catalogue) -> Result<Self, ObjectError> {
        let id = law.id.clone();
        let fault = |(message, help): Fault| ObjectError::Law { law: id.clone(), message, help };
        let like = |text: &str| Ok(Arc::new(text.to_owned()) as Arc<dyn Like>);
        let (mut atoms, mut parameter) = (BTreeMap::new(), None);
        for name in law.formula.atoms() {
            let atom = Atom::read(&name, catalogue, &mut parameter, &like).map_err(fault)?;
            atoms.insert(name, atom);
        }
        let law = Self { counts: Counts::of(&law.formula), law, atoms, parameter };
        law.check().map_err(fault)?;
        Ok(law)
    }

    /// Checks that the law has few propositions, and asks nothing of objects to which nothing happened.
    ///
    /// # Errors
    /// The fault, and what would be right.
    pub fn check(&self) -> Result<(), Fault> {
        if self.atoms.len() > MAX_ATOMS {
            return Err(("the law speaks of too many calls".into(), format!("use at most {MAX_ATOMS}")));
        }
        if self.parameter.is_some() && !tracker::holds_at_rest(self).unwrap_or(false) {
            let help = "begin with a call of the object: `write(?file) then …`";
            return Err(("the law asks something of objects to which nothing happened".into(), help.into()));
        }
        Ok(())
    }
}

/// Laws over the events of a catalogue.
#[derive(Clone, Debug)]
pub struct ObjectLaws {
    /// The actions and facts.
    pub catalogue: Catalogue,
    /// The laws.
    pub laws: Vec<ObjectLaw>,
}

impl ObjectLaws {
    /// Reads laws over a catalogue.
    ///
    /// # Errors
    /// As [`ObjectLaw::new`], and more than [`MAX_PATTERNS`] objects that are named.
    pub fn new(catalogue: Catalogue, laws: Vec<Law>) -> Result<Self, ObjectError> {
        let laws = laws.into_iter().map(|law| ObjectLaw::new(law, &catalogue)).collect::<Result<Vec<_>, _>>()?;
        if let (Some(law), true) = (laws.last(), classes(&laws).len() > MAX_PATTERNS) {
            let message = "the laws name too many objects".to_owned();
            return Err(ObjectError::Law {
                law: law.law.id.clone(),
                message,
                help: format!("use at most {MAX_PATTERNS}"),
            });
        }
        Ok(Self { catalogue, laws })
    }
}
