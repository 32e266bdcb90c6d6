// Package crm holds a studio's records of its customers.
//
// Terms: a person is a login and belongs to no business; a customer is the record that one business has of a person.
// There is at most one customer per person and business, made with the person's first seat there (EnsureTx), or
// before, by the studio (Create). The studio also creates customers without an address; only the desk books for them.
// An anonymous walk-in has a record of their own that is on no list (GuestTx). A business never sees another's record
// of the same person.
//
// Visibility follows the grants of crm.view (Cover in package policy): all customers, those of certain locations, or
// those of the occurrences that the caller teaches. A customer of a location has a booking or a waitlist entry there,
// or was added there and has booked nowhere yet; until then they are visible to their author, too (reach.go). Lists
// omit other rows; reading one of them by id is forbidden.
//
// Not implemented yet: notes, tags, merging, import.
package crm
