//! The system's fonts: looked for only once a character is missing, on a thread of its own.
//!
//! Whoever needs a character asks and goes on; what is found comes back later, as faces that have
//! it. A font that cannot be read is as good as absent. Everything is bounded: how many characters
//! are asked for, and how many faces are loaded.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use base::Worker;
use cosmic_text::fontdb::{Database, FaceInfo, ID, Stretch, Style};
use skrifa::MetadataProvider as _;
use skrifa::raw::TableProvider as _;

use super::emoji::Presentation;

/// Distinct characters that are ever looked for; a program that prints more gets stand-ins.
const MAX_WANTS: usize = 10_000;
/// Faces that are ever taken over; each may keep a file of many megabytes in memory.
const MAX_FACES: usize = 24;

/// Where characters are looked for that the bundled fonts lack.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SystemFonts {
    /// Nowhere, so that pictures are the same on every machine.
    #[default]
    None,
    /// Wherever the system keeps its fonts.
    Installed,
    /// In a folder and those below it.
    Folder(PathBuf),
}

/// Called, on any thread, when missing characters have been found and should be drawn again.
pub type FontNews = Arc<dyn Fn() + Send + Sync>;

/// A character that no font at hand has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Want {
    pub(super) character: char,
    pub(super) presentation: Presentation,
}

/// A face of the system that has something that was wanted.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) info: FaceInfo,
    pub(super) has_colors: bool,
}

pub(super) struct Installed {
    fonts: SystemFonts,
    news: FontNews,
    asked: HashSet<Want>,
    unsent: Vec<Want>,
    n_faces: usize,
    n_awaited: usize,
    searcher: Option<Searcher>,
    has_news: Arc<AtomicBool>,
}

struct Searcher {
    worker: Worker<Sender<Vec<Want>>>,
    found: Receiver<Vec<Found>>,
}

impl Installed {
    pub(super) fn new(fonts: SystemFonts, news: FontNews) -> Self {
        Self {
            fonts,
            news,
            asked: HashSet::new(),
            unsent: Vec::new(),
            n_faces: 0,
            n_awaited: 0,
            searcher: None,
            has_news: Arc::default(),
        }
    }

    /// Remembers to look for a character, unless that was done before.
    pub(super) fn want(&mut self, want: Want) {
        let may_ask = self.fonts != SystemFonts::None
            && self.n_faces < MAX_FACES
            && self.asked.len() < MAX_WANTS;
        if may_ask && self.asked.insert(want) {
            self.unsent.push(want);
        }
    }

    /// Sends off what is wanted since the last time. The first time starts the thread.
    pub(super) fn send(&mut self) {
        if self.unsent.is_empty() {
            return;
        }
        let wants = std::mem::take(&mut self.unsent);
        if self.searcher.is_none() {
            self.searcher = self.start();
        }
        let jobs = self.searcher.as_ref().and_then(|searcher| searcher.worker.stop_handle());
        if jobs.is_some_and(|jobs| jobs.send(wants).is_ok()) {
            self.n_awaited += 1;
        }
    }

    /// Whether something was found that has not been taken yet.
    pub(super) fn has_news(&self) -> bool {
        self.has_news.load(Ordering::Acquire)
    }

    pub(super) fn is_awaiting(&self) -> bool {
        self.n_awaited > 0
    }

    /// What was found since the last time, waiting up to so long for each answer.
    pub(super) fn take(&mut self, patience: Duration) -> Vec<Found> {
        self.has_news.store(false, Ordering::Release);
        let mut all = Vec::new();
        while let Some(searcher) = &self.searcher
            && self.n_awaited > 0
        {
            let answer = if patience.is_zero() {
                searcher.found.try_recv().ok()
            } else {
                searcher.found.recv_timeout(patience).ok()
            };
            let Some(found) = answer else { break };
            self.n_awaited -= 1;
            all.extend(found);
        }
        all.truncate(MAX_FACES.saturating_sub(self.n_faces));
        self.n_faces += all.len();
        all
    }

    fn start(&self) -> Option<Searcher> {
        let (jobs, wants) = channel::<Vec<Want>>();
        let (answers, found) = channel();
        let (fonts, news) = (self.fonts.clone(), Arc::clone(&self.news));
        let has_news = Arc::clone(&self.has_news);
        let worker = Worker::spawn("fonts", jobs, move || {
            let mut shelf: Option<Shelf> = None;
            for wants in wants {
                let shelf = shelf.get_or_insert_with(|| Shelf::scan(&fonts));
                let found = shelf.find(wants);
                let is_news = !found.is_empty();
                if answers.send(found).is_err() {
                    return;
                }
                if is_news {
                    has_news.store(true, Ordering::Release);
                    news();
                }
            }
        });
        match worker {
            Ok(worker) => Some(Searcher { worker, found }),
            Err(error) => {
                tracing::warn!(%error, "no thread to look for fonts");
                None
            }
        }
    }
}

