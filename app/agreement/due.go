package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// dues are all that decides what is asked of a person for what they have booked with a business.
type dues struct {
	Customer  *uuid.UUID // nil: they have booked nothing that is to come
	Documents []Document
	Booked    []visit
	Have      []Acceptance
}

// visit is a booking that is to come.
type visit struct {
	ID         uuid.UUID  `json:"id"`
	OfferingID uuid.UUID  `json:"offering_id"`
	LocationID uuid.UUID  `json:"location_id"`
	CartID     *uuid.UUID `json:"cart_id"`
	Attendee   string     `json:"attendee"`
}

// asks are what is asked, in the order of the documents of each location.
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

// MyOutstanding is what a business asks of the signed-in person for what they have booked there and is to come, with what of it they have agreed to:
// who was booked by the studio, or is asked anew, agrees before the visit. Errors: identity.ErrSignIn, ErrKeyRefused.
func (s *Service) MyOutstanding(ctx context.Context, sc tenancy.Scope) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	d, err := readDues(ctx, s.db.View(sc.Tenant), person)
	return d.asks(), err
}

// Sign writes down that the signed-in person agrees to documents that Due tells of: all of them or none, for every booking that lacks it of
// those whom they agree for.
// What they have agreed to already stays as it is, so that sending it again changes nothing. It returns what is asked then.
//
// Errors: identity.ErrSignIn, ErrKeyRefused; Validation on accept, also where a document that is to be read to its end was not; not found for
// a copy of a document that is not asked; ErrStale. A184, A189.
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

// booked is what is accepted for bookings: for each that lacks it, of a document of every booking.
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
