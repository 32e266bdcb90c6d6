package schedule_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/schedule"
)

// machine does random things to one class, and checks the invariants after each.
type machine struct {
	*studio
	t        *testing.T
	r        *rapid.T
	offering uuid.UUID
	members  []uuid.UUID
	log      []string
	last     *undoable // the newest edit, while nothing has happened since
}

// undoable is an edit with the rows as they were before it.
type undoable struct {
	edit, series uuid.UUID
	rows         map[string]string
}

// Proof 5: ids of untouched dates are unchanged, past dates are untouched, and undo restores every row to the byte:
// under any sequence of edits of all scopes, single dates, cancellations, the sweep, bookings and the passing of
// time.
func TestEditMachine(t *testing.T) {
	rounds(t, "40")
	w := apptest.Open(t)
	var studios []machine
	for _, name := range []string{"America/New_York", "Europe/London", "Australia/Lord_Howe", "America/Santiago"} {
		s := openIn(t, w, in(name))
		s.Service = schedule.New(schedule.Options{DB: w.DB, Bookings: (&people{}).bookings()})
		studios = append(studios, machine{studio: s, t: t, offering: s.AddOffering(t).ID,
			members: []uuid.UUID{s.AddInstructor(t, "Mia").ID, s.AddInstructor(t, "Ben").ID}})
	}
	rapid.Check(t, func(r *rapid.T) {
		w.SQL(t, "delete from claims; delete from series_edits; delete from occurrences; delete from series")
		w.Clock.Set(apptest.Start.AddDate(0, 0, rapid.IntRange(0, 300).Draw(r, "day")))
		m := rapid.SampledFrom(studios).Draw(r, "studio")
		m.r = r
		m.create()
		for range rapid.IntRange(2, 7).Draw(r, "steps") {
			m.step()
		}
	})
}

// rounds sets the number of rapid's rounds, unless another was requested: a round of a machine is many transactions.
func rounds(t *testing.T, n string) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); was == checks.DefValue {
		if err := checks.Value.Set(n); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = checks.Value.Set(was) })
	}
}

func (m *machine) today() civil.Date {
	return civil.LocalDate(m.w.Clock.Now(), apptest.Zone(m.t, m.Location.Zone))
}

func (m *machine) create() {
	rule := m.rule()
	made, err := m.CreateSeries(m.t.Context(), m.System(), schedule.CreateSeriesInput{
		OfferingID: m.offering, Rule: rule, MemberID: m.instructor(), AllowConflicts: true,
	})
	if err != nil {
		m.r.Fatalf("create %+v: %v", rule, err)
	}
	m.log = append(m.log, fmt.Sprintf("create %+v", rule))
	m.holds(nil, nil, made.First.Dates)
}

func (m *machine) instructor() *uuid.UUID {
	i := rapid.IntRange(-1, 1).Draw(m.r, "instructor")
	if i < 0 {
		return nil
	}
	return &m.members[i]
}

// rule draws a rule that begins within a month.
func (m *machine) rule() schedule.Rule {
	r := drawRule(m.r)
	r.Start = m.today().AddDays(rapid.IntRange(0, 30).Draw(m.r, "in"))
	r.At = civil.Clock(rapid.SampledFrom([]int{0, 90, 150, 9*60 + 30, 18 * 60, 23*60 + 30}).Draw(m.r, "at"))
	r.Minutes = rapid.SampledFrom([]int{30, 60, 1440}).Draw(m.r, "minutes")
	r.Until, r.Except, r.Extra = nil, nil, nil
	if r.Count == nil && rapid.Bool().Draw(m.r, "ends") {
		r.Until = new(r.Start.AddDays(rapid.IntRange(0, 250).Draw(m.r, "until")))
	}
	for range r.Dates(r.Start, r.Start.AddDays(300)) { // it gives something
		return m.more(r)
	}
	r.Until = nil
	return m.more(r)
}

