//! A message bus of a test's own, and who is on it.
//!
//! The bus is the real one. Who is on it is played by the test itself, in as much of the wire format
//! as that takes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use crate::harness::PATIENCE;

pub(crate) const CALL: u8 = 1;
const RETURN: u8 = 2;
const ERROR: u8 = 3;
const SIGNAL: u8 = 4;

pub(crate) struct Bus {
    daemon: Child,
    socket: PathBuf,
    address: String,
}

impl Bus {
    /// Starts one below the folder.
    pub(crate) fn start(dir: &Path) -> Self {
        let (socket, config) = (dir.join("bus"), dir.join("bus.conf"));
        // Nobody else is started by it, whatever is installed.
        let settings = format!(
            "<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\"><allow send_destination=\"*\"/><allow receive_sender=\"*\"/>\
             <allow own=\"*\"/></policy>\
             </busconfig>",
            socket.display()
        );
        std::fs::write(&config, settings).unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .args(["--nofork", "--print-address=1", "--config-file"])
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is installed by `cargo xtask test`");
        let mut address = String::new();
        let stdout = daemon.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut address).unwrap();
        Self { daemon, socket, address: address.trim().to_owned() }
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Somebody who owns that name.
    pub(crate) fn join(&self, name: &str) -> Peer {
        let stream = UnixStream::connect(&self.socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let voice = Voice { stream: stream.try_clone().unwrap(), last_serial: 0 };
        let mut peer = Peer { stream, voice: Arc::new(Mutex::new(voice)) };
        peer.introduce(name);
        peer
    }

    /// Who is on it hears no more.
    pub(crate) fn end(&mut self) {
        drop(self.daemon.kill());
        drop(self.daemon.wait());
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        self.end();
    }
}

/// One connection to the bus.
pub(crate) struct Peer {
    stream: UnixStream,
    voice: Arc<Mutex<Voice>>,
}

/// Its sending half, which another thread may have, too.
pub(crate) struct Voice {
    stream: UnixStream,
    last_serial: u32,
}

impl Peer {
    fn introduce(&mut self, name: &str) {
        let uid = nix::unistd::getuid().to_string();
        let hex: String = uid.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.stream.write_all(format!("\0AUTH EXTERNAL {hex}\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n") {
            let mut byte = [0];
            self.stream.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        assert!(answer.starts_with(b"OK "), "{}", String::from_utf8_lossy(&answer));
        self.stream.write_all(b"BEGIN\r\n").unwrap();
        self.call_bus("Hello", "", &[]);
        let mut wish = Wire::default();
        wish.string(name);
        wish.number(0);
        self.call_bus("RequestName", "su", &wish.0);
    }

    /// Calls a method of the bus itself and waits for its answer.
    fn call_bus(&mut self, member: &str, signature: &str, body: &[u8]) {
        let bus = "org.freedesktop.DBus";
        let fields =
            [(1, 'o', "/org/freedesktop/DBus"), (2, 's', bus), (3, 's', member), (6, 's', bus)];
        let serial = self.voice.lock().unwrap().send(CALL, &fields, None, signature, body);
        while self.read().expect("the bus answers").reply_to != Some(serial) {}
    }

    pub(crate) fn voice(&self) -> Arc<Mutex<Voice>> {
        Arc::clone(&self.voice)
    }

    pub(crate) fn answer(&self, call: &Message, signature: &str, body: &[u8]) {
        let fields = [(6, 's', call.sender.as_str())];
        self.voice.lock().unwrap().send(RETURN, &fields, Some(call.serial), signature, body);
    }

    pub(crate) fn refuse(&self, call: &Message, error: &str) {
        let fields = [(4, 's', error), (6, 's', call.sender.as_str())];
        self.voice.lock().unwrap().send(ERROR, &fields, Some(call.serial), "", &[]);
    }

    /// `None` once nothing has come for long.
    pub(crate) fn read(&mut self) -> Option<Message> {
        let mut fixed = [0; 16];
        self.stream.read_exact(&mut fixed).ok()?;
        assert_eq!(fixed[0], b'l', "little-endian");
        let mut numbers = Reader { bytes: &fixed, at: 4 };
        let (body_len, serial, fields_len) = (numbers.number(), numbers.number(), numbers.number());
        let mut fields = vec![0; (fields_len as usize).next_multiple_of(8)];
        self.stream.read_exact(&mut fields).unwrap();
        let mut body = vec![0; body_len as usize];
        self.stream.read_exact(&mut body).unwrap();
        let mut message = Message { kind: fixed[1], serial, body, ..Message::default() };
        fields.truncate(fields_len as usize);
        message.take_fields(&fields);
        Some(message)
    }
}

impl Voice {
    pub(crate) fn signal(
        &mut self,
        (path, interface, member): (&str, &str, &str),
        signature: &str,
        body: &[u8],
    ) {
        let fields = [(1, 'o', path), (2, 's', interface), (3, 's', member)];
        self.send(SIGNAL, &fields, None, signature, body);
    }

    fn send(
        &mut self,
        kind: u8,
        fields: &[(u8, char, &str)],
        reply_to: Option<u32>,
        signature: &str,
        body: &[u8],
    ) -> u32 {
        self.last_serial += 1;
        let mut header = Wire::default();
        for (code, kind, value) in fields {
            header.field(*code, *kind);
            header.string(value);
        }
        if let Some(serial) = reply_to {
            header.field(5, 'u');
            header.number(serial);
        }
        if !signature.is_empty() {
            header.field(8, 'g');
            header.short_string(signature);
        }
        let mut message = Wire(vec![b'l', kind, 0, 1]);
        message.number(u32::try_from(body.len()).unwrap());
        message.number(self.last_serial);
        message.number(u32::try_from(header.0.len()).unwrap());
        message.0.extend(header.0);
        message.align(8);
        message.0.extend(body);
        self.stream.write_all(&message.0).unwrap();
        self.last_serial
    }
}

#[derive(Debug, Default)]
pub(crate) struct Message {
    pub kind: u8,
    pub serial: u32,
    reply_to: Option<u32>,
    pub member: String,
    sender: String,
    pub body: Vec<u8>,
}

impl Message {
    fn take_fields(&mut self, bytes: &[u8]) {
        let mut reader = Reader { bytes, at: 0 };
        while reader.at < bytes.len() {
            reader.align(8);
            let code = reader.byte();
            match (code, reader.short_string().as_str()) {
                (3, "s") => self.member = reader.string(),
                (7, "s") => self.sender = reader.string(),
                (5, "u") => self.reply_to = Some(reader.number()),
                (_, "u") => drop(reader.number()),
                (_, "g") => drop(reader.short_string()),
                (_, _) => drop(reader.string()),
            }
        }
    }
}

/// Values as they are written, each at a multiple of its size.
#[derive(Default)]
pub(crate) struct Wire(pub Vec<u8>);

impl Wire {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.align(4);
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.number(u32::try_from(text.len()).unwrap());
        self.0.extend(text.bytes().chain([0]));
    }

    pub(crate) fn short_string(&mut self, text: &str) {
        self.0.push(u8::try_from(text.len()).unwrap());
        self.0.extend(text.bytes().chain([0]));
    }

    /// The code of a header's field and the type of its value.
    fn field(&mut self, code: u8, kind: char) {
        self.align(8);
        self.0.push(code);
        self.short_string(&kind.to_string());
    }
}

/// And as they are read.
pub(crate) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Reader<'_> {
    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    fn take(&mut self, len: usize) -> &[u8] {
        let start = self.at;
        self.at += len;
        &self.bytes[start..self.at]
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    pub(crate) fn number(&mut self) -> u32 {
        self.align(4);
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn text(&mut self, len: usize) -> String {
        let text = String::from_utf8(self.take(len).to_vec()).unwrap();
        self.at += 1;
        text
    }

    pub(crate) fn string(&mut self) -> String {
        let len = self.number() as usize;
        self.text(len)
    }

    fn short_string(&mut self) -> String {
        let len = usize::from(self.byte());
        self.text(len)
    }
}
