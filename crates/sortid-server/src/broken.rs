//! The answers to what is not HTTP. hyper gives them without a body: this adds problem details.

use crate::problem::{self, Problem};
use axum::http::StatusCode;
use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The longest head of an answer of hyper.
const LONGEST: usize = 256;

const NO_BODY: &str = "content-length: 0\r\n";

/// A connection, with a body in each answer of hyper.
pub(crate) struct Explained<I> {
    io: I,
    /// What is to be written before anything else.
    rest: Vec<u8>,
}

impl<I: AsyncWrite + Unpin> Explained<I> {
    pub(crate) const fn new(io: I) -> Self {
        Self { io, rest: vec![] }
    }

    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let count = ready!(Pin::new(&mut self.io).poll_write(context, &self.rest))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.rest.drain(..count);
        }
        Poll::Ready(Ok(()))
    }
}

/// What to write instead of bytes that end with an answer of hyper. The answers of the server all have a body.
fn explained(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let (before, end) = bytes.split_at(bytes.len().saturating_sub(LONGEST));
    let at = end.windows(10).rposition(|piece| piece == b"HTTP/1.1 4")?;
    let head = str::from_utf8(&end[at..]).ok()?;
    let (start, fields) = head.split_once(NO_BODY)?;
    let status = StatusCode::from_bytes(head.as_bytes().get(9..12)?).ok()?;
    let body = Problem::broken(status).body();
    let (media_type, length) = (problem::MEDIA_TYPE, body.len());
    let head = format!(
        "{start}content-type: {media_type}\r\ncache-control: no-store\r\ncontent-length: {length}\r\n{fields}"
    );
    Some([before, &end[..at], head.as_bytes(), &body].concat())
}

impl<I: AsyncRead + Unpin> AsyncRead for Explained<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Explained<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_rest(context))?;
        for (at, piece) in pieces.iter().enumerate() {
            if let Some(explained) = explained(piece) {
                if at > 0 {
                    return Pin::new(&mut self.io).poll_write_vectored(context, &pieces[..at]);
                }
                self.rest = explained;
                return Poll::Ready(Ok(piece.len()));
            }
        }
        Pin::new(&mut self.io).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(context))?;
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(context))?;
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
