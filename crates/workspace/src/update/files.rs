//! Opening and saving files.

use std::path::PathBuf;
use std::time::Instant;

use buffer::{DiskStamp, Document};

use super::{NO_EFFECTS, Outcome};
use crate::restore;
use crate::{
    ActionError, BufferId, Conflict, Effect, FileAction, LoadState, OpenFile, Overlay, PromptKind,
    State, Tab, TabContent, ToastKind, file,
};

impl State {
    pub(super) fn update_file(&mut self, action: FileAction, now: Instant) -> Outcome {
        match action {
            FileAction::Open { path, at } => {
                let mut effects = self.open_file(path, at)?;
                // Another workspace may have come into view, with terminals beside the file.
                effects.extend(self.fit_visible_terminals(now));
                Ok(effects)
            }
            FileAction::AskPath => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let text = format!("{}/", workspace.root.display());
                self.overlay = Some(Overlay::prompt(PromptKind::File, &text));
                NO_EFFECTS
            }
            FileAction::Save => self.save(None, Force::No),
            FileAction::SaveAndClose(buffer) => {
                let effects = self.save(Some(buffer), Force::No)?;
                if let Some(file) = self.files.get_mut(&buffer) {
                    file.close_once_saved = true;
                }
                Ok(effects)
            }
            FileAction::Overwrite(buffer) => self.save(buffer, Force::Yes),
            FileAction::Reload(buffer) => {
                let (buffer, file) = self.file_or_active(buffer)?;
                Ok(vec![Effect::LoadFile { buffer, path: file.path.clone() }])
            }
        }
    }

    fn file_or_active(
        &mut self,
        buffer: Option<BufferId>,
    ) -> Result<(BufferId, &mut OpenFile), ActionError> {
        let active = self.active_file().map(|(buffer, _)| buffer);
        let buffer = buffer.or(active).ok_or(ActionError::NoFile)?;
        let file = self.files.get_mut(&buffer).ok_or(ActionError::NoFile)?;
        Ok((buffer, file))
    }

    /// Shows the file in the workspace that holds it, or else in the active one.
    fn open_file(&mut self, path: PathBuf, at: Option<(u32, u32)>) -> Outcome {
        let holding = self.workspace_holding(&path).map(|workspace| workspace.id);
        let id = holding.or(self.active).ok_or(ActionError::NoWorkspace)?;
        let goto = at.map(|(line, column)| file::position(line, column));
        self.active = Some(id);
        if let Some(buffer) = self.show_if_open(&path) {
            if let (Some(file), Some(goto)) = (self.files.get_mut(&buffer), goto) {
                // Before it is read, it has no place to go to.
                if file.load == LoadState::Loaded {
                    file.document.move_cursor(buffer::Motion::To(goto), buffer::Extend::Move);
                    self.jump_to_cursor(buffer);
                } else {
                    file.goto = Some(goto);
                }
            }
            return NO_EFFECTS;
        }
        let buffer = BufferId::mint(&mut self.buffer_ids);
        let tab = self.mint_tab();
        self.files.insert(buffer, OpenFile::loading(path.clone(), goto));
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        workspace.panes.push(Tab { id: tab, content: TabContent::File(buffer) });
        Ok(vec![Effect::LoadFile { buffer, path }])
    }

    /// Goes to the tab that has the file open, in whichever workspace that is.
    fn show_if_open(&mut self, path: &std::path::Path) -> Option<BufferId> {
        let (&buffer, _) = self.files.iter().find(|(_, file)| file.path == path)?;
        let shows = |workspace: &crate::Workspace| workspace.tab_of_file(buffer);
        let (id, tab) =
            self.workspaces.iter().find_map(|workspace| Some((workspace.id, shows(workspace)?)))?;
        self.active = Some(id);
        self.workspace_mut(id)?.panes.show(tab);
        Some(buffer)
    }

    fn save(&mut self, buffer: Option<BufferId>, force: Force) -> Outcome {
        let (buffer, file) = self.file_or_active(buffer)?;
        file.must_be_loaded()?;
        if file.saving {
            return Err(ActionError::StillSaving(file.path.clone()));
        }
        file.saving = true;
        file.document.break_undo_group();
        Ok(vec![Effect::SaveFile {
            buffer,
            path: file.path.clone(),
            bytes: file.document.to_bytes(),
            expected: file.stamp,
            revision: file.document.revision(),
            force: force == Force::Yes,
        }])
    }

    /// Takes in what was read: the first time as it is, later as one step that can be undone. A
    /// file that is gone, or cannot be read any more, never takes the text that is here with it.
    pub(crate) fn file_read(
        &mut self,
        buffer: BufferId,
        result: Result<(Document, Option<DiskStamp>), String>,
        now: Instant,
    ) {
        let Some(file) = self.files.get_mut(&buffer) else { return };
        let is_first = file.load != LoadState::Loaded;
        if is_first && (file.kept.is_some() || file.unsaved.is_some()) {
            return self.kept_file_read(buffer, result, now);
        }
        let problem = match result {
            Ok((document, stamp)) if is_first => {
                file.document = document;
                file.stamp = stamp;
                file.load = LoadState::Loaded;
                if let Some(goto) = file.goto.take() {
                    file.document.move_cursor(buffer::Motion::To(goto), buffer::Extend::Move);
                    self.jump_to_cursor(buffer);
                }
                None
            }
            Ok((document, Some(stamp))) => {
                file.stamp = Some(stamp);
                file.document.reload(document.to_bytes()).err().map(|err| err.to_string())
            }
            Ok((_, None)) => {
                Some(format!("{} is no longer on disk; its text is kept", file.title()))
            }
            Err(message) if is_first => {
                file.load = LoadState::Failed(message);
                None
            }
            Err(message) => Some(message),
        };
        self.scroll_to_cursor(buffer);
        if let Some(problem) = problem {
            self.show_toast(problem, ToastKind::Error, now);
        }
    }

    /// Takes in the file of an earlier run: where the person was, and text that was not saved, are put over
    /// it. The text is here even where there is no file any more.
    fn kept_file_read(
        &mut self,
        buffer: BufferId,
        result: Result<(Document, Option<DiskStamp>), String>,
        now: Instant,
    ) {
        let Some(file) = self.files.get_mut(&buffer) else { return };
        let (unsaved, goto) = (file.unsaved.take(), file.goto.take());
        let mut problem = None;
        match result {
            Ok((document, stamp)) => (file.document, file.stamp) = (document, stamp),
            Err(message) if unsaved.is_none() => {
                file.load = LoadState::Failed(message);
                return;
            }
            Err(message) => problem = Some(message),
        }
        file.load = LoadState::Loaded;
        let (on_disk, title) = (file.stamp, file.title());
        let is_same = unsaved.is_none_or(|text| restore::put_over(file, text));
        if let Some(kept) = file.kept.take() {
            restore::go_back(file, kept);
        }
        if let Some(goto) = goto {
            file.document.move_cursor(buffer::Motion::To(goto), buffer::Extend::Move);
            self.jump_to_cursor(buffer);
        }
        if let Some(problem) = problem {
            self.show_toast(problem, ToastKind::Error, now);
        } else if !is_same {
            let conflict = if on_disk.is_some() { Conflict::Changed } else { Conflict::Deleted };
            let message = format!("{title} is not what it was when you changed it; see to it");
            let here = "What you had typed is here.";
            self.tell_conflict(buffer, conflict, (here, message), now);
        }
    }

    pub(crate) fn file_saved(
        &mut self,
        buffer: BufferId,
        revision: u64,
        stamp: DiskStamp,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(file) = self.files.get_mut(&buffer) else { return Vec::new() };
        file.saving = false;
        file.stamp = Some(stamp);
        file.document.mark_saved(revision);
        let close = std::mem::take(&mut file.close_once_saved) && !file.is_modified();
        let tab = self.workspaces.iter().find_map(|workspace| workspace.tab_of_file(buffer));
        self.drop_moot_question(tab);
        tab.filter(|_| close).map_or_else(Vec::new, |tab| self.drop_tab(tab, now))
    }

    /// Shows the cursor with lines before and after it, unless it is in view already.
    fn jump_to_cursor(&mut self, buffer: BufferId) {
        let rows = self.focused_room().file_rows.max(1);
        let Some(file) = self.files.get_mut(&buffer) else { return };
        let line = file.document.cursor().line;
        if !(file.scroll.0..file.scroll.0 + rows).contains(&line) {
            file.scroll.0 = line.saturating_sub(rows / 3);
        }
        self.scroll_to_cursor(buffer);
    }

    /// Moves the view as little as needed to have the cursor in it.
    pub(crate) fn scroll_to_cursor(&mut self, buffer: BufferId) {
        let room = self.focused_room();
        let (rows, columns) = (room.file_rows.max(1), room.file_columns.max(1));
        let Some(file) = self.files.get_mut(&buffer) else { return };
        let cursor = file.document.cursor();
        let column = file.document.display_column(crate::TAB_WIDTH);
        let into_view = |first: usize, length: usize, at: usize| {
            first.clamp((at + 1).saturating_sub(length), at)
        };
        file.scroll.0 = into_view(file.scroll.0, rows, cursor.line);
        file.scroll.1 = into_view(file.scroll.1, columns, column);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Force {
    Yes,
    No,
}
