//! What the person has asked of their whole desktop: light or dark, and that nothing moves.
//!
//! The settings portal tells, over D-Bus and on a thread of its own; winit tells neither on X11 nor on
//! Wayland. Nobody waits for it: before it has answered, and where it never does, the defaults hold.
//! Once it has answered the thread sleeps until something is changed.

mod heard;

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use async_channel::Sender;
use async_io::Timer;
use base::Worker;
use futures_lite::{StreamExt as _, future};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use zbus::address::Address;
use zbus::address::transport::{Transport, UnixSocket};
use zbus::connection::Builder;
use zbus::proxy::CacheProperties;
use zbus::{Connection, Error, Proxy};

use self::heard::{Heard, Setting};
use crate::news::NewsSender;

/// How long the bus, and then the portal, may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
const PORTAL: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const INTERFACE: &str = "org.freedesktop.portal.Settings";
const UNKNOWN_METHOD: &str = "org.freedesktop.DBus.Error.UnknownMethod";

/// Tells of the system's settings as long as it lives.
#[derive(Debug)]
pub(crate) struct SystemSettings {
    /// Closing the channel ends it at once, whatever it waits for.
    _worker: Worker<Sender<()>>,
}

impl SystemSettings {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn follow(news: NewsSender) -> io::Result<Self> {
        let (stop, stopped) = async_channel::bounded::<()>(1);
        let worker = Worker::spawn("portal", stop, move || {
            let until_stopped = async {
                // Nothing is ever sent: it is closed.
                let _closed = stopped.recv().await.is_err();
            };
            let follow = async {
                if let Err(err) = follow(&news).await {
                    // Many systems have no portal, and nothing is missing there.
                    tracing::debug!(%err, "the system does not tell its settings");
                }
            };
            future::block_on(future::or(follow, until_stopped));
        })?;
        Ok(Self { _worker: worker })
    }
}

/// Returns only when there is no bus, or it is gone.
async fn follow(news: &NewsSender) -> zbus::Result<()> {
    let stream = dial(&Address::session()?)?;
    // What the connection has to do is done here: no thread is started for it.
    let introduce = Builder::async_io_unix_stream(stream).internal_executor(false).build();
    let Some(connection) = in_time(introduce).await else { return Ok(()) };
    let connection = connection?;
    let serve = async {
        while !connection.executor().is_empty() {
            connection.executor().tick().await;
        }
        Ok(())
    };
    future::or(listen(&connection, news), serve).await
}

/// A socket to the bus. zbus would make one on a thread of a pool, which then wakes twice a second for
/// as long as we live (blocking 1.7.0).
fn dial(address: &Address) -> io::Result<UnixStream> {
    let address = match address.transport() {
        Transport::Unix(unix) => match unix.path() {
            UnixSocket::File(path) => UnixAddr::new(path)?,
            UnixSocket::Abstract(name) => UnixAddr::new_abstract(name.as_bytes())?,
            _ => return Err(io::ErrorKind::Unsupported.into()),
        },
        _ => return Err(io::ErrorKind::Unsupported.into()),
    };
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let socket = socket(AddressFamily::Unix, SockType::Stream, flags, None)?;
    // Nor does this wait: a bus with a full queue is as good as none.
    connect(socket.as_raw_fd(), &address)?;
    Ok(socket.into())
}

async fn listen(connection: &Connection, news: &NewsSender) -> zbus::Result<()> {
    let portal: Proxy<'_> = zbus::proxy::Builder::new(connection)
        .destination(PORTAL)?
        .path(PATH)?
        .interface(INTERFACE)?
        .cache_properties(CacheProperties::No)
        .build()
        .await?;
    // First, so that nothing is missed that changes while we ask.
    let mut changes = portal.receive_signal("SettingChanged").await?;
    let mut heard = Heard::default();
    let ask_all = async {
        for setting in Setting::ALL {
            if let Some(value) = ask(&portal, setting).await {
                heard.hear(setting, value).into_iter().for_each(|fact| news.fact(fact));
            }
        }
    };
    // Who is too late may still tell of changes.
    let _in_time: Option<()> = in_time(ask_all).await;
    while let Some(message) = changes.next().await {
        if let Some((setting, value)) = heard::changed(&message.body()) {
            heard.hear(setting, value).into_iter().for_each(|fact| news.fact(fact));
        }
    }
    Ok(())
}

/// `None` where the portal does not know the setting, or there is no portal.
async fn ask(portal: &Proxy<'_>, setting: Setting) -> Option<bool> {
    let name = setting.name();
    let answer = match portal.call_method("ReadOne", &name).await {
        // It came with the second version of the interface.
        Err(Error::MethodError(error, ..)) if error.as_str() == UNKNOWN_METHOD => {
            portal.call_method("Read", &name).await
        }
        answer => answer,
    };
    heard::answered(setting, &answer.ok()?.body())
}

/// What it comes to, unless that takes too long.
async fn in_time<T>(work: impl Future<Output = T>) -> Option<T> {
    let too_late = async {
        Timer::after(PATIENCE).await;
        None
    };
    future::or(async { Some(work.await) }, too_late).await
}
