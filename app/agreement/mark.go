package agreement

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// attendeeMax is how long the name of somebody who comes can be, in characters.
const attendeeMax = 120

// MarkInput says which document a customer has signed on paper.
type MarkInput struct {
	StatusInput
	DocumentID uuid.UUID
	BookingID  *uuid.UUID // for which, of one that is asked for every booking; nil: each booking to come that still needs it
	Attendee   *string    // for whom, by name; nil: everybody of whom it is lacking
}

// Validate checks the input.
func (in *MarkInput) Validate() error {
	if in.Attendee == nil {
		return nil
	}
	var c fault.Checks
	*in.Attendee = nameOf(*in.Attendee)
	c.That(utf8.RuneCountInString(*in.Attendee) <= attendeeMax, "attendee", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(*in.Attendee, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }), "attendee", "There is a character in it that cannot be kept.")
	return c.Err()
}

// MarkSigned writes down, under the name of who acts, that a customer has signed what a document says now, and returns how they stand to
// the documents of the location. While they have agreed to it nothing is written. It needs crm.notes for the customer and at the location.
// Errors: policy.ErrMissingFeature; Validation on attendee, also for a booking that is for somebody else; not found for a customer, location or
// document that is not there, and for a booking that is not this customer's at this location. A192-A197.
func (s *Service) MarkSigned(ctx context.Context, sc tenancy.Scope, in MarkInput) ([]Status, error) {
	if err := policy.RequireAny(sc, policy.CRMNotes); err != nil {
		return nil, err
	}
	if err := in.Validate(); err != nil {
		return nil, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]Status, error) {
		if err := in.open(ctx, tx, sc, policy.CRMNotes); err != nil {
			return nil, err
		}
		d, err := findDocument(ctx, tx, in.LocationID, in.DocumentID)
		if err != nil {
			return nil, err
		}
		f, err := readFile(ctx, tx, in.StatusInput)
		if err != nil {
			return nil, err
		}
		if in.BookingID != nil {
			if err := f.only(ctx, tx, in.StatusInput, *in.BookingID); err != nil {
				return nil, err
			}
		}
		row := acceptanceRow{Document: d, Customer: in.CustomerID, Source: SourceStaff}
		if row.For, err = f.signs(d, in); err != nil {
			return nil, err
		}
		if len(row.For) > 0 {
			if err := insertAcceptances(ctx, tx, sc, row); err != nil {
				return nil, err
			}
		}
		return in.read(ctx, tx)
	})
}

// only refuses a booking that is not this customer's at this location, and reads what was agreed to for it.
func (f *file) only(ctx context.Context, tx *pg.Tx, in StatusInput, booking uuid.UUID) error {
	w, err := readWant(ctx, tx, in, booking)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(f.wants, func(o Subject) bool { return o.ID == w.ID && !o.Past }) {
		f.wants = append(f.wants, w)
		f.records, err = readRecords(ctx, tx, in, f.wants)
	}
	return err
}

// signs are what lacks an acceptance of the document which is written down now: people, of one that is asked once, else bookings.
func (f *file) signs(d Document, in MarkInput) ([]target, error) {
	var wants []Subject
	asks := Required([]Document{d}, f.wants, f.acceptances())
	switch {
	case in.BookingID != nil:
		w := f.wants[slices.IndexFunc(f.wants, func(w Subject) bool { return w.ID == *in.BookingID })]
		if in.Attendee != nil && !samePerson(*in.Attendee, w.Attendee) {
			return nil, fault.Invalid("attendee", "This booking is for somebody else.")
		}
		wants = f.lacking(d, w)
	case d.Frequency == Once && in.Attendee != nil: // also before anything is booked for them
		wants = f.lacking(d, Subject{Attendee: *in.Attendee})
	case d.Frequency == Once && len(asks) == 0:
		wants = f.lacking(d, Subject{})
	case len(asks) > 0:
		wants = asks[0].open
	}
	var out []target
	var people []string
	for _, w := range wants {
		if in.Attendee != nil && !samePerson(*in.Attendee, w.Attendee) {
			continue
		}
		name := nameOf(w.Attendee)
		if d.Frequency == EveryBooking {
			out = append(out, target{w.BookingID, &name})
		} else if before := len(people); len(with(people, name)) > before {
			people = append(people, name)
			out = append(out, target{nil, &name})
		}
	}
	return out, nil
}

// lacking is w, unless an acceptance of the document counts for it.
func (f *file) lacking(d Document, w Subject) []Subject {
	if slices.ContainsFunc(f.records, func(r Record) bool { return d.answers(r.Acceptance, w) }) {
		return nil
	}
	return []Subject{w}
}
