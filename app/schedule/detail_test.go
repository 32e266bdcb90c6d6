package schedule_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

func TestOccurrenceOf(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	o := s.AddOffering(t, named("Yoga"))
	x := s.AddOccurrence(t, o, apptest.Instant("2026-06-11T02:00:00Z"), func(o *apptest.OccurrenceRow) { o.Online, o.Taken, o.TakenOnline = 9, 3, 2 })
	foreign := theirs.AddOccurrence(t, theirs.AddOffering(t), apptest.Instant("2026-06-11T02:00:00Z"))
	v := s.w.DB.View(s.Business.ID)
	got, err := schedule.OccurrenceOf(t.Context(), v, x.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != x.ID || got.SeriesID != x.Series || got.LocalDate != apptest.Day("2026-06-10") || !got.StartsAt.Equal(x.StartsAt) || got.State != schedule.Scheduled ||
		got.Seats != (schedule.Seats{Capacity: 12, OnlineCapacity: 9, Taken: 3, TakenOnline: 2}) || got.Spots() != 7 || got.Free() != 9 {
		t.Errorf("date %+v", got)
	}
	if got.OfferingID != o.ID || got.OfferingName != "Yoga" || got.OfferingState != catalog.Published || got.Kind != catalog.Class || *got.PriceAmount != 2200 {
		t.Errorf("offering %+v", got)
	}
	if got.LocationID != s.Location.ID || got.LocationName != "Harbour" || got.LocationSlug != s.Location.Slug || got.Zone != "America/New_York" || got.Currency != "USD" ||
		got.BusinessName != "Harbour Yoga" || got.BusinessStatus != s.Business.Status {
		t.Errorf("place %+v", got)
	}
	for _, id := range []uuid.UUID{foreign.ID, pg.NewID()} {
		_, err := schedule.OccurrenceOf(t.Context(), v, id)
		apptest.Refused(t, err, fault.NotFound)
	}
	y := s.AddOccurrence(t, o, apptest.Instant("2026-06-01T02:00:00Z"))
	both, err := schedule.OccurrencesOf(t.Context(), v, []uuid.UUID{y.ID, foreign.ID, x.ID, x.ID})
	if err != nil || len(both) != 2 || both[0].ID != x.ID || both[1].ID != y.ID {
		t.Errorf("%d slots, in the order of their ids: %v", len(both), err)
	}
}

func TestPublicAndBookable(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	x := s.AddOccurrence(t, o, s.w.Clock.Now().Add(time.Hour))
	sql := func(text string) func(testing.TB) { return func(t testing.TB) { t.Helper(); s.w.SQL(t, text) } }
	for name, c := range map[string]struct {
		do               func(testing.TB)
		public, bookable bool
	}{
		"open":             {sql("select 1"), true, true},
		"paused":           {s.Pause, true, false},
		"closed":           {s.Close, false, false},
		"draft":            {sql("update offerings set state = 'draft'"), false, false},
		"archived":         {sql("update offerings set state = 'archived'"), false, false},
		"location":         {sql("update locations set archived_at = now()"), false, false},
		"cancelled":        {sql("update occurrences set state = 'cancelled'"), false, false},
		"begins right now": {sql("update occurrences set starts_at = '2026-06-10T12:00:00Z'"), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.do(t)
			defer func() {
				s.Resume(t)
				s.w.SQL(t, "update offerings set state = 'published'")
				s.w.SQL(t, "update locations set archived_at = null")
				s.w.SQL(t, "update occurrences set state = 'scheduled', starts_at = '2026-06-10T13:00:00Z'")
			}()
			slot, err := schedule.OccurrenceOf(t.Context(), s.w.DB.View(s.Business.ID), x.ID)
			if now := s.w.Clock.Now(); err != nil || slot.Public(now) != c.public || (slot.Sold(now) == "") != c.bookable {
				t.Errorf("public %v, in the way %q (%v)", slot.Public(now), slot.Sold(now), err)
			}
		})
	}
}

// The check before a location changes its zone.
func TestHasDates(t *testing.T) {
	s := open(t)
	ask := func(location uuid.UUID) bool {
		t.Helper()
		yes, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (bool, error) { return schedule.HasDatesTx(t.Context(), tx, location) })
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	s.AddOccurrence(t, s.AddOffering(t), apptest.Instant("2026-06-11T12:00:00Z"))
	if quiet := s.AddLocation(t, "Quiet").ID; ask(quiet) || !ask(s.Location.ID) {
		t.Error("dates are at the one location, and none at the other")
	}
}

func TestNextTimes(t *testing.T) {
	s := open(t)
	a, b, none := s.AddOffering(t), s.AddOffering(t), s.AddOffering(t)
	for _, start := range []string{"2026-06-10T11:00:00Z", "2026-06-14T11:00:00Z", "2026-06-12T11:00:00Z"} {
		s.AddOccurrence(t, a, apptest.Instant(start))
	}
	s.AddOccurrence(t, b, apptest.Instant("2026-06-11T11:00:00Z"), func(o *apptest.OccurrenceRow) { o.State = "cancelled" })
	s.AddOccurrence(t, b, apptest.Instant("2026-06-20T11:00:00Z"))
	got, err := s.NextTimes(t.Context(), s.Business.ID, []uuid.UUID{a.ID, b.ID, none.ID})
	if err != nil || len(got) != 2 || !got[a.ID].Equal(apptest.Instant("2026-06-12T11:00:00Z")) || !got[b.ID].Equal(apptest.Instant("2026-06-20T11:00:00Z")) {
		t.Errorf("%v, %v", got, err)
	}
}
