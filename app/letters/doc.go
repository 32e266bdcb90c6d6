// Package letters holds what the product sends and hands out in words of its own: the mails, and the one writer of calendar
// files, whoever asks for one. It reads nothing: a domain hands it the facts, and gets a mail.Message or a file back.
//
//	Letters   one method a mail; app/assembly gives each to the domain that sends it
//	Calendar  a file of events: for pages and the API, and whatever else hands out bookings
//
// What always holds: a letter says what the pages say, in the words of package view, and its links lead to them; an event's
// id is the booking's for good, and its sequence the booking's version.
package letters
