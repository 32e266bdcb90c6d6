package agreement

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Subject is one thing that a document may be asked for: an item of a cart, or a booking.
type Subject struct {
	ID         uuid.UUID  `json:"id"` // of the item or the booking
	OfferingID uuid.UUID  `json:"offering_id"`
	CartID     *uuid.UUID `json:"cart_id"`    // that the item is in, or that the booking was bought with; nil: the studio booked it
	BookingID  *uuid.UUID `json:"booking_id"` // nil: it is not booked yet
	Attendee   string     `json:"attendee"`   // who comes, when it is somebody else than the customer
	Past       bool       `json:"past"`       // the booking's time has passed
}

// Acceptance is that a customer agreed to a copy, as far as it decides what is still asked.
type Acceptance struct {
	ID         uuid.UUID  `json:"id"`
	DocumentID uuid.UUID  `json:"document_id"`
	CopyID     uuid.UUID  `json:"copy_id"`
	Round      int        `json:"round"`
	CartID     *uuid.UUID `json:"cart_id"`    // in which it was agreed to
	BookingID  *uuid.UUID `json:"booking_id"` // which the studio wrote it down for
	// Attendee is whom they agreed for: empty for themselves, else who comes with them. Nil: nobody said, which is all that the cart was, or the
	// booking is, and elsewhere themselves.
	Attendee  *string   `json:"attendee"`
	Language  string    `json:"language"` // of the translation that was shown; empty: the copy's own words
	CreatedAt time.Time `json:"created_at"`
	Copy      *Copy     `json:"copy" db:"-"` // that was agreed to, where it is not the one of now; nil also where nobody asks
}

// Requirement is a document that is asked, of one customer.
type Requirement struct {
	Document
	Subjects  []uuid.UUID // that ask for it: ids of items or bookings
	Open      []uuid.UUID // those of them that lack an acceptance; empty: it is agreed to
	Attendees []string    // of whom it is lacking, each once: who comes with the customer by name, the customer as an empty one
	Agreed    *Acceptance // the latest that counts for one of them; nil: there is none

	people []string  // all who are asked, as Whose names them
	open   []Subject // those of Open
}

// AgreedTo is the copy that was agreed to, in the language in which it was shown. There is one where Agreed is.
func (k *Requirement) AgreedTo() Copy {
	of := k.Copy
	if k.Agreed.Copy != nil {
		of = *k.Agreed.Copy
	}
	return of.In(k.Agreed.Language)
}

// RequiredFor tells whether an offering of its location asks for the document.
func (d *Document) RequiredFor(offering uuid.UUID) bool {
	return d.ArchivedAt == nil && (d.EveryListing || slices.Contains(d.OfferingIDs, offering))
}

// answers tells whether an acceptance of the document is what w asks for. What is booked was agreed to for good: that everyone is asked
// anew is for the next booking.
func (d *Document) answers(a Acceptance, w Subject) bool {
	switch {
	case a.DocumentID != d.ID || !a.covers(w):
		return false
	case d.Frequency == Once:
		return a.Round == d.Round
	case w.BookingID != nil:
		return same(a.BookingID, w.BookingID) || same(a.CartID, w.CartID)
	}
	return same(a.CartID, w.CartID) && a.Round == d.Round
}

// after tells whether an acceptance is later than another.
func (a Acceptance) after(b Acceptance) bool {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.ID[:], b.ID[:])) > 0
}

func same(a, b *uuid.UUID) bool { return a != nil && b != nil && *a == *b }

// Required is what is asked for these items or bookings of one customer at one location, in the order of the documents, and what of it the
// customer has agreed to. A document that is asked for every booking asks for none that is over. It is pure. A160, A180, A181, A183.
func Required(documents []Document, wants []Subject, have []Acceptance) []Requirement {
	out := []Requirement{}
	for _, d := range documents {
		ask := Requirement{Document: d, Open: []uuid.UUID{}}
		for _, w := range wants {
			if d.RequiredFor(w.OfferingID) && !(w.Past && d.Frequency == EveryBooking) {
				ask.add(w, have)
			}
		}
		if len(ask.Subjects) > 0 {
			out = append(out, ask)
		}
	}
	return out
}

// add has w ask for the document.
func (k *Requirement) add(w Subject, have []Acceptance) {
	k.Subjects, k.people = append(k.Subjects, w.ID), with(k.people, w.Attendee)
	met := false
	for _, a := range have {
		if !k.answers(a, w) {
			continue
		}
		met = true
		if k.Agreed == nil || a.after(*k.Agreed) {
			k.Agreed = &a
		}
	}
	if !met {
		k.Open, k.open, k.Attendees = append(k.Open, w.ID), append(k.open, w), with(k.Attendees, w.Attendee)
	}
}

// Open are those of the asks that lack an acceptance.
func Open(asks []Requirement) []Requirement {
	out := []Requirement{}
	for _, k := range asks {
		if len(k.Open) > 0 {
			out = append(out, k)
		}
	}
	return out
}
