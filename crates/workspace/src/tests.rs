//! Actions and facts in, state and effects out.
