//! Text embeddings: similar meanings have similar vectors.
//!
//! Embeddings are requested like any other question, so caps, retries, recordings and the protection of keys apply.
//! Each message of the request is a text, and the answer is a JSON list with one vector for each.

use super::{ChatModel, ChatRequest, Message, ModelError, Role, Speaker};

/// Maximum number of texts in one request. Vectors of maximum length, at about 20 bytes a number, then fit into an
/// answer.
const MAX_TEXTS: usize = 16;
/// Maximum number of dimensions of a vector.
const MAX_NUMBERS: usize = 8_192;

/// Returns the vectors of texts, in their order and of equal length.
///
/// # Errors
/// The errors of the model, or an answer that is not such a list.
pub async fn embed(model: &impl ChatModel, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
    let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
    for some in texts.chunks(MAX_TEXTS) {
        let reply = model.ask(&request(some)).await?;
        let first = vectors.first().map(Vec::len);
        let read = read(reply.text(), some.len(), first)
            .map_err(|why| ModelError::Unavailable { model: model.info().name, why })?;
        vectors.extend(read);
    }
    Ok(vectors)
}

fn request(texts: &[&str]) -> ChatRequest {
    let message = |text: &&str| Message { speaker: Speaker::User, text: (*text).to_owned() };
    ChatRequest {
        episode: None,
        role: Role::Embedder,
        messages: texts.iter().map(message).collect(),
        answer: None,
        temperature: 0.0,
        max_tokens: 0,
        body: Default::default(),
    }
}

fn read(answer: &str, count: usize, length: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
    let vectors: Vec<Vec<f32>> =
        serde_json::from_str(answer).map_err(|error| format!("its vectors cannot be read: {error}"))?;
    let length = length.or(vectors.first().map(Vec::len)).unwrap_or_default();
    if vectors.len() != count {
        return Err(format!("it gave {} vectors for {count} texts", vectors.len()));
    }
    if length == 0 || length > MAX_NUMBERS || vectors.iter().any(|vector| vector.len() != length) {
        return Err(format!("its vectors have not all the same length, from 1 to {MAX_NUMBERS}"));
    }
    Ok(vectors)
}

/// Returns the cosine similarity of two vectors: 1 for the same direction, and 0 if one of them is zero.
pub fn nearness(a: &[f32], b: &[f32]) -> f32 {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (product(a, a) * product(b, b)).sqrt();
    if lengths > 0.0 { (product(a, b) / lengths) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_lists_of_vectors_of_one_length() {
        assert_eq!(read("[[1, 0.5], [0, 2e3]]", 2, None).unwrap(), [[1.0, 0.5], [0.0, 2000.0]]);
        for (answer, count, length, why) in [
            ("[[1]]", 2, None, "1 vectors for 2 texts"),
            ("[[1], [1, 2]]", 2, None, "same length"),
            ("[[1, 2]]", 1, Some(3), "same length"),
            ("[[]]", 1, None, "same length"),
            ("[[1e99]]", 1, None, "cannot be read"),
            ("{}", 1, None, "cannot be read"),
        ] {
            let error = read(answer, count, length).unwrap_err();
            assert!(error.contains(why), "{answer}: {error}");
        }
    }

    #[test]
    fn nearness_is_that_of_directions() {
        assert!((nearness(&[1.0, 1.0], &[5.0, 5.0]) - 1.0).abs() < 1e-6);
        assert!((nearness(&[1.0, 0.0], &[0.0, 3.0])).abs() < 1e-6);
        assert_eq!(nearness(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
    }
}
