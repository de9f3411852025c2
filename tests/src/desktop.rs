//! A desktop that shows notifications: who answers for them on a message bus of its own.
//!
//! It is played by the test itself and answers only when the test lets it.

use std::path::Path;

use crate::bus::{Bus, CALL, Message, Peer, Reader, Wire};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

pub(crate) struct Desktop {
    bus: Bus,
    peer: Peer,
    last_id: u32,
}

/// What was asked of who shows notifications.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Notify { id: u32, replaces: u32, title: String, body: String, hints: String },
    Close { id: u32 },
}

impl Desktop {
    /// Starts a bus below the folder and takes the name by which notifications are sent.
    pub(crate) fn start(dir: &Path) -> Self {
        let bus = Bus::start(dir);
        let peer = bus.join(NAME);
        Self { bus, peer, last_id: 0 }
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub(crate) fn address(&self) -> &str {
        self.bus.address()
    }

    /// Waits for the next thing that is asked, and leaves it unanswered; `None` where nothing is.
    pub(crate) fn hear(&mut self) -> Option<Asked> {
        self.next_call().map(|(_, asked)| asked)
    }

    /// Waits for the next thing that is asked, and does it.
    pub(crate) fn serve(&mut self) -> Option<Asked> {
        let (call, asked) = self.next_call()?;
        let mut body = Wire::default();
        let signature = match &asked {
            Asked::Notify { id, .. } => {
                body.number(*id);
                "u"
            }
            Asked::Close { .. } => "",
        };
        self.peer.answer(&call, signature, &body.0);
        Some(asked)
    }

    /// The person clicks on a notification.
    pub(crate) fn click(&mut self, id: u32) {
        let mut body = Wire::default();
        body.number(id);
        body.string("default");
        let voice = self.peer.voice();
        voice.lock().unwrap().signal((PATH, NAME, "ActionInvoked"), "us", &body.0);
    }

    fn next_call(&mut self) -> Option<(Message, Asked)> {
        loop {
            let message = self.peer.read()?;
            let mut body = Reader { bytes: &message.body, at: 0 };
            let asked = match (message.kind, message.member.as_str()) {
                (CALL, "Notify") => {
                    let (_app, replaces, _icon) = (body.string(), body.number(), body.string());
                    let (title, body_text) = (body.string(), body.string());
                    let hints = String::from_utf8_lossy(&message.body[body.at..]).into_owned();
                    if replaces == 0 {
                        self.last_id += 1;
                    }
                    let id = if replaces == 0 { self.last_id } else { replaces };
                    Asked::Notify { id, replaces, title, body: body_text, hints }
                }
                (CALL, "CloseNotification") => Asked::Close { id: body.number() },
                _ => continue,
            };
            return Some((message, asked));
        }
    }
}
