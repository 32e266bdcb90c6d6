// Package words is what foyer says to customers, in their language: sentences from catalogues that a translator can edit,
// and dates, numbers and clocks as Unicode's CLDR writes them.
//
// English is written in the code, where it is said, as a whole sentence with named places:
//
//	l.T("Until {when} free", "when", l.Date(t, words.ShortDate))
//	l.N(n, "{n} spot left", "{n} spots left")
//	l.C("button", "Book") // a context, for a short word that other languages translate in two ways
//
// Text is a type of its own, so that what is translated is a constant: `make words` finds every constant of that type
// and brings it into po/*.po, the catalogues (GNU gettext, which Poedit, Weblate and their like open). The test refuses a
// catalogue that lacks a sentence, has one too many, or has lost a place.
package words
