//! Arguments of an action given by name: what the keymap, the command line and the socket have in common.

use std::collections::BTreeMap;

/// One value. The socket's JSON is turned into this at the edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    Text(String),
    Number(i64),
    Bool(bool),
    List(Vec<String>),
}

/// Named values, each taken out at most once; what is left over was not understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Args(BTreeMap<String, Arg>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    #[error("argument `{0}` is missing")]
    Missing(&'static str),
    #[error("argument `{name}` must be {expected}")]
    WrongKind { name: &'static str, expected: &'static str },
    #[error("unknown argument `{0}`")]
    Unknown(String),
}

impl Args {
    pub fn new(values: impl IntoIterator<Item = (String, Arg)>) -> Self {
        Self(values.into_iter().collect())
    }

    pub(crate) fn optional_text(
        &mut self,
        name: &'static str,
    ) -> Result<Option<String>, ArgsError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Arg::Text(text)) => Ok(Some(text)),
            Some(_) => Err(ArgsError::WrongKind { name, expected: "a string" }),
        }
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Result<String, ArgsError> {
        self.optional_text(name)?.ok_or(ArgsError::Missing(name))
    }

    pub(crate) fn optional_count(&mut self, name: &'static str) -> Result<Option<u32>, ArgsError> {
        let wrong = ArgsError::WrongKind { name, expected: "a whole number from 1" };
        match self.0.remove(name) {
            None => Ok(None),
            Some(Arg::Number(number)) => {
                u32::try_from(number).ok().filter(|it| *it > 0).map(Some).ok_or(wrong)
            }
            Some(_) => Err(wrong),
        }
    }

    pub(crate) fn count(&mut self, name: &'static str) -> Result<u32, ArgsError> {
        self.optional_count(name)?.ok_or(ArgsError::Missing(name))
    }

    pub(crate) fn optional_list(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Vec<String>>, ArgsError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Arg::List(list)) => Ok(Some(list)),
            Some(_) => Err(ArgsError::WrongKind { name, expected: "a list of strings" }),
        }
    }

    /// Refuses what nobody took.
    pub(crate) fn finish(self) -> Result<(), ArgsError> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(ArgsError::Unknown(name)),
        }
    }
}
