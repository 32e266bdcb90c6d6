// Package crm keeps a studio's records of its customers.
//
// Words: a person is a login and belongs to nobody; a customer is what one business knows about a person. There is at most
// one customer record per person and business, made the first time the person takes a seat there (EnsureTx), or before, by the
// studio (Create), which also writes down customers without an address, whom only the desk books. Somebody who walks in and says
// nothing about themselves has a record of their own, which is on no list (GuestTx). Two
// businesses never see each other's record of the same person.
//
// Who sees whom follows the grants of crm.view (Cover in package policy): everywhere, the customers of certain locations, or those
// of the occurrences the caller teaches. A customer of a location has a booking or a waitlist entry there, or was added there and
// has booked nowhere yet; who added them sees them until then, too (reach.go). Lists leave other rows out; asking for one of them
// by id is refused as forbidden.
//
// What it does not do yet: notes, tags, merging, import.
package crm
