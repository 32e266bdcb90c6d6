// Package agreement holds the waivers and terms of a location: their text at every time, the acceptances of
// customers, and the documents that are still required.
//
// Terms: a document has a name and is required by listings (offerings): by every one of its location, or by a list of
// them. Its content is a copy: text, or a PDF file. A change makes another copy; copies never change and are never
// deleted. An acceptance is a customer's agreement to one copy; it never changes either. A new round requires
// everyone to sign again.
//
//	content changed ──▶ the next copy (earlier acceptances still count)
//	sign again ───────▶ the next round (earlier acceptances remain, but no longer count)
//	archived ◀────────▶ restored (not required; acceptances remain)
//
// Invariants:
//
//   - Requirements are computed by Required (required.go) and nowhere else: for the cart, for its confirmation, for a
//     customer's record.
//   - A document required once is satisfied by an acceptance of its round. One required for every booking is
//     satisfied by an acceptance of the cart of the booking, or by one that staff recorded for that booking.
//   - A customer accepts the copy shown: an outdated one is refused with the current one.
//   - A repeated acceptance is the same acceptance.
//   - The exact text of an acceptance remains available, whatever happens to the document (Path).
//
// The text is readable by everyone with the id of its copy: the studio shows it to each visitor who books.
package agreement
