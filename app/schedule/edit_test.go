package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/schedule"
)

// The class is rescheduled from Wednesday 18:00 to Thursday 10:00: every date keeps its id and its bookings, over the
// change of the clocks too.
func TestEditMovesTheWholeSeries(t *testing.T) {
	s, p := openBooked(t)
	o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(), MemberID: &mia})
	before := s.dates(t, o.ID)
	s.sit(t, 3, before[2].ID, before[5].ID)
	e := s.edit(t, toAll(made, schedule.SeriesChange{Weekdays: []time.Weekday{time.Thursday}, At: ptr(apptest.WallClock("10:00"))}))
	after := s.dates(t, o.ID)
	if len(after) != len(before) || len(e.Plan.Moved) != len(before) || len(e.Plan.Added)+len(e.Plan.Removed)+e.Plan.Unchanged != 0 {
		t.Fatalf("%d dates were %d: %+v", len(after), len(before), e.Plan)
	}
	for i := range before {
		day := apptest.Day(before[i].Rule).AddDays(1)
		if after[i].ID != before[i].ID || after[i].Rule != day.String() || !after[i].Starts.Equal(civil.Instant(day, apptest.WallClock("10:00"), apptest.Zone(t, "America/New_York"))) ||
			after[i].Version != 2 {
			t.Fatalf("%+v became %+v", before[i], after[i])
		}
	}
	if want := []uuid.UUID{before[2].ID, before[5].ID}; !sameSet(p.retimed, want) || len(p.notices) != 2 || e.Plan.Notices != 6 || len(e.Plan.Hit) != 2 {
		t.Errorf("%v bookings followed, %d notices, %+v", p.retimed, len(p.notices), e.Plan.Hit)
	}
	if e.Rule.Start != apptest.Day("2026-06-11") || e.Version != 2 || e.ID != made.ID {
		t.Errorf("series %+v", e.Series)
	}
	if n := apptest.Value[int](t, s.w, `select count(*) from claims c join occurrences o on o.id = c.occurrence_id
		and o.starts_at = c.starts_at and o.ends_at = c.ends_at where c.member_id = $1`, mia); n != len(before) {
		t.Errorf("%d claims follow", n)
	}
}

func sameSet(a, b []uuid.UUID) bool {
	order := func(x []uuid.UUID) []uuid.UUID {
		return slices.SortedFunc(slices.Values(x), func(p, q uuid.UUID) int { return slices.Compare(p[:], q[:]) })
	}
	return slices.Equal(order(a), order(b))
}

// An edit from a date on splits the series: earlier dates stay to the byte, later ones go to a new series under their
// own ids.
func TestEditFollowing(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(10) })})
	before, rows := s.dates(t, o.ID), s.rows(t)
	e := s.edit(t, toAll(made, schedule.SeriesChange{At: ptr(apptest.WallClock("19:00"))}, since("2026-07-01")))
	after := s.dates(t, o.ID)
	if e.ID == made.ID || *e.SplitFrom != made.ID || *e.Rule.Count != 7 || e.Rule.Start != apptest.Day("2026-07-01") || !e.Plan.Split || len(e.Plan.Moved) != 7 || !e.Plan.Undoable {
		t.Errorf("new series %+v, %+v", e.Series, e.Plan)
	}
	for i, d := range after {
		if d.ID != before[i].ID {
			t.Fatalf("date %d has another id", i)
		}
		if i < 3 && s.rows(t)["occurrences "+d.ID.String()] != rows["occurrences "+d.ID.String()] {
			t.Errorf("date %d is before the edit and changed", i)
		}
		if want := map[bool]uuid.UUID{true: made.ID, false: e.ID}[i < 3]; d.Series != want {
			t.Errorf("date %d is of series %s", i, d.Series)
		}
	}
	list, err := s.SeriesOf(t.Context(), s.System(), schedule.SeriesOfInput{OfferingID: o.ID})
	if err != nil || len(list.Items) != 2 || *list.Items[0].Rule.Until != apptest.Day("2026-06-24") || list.Items[0].Rule.Count != nil || list.Items[0].DueAt != nil {
		t.Errorf("%+v, %v", list.Items, err)
	}
	s.w.Clock.Advance(20 * week)
	s.sweep(t)
	if n := len(s.dates(t, o.ID)); n != 10 {
		t.Errorf("%d dates in the end", n)
	}
}

