//! Text of the operating system, which need not be UTF-8, in JSON.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A string, or the numbers of its bytes where it is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Text {
    fn from(text: &OsStr) -> Self {
        match text.to_str() {
            Some(text) => Self::Utf8(text.to_owned()),
            None => Self::Bytes(text.as_bytes().to_vec()),
        }
    }
}

impl From<&Path> for Text {
    fn from(path: &Path) -> Self {
        path.as_os_str().into()
    }
}

impl From<Text> for OsString {
    fn from(text: Text) -> Self {
        match text {
            Text::Utf8(text) => text.into(),
            Text::Bytes(bytes) => Self::from_vec(bytes),
        }
    }
}

impl From<Text> for PathBuf {
    fn from(text: Text) -> Self {
        OsString::from(text).into()
    }
}
