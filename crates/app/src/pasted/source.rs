//! What the desktop's clipboard holds, fetched as bytes from whoever owns it: its PNG, and text that is
//! no valid UTF-8, of which others give nothing.

use std::env;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use base::LogErr as _;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use terminal::ClipboardTarget;
use wl_clipboard_rs::paste::{
    ClipboardType, Error as WaylandError, MimeType, Seat, get_contents, get_mime_types,
};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, Property, WindowClass,
};
use x11rb::rust_connection::RustConnection;

const PNG: &str = "image/png";
/// How long the owner may take for all of it; quitting may have to wait for that.
const FETCH_TIME: Duration = Duration::from_secs(3);
/// How long the owner may take to say what it has: nothing else happens meanwhile. The display server
/// is taken to answer.
const LOOK_TIME: Duration = Duration::from_millis(250);
/// How long the owner may take for text that it has given once already. Nothing else happens meanwhile.
const TEXT_TIME: Duration = Duration::from_secs(1);
/// More bytes of kinds than anybody offers.
const MAX_TARGETS: usize = 64 * 1024;
/// What text is called in clipboards.
const TEXTS: [&str; 5] =
    ["UTF8_STRING", "STRING", "TEXT", "text/plain", "text/plain;charset=utf-8"];

/// `None` where the clipboard has no image, or where there is none.
///
/// # Errors
/// A line for the person: it is too large, or did not come in time.
pub(super) fn clipboard_png(limit: usize) -> Result<Option<Vec<u8>>> {
    let until = crate::clock() + FETCH_TIME;
    if is_set("WAYLAND_DISPLAY")
        && let Some(png) =
            from_wayland(ClipboardType::Regular, MimeType::Specific(PNG), limit, until)?
    {
        return Ok(Some(png));
    }
    if is_set("DISPLAY") { from_x11("CLIPBOARD", &[PNG], limit, until) } else { Ok(None) }
}

/// The text of a clipboard with what is no UTF-8 in it replaced; `None` where it has none.
///
/// # Errors
/// A line for the person: it is too large, or did not come in time.
pub(crate) fn broken_text(target: ClipboardTarget, limit: usize) -> Result<Option<String>> {
    let until = crate::clock() + TEXT_TIME;
    let (kind, selection) = match target {
        ClipboardTarget::Clipboard => (ClipboardType::Regular, "CLIPBOARD"),
        ClipboardTarget::Primary => (ClipboardType::Primary, "PRIMARY"),
    };
    let mut bytes = None;
    if is_set("WAYLAND_DISPLAY") {
        bytes = from_wayland(kind, MimeType::Text, limit, until)?;
    }
    if bytes.is_none() && is_set("DISPLAY") {
        bytes = from_x11(selection, &TEXTS, limit, until)?;
    }
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Whether the clipboard has an image and no text. Being told no in doubt does no harm: then its text
/// is asked for.
///
/// This is asked on the main thread, since keys that are typed after a paste must not overtake it. An
/// owner that answers takes 1 to 6 ms of it.
pub(crate) fn holds_only_image() -> bool {
    let until = crate::clock() + LOOK_TIME;
    if is_set("WAYLAND_DISPLAY")
        && let Ok(offered) = get_mime_types(ClipboardType::Regular, Seat::Unspecified)
    {
        // An image from a browser comes with HTML about it, which is no text to paste.
        let is_text =
            |kind: &String| kind.starts_with("text/plain") || TEXTS.contains(&kind.as_str());
        return offered.contains(PNG) && !offered.iter().any(is_text);
    }
    is_set("DISPLAY")
        && x11_holds_only_image(until).log_err("looking at the clipboard").unwrap_or(false)
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn from_wayland(
    clipboard: ClipboardType,
    wanted: MimeType<'_>,
    limit: usize,
    until: Instant,
) -> Result<Option<Vec<u8>>> {
    match get_contents(clipboard, Seat::Unspecified, wanted) {
        Ok((pipe, _)) => read_all(File::from(OwnedFd::from(pipe)), limit, until).map(Some),
        // Not every compositor lets us look; the clipboard of X may be bridged.
        Err(WaylandError::NoSeats | WaylandError::ClipboardEmpty | WaylandError::NoMimeType) => {
            Ok(None)
        }
        Err(err) => {
            tracing::info!(%err, "nothing from the Wayland clipboard");
            Ok(None)
        }
    }
}

fn read_all(mut pipe: File, limit: usize, until: Instant) -> Result<Vec<u8>> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 64 * 1024]);
    loop {
        wait_readable(&pipe, until)?;
        match pipe.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(len) => bytes.extend_from_slice(&chunk[..len]),
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) => return Err(err.into()),
        }
        check_size(bytes.len(), limit)?;
    }
}

