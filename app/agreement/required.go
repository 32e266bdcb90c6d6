package agreement

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Subject is an item of a cart, or a booking, that a document may be required for.
type Subject struct {
	ID         uuid.UUID  `json:"id"` // of the item or the booking
	OfferingID uuid.UUID  `json:"offering_id"`
	CartID     *uuid.UUID `json:"cart_id"`    // of the item, or of the booking's order; nil: booked by the studio
	BookingID  *uuid.UUID `json:"booking_id"` // nil: not booked yet
	Attendee   string     `json:"attendee"`   // attendee's name, if it is not the customer
	Past       bool       `json:"past"`       // the booking's time has passed
}

// Acceptance is a customer's acceptance of a copy, as far as it decides the requirements.
type Acceptance struct {
	ID         uuid.UUID  `json:"id"`
	DocumentID uuid.UUID  `json:"document_id"`
	CopyID     uuid.UUID  `json:"copy_id"`
	Round      int        `json:"round"`
	CartID     *uuid.UUID `json:"cart_id"`    // cart of the acceptance
	BookingID  *uuid.UUID `json:"booking_id"` // booking that staff recorded it for
	// Attendee is the person agreed for: empty for the customer, else the attendee's name. Nil: not given. For a cart
	// or a booking that is everyone in it; otherwise it is the customer.
	Attendee  *string   `json:"attendee"`
	Language  string    `json:"language"` // of the translation shown; empty: the copy's own text
	CreatedAt time.Time `json:"created_at"`
	Copy      *Copy     `json:"copy" db:"-"` // the copy accepted, if it is not the current one; nil also if not read
}

// Requirement is a document required of one customer.
type Requirement struct {
	Document
	Subjects  []uuid.UUID // items or bookings that require it: their ids
	Open      []uuid.UUID // those of them without an acceptance; empty: signed
	Attendees []string    // persons without an acceptance, without duplicates: attendees by name, the customer as ""
	Agreed    *Acceptance // the latest that counts for one of them; nil: none

	people []string  // all persons required to sign, named like Attendees
	open   []Subject // those of Open
}

// AgreedTo returns the copy accepted, in the language shown. There is one if Agreed is not nil.
func (k *Requirement) AgreedTo() Copy {
	of := k.Copy
	if k.Agreed.Copy != nil {
		of = *k.Agreed.Copy
	}
	return of.In(k.Agreed.Language)
}

// RequiredFor reports whether an offering of its location requires the document.
func (d *Document) RequiredFor(offering uuid.UUID) bool {
	return d.ArchivedAt == nil && (d.EveryListing || slices.Contains(d.OfferingIDs, offering))
}

// answers reports whether an acceptance of the document satisfies w. An acceptance for a booking is final: a new
// round starts with the next booking.
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

// after reports whether an acceptance is later than another.
func (a Acceptance) after(b Acceptance) bool {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.ID[:], b.ID[:])) > 0
}

func same(a, b *uuid.UUID) bool { return a != nil && b != nil && *a == *b }

// Required returns the documents required for these items or bookings of one customer at one location, in the order
// of the documents, with the customer's acceptances. A document required for every booking does not apply to a past
// one. It is pure. A160, A180, A181, A183.
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

// add adds w to the subjects of the document.
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

// Open returns the requirements without an acceptance.
func Open(asks []Requirement) []Requirement {
	out := []Requirement{}
	for _, k := range asks {
		if len(k.Open) > 0 {
			out = append(out, k)
		}
	}
	return out
}
