package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// dues is the data that decides the requirements of a person for their bookings with a business.
type dues struct {
	Customer  *uuid.UUID // nil: they have no upcoming booking
	Documents []Document
	Booked    []visit
	Have      []Acceptance
}

// visit is an upcoming booking.
type visit struct {
	ID         uuid.UUID  `json:"id"`
	OfferingID uuid.UUID  `json:"offering_id"`
	LocationID uuid.UUID  `json:"location_id"`
	CartID     *uuid.UUID `json:"cart_id"`
	Attendee   string     `json:"attendee"`
}

// asks returns the requirements, in the order of the documents of each location.
func (d dues) asks() []Requirement {
	out := []Requirement{}
	for _, k := range d.Documents {
		var wants []Subject
		for _, b := range d.Booked {
			if b.LocationID == k.LocationID {
				wants = append(wants, Subject{ID: b.ID, OfferingID: b.OfferingID, CartID: b.CartID, BookingID: &b.ID, Attendee: b.Attendee})
			}
		}
		out = append(out, Required([]Document{k}, wants, d.Have)...)
	}
	return out
}

// MyOutstanding returns the documents that a business requires of the signed-in person for their upcoming bookings,
// with their acceptances. A customer booked by the studio, or in a new round, signs before the visit. Errors:
// identity.ErrSignIn, ErrKeyRefused.
func (s *Service) MyOutstanding(ctx context.Context, sc tenancy.Scope) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	d, err := readDues(ctx, s.db.View(sc.Tenant), person)
	return d.asks(), err
}

// Sign records the signed-in person's acceptance of documents of MyOutstanding: all of them or none, for every
// booking without one, for the attendees given. Existing acceptances are unchanged, so a repeated call has no effect.
// It returns the requirements afterwards.
//
// Errors (A184, A189):
//
//   - identity.ErrSignIn, ErrKeyRefused
//   - Validation on accept, also for a document with full display that was shown as a checkbox
//   - not found for a copy of a document that is not required
//   - ErrStale
func (s *Service) Sign(ctx context.Context, sc tenancy.Scope, in AcceptInput) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	if err := in.Validate(); err != nil {
		return nil, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]Requirement, error) {
		d, err := readDues(ctx, tx, person)
		if err != nil {
			return nil, err
		}
		rows, elsewhere, err := accepted(d.asks(), in, Requirement.booked)
		if err != nil {
			return nil, err
		}
		if err := current(ctx, tx, d.asks(), elsewhere); err != nil {
			return nil, err
		}
		for _, row := range rows {
			row.Customer, row.Person, row.UserAgent = *d.Customer, &person, in.UserAgent
			if err := insertAcceptances(ctx, tx, sc, row); err != nil {
				return nil, err
			}
		}
		d, err = readDues(ctx, tx, person)
		return d.asks(), err
	})
}

// booked returns the targets of an acceptance for bookings: each one without it, for a document of every booking.
func (k Requirement) booked(a Accepted) ([]target, error) {
	if a.Attendees == nil {
		a.Attendees = []string{""}
	}
	people, err := k.eachOf(a.Attendees)
	if err != nil || k.Frequency == Once {
		return people, err
	}
	var out []target
	for _, p := range people {
		for _, w := range k.open {
			if samePerson(w.Attendee, *p.Attendee) {
				out = append(out, target{&w.ID, p.Attendee})
			}
		}
	}
	return out, nil
}
