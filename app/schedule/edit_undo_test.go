package schedule_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// Undo restores every row to the byte: of a split, of a rescheduling, of an end, of one date; also when the sweep has
// written more dates since.
func TestUndo(t *testing.T) {
	for name, edit := range map[string]func(*studio, schedule.Series) (schedule.Edited, error){
		"a move": func(s *studio, made schedule.Series) (schedule.Edited, error) {
			return s.EditSeries(t.Context(), s.System(), toAll(made, schedule.SeriesChange{Weekdays: []time.Weekday{time.Monday}, At: ptr(apptest.WallClock("07:15"))}))
		},
		"a split": func(s *studio, made schedule.Series) (schedule.Edited, error) {
			return s.EditSeries(t.Context(), s.System(), toAll(made, schedule.SeriesChange{Freq: ptr(schedule.Daily), Minutes: ptr(30)}, since("2026-07-02")))
		},
		"an end": func(s *studio, made schedule.Series) (schedule.Edited, error) {
			return s.EndSeries(t.Context(), s.System(), schedule.EndSeriesInput{OfferingID: made.OfferingID, SeriesID: made.ID, EndsOn: apptest.Day("2026-07-01")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openBooked(t)
			mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall", holds(20)).ID
			made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays(func(r *schedule.Rule) { r.Start = apptest.Day("2026-06-17") }), MemberID: &mia, SpaceID: &hall})
			before := s.rows(t)
			e, err := edit(s, made)
			if err != nil || !e.Plan.Undoable {
				t.Fatalf("%+v, %v", e.Plan, err)
			}
			s.w.Clock.Advance(23 * time.Hour)
			s.sweep(t)
			if _, err := s.undo(t, e, made); err != nil {
				t.Fatal(err)
			}
			if now := s.rows(t); !maps.Equal(now, before) {
				t.Errorf("%d rows were %d", len(now), len(before))
			}
			_, err = s.undo(t, e, made)
			apptest.Is(t, err, schedule.ErrUndone)
			// a version of an undone edit is not used again
			again := s.edit(t, toAll(made, schedule.SeriesChange{Capacity: ptr(11)}))
			if again.Version != 3 {
				t.Errorf("version %d after an undo", again.Version)
			}
		})
	}
}

func TestUndoRefuses(t *testing.T) {
	change := schedule.SeriesChange{At: ptr(apptest.WallClock("20:00"))}
	for name, c := range map[string]struct {
		since func(s *studio, o uuid.UUID, e schedule.Edited)
		want  error
	}{
		"after a day": {func(s *studio, _ uuid.UUID, _ schedule.Edited) { s.w.Clock.Advance(24 * time.Hour) }, schedule.ErrUndoExpired},
		"another edit": {func(s *studio, _ uuid.UUID, e schedule.Edited) {
			s.edit(t, toAll(e.Series, schedule.SeriesChange{Capacity: ptr(3)}))
		}, schedule.ErrEditedSince},
		"one date": {func(s *studio, o uuid.UUID, _ schedule.Edited) {
			if _, err := s.cancel(t, s.dates(t, o)[3], o); err != nil {
				t.Error(err)
			}
		}, schedule.ErrEditedSince},
		"a booking of the new time": {func(s *studio, o uuid.UUID, _ schedule.Edited) { s.sit(t, 1, s.dates(t, o)[3].ID) }, schedule.ErrEditedSince},
		"a date has begun":          {func(s *studio, _ uuid.UUID, _ schedule.Edited) { s.w.Clock.Advance(13 * time.Hour) }, schedule.ErrEditedSince},
		"she has something else now": {func(s *studio, o uuid.UUID, _ schedule.Edited) {
			mia := apptest.Value[uuid.UUID](t, s.w, "select member_id from series limit 1")
			other := s.AddOccurrence(t, apptest.OfferingRow{ID: o, Location: s.Location.ID, Minutes: 60, Capacity: 5, Online: 5}, apptest.Instant("2026-06-17T22:00:00Z"))
			if err := s.claim(t, claim.Claim{OccurrenceID: other.ID, MemberID: mia, StartsAt: other.StartsAt, EndsAt: other.StartsAt.Add(time.Hour)}); err != nil {
				t.Error(err)
			}
		}, schedule.ErrEditedSince},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openBooked(t)
			o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
			made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(), MemberID: &mia})
			e := s.edit(t, toAll(made, change))
			c.since(s, o.ID, e)
			before := s.rows(t)
			_, err := s.undo(t, e, made)
			apptest.Is(t, err, c.want)
			if !maps.Equal(s.rows(t), before) {
				t.Error("a refusal changed something")
			}
		})
	}
}

