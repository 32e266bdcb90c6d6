// Package letters has the product's own mails and the one writer of calendar files. It reads nothing: a domain passes
// the facts, and receives a mail.Message or a file.
//
//	Letters   one method per mail; app/assembly passes each to the domain that sends it
//	Calendar  a file of events: for pages, the API and mails
//
// Invariants: a letter has the same texts as the pages, from package view, and its links lead to them. An event's id
// is permanently the booking's, and its sequence the booking's version.
package letters