// more adds single dates to a rule.
func (m *machine) more(r schedule.Rule) schedule.Rule {
	for range rapid.IntRange(0, 2).Draw(m.r, "extra dates") {
		if d := m.today().AddDays(rapid.IntRange(1, 200).Draw(m.r, "extra")); !slices.Contains(r.Extra, d) {
			r.Extra = append(r.Extra, d)
		}
	}
	return r
}

// step does one random thing and checks the rows.
func (m *machine) step() {
	before := m.rows(m.t)
	dates := m.dates(m.t, m.offering)
	what := rapid.SampledFrom([]string{"all", "all", "following", "following", "date", "cancel", "restore", "substitute", "end", "wait", "sit", "undo", "undo"}).Draw(m.r, "do")
	list, err := m.SeriesOf(m.t.Context(), m.System(), schedule.SeriesOfInput{OfferingID: m.offering})
	if err != nil {
		m.r.Fatal(err)
	}
	if len(dates) == 0 { // the only one began earlier today
		what = "all"
	}
	series := list.Items[rapid.IntRange(0, len(list.Items)-1).Draw(m.r, "series")]
	m.log = append(m.log, fmt.Sprintf("%s of %s on %s", what, series.ID, m.today()))
	allowed, err := m.do(what, series, dates)
	if f := fault.From(err); err != nil && (f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation) {
		m.r.Fatalf("%s: %v\n%s", what, err, strings.Join(m.log, "\n"))
	}
	if err != nil {
		m.log = append(m.log, "refused: "+err.Error())
		if !maps.Equal(m.rows(m.t), before) {
			m.r.Fatalf("a refusal changed something\n%s", strings.Join(m.log, "\n"))
		}
		return
	}
	m.holds(before, dates, allowed)
}

// do does it and returns the added rows, if any may have been.
func (m *machine) do(what string, series schedule.Series, dates []aDate) ([]schedule.PlannedDate, error) {
	ctx, sc := m.t.Context(), m.System()
	var d aDate
	if len(dates) > 0 {
		d = dates[rapid.IntRange(0, len(dates)-1).Draw(m.r, "which")]
	}
	before := m.rows(m.t)
	switch what {
	case "all", "following":
		in := m.anEdit(what, series)
		e, err := m.EditSeries(ctx, sc, in)
		if err == nil {
			m.last = nil
			if e.Plan.Undoable {
				m.last = &undoable{e.EditID, series.ID, before}
			}
			m.planHolds(e.Plan, dates)
		}
		return e.Plan.Added, err
	case "date":
		in := schedule.EditDateInput{OfferingID: m.offering, OccurrenceID: d.ID, Version: d.Version, AllowConflicts: true}
		if rapid.Bool().Draw(m.r, "move") {
			in.StartsAt = new(d.Starts.Add(time.Duration(rapid.IntRange(-200, 200).Draw(m.r, "hours")) * time.Hour))
		} else {
			in.Minutes, in.Capacity = ptr(45), ptr(11)
		}
		e, err := m.EditDate(ctx, sc, in)
		if err == nil {
			m.last = &undoable{e.EditID, d.Series, before}
		}
		return nil, err
	case "cancel":
		_, err := m.CancelDate(ctx, sc, schedule.CancelDateInput{OfferingID: m.offering, OccurrenceID: d.ID, Reason: "storm"})
		m.forget(err)
		return nil, err
	case "restore":
		_, err := m.RestoreDate(ctx, sc, schedule.CancelDateInput{OfferingID: m.offering, OccurrenceID: d.ID})
		m.forget(err)
		return nil, err
	case "substitute":
		_, err := m.Substitute(ctx, sc, schedule.SubstituteInput{OfferingID: m.offering, OccurrenceID: d.ID, MemberID: m.members[0], Override: true, Reason: "ill"})
		m.forget(err)
		return nil, err
	case "end":
		on := m.today().AddDays(rapid.IntRange(-1, 100).Draw(m.r, "end on"))
		e, err := m.EndSeries(ctx, sc, schedule.EndSeriesInput{OfferingID: m.offering, SeriesID: series.ID, EndsOn: on, OnBooked: m.onBooked()})
		if err == nil && e.EditID != uuid.Nil {
			m.last = nil
			if e.Plan.Undoable {
				m.last = &undoable{e.EditID, series.ID, before}
			}
		}
		return nil, err
	case "wait":
		m.w.Clock.Advance(time.Duration(rapid.IntRange(1, 20*24).Draw(m.r, "hours")) * time.Hour)
		m.last = nil
		m.sweep(m.t)
		return []schedule.PlannedDate{{}}, nil
	case "sit":
		m.w.SQL(m.t, "update occurrences set taken = 1 where id = $1 and state = 'scheduled' and starts_at > $2", d.ID, m.w.Clock.Now())
		m.last = nil
		return nil, nil
	}
	return nil, m.undoLast()
}

