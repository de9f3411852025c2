//! What a transcript is made into.
