//! Connecting through a proxy.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_socks::tcp::Socks5Stream;

use crate::protocol::UserKey;

/// Asks the proxy at the other end of `stream` to connect it to `target`.
///
/// # Errors
/// The proxy refuses, or the connection to it breaks.
pub async fn connect<S>(stream: &mut S, target: &SocketAddr, auth: Option<UserKey>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let connected = match &auth {
        Some(user) => {
            Socks5Stream::connect_with_password_and_socket(stream, *target, &user.username, &user.password).await
        }
        None => Socks5Stream::connect_with_socket(stream, *target).await,
    };
    connected.map(|_| ()).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Plays a proxy that wants a password (RFC 1928, RFC 1929) and returns what it was asked to connect to.
    async fn proxy(mut stream: tokio::io::DuplexStream, accept: bool) -> io::Result<Vec<u8>> {
        let mut greeting = [0; 2];
        stream.read_exact(&mut greeting).await?;
        let mut methods = vec![0; usize::from(greeting[1])];
        stream.read_exact(&mut methods).await?;
        assert!(methods.contains(&2), "offers a password");
        stream.write_all(&[5, 2]).await?;
        let mut login = vec![0; 3 + "user".len() + "secret".len()];
        stream.read_exact(&mut login).await?;
        assert_eq!(login, b"\x01\x04user\x06secret");
        stream.write_all(&[1, u8::from(!accept)]).await?;
        if !accept {
            return Ok(Vec::new());
        }
        let mut request = vec![0; 10];
        stream.read_exact(&mut request).await?;
        stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
        Ok(request)
    }

    async fn try_proxy(accept: bool) -> (io::Result<()>, io::Result<Vec<u8>>) {
        let (mut ours, theirs) = tokio::io::duplex(256);
        let target = SocketAddr::from(([127, 0, 0, 1], 25565));
        tokio::join!(connect(&mut ours, &target, Some(UserKey::new("user", "secret"))), proxy(theirs, accept))
    }

    #[tokio::test]
    async fn connects_through_a_proxy_that_wants_a_password() -> io::Result<()> {
        let (connected, asked) = try_proxy(true).await;
        connected?;
        assert_eq!(asked?, [5, 1, 0, 1, 127, 0, 0, 1, 0x63, 0xdd]);
        Ok(())
    }

    #[tokio::test]
    async fn says_when_the_proxy_refuses() {
        let (connected, _) = try_proxy(false).await;
        assert!(connected.is_err_and(|error| error.to_string().to_lowercase().contains("auth")));
    }

    #[test]
    fn passwords_are_not_logged() {
        assert_eq!(format!("{:?}", UserKey::new("user", "secret")), "UserKey { username: \"user\", .. }");
    }
}