impl fmt::Debug for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Installed")
            .field("fonts", &self.fonts)
            .field("n_asked", &self.asked.len())
            .field("n_faces", &self.n_faces)
            .finish_non_exhaustive()
    }
}

/// All faces of the system, the most suitable first.
struct Shelf {
    db: Database,
    order: Vec<(ID, Kind)>,
    given: HashSet<ID>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Outlines,
    Colors,
}

impl Shelf {
    fn scan(fonts: &SystemFonts) -> Self {
        let mut db = Database::new();
        match fonts {
            SystemFonts::None => {}
            SystemFonts::Installed => db.load_system_fonts(),
            SystemFonts::Folder(folder) => db.load_fonts_dir(folder),
        }
        let region = region(&language());
        let mut faces: Vec<(&FaceInfo, Kind)> = db
            .faces()
            .filter_map(|face| Some((face, db.with_face_data(face.id, kind).flatten()?)))
            .collect();
        faces.sort_by_cached_key(|(face, _)| rank(face, region));
        let order = faces.into_iter().map(|(face, kind)| (face.id, kind)).collect();
        tracing::debug!(n_faces = db.len(), "looked for fonts");
        Self { db, order, given: HashSet::new() }
    }

    /// The best faces that have the characters, without those that were given out before.
    fn find(&mut self, wants: Vec<Want>) -> Vec<Found> {
        let mut found = HashMap::new();
        for presentation in [Presentation::Emoji, Presentation::Text] {
            let mut left: Vec<char> = wants
                .iter()
                .filter(|want| want.presentation == presentation)
                .map(|want| want.character)
                .collect();
            // Pictures for emoji; signs as signs, and as pictures only where there is nothing else.
            let kinds: &[Kind] = match presentation {
                Presentation::Emoji => &[Kind::Colors],
                Presentation::Text => &[Kind::Outlines, Kind::Colors],
            };
            for kind in kinds {
                for (id, _) in self.order.iter().filter(|(_, of)| of == kind) {
                    if left.is_empty() {
                        break;
                    }
                    let n_before = left.len();
                    let has = |data: &[u8], index| missing_of(data, index, &left);
                    left = self.db.with_face_data(*id, has).unwrap_or(left);
                    if left.len() < n_before && !self.given.contains(id) {
                        found.insert(*id, *kind);
                    }
                }
            }
        }
        self.given.extend(found.keys());
        let info = |(id, kind): (ID, Kind)| {
            Some(Found { info: self.db.face(id)?.clone(), has_colors: kind == Kind::Colors })
        };
        let mut found: Vec<Found> = found.into_iter().filter_map(info).collect();
        found.sort_by_key(|found| self.order.iter().position(|(id, _)| *id == found.info.id));
        found
    }
}

/// Those of the characters that a font lacks.
fn missing_of(data: &[u8], index: u32, characters: &[char]) -> Vec<char> {
    let Ok(font) = skrifa::FontRef::from_index(data, index) else { return characters.to_vec() };
    let charmap = font.charmap();
    characters.iter().copied().filter(|it| charmap.map(*it).is_none()).collect()
}

/// `None` for fonts that cannot be drawn: broken ones, and those whose pictures are in a form that
/// would come out blank.
fn kind(data: &[u8], index: u32) -> Option<Kind> {
    let font = skrifa::FontRef::from_index(data, index).ok()?;
    font.cmap().ok()?;
    let has = |tag: &[u8; 4]| font.data_for_tag(skrifa::Tag::new(tag)).is_some();
    let layers = font.colr().ok().map(|colr| colr.num_base_glyph_records());
    match layers {
        _ if has(b"CBDT") || has(b"sbix") => Some(Kind::Colors),
        Some(1..) => Some(Kind::Colors),
        Some(0) => None,
        None if has(b"glyf") || has(b"CFF ") || has(b"CFF2") => Some(Kind::Outlines),
        None => None,
    }
}

/// Smaller is better: upright and of ordinary weight, plain, of one width, for the user's region.
fn rank(face: &FaceInfo, region: &str) -> impl Ord + use<> {
    let family = face.families.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let is_last_resort = ["Last Resort", "Unifont", "Blank"].iter().any(|it| family.contains(it));
    let is_elsewhere = family.contains("CJK") && !family.ends_with(region);
    (
        is_last_resort,
        face.weight.0.abs_diff(400),
        face.style != Style::Normal,
        face.stretch != Stretch::Normal,
        !family.contains("Sans"),
        is_elsewhere,
        !face.monospaced,
        family,
        face.index,
    )
}

fn language() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default()
}

/// How families for all of East Asia call their shapes for that language.
fn region(language: &str) -> &'static str {
    let is = |prefix: &str| language.starts_with(prefix);
    match () {
        () if is("ko") => "KR",
        () if is("zh_TW") => "TC",
        () if is("zh_HK") => "HK",
        () if is("zh") => "SC",
        () => "JP",
    }
}

#[cfg(test)]
mod tests;
