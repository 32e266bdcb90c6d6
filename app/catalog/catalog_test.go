package catalog_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// shop is a studio with a catalog whose ports have answers set by a test.
type shop struct {
	apptest.Studio
	w *apptest.World
	*catalog.Service
	dates   bool
	booked  int
	waiting int
	endless string // why it is no course
	cards   bool   // the account takes dollars
	differs error  // why it takes none here
}

func open(t *testing.T, plans ...func(*apptest.StudioPlan)) *shop {
	t.Helper()
	w := apptest.Open(t)
	return openIn(t, w, plans...)
}

func openIn(t *testing.T, w *apptest.World, plans ...func(*apptest.StudioPlan)) *shop {
	t.Helper()
	s := &shop{Studio: w.Studio(t, plans...), w: w, dates: true, waiting: 2, cards: true}
	s.Service = catalog.New(catalog.Options{
		DB: w.DB, Ports: catalog.Ports{
			HasTimesTx: func(context.Context, *pg.Tx, uuid.UUID) (bool, error) { return s.dates, nil },
			ArchiveOfferingTx: func(context.Context, *pg.Tx, tenancy.Scope, uuid.UUID) (catalog.Ahead, error) {
				return catalog.Ahead{Bookings: s.booked, Dates: 7, Waiting: s.waiting}, nil
			},
			GoOnTx: func(context.Context, *pg.Tx, tenancy.Scope, catalog.GoingOn) (business.Transferred, error) {
				return business.Transferred{}, nil
			},
			CourseTx: func(context.Context, *pg.Tx, uuid.UUID) (string, error) { return s.endless, nil },
			TakesCardsTx: func(_ context.Context, _ *pg.Tx, cur money.Currency) (bool, error) {
				return s.cards && cur == "USD", s.differs
			},
		}})
	return s
}

func ptr[T any](v T) *T { return &v }

// input is a new offering that is right in every way.
func (s *shop) input(but ...func(*catalog.CreateInput)) catalog.CreateInput {
	in := catalog.CreateInput{LocationID: s.Location.ID, Kind: catalog.Class, Name: "Morning Yoga", DurationMinutes: 60,
		PriceAmount: ptr(int64(2200)), Capacity: 12}
	for _, f := range but {
		f(&in)
	}
	return in
}

func (s *shop) create(t *testing.T, but ...func(*catalog.CreateInput)) catalog.Offering {
	t.Helper()
	o, err := s.Create(t.Context(), s.System(), s.input(but...))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *shop) published(t *testing.T, but ...func(*catalog.CreateInput)) catalog.Offering {
	t.Helper()
	o, err := s.Publish(t.Context(), s.System(), s.create(t, but...).ID)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// refused fails unless err is of that kind.
