//! The one table of actions: names for keymap and socket, titles for the palette, docs for both.
//!
//! An action is here once; keys, palette, `trackside do` and the documentation are all served from it.

use std::path::PathBuf;

use agent::Expected;
use buffer::{Extend, Motion};
use terminal::{CellPoint, Scroll};

use crate::{
    Action, AgentAction, AgentsThen, AppAction, Args, ArgsError, Axis, Direction, EditAction,
    FileAction, FindAction, Launch, Leaving, MenuAction, OutputAction, PaneAction, PlainAction,
    QueueAction, TabAction, TerminalAction, UnsavedThen, ViewAction, WorkspaceAction,
};

/// One action as users know it.
#[derive(Debug)]
pub struct ActionSpec {
    pub name: &'static str,
    /// As in the palette: "Agent: Start…".
    pub title: &'static str,
    pub doc: &'static str,
    /// Names and kinds of its arguments; empty where it takes none.
    pub args: &'static str,
    parse: fn(&mut Args) -> Result<Action, ArgsError>,
}

impl ActionSpec {
    /// The action with these arguments; any left over are refused.
    pub fn parse(&self, mut args: Args) -> Result<Action, ArgsError> {
        let action = (self.parse)(&mut args)?;
        args.finish()?;
        Ok(action)
    }

    /// Whether it can be run with no arguments, and so from the palette and from keys.
    pub fn is_plain(&self) -> bool {
        self.parse(Args::default()).is_ok()
    }
}

pub fn find_action(name: &str) -> Option<&'static ActionSpec> {
    ACTIONS.iter().find(|spec| spec.name == name)
}

macro_rules! actions {
    ($($name:literal $title:literal $doc:literal $([$args:literal])? => $parse:expr;)+) => {
        /// Every action that has a name, in the order the palette shows them.
        pub const ACTIONS: &[ActionSpec] = &[$(ActionSpec {
            name: $name,
            title: $title,
            doc: $doc,
            args: concat!($($args)?),
            parse: $parse,
        }),+];
    };
}