// forget: after anything else, the rows are not those of the last edit.
func (m *machine) forget(err error) {
	if err == nil {
		m.last = nil
	}
}

func (m *machine) onBooked() schedule.OnBooked {
	choices := []schedule.OnBooked{schedule.RefuseBooked, schedule.CancelBooked, schedule.RescheduleBooked}
	return rapid.SampledFrom(choices).Draw(m.r, "on booked")
}

func (m *machine) anEdit(scope string, series schedule.Series) schedule.EditSeriesInput {
	e := schedule.EditSeriesInput{OfferingID: m.offering, SeriesID: series.ID, Version: series.Version, Scope: schedule.EditScope(scope),
		OnBooked: m.onBooked(), AllowConflicts: true}
	if scope == "following" {
		e.From = new(m.today().AddDays(rapid.IntRange(0, 120).Draw(m.r, "from")))
	}
	c := &e.Change
	if rapid.Bool().Draw(m.r, "another rule") {
		r := m.rule()
		c.Freq, c.Every, c.MonthlyBy, c.Weekdays, c.Minutes = &r.Freq, &r.Every, &r.MonthlyBy, r.Weekdays, &r.Minutes
		c.End = &schedule.SeriesEnd{Until: r.Until, Count: r.Count}
	}
	if rapid.Bool().Draw(m.r, "another time") {
		c.At = ptr(civil.Clock(rapid.IntRange(0, 1439).Draw(m.r, "at")))
	}
	if rapid.Bool().Draw(m.r, "another instructor") {
		c.MemberID = patch.Field[uuid.UUID]{Set: true, Value: m.instructor()}
	}
	if rapid.Bool().Draw(m.r, "leave out") {
		c.Except = &[]civil.Date{m.today().AddDays(rapid.IntRange(0, 30).Draw(m.r, "except"))}
		c.Extra = &[]civil.Date{}
	}
	m.log = append(m.log, fmt.Sprintf("%+v", e))
	return e
}

// undoLast undoes the last edit, and checks that every row is as it was.
func (m *machine) undoLast() error {
	if m.last == nil {
		return nil
	}
	u := m.last
	m.last = nil
	_, err := m.UndoEdit(m.t.Context(), m.System(), schedule.UndoEditInput{OfferingID: m.offering, SeriesID: u.series, EditID: u.edit})
	if err != nil {
		m.r.Fatalf("undo: %v\n%s", err, strings.Join(m.log, "\n"))
	}
	if now := m.rows(m.t); !maps.Equal(now, u.rows) {
		for id := range maps.Keys(u.rows) {
			if now[id] != u.rows[id] {
				m.r.Errorf("%s was %s\nis %s", id, u.rows[id], now[id])
			}
		}
		m.r.Fatalf("undone, but not as it was: %d rows, %d before\n%s", len(now), len(u.rows), strings.Join(m.log, "\n"))
	}
	return nil
}

