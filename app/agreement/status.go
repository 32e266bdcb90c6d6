package agreement

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/crm"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Standing is whether a customer has agreed to a document.
type Standing string

// The standings.
const (
	Agreed    Standing = "agreed"
	NotAgreed Standing = "not_agreed" // and it is expected
)

// All lists them.
func (Standing) All() []Standing { return []Standing{Agreed, NotAgreed} }

// Status is how a customer stands to a document of a location. A187-A191.
type Status struct {
	DocumentID uuid.UUID
	Name       string
	Kind       Kind // of the copy that was agreed to, else of the one of now
	Frequency  Frequency
	Standing   Standing
	Open       []uuid.UUID // bookings that still need it
	// Record is the acceptance that counts; where none does, the latest, of words that everyone was asked again for since, or of an
	// earlier booking. Nil: the customer has never agreed.
	Record *Record
}

// Record is an acceptance as a customer's record shows it.
type Record struct {
	Acceptance
	Kind      Kind
	Source    Source
	Shown     *Shown
	ActorName string // who wrote it down
}

// StatusInput names a customer and a location.
type StatusInput struct {
	CustomerID, LocationID uuid.UUID
}

// Statuses tell what a customer agreed to at a location and what is still expected of them there: once-documents that something they have
// booked asks for, and every-booking documents that a booking to come still needs. It needs crm.view for the customer and at the location.
// Errors: policy.ErrMissingFeature; not found for an unknown customer or location. A186, A190.
func (s *Service) Statuses(ctx context.Context, sc tenancy.Scope, in StatusInput) ([]Status, error) {
	view := s.db.View(sc.Tenant)
	if err := in.open(ctx, view, sc, policy.CRMView); err != nil {
		return nil, err
	}
	return in.read(ctx, view)
}

// open refuses who may not have f for the customer at the location.
func (in StatusInput) open(ctx context.Context, r pg.Reader, sc tenancy.Scope, f tenancy.Feature) error {
	cover, err := policy.Where(sc, f)
	if err != nil {
		return err
	}
	if _, err := crm.Seen(ctx, r, sc, f, in.CustomerID); err != nil {
		return err
	}
	if _, err := business.LocationOf(ctx, r, in.LocationID); err != nil {
		return err
	}
	if !cover.At(in.LocationID) && !cover.Own {
		return policy.ErrMissingFeature.With("feature", string(f))
	}
	return nil
}

// file is all that a customer's record at a location is made of.
type file struct {
	documents []Document
	wants     []Want
	records   []Record // the latest first
}

func (in StatusInput) read(ctx context.Context, r pg.Reader) ([]Status, error) {
	f, err := readFile(ctx, r, in)
	if err != nil {
		return nil, err
	}
	return f.statuses(), nil
}

func (f *file) acceptances() []Acceptance {
	have := make([]Acceptance, len(f.records))
	for i, r := range f.records {
		have[i] = r.Acceptance
	}
	return have
}

func (f *file) asks() []Ask { return Asked(f.documents, f.wants, f.acceptances()) }

// statuses are those of the documents that the customer has agreed to or is expected to, in the order of the documents.
func (f *file) statuses() []Status {
	out, asks := []Status{}, f.asks()
	for _, d := range f.documents {
		s := Status{DocumentID: d.ID, Name: d.Name, Kind: d.Copy.Kind, Frequency: d.Frequency, Standing: Agreed, Open: []uuid.UUID{}}
		if i := slices.IndexFunc(f.records, func(r Record) bool { return r.DocumentID == d.ID }); i >= 0 {
			s.Record = &f.records[i]
		}
		if i := slices.IndexFunc(asks, func(k Ask) bool { return k.ID == d.ID }); i >= 0 {
			k := asks[i]
			if len(k.Open) > 0 {
				s.Standing, s.Open = NotAgreed, k.Open
			} else {
				s.Record = f.record(k.Agreed.ID)
			}
		}
		if s.Record == nil && s.Standing == Agreed {
			continue // neither agreed to nor expected
		}
		if s.Record != nil {
			s.Kind = s.Record.Kind
		}
		out = append(out, s)
	}
	return out
}

func (f *file) record(id uuid.UUID) *Record {
	for i, r := range f.records {
		if r.ID == id {
			return &f.records[i]
		}
	}
	return nil
}

// MarkInput says which document a customer has signed on paper.
type MarkInput struct {
	StatusInput
	DocumentID uuid.UUID
	BookingID  *uuid.UUID // for which, of one that is asked for every booking; nil: each booking to come that still needs it
}

// MarkSigned writes down, under the name of who acts, that a customer has signed what a document says now, and returns how they stand to
// the documents of the location. While they have agreed to it nothing is written. It needs crm.notes for the customer and at the location.
// Errors: policy.ErrMissingFeature; not found for a customer, location or document that is not there, and for a booking that is not this
// customer's at this location. A192-A197.
func (s *Service) MarkSigned(ctx context.Context, sc tenancy.Scope, in MarkInput) ([]Status, error) {
	if err := policy.RequireAny(sc, policy.CRMNotes); err != nil {
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
		row := acceptanceRow{Document: d, Customer: in.CustomerID, Source: SourceStaff, Bookings: f.signs(d, in.BookingID)}
		if len(row.Bookings) > 0 {
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
	if !slices.ContainsFunc(f.wants, func(o Want) bool { return o.ID == w.ID && !o.Over }) {
		f.wants = append(f.wants, w)
		f.records, err = readRecords(ctx, tx, in, f.wants)
	}
	return err
}

// signs are the bookings that lack an acceptance of the document which is written down now; a nil one stands for a document that is asked
// once.
func (f *file) signs(d Document, booking *uuid.UUID) []*uuid.UUID {
	counts := func(w Want) bool {
		return slices.ContainsFunc(f.records, func(r Record) bool { return d.answers(r.Acceptance, w) })
	}
	var out []*uuid.UUID
	switch {
	case d.Frequency == Once:
		if !counts(Want{}) {
			out = append(out, nil)
		}
	case booking != nil:
		for _, w := range f.wants {
			if w.ID == *booking && !counts(w) {
				return []*uuid.UUID{booking}
			}
		}
	default:
		for _, k := range f.asks() {
			if k.ID == d.ID {
				for _, id := range k.Open {
					out = append(out, &id)
				}
			}
		}
	}
	return out
}