actions! {
    "agent.start" "Agent: Start…" "Starts an agent in the active workspace; asks which one if neither a name nor a command is given."
        ["name: string, command: list of strings"] => agent_start;
    "agent.next" "Agent: Next that needs you" "Goes to the workspace whose agent has been waiting, most urgent first."
        => |_| Ok(Action::Agent(AgentAction::NextThatNeedsInput));
    "agent.queue" "Agent: Who needs you" "Lists all agents that wait, most urgent first, to be answered or written to from there."
        => |_| Ok(Action::Queue(QueueAction::Open));
    "agent.stop" "Agent: Stop" "Ends the active workspace's agent and everything it started."
        => |_| Ok(Action::Agent(AgentAction::Stop { workspace: None }));
    "agent.restart" "Agent: Restart" "Starts an ended agent again below what it has printed."
        => |_| Ok(Action::Agent(AgentAction::Restart { workspace: None }));
    "agent.resume" "Agent: Resume" "Starts an ended agent again so that it goes on with the session it was in; refused where that is not known, or the agent has no `resume` command."
        => |_| Ok(Action::Agent(AgentAction::Resume { workspace: None }));
    "agent.send" "Agent: Send text" "Writes text to the agent's terminal as if typed."
        ["text: string"] => |args| Ok(Action::Agent(AgentAction::Send { workspace: None, bytes: args.text("text")?.into_bytes() }));
    "agent.this_is_wrong" "Agent: This is wrong…" "Saves the last minutes of the agent to a file, without names and secrets, for whoever can put its state right; asks what would be right if nothing is given."
        ["expected: running, needs_input, starting, stale or exited, path: string"] => this_is_wrong;
    "agent.search" "Agent: Search what agents have printed…" "Looks through the transcripts of all agents, in all their launches, those that have ended or are closed included; what is chosen opens as text in a tab."
        => |_| Ok(Action::SearchTranscripts);
    "workspace.open" "Workspace: Open folder…" "Opens a folder as a workspace; asks for the path if none is given."
        ["path: string"] => workspace_open;
    "workspace.next" "Workspace: Next" "Goes to the next workspace on the rail."
        => |_| Ok(Action::Workspace(WorkspaceAction::Next));
    "workspace.previous" "Workspace: Previous" "Goes to the previous workspace on the rail."
        => |_| Ok(Action::Workspace(WorkspaceAction::Previous));
    "workspace.activate" "Workspace: Go to number" "Goes to a workspace by its place on the rail."
        ["number: from 1"] => |args| Ok(Action::Workspace(WorkspaceAction::ActivateNumber(args.count("number")? as usize)));
    "workspace.move_up" "Workspace: Move up" "Puts the active workspace one place up on the rail; from the top of its repository's group, the whole group."
        => |_| Ok(Action::Workspace(WorkspaceAction::MoveUp(None)));
    "workspace.move_down" "Workspace: Move down" "Puts the active workspace one place down on the rail; from the bottom of its repository's group, the whole group."
        => |_| Ok(Action::Workspace(WorkspaceAction::MoveDown(None)));
    "workspace.close" "Workspace: Close" "Takes the active workspace off the rail; refused while its agent or something in a terminal runs, or a file is unsaved."
        => |_| Ok(Action::Workspace(WorkspaceAction::Close(None)));
    "rail.menu" "Rail: Menu of this folder" "Opens what a click with the right button on the active workspace's tile opens: what can be done with it."
        => |_| Ok(Action::Menu(MenuAction::Open { workspace: None, at: None }));
    "file.open" "File: Open…" "Opens a file in a tab; asks for the path if none is given."
        ["path: string, line: from 1, column: from 1"] => file_open;
    "file.save" "File: Save" "Writes the active file to disk; refused if somebody else changed it meanwhile."
        => |_| Ok(Action::File(FileAction::Save));
    "file.overwrite" "File: Save over what is on disk" "Writes the active file to disk whatever is there."
        => |_| Ok(Action::File(FileAction::Overwrite(None)));
    "file.reload" "File: Reload from disk" "Takes what is on disk into the active file, as one step that can be undone."
        => |_| Ok(Action::File(FileAction::Reload(None)));
    "tab.next" "Tab: Next" "Goes to the tab to the right."
        => |_| Ok(Action::Tab(TabAction::Next));
    "tab.previous" "Tab: Previous" "Goes to the tab to the left."
        => |_| Ok(Action::Tab(TabAction::Previous));
    "tab.activate" "Tab: Go to number" "Goes to a tab by its place."
        ["number: from 1"] => |args| Ok(Action::Tab(TabAction::ActivateNumber(args.count("number")? as usize)));
    "tab.last" "Tab: Last" "Goes to the rightmost tab."
        => |_| Ok(Action::Tab(TabAction::Last));
    "tab.close" "Tab: Close" "Closes the active tab; asks about unsaved changes and about what runs in a terminal, and never kills an agent."
        => |_| Ok(Action::Tab(TabAction::Close(None)));
    "tab.move_to_next_pane" "Tab: Move to the next pane" "Puts the active tab into the next pane; the agent's stays."
        => |_| Ok(Action::Tab(TabAction::MoveToNextPane));
    "pane.split_right" "Pane: Split right" "Halves the pane; the right half shows the same file, or a new terminal beside a terminal."
        => |_| Ok(Action::Pane(PaneAction::Split(Axis::Row)));
    "pane.split_down" "Pane: Split down" "Halves the pane; the lower half shows the same file, or a new terminal below a terminal."
        => |_| Ok(Action::Pane(PaneAction::Split(Axis::Column)));
    "pane.focus_left" "Pane: Go left" "Goes to the pane at the left."
        => |_| Ok(Action::Pane(PaneAction::FocusToward(Direction::Left)));
    "pane.focus_right" "Pane: Go right" "Goes to the pane at the right."
        => |_| Ok(Action::Pane(PaneAction::FocusToward(Direction::Right)));
    "pane.focus_up" "Pane: Go up" "Goes to the pane above."
        => |_| Ok(Action::Pane(PaneAction::FocusToward(Direction::Up)));
    "pane.focus_down" "Pane: Go down" "Goes to the pane below."
        => |_| Ok(Action::Pane(PaneAction::FocusToward(Direction::Down)));
    "pane.grow" "Pane: Larger" "Gives the pane more of the split it is in."
        => |_| Ok(Action::Pane(PaneAction::Grow));
    "pane.shrink" "Pane: Smaller" "Gives the pane less of the split it is in."
        => |_| Ok(Action::Pane(PaneAction::Shrink));
    "pane.close" "Pane: Close" "Closes the pane; its tabs go to the one beside it."
        => |_| Ok(Action::Pane(PaneAction::Close));
    "edit.undo" "Edit: Undo" "Takes back the last change of the active file."
        => |_| Ok(Action::Edit(EditAction::Undo));
    "edit.redo" "Edit: Redo" "Brings back what was undone."
        => |_| Ok(Action::Edit(EditAction::Redo));
    "edit.copy" "Edit: Copy" "Copies the selection of the file or terminal."
        => |_| Ok(Action::Copy);
    "edit.cut" "Edit: Cut" "Cuts the selection of the file."
        => |_| Ok(Action::Cut);
    "edit.paste" "Edit: Paste" "Pastes the clipboard where the focus is."
        => |_| Ok(Action::Paste);
    "edit.paste_primary" "Edit: Paste the selection" "Pastes what was selected last, in any window, as the middle mouse button does."
        => |_| Ok(Action::PastePrimary);
    "edit.select_all" "Edit: Select all" "Selects the whole file."
        => |_| Ok(Action::Edit(EditAction::SelectAll));
    "edit.insert" "Edit: Insert text" "Inserts text at the cursor as one undo step."
        ["text: string"] => |args| Ok(Action::Edit(EditAction::Insert(args.text("text")?)));
    "edit.goto" "Edit: Go to line" "Moves the cursor to a line and column."
        ["line: from 1, column: from 1"] => edit_goto;
    "terminal.new" "Terminal: New" "Opens a terminal with your shell, or a command, in a tab; where the focused terminal is, unless a folder is given."
        ["cwd: string, command: list of strings"] => terminal_new;
    "terminal.scroll_page_up" "Terminal: Scroll a page up" "Shows older output."
        => |_| Ok(Action::Terminal(TerminalAction::Scroll(Scroll::PageUp)));
    "terminal.scroll_page_down" "Terminal: Scroll a page down" "Shows newer output."
        => |_| Ok(Action::Terminal(TerminalAction::Scroll(Scroll::PageDown)));
    "terminal.scroll_top" "Terminal: Scroll to the top" "Shows the oldest output kept."
        => |_| Ok(Action::Terminal(TerminalAction::Scroll(Scroll::Top)));
    "terminal.scroll_bottom" "Terminal: Scroll to the bottom" "Shows the newest output."
        => |_| Ok(Action::Terminal(TerminalAction::Scroll(Scroll::Bottom)));
    "terminal.find" "Terminal: Find…" "Opens the bar with which one finds text in all that the terminal has shown."
        => |_| Ok(Action::Find(FindAction::Open));
    "terminal.find_next" "Terminal: Next match" "Goes to the next older match of what is being looked for."
        => |_| Ok(Action::Find(FindAction::Next));
    "terminal.find_previous" "Terminal: Previous match" "Goes to the next newer match of what is being looked for."
        => |_| Ok(Action::Find(FindAction::Previous));
    "terminal.find_regex" "Terminal: Find by regular expression" "Takes what is looked for as a regular expression, or no longer."
        => |_| Ok(Action::Find(FindAction::ToggleRegex));
    "terminal.find_case" "Terminal: Find by case" "Tells capital and small letters apart in what is looked for, or no longer."
        => |_| Ok(Action::Find(FindAction::ToggleCase));
    "terminal.find_close" "Terminal: Close the find bar" "Closes the find bar and takes its marks away."
        => |_| Ok(Action::Find(FindAction::Close));
    "terminal.previous_prompt" "Terminal: Previous prompt" "Scrolls up to the prompt before, where the shell marks its prompts."
        => |_| Ok(Action::Terminal(TerminalAction::PreviousPrompt));
    "terminal.next_prompt" "Terminal: Next prompt" "Scrolls down to the next prompt, where the shell marks its prompts."
        => |_| Ok(Action::Terminal(TerminalAction::NextPrompt));
    "terminal.clear" "Terminal: Clear" "Forgets all that is above the line of the cursor, scrollback included."
        => |_| Ok(Action::Terminal(TerminalAction::Clear));
    "terminal.reset" "Terminal: Reset" "Undoes whatever modes a program has left behind; text stays."
        => |_| Ok(Action::Terminal(TerminalAction::Reset));
    "terminal.open_link" "Terminal: Open link" "Follows the link at a cell of the terminal, as Ctrl+click does."
        ["row: from 1, column: from 1"] => open_link;
    "terminal.take_copy" "Terminal: Take what it wanted to copy" "Copies what the focused program wanted to copy while you looked elsewhere."
        => |_| Ok(Action::TakeCopy);
    "terminal.save_output" "Terminal: Save output to file…" "Writes all that the terminal has shown to a file; asks for the path if none is given, and before it replaces a file."
        ["path: string"] => save_output;
    "notify.toggle_dnd" "Notifications: Do not disturb" "Holds notifications back, or no longer; the window's title goes on counting who waits."
        => |_| Ok(Action::ToggleDnd);
    "view.palette" "View: All commands" "Opens the command palette."
        => |_| Ok(Action::View(ViewAction::Palette));
    "view.toggle_theme" "View: Switch light and dark" "Switches between the light and the dark theme."
        => |_| Ok(Action::View(ViewAction::ToggleTheme));
    "view.toggle_rail" "View: Compact rail" "Makes the rail narrow, or wide again."
        => |_| Ok(Action::View(ViewAction::ToggleRail));
    "view.toggle_groups" "View: Group the rail by repository" "Puts workspaces of one repository together on the rail, or no longer."
        => |_| Ok(Action::View(ViewAction::ToggleGroups));
    "view.hide_rail" "View: Hide rail" "Hides the rail, or shows it again."
        => |_| Ok(Action::View(ViewAction::HideRail));
    "view.zoom_in" "View: Larger text" "Makes the text of panes larger."
        => |_| Ok(Action::View(ViewAction::ZoomIn));
    "view.zoom_out" "View: Smaller text" "Makes the text of panes smaller."
        => |_| Ok(Action::View(ViewAction::ZoomOut));
    "view.zoom_reset" "View: Default text size" "Sets the text size back to the configured one."
        => |_| Ok(Action::View(ViewAction::ZoomReset));
    "view.fullscreen" "View: Full screen" "Fills the screen with the window, or no longer."
        => |_| Ok(Action::View(ViewAction::Fullscreen));
    "debug.lose_device" "Debug: Lose the graphics device" "Throws the graphics device away, as a suspend may; drawing goes on with a new one."
        => |_| Ok(Action::View(ViewAction::LoseDevice));
    "agent.kill_orphans" "Agents: End what a crash left behind" "Looks for programs that run on though the host that held them was killed, and asks whether to end them with everything they started."
        => |_| Ok(Action::Agent(AgentAction::AskAboutLeftBehind));
    "app.quit" "Quit" "Ends Trackside; agents and terminals run on, and the next start shows them again. Asks if text is unsaved, or if something would be ended."
        => |_| Ok(Action::App(AppAction::Quit));
    "app.quit_and_stop" "Quit and stop all agents" "Stops every agent and terminal, then ends; asks first."
        => |_| Ok(Action::App(AppAction::QuitAndStop));
    "app.keep_and_quit" "Quit, keeping unsaved changes" "Ends; unsaved text comes back at the next start, and agents run on."
        => |_| Ok(leave(UnsavedThen::Keep));
    "app.discard_and_quit" "Quit, discarding unsaved changes" "Ends, giving up unsaved text; agents run on."
        => |_| Ok(leave(UnsavedThen::Discard));
}