// planHolds checks the plan's outcome of every date.
func (m *machine) planHolds(p schedule.Plan, before []aDate) {
	was := map[uuid.UUID]aDate{}
	for _, d := range before {
		was[d.ID] = d
	}
	told := map[uuid.UUID]bool{}
	for _, x := range p.Moved {
		told[x.ID] = true
	}
	for _, x := range slices.Concat(p.Added, p.Removed) {
		told[x.ID] = true
	}
	made := 0
	for _, d := range m.dates(m.t, m.offering) {
		b, known := was[d.ID]
		if !known {
			made++
			continue
		}
		if same := b.Starts.Equal(d.Starts) && b.Ends.Equal(d.Ends) && b.State == d.State; !told[d.ID] && !same && d.State == "scheduled" {
			m.r.Fatalf("the plan does not tell of %+v, now %+v\n%s", b, d, strings.Join(m.log, "\n"))
		}
	}
	for _, x := range p.Added {
		if x.ID == uuid.Nil {
			made--
		}
	}
	if made != 0 {
		m.r.Fatalf("%d more dates than the plan tells\n%s", made, strings.Join(m.log, "\n"))
	}
}

// holds checks the invariants: no date is lost, the past stays to the byte, each series has the dates of its rule,
// and instructors are busy at their dates and at no other time.
func (m *machine) holds(before map[string]string, was []aDate, added []schedule.PlannedDate) {
	now := m.rows(m.t)
	fail := func(format string, args ...any) {
		m.r.Fatalf(format+"\n"+strings.Join(m.log, "\n"), args...)
	}
	undone := strings.HasPrefix(m.log[len(m.log)-1], "undo")
	for _, d := range was {
		key := "occurrences " + d.ID.String()
		if now[key] == "" && !undone {
			fail("date %+v is gone", d)
		}
		if !d.Starts.After(m.w.Clock.Now()) && now[key] != before[key] {
			fail("the past has changed: %s", now[key])
		}
	}
	after := m.dates(m.t, m.offering)
	if len(after) > len(was) && len(added) == 0 {
		fail("%d dates more", len(after)-len(was))
	}
	list, err := m.SeriesOf(m.t.Context(), m.System(), schedule.SeriesOfInput{OfferingID: m.offering})
	if err != nil {
		fail("%v", err)
	}
	for _, s := range list.Items {
		m.givesItsDates(s, after, fail)
	}
	if n := apptest.Value[int](m.t, m.w, `with dates as (
			select id, member_id, starts_at, ends_at from occurrences where state = 'scheduled' and member_id is not null
		), busy as (select occurrence_id, member_id, starts_at, ends_at from claims)
		select count(*) from ((table dates except all table busy) union all (table busy except all table dates)) x`); n != 0 {
		fail("%d times at which somebody teaches and is not busy, or the other way round", n)
	}
}

// givesItsDates: every date of the rule up to the horizon has its row, and no other is scheduled except those
// rescheduled by hand.
func (m *machine) givesItsDates(s schedule.Series, rows []aDate, fail func(string, ...any)) {
	due := map[string]schedule.Span{}
	for _, span := range schedule.Occurrences(s.Rule, apptest.Zone(m.t, s.Zone), m.today(), *s.WrittenTo) {
		due[span.Date.String()] = span
	}
	for _, d := range rows {
		if d.Series != s.ID {
			continue
		}
		span, given := due[d.Rule]
		delete(due, d.Rule)
		if d.State == "cancelled" || !d.Starts.After(m.w.Clock.Now()) {
			if given && !strings.Contains(d.Own, "state") && span.StartsAt.After(m.w.Clock.Now()) && d.Starts.After(m.w.Clock.Now()) {
				fail("the rule gives %s, and it is taken away", d.Rule)
			}
			continue
		}
		byHand := strings.Contains(d.Own, "startsAt")
		if !given && !byHand {
			fail("%s takes place and the rule does not give it", d.Rule)
		}
		if given && !byHand && !d.Starts.Equal(span.StartsAt) {
			fail("%s begins at %s, not %s", d.Rule, d.Starts, span.StartsAt)
		}
	}
	for day, span := range due {
		if span.StartsAt.After(m.w.Clock.Now()) {
			fail("%s of %s is not written", day, s.ID)
		}
	}
}
