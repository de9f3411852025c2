//! A desktop that tells its settings: who answers for them on a message bus of its own.
//!
//! It is played on a thread of the test, because the program asks while it starts.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

use crate::bus::{Bus, CALL, Peer, Reader, Voice, Wire};

const NAME: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const INTERFACE: &str = "org.freedesktop.portal.Settings";

/// What is answered when a method is called about a key.
pub(crate) type Answers = fn(method: &str, key: &str) -> Answer;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    Value(Value),
    /// By the name of an error.
    Refused(&'static str),
    /// Nothing, ever.
    Silence,
}

/// In a variant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Number(u32),
    Flag(bool),
    /// So many bytes.
    Bytes(u32),
    /// A flag in so many variants more.
    Within(usize, bool),
}

pub(crate) struct Portal {
    bus: Bus,
    voice: Arc<Mutex<Voice>>,
    thread: Option<JoinHandle<()>>,
}

impl Portal {
    /// Starts a bus below the folder and takes the portal's name on it.
    pub(crate) fn start(dir: &Path, answers: Answers) -> Self {
        let bus = Bus::start(dir);
        let peer = bus.join(NAME);
        let voice = peer.voice();
        let thread = Builder::new().name("portal".to_owned()).spawn(move || serve(peer, answers));
        Self { bus, voice, thread: Some(thread.unwrap()) }
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub(crate) fn address(&self) -> &str {
        self.bus.address()
    }

    /// The person changes a setting.
    pub(crate) fn change(&self, namespace: &str, key: &str, value: Value) {
        let mut body = Wire::default();
        body.string(namespace);
        body.string(key);
        value.write(&mut body);
        let what = (PATH, INTERFACE, "SettingChanged");
        self.voice.lock().unwrap().signal(what, "ssv", &body.0);
    }

    /// The same with a body that no such signal has.
    pub(crate) fn say(&self, signature: &str, body: &[u8]) {
        let what = (PATH, INTERFACE, "SettingChanged");
        self.voice.lock().unwrap().signal(what, signature, body);
    }
}

impl Drop for Portal {
    fn drop(&mut self) {
        self.bus.end();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Answers until there is no bus.
fn serve(mut peer: Peer, answers: Answers) {
    while let Some(message) = peer.read() {
        if message.kind != CALL {
            continue;
        }
        let mut asked = Reader { bytes: &message.body, at: 0 };
        let (_namespace, key) = (asked.string(), asked.string());
        match answers(&message.member, &key) {
            Answer::Value(value) => {
                let mut body = Wire::default();
                value.write(&mut body);
                peer.answer(&message, "v", &body.0);
            }
            Answer::Refused(error) => peer.refuse(&message, error),
            Answer::Silence => {}
        }
    }
}

impl Value {
    fn write(self, body: &mut Wire) {
        match self {
            Self::Number(number) => {
                body.short_string("u");
                body.number(number);
            }
            Self::Flag(flag) => {
                body.short_string("b");
                body.number(u32::from(flag));
            }
            Self::Bytes(len) => {
                body.short_string("ay");
                body.number(len);
                body.0.resize(body.0.len() + len as usize, 7);
            }
            Self::Within(depth, flag) => {
                (0..depth).for_each(|_| body.short_string("v"));
                Self::Flag(flag).write(body);
            }
        }
    }
}
