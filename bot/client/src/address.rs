//! Parses and resolves server addresses: `HOST` or `HOST:PORT`.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use azalea::protocol::address::{ResolvedAddr, ServerAddr};

use super::error::JoinError;

/// The port of an address without a port.
pub const DEFAULT_PORT: u16 = 25565;

/// Reads `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`.
///
/// # Errors
/// [`JoinError::Address`].
pub fn parse(text: &str) -> Result<ServerAddr, JoinError> {
    let wrong = || JoinError::Address(text.to_owned());
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').ok_or_else(wrong)?;
        host.parse::<std::net::Ipv6Addr>().map_err(|_| wrong())?;
        match rest {
            "" => (host, None),
            _ => (host, Some(rest.strip_prefix(':').ok_or_else(wrong)?)),
        }
    } else {
        match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        }
    };
    let port = match port {
        Some(port) => port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?,
        None => DEFAULT_PORT,
    };
    if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/') {
        return Err(wrong());
    }
    Ok(ServerAddr { host: host.to_owned(), port })
}

/// Resolves an address. Numeric addresses need no lookup; the game's SRV records may redirect a name without a port.
///
/// # Errors
/// [`JoinError::Address`], [`JoinError::Host`] or [`JoinError::Timeout`].
pub(super) async fn resolve(text: &str, patience: Duration) -> Result<ResolvedAddr, JoinError> {
    let server = parse(text)?;
    if let Ok(ip) = server.host.parse::<IpAddr>() {
        let socket = SocketAddr::new(ip, server.port);
        return Ok(ResolvedAddr { server, socket });
    }
    let late =
        |_| JoinError::Timeout { address: text.to_owned(), seconds: patience.as_secs(), doing: "looking up its host" };
    if server.port == DEFAULT_PORT
        && server.host != "localhost"
        && let Ok(Ok(resolved)) = tokio::time::timeout(patience, ResolvedAddr::new(server.clone())).await
    {
        return Ok(resolved);
    }
    let pair = (server.host.clone(), server.port);
    let lookup = tokio::task::spawn_blocking(move || pair.to_socket_addrs().map(|mut found| found.next()));
    let missing = |reason: String| JoinError::Host { host: server.host.clone(), reason };
    match tokio::time::timeout(patience, lookup).await.map_err(late)? {
        Ok(Ok(Some(socket))) => Ok(ResolvedAddr { socket, server }),
        Ok(Ok(None)) => Err(missing("it has no address".to_owned())),
        Ok(Err(error)) => Err(missing(error.to_string())),
        Err(error) => Err(missing(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hosts_and_ports() {
        let read = |text: &str| parse(text).map(|address| (address.host, address.port)).unwrap();
        assert_eq!(read("localhost"), ("localhost".to_owned(), DEFAULT_PORT));
        assert_eq!(read("127.0.0.1:4242"), ("127.0.0.1".to_owned(), 4242));
        assert_eq!(read("[::1]:4242"), ("::1".to_owned(), 4242));
        assert_eq!(read("[::1]"), ("::1".to_owned(), DEFAULT_PORT));
        for wrong in ["", ":1", "host:", "host:0", "host:65536", "host:port", "a b", "[::1", "[::1]4", "[x]:1", "a/b"] {
            assert_eq!(parse(wrong), Err(JoinError::Address(wrong.to_owned())), "{wrong}");
        }
    }

    #[tokio::test]
    async fn does_not_look_numbers_up() {
        let found = resolve("127.0.0.1", Duration::ZERO).await.unwrap();
        assert_eq!(found.socket, "127.0.0.1:25565".parse().unwrap());
    }
}
