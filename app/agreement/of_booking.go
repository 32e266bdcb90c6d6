package agreement

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// BookingAgreement is the status of one booking's document: a required one, or one accepted with the booking.
type BookingAgreement struct {
	Document
	// Record is the acceptance that counts for the booking; without one, the acceptance made when booking. Nil: none.
	Record      *Record
	Outstanding bool // required, and no acceptance counts
}

// OfBooking returns the documents that a booking requires and those accepted with it, in the order of the documents,
// also documents required only when it was booked. The caller must have access to the booking. Error: not found for a
// booking of another customer or location. A159.
func (s *Service) OfBooking(ctx context.Context, business uuid.UUID, in StatusInput, booking uuid.UUID) ([]BookingAgreement, error) {
	view := s.db.View(business)
	w, err := readWant(ctx, view, in, booking)
	if err != nil {
		return nil, err
	}
	f := file{wants: []Subject{w}}
	if f.documents, err = allDocuments(ctx, view, in.LocationID); err != nil {
		return nil, err
	}
	if f.records, err = readRecords(ctx, view, in, f.wants); err != nil {
		return nil, err
	}
	return f.given(w), nil
}

// given returns the documents that w requires, or that were accepted with it.
func (f *file) given(w Subject) []BookingAgreement {
	out := []BookingAgreement{}
	for _, d := range f.documents {
		k := Requirement{Document: d}
		k.add(w, f.acceptances())
		with := slices.IndexFunc(f.records, func(r Record) bool {
			return r.DocumentID == d.ID && r.covers(w) && (same(r.CartID, w.CartID) || same(r.BookingID, w.BookingID))
		})
		asked := d.RequiredFor(w.OfferingID) && !(w.Past && d.Frequency == EveryBooking)
		g := BookingAgreement{Document: d, Outstanding: asked && k.Agreed == nil}
		switch {
		case k.Agreed != nil && (asked || with >= 0):
			g.Record = f.record(k.Agreed.ID)
		case with >= 0:
			g.Record = &f.records[with]
		case !asked:
			continue
		}
		out = append(out, g)
	}
	return out
}
