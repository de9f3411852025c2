//! What reaches a program that reads late, or never.

use super::*;

/// All that waits.
fn waiting(outgoing: &mut Outgoing) -> Vec<u8> {
    let mut read = Vec::new();
    outgoing.write(|bytes| {
        read.extend_from_slice(bytes);
        Ok(bytes.len())
    });
    assert!(outgoing.is_empty(), "all is written");
    read
}

/// One for which so much was typed that nothing more fits.
fn full(paste: Paste) -> Outgoing {
    let mut outgoing = Outgoing::new();
    assert!(outgoing.typed(&vec![b'x'; TYPED], paste), "so much is taken");
    outgoing
}

#[test]
fn what_is_typed_and_answered_arrives_in_order() {
    let mut outgoing = Outgoing::new();
    for _ in 0..2 {
        assert!(outgoing.typed(b"ab", Paste::None), "there is room");
        assert!(outgoing.typed(b"c", Paste::None), "there is room");
        outgoing.answer(b"<1>");
        outgoing.answer(b"<2>");
        assert!(outgoing.typed(b"d", Paste::None), "there is room");
    }
    // Byte by byte, with nothing to be read between.
    let (mut read, mut takes) = (Vec::new(), false);
    while !outgoing.is_empty() {
        outgoing.write(|bytes| {
            takes = !takes;
            if !takes {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            read.push(bytes[0]);
            Ok(1)
        });
    }
    assert_eq!(String::from_utf8(read).unwrap(), "abc<1><2>dabc<1><2>d", "as it came");
}

#[test]
fn a_program_that_only_asks_is_answered_up_to_a_limit() {
    let mut outgoing = Outgoing::new();
    for _ in 0..ANSWERS {
        outgoing.answer(b"\x1b[0n");
    }
    assert!(outgoing.typed(b"typed", Paste::None), "typing has room of its own");
    let waits = waiting(&mut outgoing);
    assert_eq!(waits.len(), ANSWERS + b"typed".len(), "no more than that waits");
    assert!(waits.ends_with(b"\x1b[0ntyped"), "and answers are whole");
}

#[test]
fn one_that_is_always_a_little_behind_costs_no_memory() {
    let mut outgoing = Outgoing::new();
    for _ in 0..1_000 {
        outgoing.answer(&[b'x'; 1_000]);
        let mut room = 999;
        outgoing.write(|bytes| {
            let len = bytes.len().min(std::mem::take(&mut room));
            if len == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(len) }
        });
    }
    let held: usize = outgoing.pieces.iter().map(|piece| piece.bytes.len()).sum();
    assert!(held < 8_000, "{held} bytes are held");
    assert_eq!(waiting(&mut outgoing).len(), 1_000, "what waits of them");
}

#[test]
fn what_does_not_fit_is_dropped_until_there_is_room() {
    let mut outgoing = full(Paste::None);
    assert!(!outgoing.typed(b"lost", Paste::None), "there is none");
    assert_eq!(waiting(&mut outgoing).len(), TYPED, "it does not arrive");
    assert!(outgoing.typed(b"again", Paste::None), "now there is");
    assert_eq!(waiting(&mut outgoing), b"again", "and only that arrives");
}

#[test]
fn a_paste_that_is_cut_ends_and_its_rest_is_not_typed() {
    let mut outgoing = full(Paste::Open);
    assert!(!outgoing.typed(b"lost", Paste::Open), "there is no room");
    assert!(waiting(&mut outgoing).ends_with(b"x\x1b[201~"), "the program hears of the end");
    assert!(!outgoing.typed(b"the rest\r", Paste::Open), "it is for nobody");
    assert!(!outgoing.typed(b"of it\x1b[201~", Paste::None), "nor is its end");
    assert!(outgoing.typed(b"key", Paste::None), "keys are keys again");
    assert_eq!(waiting(&mut outgoing), b"key", "and arrive alone");

    let mut outgoing = full(Paste::None);
    assert!(!outgoing.typed(b"\x1b[200~begin", Paste::Open), "there is no room");
    assert_eq!(waiting(&mut outgoing).len(), TYPED, "it was not begun, and is not ended");
    assert!(!outgoing.typed(b"the rest\r", Paste::Open), "nobody takes it for keys");
}

#[test]
fn who_has_gone_is_sent_nothing_more() {
    let mut outgoing = full(Paste::None);
    outgoing.write(|_| Err(io::ErrorKind::BrokenPipe.into()));
    assert!(outgoing.is_empty(), "all is dropped");
}
