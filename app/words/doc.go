// Package words has the messages to customers in their language: sentences from catalogues that a translator can
// edit, and dates, numbers and clocks by Unicode's CLDR.
//
// English is written in the code, in the call, as a whole sentence with named placeholders:
//
//	l.T("Until {when} free", "when", l.Date(t, words.ShortDate))
//	l.N(n, "{n} spot left", "{n} spots left")
//	l.C("button", "Book") // a context, for a short word that other languages translate in two ways
//
// Text is a type of its own, so that every message is a constant: `make words` finds every constant of that type and
// adds it to po/*.po, the catalogues (GNU gettext, for Poedit, Weblate and the like). A test fails on a catalogue
// with a missing sentence, an unused one, or a missing placeholder.
package words