fn leave(unsaved: UnsavedThen) -> Action {
    Action::App(AppAction::Leave(Leaving { unsaved, agents: AgentsThen::GoOn }))
}

fn agent_start(args: &mut Args) -> Result<Action, ArgsError> {
    let launch = match (args.optional_text("name")?, args.optional_list("command")?) {
        (None, None) => return Ok(Action::Agent(AgentAction::Ask)),
        (Some(name), None) => Launch::Named(name),
        (None, Some(command)) => Launch::Command(command),
        (Some(_), Some(_)) => {
            return Err(ArgsError::WrongKind { name: "command", expected: "absent with `name`" });
        }
    };
    Ok(Action::Agent(AgentAction::Start { workspace: None, launch }))
}

fn this_is_wrong(args: &mut Args) -> Result<Action, ArgsError> {
    let (word, path) = (args.optional_text("expected")?, args.optional_text("path")?);
    if word.is_none() && path.is_none() {
        return Ok(Action::Agent(AgentAction::AskWhatIsWrong { workspace: None }));
    }
    let expected = "running, needs_input, starting, stale or exited";
    let unknown = ArgsError::WrongKind { name: "expected", expected };
    let expected = word.map(|word| Expected::parse(&word).ok_or(unknown)).transpose()?;
    let path = path.map(PathBuf::from);
    Ok(Action::Agent(AgentAction::SaveRecording { workspace: None, expected, path }))
}