func TestEditFollowingRefuses(t *testing.T) {
	s, _ := openBooked(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(4) })})
	change := schedule.SeriesChange{At: ptr(apptest.WallClock("19:00"))}
	for name, c := range map[string]struct {
		in   schedule.EditSeriesInput
		want string
	}{
		"past":              {toAll(made, change, since("2026-06-09")), "from"},
		"after the last":    {toAll(made, change, since("2026-07-02")), "from"},
		"no from":           {toAll(made, change, func(in *schedule.EditSeriesInput) { in.Scope = schedule.ScopeFollowing }), "from"},
		"from with all":     {toAll(made, change, func(in *schedule.EditSeriesInput) { in.From = ptr(apptest.Day("2026-06-24")) }), "from"},
		"no scope":          {toAll(made, change, func(in *schedule.EditSeriesInput) { in.Scope = "" }), "scope"},
		"what to do":        {toAll(made, change, func(in *schedule.EditSeriesInput) { in.OnBooked = "shred" }), "onBooked"},
		"a rule of nothing": {toAll(made, schedule.SeriesChange{Weekdays: []time.Weekday{}}), "weekdays"},
		"leaves no date":    {toAll(made, schedule.SeriesChange{Except: ptr(dates("2026-06-10 2026-06-17 2026-06-24 2026-07-01"))}), "until"},
		"starts before":     {toAll(made, schedule.SeriesChange{Start: ptr(apptest.Day("2026-06-17"))}, since("2026-06-24")), "start"},
	} {
		if _, err := s.EditSeries(t.Context(), s.System(), c.in); apptest.Wrong(err) != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, apptest.Wrong(err), c.want, err)
		}
	}
	_, err := s.EditSeries(t.Context(), s.System(), toAll(made, change, func(in *schedule.EditSeriesInput) { in.Version = 7 }))
	apptest.Is(t, err, fault.ErrStale)
	e := s.edit(t, toAll(made, change, since("2026-06-10"))) // nothing is before it: no split
	if e.ID != made.ID || e.Plan.Split {
		t.Errorf("split off everything: %+v", e.Plan)
	}
}

// A removed date with bookings: refused with the plan, cancelled with refunds, or rescheduled.
func TestEditTakesBookedDatesAway(t *testing.T) {
	s, p := openBooked(t)
	o := s.AddOffering(t)
	rule := wednesdays(func(r *schedule.Rule) { r.Weekdays = []time.Weekday{time.Wednesday, time.Friday} })
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: rule})
	before := s.dates(t, o.ID)
	friday := on(t, before, "2026-06-19")
	s.sit(t, 2, friday.ID)
	change := schedule.SeriesChange{Weekdays: []time.Weekday{time.Wednesday}}
	_, err := s.EditSeries(t.Context(), s.System(), toAll(made, change))
	apptest.Is(t, err, schedule.ErrDatesBooked)
	f := fault.From(err)
	if plan := f.Details["plan"].(schedule.Plan); fmt.Sprint(f.Details["dates"]) != "[2026-06-19]" || len(plan.Removed) != 26 || len(plan.Hit) != 1 ||
		plan.Hit[0].Outcome != "refused" || plan.Hit[0].Bookings != 2 {
		t.Errorf("%v, %+v", f.Details["dates"], plan)
	}
	if !slices.Equal(s.dates(t, o.ID), before) {
		t.Fatal("a refusal changed something")
	}
	e := s.edit(t, toAll(made, change, func(in *schedule.EditSeriesInput) { in.OnBooked = schedule.RescheduleBooked }))
	near := on(t, before, "2026-06-17")
	if len(p.transfers) != 1 || p.transfers[0].From != friday.ID || p.transfers[0].To[0] != near.ID || e.Plan.Undoable {
		t.Errorf("%+v", p.transfers)
	}
	if _, err := s.undo(t, e, made); err == nil {
		t.Error("moved people back")
	} else {
		apptest.Is(t, err, schedule.ErrNotUndoable)
	}

	back := s.edit(t, toAll(e.Series, schedule.SeriesChange{Weekdays: rule.Weekdays}))
	again := on(t, s.dates(t, o.ID), "2026-06-19")
	if again.ID != friday.ID || again.State != "scheduled" || len(back.Plan.Added) != 26 || back.Plan.Added[0].ID == uuid.Nil {
		t.Errorf("the date comes back as %+v", again)
	}
	s.sit(t, 2, friday.ID)
	e = s.edit(t, toAll(back.Series, change, func(in *schedule.EditSeriesInput) { in.OnBooked = schedule.CancelBooked }))
	if !sameSet(p.cancelled, []uuid.UUID{friday.ID}) || len(e.Plan.Refunds) != 1 || e.Plan.Refunds[0].Amount != 2200 || e.Plan.Notices != 1 || e.Plan.Undoable {
		t.Errorf("%v, %+v", p.cancelled, e.Plan)
	}
}

