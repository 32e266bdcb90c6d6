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

// AcceptanceState is the state of a customer's agreement to a document.
type AcceptanceState string

// Acceptance states.
const (
	Agreed    AcceptanceState = "agreed"
	NotAgreed AcceptanceState = "not_agreed" // and it is required
)

// All returns all values.
func (AcceptanceState) All() []AcceptanceState { return []AcceptanceState{Agreed, NotAgreed} }

// Status is a customer's status for a document of a location. A187-A191.
type Status struct {
	DocumentID uuid.UUID
	Name       string
	Kind       Kind // of the copy accepted, else of the current one
	Frequency  Frequency
	State      AcceptanceState
	Open       []uuid.UUID // bookings without it
	Attendees  []string    // persons without an acceptance, as Requirement.Attendees
	Again      bool        // one of these persons has an earlier acceptance
	// Record is the acceptance that counts. Without one it is the latest: of an earlier round, of an earlier booking,
	// or for another attendee. Nil: the customer has never signed.
	Record *Record
}

// Record is an acceptance as a customer's record shows it.
type Record struct {
	Acceptance
	Kind      Kind
	Source    Source
	Shown     *Shown
	ActorName string // the staff member who recorded it, or the customer
}

// RecordedBy returns the name of the staff member who recorded the acceptance; nil: the customer agreed online. A188.
func (r Record) RecordedBy() *string {
	if r.Source != SourceStaff {
		return nil
	}
	return &r.ActorName
}

// StatusInput selects a customer and a location.
type StatusInput struct {
	CustomerID, LocationID uuid.UUID
}

// Statuses returns a customer's acceptances at a location and their outstanding documents there: those required once
// by a booked offering, and those required for every booking that an upcoming booking lacks. It needs crm.view for
// the customer and at the location. Errors: policy.ErrMissingFeature; not found for an unknown customer or location.
// A186, A190.
func (s *Service) Statuses(ctx context.Context, sc tenancy.Scope, in StatusInput) ([]Status, error) {
	view := s.db.View(sc.Tenant)
	if err := in.open(ctx, view, sc, policy.CRMView); err != nil {
		return nil, err
	}
	return in.read(ctx, view)
}

// open checks the feature f for the customer at the location.
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

// file is the data of a customer's record at a location.
type file struct {
	documents []Document
	wants     []Subject
	records   []Record // latest first
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

func (f *file) asks() []Requirement { return Required(f.documents, f.wants, f.acceptances()) }

// statuses returns those of the documents that the customer has signed or must sign, in the order of the documents.
func (f *file) statuses() []Status {
	out, asks := []Status{}, f.asks()
	for _, d := range f.documents {
		s := Status{DocumentID: d.ID, Name: d.Name, Kind: d.Copy.Kind, Frequency: d.Frequency, State: Agreed, Open: []uuid.UUID{}}
		if i := slices.IndexFunc(f.records, func(r Record) bool { return r.DocumentID == d.ID }); i >= 0 {
			s.Record = &f.records[i]
		}
		if i := slices.IndexFunc(asks, func(k Requirement) bool { return k.ID == d.ID }); i >= 0 {
			k := asks[i]
			if len(k.Open) > 0 {
				s.State, s.Open, s.Attendees, s.Again = NotAgreed, k.Open, k.Attendees, f.before(k)
			} else {
				s.Record = f.record(k.Agreed.ID)
			}
		}
		if s.Record == nil && s.State == Agreed {
			continue // neither signed nor required
		}
		if s.Record != nil {
			s.Kind = s.Record.Kind
		}
		out = append(out, s)
	}
	return out
}

// before reports whether one of those without the document has signed it before.
func (f *file) before(k Requirement) bool {
	return slices.ContainsFunc(f.records, func(r Record) bool {
		return r.DocumentID == k.ID && slices.ContainsFunc(k.open, r.covers)
	})
}

func (f *file) record(id uuid.UUID) *Record {
	for i, r := range f.records {
		if r.ID == id {
			return &f.records[i]
		}
	}
	return nil
}