fn terminal_new(args: &mut Args) -> Result<Action, ArgsError> {
    let cwd = args.optional_text("cwd")?.map(PathBuf::from);
    let command = args.optional_list("command")?;
    Ok(Action::Plain(PlainAction::New { workspace: None, cwd, command }))
}

fn open_link(args: &mut Args) -> Result<Action, ArgsError> {
    let cell = |number: u32| u16::try_from(number - 1).unwrap_or(u16::MAX);
    let (row, column) = (cell(args.count("row")?), cell(args.count("column")?));
    Ok(Action::Terminal(TerminalAction::OpenLink(CellPoint { row, column })))
}

fn save_output(args: &mut Args) -> Result<Action, ArgsError> {
    Ok(Action::Output(match args.optional_text("path")? {
        Some(path) => {
            OutputAction::Save { program: None, path: PathBuf::from(path), replace: false }
        }
        None => OutputAction::AskPath,
    }))
}

fn workspace_open(args: &mut Args) -> Result<Action, ArgsError> {
    Ok(Action::Workspace(match args.optional_text("path")? {
        Some(path) => WorkspaceAction::Open(PathBuf::from(path)),
        None => WorkspaceAction::AskFolder,
    }))
}

fn file_open(args: &mut Args) -> Result<Action, ArgsError> {
    let Some(path) = args.optional_text("path")? else {
        return Ok(Action::File(FileAction::AskPath));
    };
    let column = args.optional_count("column")?.unwrap_or(1);
    let at = args.optional_count("line")?.map(|line| (line, column));
    Ok(Action::File(FileAction::Open { path: PathBuf::from(path), at }))
}

fn edit_goto(args: &mut Args) -> Result<Action, ArgsError> {
    let line = args.count("line")?;
    let column = args.optional_count("column")?.unwrap_or(1);
    let to = Motion::To(crate::file::position(line, column));
    Ok(Action::Edit(EditAction::Move(to, Extend::Move)))
}