// Fields that a date has of its own stay; all others follow the series.
func TestEditLeavesOwnFields(t *testing.T) {
	s, _ := openBooked(t)
	o, mia, ben, ann := s.AddOffering(t), s.AddInstructor(t, "Mia").ID, s.AddInstructor(t, "Ben").ID, s.AddInstructor(t, "Ann").ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(), MemberID: &mia})
	list := s.dates(t, o.ID)
	late, small, taught, off := on(t, list, "2026-06-17"), on(t, list, "2026-06-24"), on(t, list, "2026-07-01"), on(t, list, "2026-07-08")
	own := func(d aDate, but func(*schedule.EditDateInput)) {
		t.Helper()
		in := schedule.EditDateInput{OfferingID: o.ID, OccurrenceID: d.ID, Version: d.Version}
		but(&in)
		if _, err := s.EditDate(t.Context(), s.System(), in); err != nil {
			t.Fatal(err)
		}
	}
	own(late, func(in *schedule.EditDateInput) { in.StartsAt = ptr(late.Starts.Add(2 * time.Hour)) })
	own(small, func(in *schedule.EditDateInput) { in.Capacity, in.Minutes = ptr(5), ptr(30) })
	if _, err := s.Substitute(t.Context(), s.System(), schedule.SubstituteInput{OfferingID: o.ID, OccurrenceID: taught.ID, MemberID: ben}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CancelDate(t.Context(), s.System(), schedule.CancelDateInput{OfferingID: o.ID, OccurrenceID: off.ID}); err != nil {
		t.Fatal(err)
	}
	s.edit(t, toAll(made, schedule.SeriesChange{
		Weekdays: []time.Weekday{time.Thursday}, MemberID: patch.Some(ann), Capacity: ptr(9), Minutes: ptr(90),
	}))
	page, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: o.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range page.Items {
		want := fmt.Sprintf("%s %d %d", x.Instructor, x.Capacity, int(x.EndsAt.Sub(x.StartsAt).Minutes()))
		got := "Ann 9 90"
		switch x.ID {
		case late.ID:
			if !x.StartsAt.Equal(late.Starts.Add(2*time.Hour)) || fmt.Sprint(x.Overrides) != "[startsAt]" {
				t.Errorf("its own time: %+v", x)
			}
		case small.ID:
			got = "Ann 5 30"
		case taught.ID:
			got = "Ben 9 90"
		case off.ID:
			if x.State != schedule.Cancelled {
				t.Error("the edit brought a cancelled date back")
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", x.LocalDate, want, got)
		}
		if x.ID != late.ID && x.StartsAt.Weekday() != time.Thursday {
			t.Errorf("%s did not move", x.StartsAt)
		}
	}
}

func TestEditFewerSeatsThanTaken(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.sit(t, 8, on(t, s.dates(t, o.ID), "2026-06-24").ID)
	_, err := s.EditSeries(t.Context(), s.System(), toAll(made, schedule.SeriesChange{Capacity: ptr(7)}))
	apptest.Is(t, err, schedule.ErrDatesTooFull)
	if got := fmt.Sprint(fault.From(err).Details["dates"]); got != "[2026-06-24]" {
		t.Errorf("dates %s", got)
	}
	if e := s.edit(t, toAll(made, schedule.SeriesChange{Capacity: ptr(8)})); e.Plan.Changed != 27 || e.Plan.Unchanged != 27 || e.OnlineCapacity != 8 {
		t.Errorf("%+v", e.Plan)
	}
}

// However many dates there are, an edit sends the same number of statements.
func TestEditRoundTrips(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t)
	counts := map[string]int{}
	for name, days := range map[string][]time.Weekday{"26 dates": {time.Monday}, "182 dates": {0, 1, 2, 3, 4, 5, 6}} {
		mia, hall := s.AddInstructor(t, name).ID, s.AddSpace(t, name, holds(20)).ID
		made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Weekdays = days }), MemberID: &mia, SpaceID: &hall})
		var e schedule.Edited
		counts[name] = s.w.Statements(func() { e = s.edit(t, toAll(made, schedule.SeriesChange{At: ptr(apptest.WallClock("20:00"))})) })
		if _, err := s.undo(t, e, made); err != nil {
			t.Error(err)
		}
	}
	if counts["26 dates"] != counts["182 dates"] || counts["26 dates"] > 24 {
		t.Errorf("%v", counts)
	}
}