fn check_size(len: usize, limit: usize) -> Result<()> {
    if len > limit {
        bail!("what the clipboard holds is too large to be pasted");
    }
    Ok(())
}

fn wait_readable(fd: &impl AsFd, until: Instant) -> Result<()> {
    let left = until.saturating_duration_since(crate::clock());
    let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
    let mut fds = [PollFd::new(fd.as_fd(), PollFlags::POLLIN)];
    match poll(&mut fds, timeout) {
        Ok(0) => bail!("whoever owns the clipboard does not give what it holds"),
        Ok(_) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(err) => Err(err.into()),
    }
}

/// A connection of its own: it is closed, with its window, when this is done.
struct Selection {
    connection: RustConnection,
    window: u32,
    clipboard: u32,
    property: u32,
    until: Instant,
    limit: usize,
}

/// What the selection has of the first of these kinds that it has any of.
fn from_x11(name: &str, kinds: &[&str], limit: usize, until: Instant) -> Result<Option<Vec<u8>>> {
    let mut selection = Selection::new(name, limit, until)?;
    for kind in kinds {
        let wanted = selection.atom(kind)?;
        let Some((kind, bytes)) = selection.ask_for(wanted)? else { continue };
        if kind != selection.atom("INCR")? {
            return Ok(Some(bytes));
        }
        return selection.take_pieces().map(Some);
    }
    Ok(None)
}

/// Whether X's clipboard has a PNG, and nothing that could be taken for text.
fn x11_holds_only_image(until: Instant) -> Result<bool> {
    let mut selection = Selection::new("CLIPBOARD", MAX_TARGETS, until)?;
    let targets = selection.atom("TARGETS")?;
    let Some((_, bytes)) = selection.ask_for(targets)? else { return Ok(false) };
    let offered: Vec<u32> =
        bytes.as_chunks::<4>().0.iter().map(|atom| u32::from_ne_bytes(*atom)).collect();
    let png = selection.atom(PNG)?;
    let texts: Result<Vec<u32>> = TEXTS.iter().map(|name| selection.atom(name)).collect();
    Ok(offered.contains(&png) && !texts?.iter().any(|text| offered.contains(text)))
}

impl Selection {
    fn new(name: &str, limit: usize, until: Instant) -> Result<Self> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id()?;
        let events = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &events)?;
        let mut selection = Self { connection, window, clipboard: 0, property: 0, until, limit };
        selection.clipboard = selection.atom(name)?;
        selection.property = selection.atom("TRACKSIDE_PASTE")?;
        Ok(selection)
    }

    fn atom(&self, name: &str) -> Result<u32> {
        Ok(self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    /// What the clipboard has of that kind, and what kind it then is.
    fn ask_for(&mut self, kind: u32) -> Result<Option<(u32, Vec<u8>)>> {
        let Self { window, clipboard, property, .. } = *self;
        let now = x11rb::CURRENT_TIME;
        self.connection.convert_selection(window, clipboard, kind, property, now)?;
        self.connection.flush()?;
        let answer = self.wait_for(|event| match event {
            Event::SelectionNotify(answer) => Some(answer.property),
            _ => None,
        })?;
        if answer == x11rb::NONE { Ok(None) } else { self.take_property().map(Some) }
    }

    /// Waits for the event that `wanted` makes something of.
    fn wait_for<T>(&mut self, wanted: impl Fn(&Event) -> Option<T>) -> Result<T> {
        loop {
            while let Some(event) = self.connection.poll_for_event()? {
                if let Some(found) = wanted(&event) {
                    return Ok(found);
                }
            }
            wait_readable(self.connection.stream(), self.until)?;
        }
    }

    /// The property's type and bytes; taking it tells the owner to go on.
    fn take_property(&self) -> Result<(u32, Vec<u8>)> {
        let length = u32::try_from(self.limit / 4 + 1).unwrap_or(u32::MAX);
        let (window, property) = (self.window, self.property);
        let request =
            self.connection.get_property(true, window, property, AtomEnum::ANY, 0, length)?;
        let reply = request.reply()?;
        check_size(reply.value.len() + reply.bytes_after as usize, self.limit)?;
        Ok((reply.type_, reply.value))
    }

    /// A large one comes in pieces, an empty one at the end.
    fn take_pieces(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            self.connection.flush()?;
            let property = self.property;
            self.wait_for(|event| match event {
                Event::PropertyNotify(it) => {
                    (it.atom == property && it.state == Property::NEW_VALUE).then_some(())
                }
                _ => None,
            })?;
            let (_, piece) = self.take_property()?;
            if piece.is_empty() {
                return Ok(bytes);
            }
            bytes.extend_from_slice(&piece);
            check_size(bytes.len(), self.limit)?;
        }
    }
}
