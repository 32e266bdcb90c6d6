package agreement

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// BookingAgreement is how one booking stands to a document that it asks for, or that its customer agreed to with it.
type BookingAgreement struct {
	Document
	// Record is the acceptance that counts for the booking; where none does any more, the one that it was booked with. Nil: there is none.
	Record      *Record
	Outstanding bool // the booking asks for it, and no acceptance counts
}

// OfBooking tells what a booking asks of its customer and what they agreed to, in the order of the documents: also what is asked no more but
// was when it was booked. The caller has been let see the booking. Error: not found for a booking that is not this customer's there. A159.
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

// given are those of the documents that w asks for, or was agreed to with it.
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
