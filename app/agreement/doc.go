// Package agreement keeps the waivers and terms of a location: what they said when, who agreed to which words, and what is still to be
// agreed to.
//
// Words: a document has a name and is asked by listings (offerings): by every one of its location, or by those that were chosen. What it
// says is a copy: text, or a PDF file. Other words are another copy; copies never change and are never deleted. An acceptance is that a
// customer agreed to one copy; it never changes either. A round is begun whenever everyone is to be asked anew.
//
//	words changed ──▶ the next copy (what was agreed to still counts)
//	ask again ──────▶ the next round (what was agreed to before counts no more, but stays)
//	archived ◀──────▶ restored (nobody is asked; what was agreed to stays)
//
// What always holds:
//
//   - What is still asked is said by Asked (asked.go) and nowhere else: in the cart, when it is confirmed, on a customer's record.
//   - A document that is asked once is agreed to by an acceptance of its round. One that is asked for every booking is agreed to by an
//     acceptance of the cart that the booking was bought with, or one that the studio wrote down for that booking.
//   - A customer agrees to the copy that was shown: another one than the current is refused with the current one.
//   - Sending an acceptance again is the same acceptance.
//   - An acceptance leads to the exact words that were agreed to, whatever became of the document (Path).
//
// The words are open to everybody who knows the id of their copy: the studio shows them to each visitor who books.
package agreement
