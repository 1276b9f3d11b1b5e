//! Simulated models: seeded personas with the failure modes the papers report.
//!
//! A persona sees only the text a language model would see ([`prompt`]), knows the game roughly as a language model
//! does ([`knowledge`]) and errs at the rates of one table ([`persona`]). Its randomness comes from its seed and the
//! content of the request alone, so it has no state: the same question gets the same answer, in a resumed run too. Its
//! runs show that the machinery works; they are no evidence about language models.

mod answer;
mod knowledge;
mod persona;
mod prompt;

use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Usage};
pub use persona::Persona;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// A persona with a seed.
#[derive(Clone, Debug)]
pub struct Simulated {
    persona: Persona,
    seed: u64,
}

impl Simulated {
    /// A persona whose randomness depends on this seed and the request alone.
    pub fn new(persona: Persona, seed: u64) -> Self {
        Self { persona, seed }
    }

    /// A generator seeded by the persona's seed and the request alone.
    fn rng(&self, request: &ChatRequest) -> Pcg64Mcg {
        let mut hash = Fnv::new(self.seed);
        for message in &request.messages {
            hash.write(&[message.speaker as u8]);
            hash.write(message.text.as_bytes());
        }
        Pcg64Mcg::seed_from_u64(hash.0)
    }
}

impl ChatModel for Simulated {
    fn info(&self) -> ModelInfo {
        ModelInfo::simulated(format!("simulated:{}", self.persona))
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        if request.role != Role::Actor {
            return Err(ModelError::Unavailable {
                model: self.info().name,
                why: "personas only choose actions; ask a language model (`openai:MODEL`) for anything else".to_owned(),
            });
        }
        let view = prompt::View::read(request);
        let text = answer::answer(self.persona, &view, request, &mut self.rng(request));
        let prompt_bytes = request.messages.iter().map(|message| message.text.len()).sum();
        let usage = Usage::estimate(prompt_bytes, text.len());
        Ok(ChatReply { text, usage })
    }
}

/// The 64-bit FNV-1a hash, which never changes, unlike the standard library's.
struct Fnv(u64);

impl Fnv {
    fn new(seed: u64) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        hash.write(&seed.to_le_bytes());
        hash
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests;
