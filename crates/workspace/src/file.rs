//! A file that is open in a tab: its text, and what we know of it on disk.

use std::path::{Path, PathBuf};

use buffer::{DiskStamp, Document, Position};

use crate::ActionError;
use crate::kept::{KeptText, KeptView};

/// How far an open file's text is from being there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadState {
    /// It was open in an earlier run, and has not been looked at in this one.
    Unread,
    Loading,
    Loaded,
    /// It could not be read; the tab shows why.
    Failed(String),
}

#[derive(Debug)]
pub struct OpenFile {
    pub(crate) path: PathBuf,
    pub(crate) document: Document,
    pub(crate) load: LoadState,
    /// What was on disk when the text was read or last saved; `None` for a file that is not there yet.
    pub(crate) stamp: Option<DiskStamp>,
    pub(crate) saving: bool,
    pub(crate) close_once_saved: bool,
    /// Where to put the cursor once the text is there.
    pub(crate) goto: Option<Position>,
    /// Where the person was in an earlier run, until the text is there.
    pub(crate) kept: Option<KeptView>,
    /// Text of an earlier run that was not saved, until the file it is put over is there.
    pub(crate) unsaved: Option<KeptText>,
    /// First visible line and display column.
    pub(crate) scroll: (usize, usize),
}

impl OpenFile {
    pub(crate) fn loading(path: PathBuf, goto: Option<Position>) -> Self {
        Self {
            path,
            document: Document::empty(),
            load: LoadState::Loading,
            stamp: None,
            saving: false,
            close_once_saved: false,
            goto,
            kept: None,
            unsaved: None,
            scroll: (0, 0),
        }
    }

    /// It is read once it is looked at.
    pub(crate) fn unread(path: PathBuf, view: KeptView) -> Self {
        let load = LoadState::Unread;
        Self { load, kept: Some(view), ..Self::loading(path, None) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's base name, with control characters replaced: agents choose names too.
    pub fn title(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy();
        name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn load_state(&self) -> &LoadState {
        &self.load
    }

    pub(crate) fn must_be_loaded(&self) -> Result<(), ActionError> {
        match &self.load {
            LoadState::Loaded => Ok(()),
            LoadState::Unread | LoadState::Loading => {
                Err(ActionError::StillLoading(self.path.clone()))
            }
            LoadState::Failed(why) => Err(ActionError::NotLoaded(why.clone())),
        }
    }

    pub fn is_modified(&self) -> bool {
        self.document.is_modified() || self.unsaved.is_some()
    }

    /// Whether text of an earlier run waits to be put over it.
    pub fn has_kept_text(&self) -> bool {
        self.unsaved.is_some()
    }

    /// What was on disk when the text was read or last saved; `None` for a file that is not there yet.
    pub fn stamp(&self) -> Option<DiskStamp> {
        self.stamp
    }

    pub fn is_saving(&self) -> bool {
        self.saving
    }

    /// Whether it is not on disk yet.
    pub fn is_new(&self) -> bool {
        self.load == LoadState::Loaded && self.stamp.is_none()
    }

    pub fn first_line(&self) -> usize {
        self.scroll.0
    }

    pub fn first_column(&self) -> usize {
        self.scroll.1
    }
}

/// A line and column as people count them, from 1, as a position.
pub(crate) fn position(line: u32, column: u32) -> Position {
    let zero_based = |number: u32| number.saturating_sub(1) as usize;
    Position { line: zero_based(line), column: zero_based(column) }
}
