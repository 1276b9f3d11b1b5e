//! The routes of the page, and the checks that every request passes.
//!
//! A request needs the token in its path and a loopback name in its `Host` header, so that neither another site nor a
//! name that someone points at 127.0.0.1 reads a run. The policy in the answers lets a browser load nothing from
//! elsewhere and run no script but the page's own.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{self, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ltlcrit_minecraft::above;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_store::RunId;

use super::feed;
use super::shared::SharedStore;

const PAGE: &str = include_str!("page/page.html");
const SCRIPT: &str = include_str!("page/watch.js");
const STYLE: &str = include_str!("page/watch.css");
/// The headers of every answer.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
         frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// The policy of the report: it runs no script and loads nothing.
const POLICY_OF_REPORT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Builds the routes below the token.
pub(crate) fn routes(token: &str, shared: Arc<SharedStore>) -> Router {
    let has_report = shared.report.is_some().to_string();
    let page = PAGE.replace("{{base}}", &format!("/{token}/")).replace("{{report}}", &has_report);
    let page = move || {
        let page = page.clone();
        async move { text("text/html; charset=utf-8", page) }
    };
    let at = |path: &str| format!("/{token}/{path}");
    Router::new()
        .route(&at(""), get(page.clone()))
        .route(&at("run/{run}/"), get(page))
        .route(&at("watch.js"), get(|| async { text("text/javascript; charset=utf-8", SCRIPT) }))
        .route(&at("watch.css"), get(|| async { text("text/css; charset=utf-8", STYLE) }))
        .route(&at("runs"), get(runs))
        .route(&at("report"), get(report))
        .route(&at("run/{run}/events"), get(run))
        .route(&at("run/{run}/step/{step}"), get(step))
        .route(&at("land/{terrain}/{seed}/{x}/{z}"), get(tile))
        .with_state(shared)
        .layer(middleware::from_fn(guarded))
}

/// Rejects requests for other hosts, and adds the headers of every answer.
async fn guarded(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = match host {
        Some(host) if is_loopback(host) => next.run(request).await,
        _ => (StatusCode::FORBIDDEN, "this page is served to 127.0.0.1 and localhost only\n").into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns whether a `Host` header names this machine. The port may differ, because ports can be forwarded.
fn is_loopback(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    !host.contains('@') && (name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|it| it.is_loopback()))
}

fn text(kind: &'static str, text: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

async fn runs(State(shared): State<Arc<SharedStore>>) -> Response {
    match shared.streams.clone().try_acquire_owned() {
        Ok(permit) => Sse::new(feed::runs(shared, permit)).keep_alive(KeepAlive::default()).into_response(),
        Err(_) => too_many(),
    }
}

async fn report(State(shared): State<Arc<SharedStore>>) -> Response {
    let (Some(report), Ok(_permit)) = (shared.report.clone(), shared.tiles.acquire().await) else {
        return (StatusCode::NOT_FOUND, "there is no report\n").into_response();
    };
    let policy = (header::CONTENT_SECURITY_POLICY, POLICY_OF_REPORT);
    match tokio::task::spawn_blocking(move || report()).await {
        Ok(Ok(page)) => ([policy, (header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response(),
        Ok(Err(why)) => (StatusCode::SERVICE_UNAVAILABLE, [policy], format!("{why}\n")).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, [policy], "the report could not be made\n").into_response(),
    }
}

async fn run(State(shared): State<Arc<SharedStore>>, Path(run): Path<u64>, headers: HeaderMap) -> Response {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    match shared.streams.clone().try_acquire_owned() {
        // The last step is sent again, because it may have been replaced.
        Ok(permit) => {
            let events = feed::run(shared, permit, RunId(run), last.unwrap_or(0));
            Sse::new(events).keep_alive(KeepAlive::default()).into_response()
        }
        Err(_) => too_many(),
    }
}

fn too_many() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open; close one\n").into_response()
}

async fn step(State(shared): State<Arc<SharedStore>>, Path((run, step)): Path<(u64, u64)>) -> Response {
    match feed::step(shared, RunId(run), step).await {
        Ok(Some(step)) => text("application/json", step),
        Ok(None) => (StatusCode::NOT_FOUND, "the run has no such step\n").into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

async fn tile(
    State(shared): State<Arc<SharedStore>>,
    Path((terrain, seed, x, z)): Path<(String, u64, i32, i32)>,
) -> Response {
    let kind = serde_json::from_value::<TerrainKind>(terrain.into());
    let (Ok(kind), Ok(_permit)) = (kind, shared.tiles.acquire().await) else {
        return (StatusCode::NOT_FOUND, "no such terrain\n").into_response();
    };
    match tokio::task::spawn_blocking(move || above::tile(kind, seed, x, z)).await {
        Ok(Some(tile)) => text("application/octet-stream", bytes(&tile)),
        _ => (StatusCode::NOT_FOUND, "no such tile\n").into_response(),
    }
}

/// Five bytes for each column: its colour and the height of its ground, the latter big-endian.
fn bytes(tile: &[above::Column]) -> Vec<u8> {
    let column = |it: &above::Column| it.colour.into_iter().chain(it.ground.to_be_bytes());
    tile.iter().flat_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:9"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "10.0.0.1", "a@127.0.0.1"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    /// The browser asks for nothing from elsewhere, and foreign text never becomes markup.
    #[test]
    fn the_page_is_self_contained() {
        for source in [PAGE, SCRIPT, STYLE] {
            for foreign in ["http://", "https://", "//cdn", "@import", "url("] {
                assert!(!source.contains(foreign), "{foreign}");
            }
        }
        for unsafe_text in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!SCRIPT.contains(unsafe_text), "{unsafe_text}");
        }
        assert!(!PAGE.contains("<script>") && !PAGE.contains("style="), "the policy forbids inline code");
    }
}
