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

// attendeeMax is the maximum length of an attendee's name, in characters.
const attendeeMax = 120

// MarkInput marks a document as signed on paper by a customer.
type MarkInput struct {
	StatusInput
	DocumentID uuid.UUID
	BookingID  *uuid.UUID // for a document of every booking; nil: each upcoming booking without it
	Attendee   *string    // the attendee's name; nil: everyone without an acceptance
}

// Validate checks the input.
func (in *MarkInput) Validate() error {
	if in.Attendee == nil {
		return nil
	}
	var c fault.Checks
	*in.Attendee = nameOf(*in.Attendee)
	c.That(utf8.RuneCountInString(*in.Attendee) <= attendeeMax, "attendee", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(*in.Attendee, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }), "attendee", "This text has a character that cannot be stored.")
	return c.Err()
}

// MarkSigned records, with the caller as actor, that a customer has signed the current copy of a document, and
// returns their status at the location. It writes nothing if the customer has signed it. It needs crm.notes for the
// customer and at the location. A192-A197. Errors:
//
//   - policy.ErrMissingFeature
//   - Validation on attendee, also for a booking with another attendee
//   - not found for an unknown customer, location or document, and for a booking of another customer or location
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

// only returns an error for a booking of another customer or location, and reads the acceptances for it.
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

// signs returns the targets without an acceptance to record now: people for a document required once, else bookings.
func (f *file) signs(d Document, in MarkInput) ([]target, error) {
	var wants []Subject
	asks := Required([]Document{d}, f.wants, f.acceptances())
	switch {
	case in.BookingID != nil:
		w := f.wants[slices.IndexFunc(f.wants, func(w Subject) bool { return w.ID == *in.BookingID })]
		if in.Attendee != nil && !samePerson(*in.Attendee, w.Attendee) {
			return nil, fault.Invalid("attendee", "This booking is for another attendee.")
		}
		wants = f.lacking(d, w)
	case d.Frequency == Once && in.Attendee != nil: // also before they have a booking
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

// lacking returns w, unless an acceptance of the document counts for it.
func (f *file) lacking(d Document, w Subject) []Subject {
	if slices.ContainsFunc(f.records, func(r Record) bool { return d.answers(r.Acceptance, w) }) {
		return nil
	}
	return []Subject{w}
}
