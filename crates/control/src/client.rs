//! The asking half: connects, sends one request, waits for its reply.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::path::MAX_SOCKET_PATH;
use crate::{
    Call, ErrorKind, ErrorReply, LineBuffer, MAX_REPLY, Reply, ReplyBody, Request, SendError,
};

const CHUNK: usize = 4 * 1024;
/// An instance that takes nothing off its socket for that long hangs.
const WRITE_PATIENCE: Duration = Duration::from_secs(60);

/// Times a call is tried that the instance had no room for.
const TRIES: u32 = 5;

/// A connection to a running instance.
#[derive(Debug)]
pub struct Client {
    path: PathBuf,
    stream: UnixStream,
    lines: LineBuffer,
    next_id: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// There is no socket, or nobody behind it.
    #[error("no running instance (nobody listens at {})", path.display())]
    NoInstance { path: PathBuf },
    #[error("the instance at {} belongs to another user", path.display())]
    Denied { path: PathBuf },
    #[error("cannot connect to {}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The instance understood, and said no.
    #[error(transparent)]
    Refused(#[from] ErrorReply),
    #[error(transparent)]
    Unsendable(#[from] SendError),
    #[error("the instance does not answer")]
    NoAnswer,
    #[error("the instance closed the connection before it answered")]
    Closed,
    #[error("the instance sent something that is no reply: {0}")]
    Garbled(String),
    #[error("the connection to the instance failed")]
    Io(#[source] io::Error),
}

impl ConnectError {
    /// What the command line exits with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoInstance { .. } => 3,
            Self::Denied { .. } | Self::Io { .. } => 1,
        }
    }
}

impl CallError {
    /// What the command line exits with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(reply) => reply.kind.exit_code(),
            Self::NoAnswer => ErrorKind::Timeout.exit_code(),
            Self::Unsendable(_) | Self::Closed | Self::Garbled(_) | Self::Io(_) => 1,
        }
    }
}

impl Client {
    /// # Errors
    /// [`ConnectError::NoInstance`] when there is no socket or nobody listens on it.
    pub fn connect(path: &Path) -> Result<Self, ConnectError> {
        let stream = connect_stream(path).map_err(|source| {
            let path = path.to_owned();
            match source.kind() {
                io::ErrorKind::NotFound
                | io::ErrorKind::ConnectionRefused
                | io::ErrorKind::NotADirectory => ConnectError::NoInstance { path },
                io::ErrorKind::PermissionDenied => ConnectError::Denied { path },
                _ => ConnectError::Io { path, source },
            }
        })?;
        let lines = LineBuffer::new(MAX_REPLY);
        Ok(Self { path: path.to_owned(), stream, lines, next_id: 1 })
    }

    /// Sends the call and waits for its answer: as long as the call itself says for `wait`, until
    /// it is done for stopping and quitting, and a minute for all else.
    ///
    /// # Errors
    /// The instance refused, went away, or does not answer.
    pub fn call(&mut self, call: Call) -> Result<Value, CallError> {
        let mut tries = 1;
        loop {
            let (id, answer) = self.ask(call.clone())?;
            match answer {
                // A crowd pushed us out before the request was looked at.
                Err(error) if error.kind == ErrorKind::Busy && id.is_none() && tries < TRIES => {
                    tries += 1;
                    self.stream = connect_stream(&self.path).map_err(CallError::Io)?;
                    self.lines = LineBuffer::new(MAX_REPLY);
                }
                answer => return answer.map_err(CallError::Refused),
            }
        }
    }

    /// The answer, and the id that came with it.
    fn ask(&mut self, call: Call) -> Result<(Option<u64>, Result<Value, ErrorReply>), CallError> {
        let patience = call.patience();
        self.stream.set_read_timeout(patience).map_err(CallError::Io)?;
        let id = self.send(call)?;
        loop {
            let reply = self.receive()?.ok_or(CallError::Closed)?;
            match reply.body {
                ReplyBody::Error(error) if reply.id.is_none_or(|it| it == id) => {
                    return Ok((reply.id, Err(error)));
                }
                ReplyBody::Ok(value) if reply.id == Some(id) => return Ok((reply.id, Ok(value))),
                // An answer to a call that ran out of patience.
                ReplyBody::Ok(_) | ReplyBody::Error(_) | ReplyBody::Event(_) => {}
            }
        }
    }

    /// Asks for the stream of events; they come as long as the instance runs.
    ///
    /// # Errors
    /// The request could not be sent.
    pub fn events(mut self) -> Result<Events, CallError> {
        self.stream.set_read_timeout(None).map_err(CallError::Io)?;
        let id = self.send(Call::Events)?;
        Ok(Events { client: self, id, ended: false })
    }

    fn send(&mut self, call: Call) -> Result<u64, CallError> {
        let id = self.next_id;
        self.next_id += 1;
        let line = Request { id, call }.to_line()?;
        match self.stream.write_all(&line) {
            // It closed on us; why may still be there to read.
            Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(id),
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => Err(CallError::NoAnswer),
            Err(err) => Err(CallError::Io(err)),
            Ok(()) => Ok(id),
        }
    }

    /// The next message, or `None` once the instance has closed.
    fn receive(&mut self) -> Result<Option<Reply>, CallError> {
        let mut chunk = [0; CHUNK];
        loop {
            let line = self.lines.next_line().map_err(|err| CallError::Garbled(err.to_string()))?;
            if let Some(line) = line {
                let reply = serde_json::from_slice(&line);
                return reply.map(Some).map_err(|err| CallError::Garbled(err.to_string()));
            }
            match self.stream.read(&mut chunk) {
                Ok(0) => return Ok(None),
                Ok(len) => self.lines.push(&chunk[..len]),
                Err(err) => match err.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        return Err(CallError::NoAnswer);
                    }
                    io::ErrorKind::ConnectionReset => return Ok(None),
                    _ => return Err(CallError::Io(err)),
                },
            }
        }
    }
}

/// Events as they happen; blocks between them and ends when the instance does.
#[derive(Debug)]
pub struct Events {
    client: Client,
    id: u64,
    ended: bool,
}

impl Iterator for Events {
    type Item = Result<Value, CallError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let error = match self.client.receive() {
                Ok(Some(Reply { id: Some(id), body: ReplyBody::Event(value) }))
                    if id == self.id =>
                {
                    return Some(Ok(value));
                }
                Ok(Some(Reply { body: ReplyBody::Error(error), .. })) => CallError::Refused(error),
                Ok(Some(_)) => continue,
                Ok(None) => {
                    self.ended = true;
                    return None;
                }
                Err(error) => error,
            };
            self.ended = true;
            return Some(Err(error));
        }
        None
    }
}

fn connect_stream(path: &Path) -> io::Result<UnixStream> {
    let stream = connect(path)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    Ok(stream)
}

/// Connects, through the socket's folder where the path does not fit into an address.
///
/// # Errors
/// There is no socket, nobody listens, or it is another user's.
pub fn connect(path: &Path) -> io::Result<UnixStream> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if path.as_os_str().len() > MAX_SOCKET_PATH => {
            let folder = File::open(folder)?;
            let folder_path = format!("/proc/self/fd/{}", folder.as_raw_fd());
            UnixStream::connect(Path::new(&folder_path).join(name))
        }
        _ => UnixStream::connect(path),
    }
}