// A date made by an edit and now in a cart cannot be undone.
func TestUndoOfADateInUse(t *testing.T) {
	s, _ := openBooked(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays()})
	e := s.edit(t, toAll(made, schedule.SeriesChange{Extra: ptr(dates("2026-07-18"))}))
	added := on(t, s.dates(t, made.OfferingID), "2026-07-18")
	s.w.SQL(t, `with cart as (insert into carts (id, business_id, location_id, token_hash, state, ref, version, created_at, updated_at)
			values ($1, $2, $3, 'x', 'open', '', 1, now(), now()) returning id)
		insert into cart_items (id, business_id, location_id, cart_id, kind, offering_id, occurrence_id,
			attendee, listed_amount,
			created_at)
		select $4, $2, $3, id, 'class', $5, $6, '', 0, now() from cart`,
		pg.NewID(), s.Business.ID, s.Location.ID, pg.NewID(), made.OfferingID, added.ID)
	_, err := s.undo(t, e, made)
	apptest.Is(t, err, schedule.ErrEditedSince)
}

// A47, A94: the list of edits, newest first; an edit is found under its own series only.
func TestEdits(t *testing.T) {
	s, _ := openBooked(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays()})
	other := s.series(t, schedule.CreateSeriesInput{OfferingID: made.OfferingID, Rule: wednesdays(func(r *schedule.Rule) { r.At = apptest.WallClock("08:30") })})
	first := s.edit(t, toAll(made, schedule.SeriesChange{At: ptr(apptest.WallClock("20:00"))}))
	s.w.Clock.Advance(time.Minute)
	second := s.edit(t, toAll(first.Series, schedule.SeriesChange{Capacity: ptr(4)}))
	if _, err := s.undo(t, first, other); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an edit of another series: %v", err)
	}
	if _, err := s.undo(t, second, made); err != nil {
		t.Fatal(err)
	}
	var got []string
	in := schedule.EditsInput{OfferingID: made.OfferingID, SeriesID: made.ID, Page: paging.In[paging.Moment]{Limit: 1}}
	for {
		page, err := s.Edits(t.Context(), s.Holding(s.Location.ID, policy.LocationView), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			got = append(got, fmt.Sprint(e.ID == second.EditID, e.Undoable, e.UndoneAt != nil, e.Moved, e.Changed))
		}
		if in.Page.After = page.Next; in.Page.After == nil {
			break
		}
	}
	if fmt.Sprint(got) != "[true false true 0 27 false true false 27 0]" {
		t.Errorf("%v", got)
	}
	of := func(date uuid.UUID) int {
		page, err := s.Edits(t.Context(), s.System(), schedule.EditsInput{OfferingID: made.OfferingID, SeriesID: made.ID, OccurrenceID: &date})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	if n := of(apptest.Value[uuid.UUID](t, s.w, "select id from occurrences where series_id = $1 limit 1", made.ID)); n != 2 {
		t.Errorf("%d edits of a date, want 2", n)
	}
	if n := of(pg.NewID()); n != 0 {
		t.Errorf("%d edits of an unknown date", n)
	}
	_, err := s.Edits(t.Context(), s.System(), schedule.EditsInput{OfferingID: made.OfferingID, SeriesID: pg.NewID()})
	apptest.Refused(t, err, fault.NotFound)
	_, err = s.Edits(t.Context(), s.Holding(pg.NewID(), policy.LocationView), schedule.EditsInput{OfferingID: made.OfferingID, SeriesID: made.ID})
	apptest.Refused(t, err, fault.Forbidden)
}

// A quoted edit changes nothing, and the same edit with its quote has the same effects: the same bytes.
func TestEditQuoted(t *testing.T) {
	s, _ := openBooked(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays()})
	in := toAll(made, schedule.SeriesChange{Freq: ptr(schedule.Daily)}, since("2026-07-02"))
	ask := pg.QuoteKey{Credential: [32]byte{1}, Request: [32]byte{2}}
	before := s.rows(t)
	_, quote, err := pg.DryRun(t.Context(), ask, editing(s, in))
	if err != nil || !maps.Equal(s.rows(t), before) {
		t.Fatalf("a rehearsal changed something, %v", err)
	}
	if _, err = pg.Redeem(t.Context(), ask, quote.ID, editing(s, in)); err != nil || maps.Equal(s.rows(t), before) {
		t.Errorf("nothing happened, %v", err)
	}
}

// Seats are booked while the dates are rescheduled: no booking is lost, and none is on a removed date.
func TestEditRace(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t)
	for range 15 {
		made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Weekdays = []time.Weekday{time.Wednesday, time.Friday} })})
		var booked int
		var edited error
		var wg sync.WaitGroup
		wg.Go(func() {
			booked = len(apptest.Values[time.Time](t, s.w, `update occurrences set taken = taken + 1
				where series_id = $1 and rule_date = '2026-09-04' and state = 'scheduled' and taken < capacity returning starts_at`, made.ID))
		})
		wg.Go(func() {
			_, edited = s.EditSeries(t.Context(), s.System(), toAll(made, schedule.SeriesChange{Weekdays: []time.Weekday{time.Wednesday}}))
		})
		wg.Wait()
		if (booked == 1) == (edited == nil) {
			t.Fatalf("booked %d, edited %v", booked, edited)
		}
	}
}

// editing is EditSeries for a quote.
func editing(s *studio, in schedule.EditSeriesInput) func(context.Context) (schedule.Edited, error) {
	return func(ctx context.Context) (schedule.Edited, error) { return s.EditSeries(ctx, s.System(), in) }
}