// Edits keep the wall clock on both sides of a change: a skipped time is later by the gap, a repeated time is the
// first one; and going back gives the same instants.
func TestEditAcrossClockChanges(t *testing.T) {
	w := apptest.Open(t)
	for _, c := range []struct{ zone, start, at, want string }{
		{"America/New_York", "2026-03-01", "02:30", "07:30 07:30 06:30"},
		{"America/New_York", "2026-10-25", "01:30", "05:30 05:30 06:30"},
		{"Europe/London", "2026-03-22", "01:30", "01:30 01:30 00:30"},
		{"Australia/Lord_Howe", "2026-09-27", "02:15", "15:45 15:45 15:15"},
		{"America/Santiago", "2026-08-30", "00:30", "04:30 04:30 03:30"},
		{"Africa/Casablanca", "2026-02-08", "02:30", "01:30 01:30 02:30"},
	} {
		s := openIn(t, w, in(c.zone))
		s.w.Clock.Set(apptest.Instant(c.start+"T12:00:00Z").AddDate(0, 0, -7))
		start := apptest.Day(c.start)
		made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: schedule.Rule{
			Weekdays: []time.Weekday{start.Weekday()}, Start: start, At: apptest.WallClock("12:00"), Count: ptr(3),
		}})
		before := s.starts(t, made.ID)
		moved := s.edit(t, toAll(made, schedule.SeriesChange{At: ptr(apptest.WallClock(c.at))}))
		var got []string
		for _, x := range s.starts(t, made.ID) {
			got = append(got, x.UTC().Format("15:04"))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.zone, got, c.want)
		}
		s.edit(t, toAll(moved.Series, schedule.SeriesChange{At: ptr(apptest.WallClock("12:00"))}))
		if back := s.starts(t, made.ID); !slices.EqualFunc(back, before, time.Time.Equal) {
			t.Errorf("%s: back at %v, were %v", c.zone, back, before)
		}
	}
}

// A number of dates is the remaining one when the rule changes, and a single date beside the rule is not counted.
func TestEditCountsWhatIsLeft(t *testing.T) {
	s, _ := openBooked(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(8) })})
	s.w.Clock.Advance(2 * week) // two have taken place, and the third is today
	e := s.edit(t, toAll(made, schedule.SeriesChange{Weekdays: []time.Weekday{time.Tuesday, time.Thursday}, Extra: ptr(dates("2026-07-04"))}))
	if *e.Rule.Count != 6 || e.Rule.Start != apptest.Day("2026-06-25") || len(s.starts(t, made.ID)) != 2+6+1 {
		t.Errorf("%+v, %d dates", e.Rule, len(s.starts(t, made.ID)))
	}
	if e = s.edit(t, toAll(e.Series, schedule.SeriesChange{End: &schedule.SeriesEnd{Count: ptr(3)}})); len(s.starts(t, made.ID)) != 2+3+1 {
		t.Errorf("three from the start on: %+v", e.Plan)
	}
}
