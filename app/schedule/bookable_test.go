package schedule_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// asked is one case for both languages: the facts, the request, and the policy; nil for none.
type asked struct {
	schedule.Facts
	schedule.Query
	policy *catalog.Rules
}

func (c asked) rules() catalog.Rules {
	if c.policy == nil {
		return catalog.StandardRules()
	}
	return *c.policy
}

// rulesNow is the instant at which the cases are decided: in Apia a morning before the day that the island skipped.
var rulesNow = apptest.Instant("2011-12-29T23:30:00Z")

// plain can be booked, and would take people if it were full.
var plain = asked{
	Facts: schedule.Facts{
		State: schedule.Scheduled, StartsAt: rulesNow.Add(5 * time.Hour), InSeries: true, Kind: catalog.Class, Enrolment: catalog.ByDate,
		OfferingState: catalog.Published, BusinessStatus: business.Active, Zone: "Europe/London",
		Seats: schedule.Seats{Capacity: 3, OnlineCapacity: 2},
	},
	Query: schedule.Query{Seats: 1},
}

// The values of each fact. A case of a group has every combination of the values in that group.
var (
	standing = []func(*asked, int) bool{
		each([]schedule.State{schedule.Scheduled, schedule.Cancelled}, func(c *asked, v schedule.State) { c.State = v }),
		each([]time.Duration{-time.Hour, -time.Microsecond, 0, time.Microsecond, 5 * time.Hour}, func(c *asked, v time.Duration) { c.StartsAt = rulesNow.Add(v) }),
		each([]bool{true, false}, func(c *asked, v bool) { c.InSeries = v }),
		each([]catalog.Kind{catalog.Class, catalog.Appointment, catalog.Rental}, func(c *asked, v catalog.Kind) { c.Kind = v }),
		each([]catalog.Enrolment{catalog.ByDate, catalog.BySeries}, func(c *asked, v catalog.Enrolment) { c.Enrolment = v }),
		each([]catalog.State{catalog.Published, catalog.Draft, catalog.Archived}, func(c *asked, v catalog.State) { c.OfferingState = v }),
		each([]bool{false, true}, func(c *asked, v bool) { c.LocationArchived = v }),
		each([]business.Status{business.Active, business.Paused, business.Closed}, func(c *asked, v business.Status) { c.BusinessStatus = v }),
		each([]bool{false, true}, func(c *asked, v bool) { c.Query.Course = v }),
	}
	seats = []func(*asked, int) bool{
		each([]int{0, 1, 2, 3}, func(c *asked, v int) { c.Capacity = v }),
		each([]int{0, 1, 2, 3}, func(c *asked, v int) { c.OnlineCapacity = v }),
		each([]int{0, 1, 2, 3}, func(c *asked, v int) { c.Taken = v }),
		each([]int{0, 1, 2, 3}, func(c *asked, v int) { c.TakenOnline = v }),
		each([]int{0, 1, 2}, func(c *asked, v int) { c.Offered = v }),
		each([]int{1, 2}, func(c *asked, v int) { c.Query.Seats = v }),
		each([]bool{false, true}, func(c *asked, v bool) { c.Reserved = v }),
	}
	terms = []func(*asked, int) bool{
		each(starts(), func(c *asked, v time.Time) { c.StartsAt = v }),
		each([]string{"Europe/London", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"}, func(c *asked, v string) { c.Zone = v }),
		each(policies(), func(c *asked, v *catalog.Rules) { c.policy = v }),
		each([]bool{false, true}, func(c *asked, v bool) { c.Follows = v }),
		each([]catalog.Enrolment{catalog.ByDate, catalog.BySeries}, func(c *asked, v catalog.Enrolment) { c.Enrolment, c.Query.Course = v, v == catalog.BySeries }),
	}
)

// each is a fact: it sets the value with that number, and reports whether there is one.
func each[T any](values []T, set func(c *asked, v T)) func(*asked, int) bool {
	return func(c *asked, n int) bool {
		if n >= len(values) {
			return false
		}
		set(c, values[n])
		return true
	}
}

// starts returns times at and around every instant from which a lead time, a waitlist or a day of a window counts.
func starts() (out []time.Time) {
	for _, after := range []time.Duration{60 * time.Minute, 90 * time.Minute, 120 * time.Minute, 10 * time.Hour} {
		for _, by := range []time.Duration{-time.Microsecond, 0, time.Microsecond} {
			out = append(out, rulesNow.Add(after+by))
		}
	}
	for hour := 12; hour <= 84; hour++ { // midnight of some place, of some day
		out = append(out, rulesNow.Truncate(time.Hour).Add(time.Duration(hour)*time.Hour-time.Microsecond), rulesNow.Truncate(time.Hour).Add(time.Duration(hour)*time.Hour))
	}
	return out
}

func policies() []*catalog.Rules {
	out := []*catalog.Rules{nil}
	for _, lead := range []int{0, 90} {
		for _, window := range []int{0, 1, 2} {
			for _, cutoff := range []int{0, 60, 120} {
				for _, mode := range []catalog.WaitlistMode{catalog.WaitlistOff, catalog.WaitlistOffer} {
					r := catalog.StandardRules()
					r.NoticeMinutes, r.WindowDays, r.Waitlist.CutoffMinutes, r.Waitlist.Mode = lead, window, cutoff, mode
					out = append(out, &r)
				}
			}
		}
	}
	return out
}

// combined is plain with every combination of some facts.
func combined(facts ...func(*asked, int) bool) []asked {
	list := []asked{plain}
	for _, set := range facts {
		var more []asked
		for _, c := range list {
			for n := 0; set(&c, n); n++ {
				more = append(more, c)
			}
		}
		list = more
	}
	return list
}

// mixed are cases with a random value of every fact.
func mixed(t *testing.T, n int) []asked {
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	list := make([]asked, n)
	for i := range list {
		list[i] = plain
		for _, group := range [][]func(*asked, int) bool{standing, seats, terms} {
			for _, set := range group {
				var scratch asked
				count := 0
				for set(&scratch, count) {
					count++
				}
				if r.IntN(3) > 0 { // most facts are as they mostly are, or nothing would ever be bookable
					continue
				}
				set(&list[i], r.IntN(count))
			}
		}
	}
	return list
}

// TestRulesAgree: Go and Postgres agree on whether an occurrence can be booked, and whether its waitlist takes
// entries, for every combination of the facts that stand together, and for many of all of them.
func TestRulesAgree(t *testing.T) {
	w := apptest.Open(t)
	for name, list := range map[string][]asked{
		"what it is": combined(standing...), "its seats": combined(seats...), "its terms": combined(terms...), "all": mixed(t, 30000),
	} {
		t.Run(name, func(t *testing.T) {
			bookable, waits := inPostgres(t, w.DB.View(uuid.Nil), list)
			yes, takes := 0, 0
			for i, c := range list {
				if got := c.Bookable(c.Query, c.rules(), rulesNow); (got == "") != bookable[i] {
					t.Fatalf("bookable is %v in Postgres, and Go says %q: %+v, rules %+v", bookable[i], got, c, c.rules())
				}
				if got := c.TakesEntries(c.rules(), rulesNow); (got == "") != waits[i] {
					t.Fatalf("takes entries is %v in Postgres, and Go says %q: %+v, rules %+v", waits[i], got, c, c.rules())
				}
				if bookable[i] {
					yes++
				}
				if waits[i] {
					takes++
				}
			}
			if yes == 0 || yes == len(list) || takes == 0 || takes == len(list) {
				t.Errorf("of %d cases %d are bookable and %d take entries: that compares nothing", len(list), yes, takes)
			}
		})
	}
}

// inPostgres evaluates the fragments for all cases in one statement.
func inPostgres(t *testing.T, v *pg.View, list []asked) (bookable, waits map[int]bool) {
	t.Helper()
	type fact struct {
		Cancelled, Series, Class, Course, Archived, Group, Follows, Reserved bool
		Starts                                                               time.Time
		Offering, Status, Zone                                               string
		Capacity, Online, Taken, TakenOnline, Offered, Seats                 int
		Policy                                                               *catalog.Rules
	}
	facts := make([]fact, len(list))
	for i, c := range list {
		facts[i] = fact{
			c.State == schedule.Cancelled, c.InSeries, c.Kind == catalog.Class, c.Enrolment == catalog.BySeries, c.LocationArchived,
			c.Query.Course, c.Follows, c.Reserved, c.StartsAt, string(c.OfferingState), string(c.BusinessStatus), c.Zone,
			c.Capacity, c.OnlineCapacity, c.Taken, c.TakenOnline, c.Offered, c.Query.Seats, c.policy,
		}
	}
	body, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct{ Bookable, Waits []int }
	a, err := pg.One[answer](t.Context(), v, fmt.Sprintf(`select array_agg(x.n) filter (where %s) as bookable, array_agg(x.n) filter (where %s) as waits
		from (select (n - 1)::int as n, c from jsonb_array_elements($2::jsonb) with ordinality as e (c, n)) x
		cross join lateral (select case when (c ->> 'Cancelled')::bool then 'cancelled' else 'scheduled' end as state, (c ->> 'Starts')::timestamptz as starts_at,
			case when (c ->> 'Series')::bool then gen_random_uuid() end as series_id, (c ->> 'Capacity')::int as capacity, (c ->> 'Online')::int as online_capacity,
			(c ->> 'Taken')::int as taken, (c ->> 'TakenOnline')::int as taken_online, (c ->> 'Offered')::int as offered) o
		cross join lateral (select c ->> 'Offering' as state, case when (c ->> 'Class')::bool then 'class' else 'rental' end as kind,
			case when (c ->> 'Course')::bool then 'series' else 'date' end as enrolment) f
		cross join lateral (select case when (c ->> 'Archived')::bool then $1::timestamptz end as archived_at, c ->> 'Zone' as zone) l
		cross join lateral (select c ->> 'Status' as status) s
		cross join lateral (select nullif(c -> 'Policy', 'null') as rules) p
		cross join lateral (select (c ->> 'Seats')::int as seats, (c ->> 'Group')::bool as course, (c ->> 'Follows')::bool as follows, (c ->> 'Reserved')::bool as reserved) w`,
		schedule.BookableSQL("$1", "w.reserved"), schedule.TakesEntriesSQL("$1")), rulesNow, string(body))
	if err != nil {
		t.Fatal(err)
	}
	return numbers(a.Bookable), numbers(a.Waits)
}

func numbers(list []int) map[int]bool {
	out := make(map[int]bool, len(list))
	for _, n := range list {
		out[n] = true
	}
	return out
}

// Dates on the public schedule can be booked: a date closed or not yet opened by the rules is marked so, and a paused
// studio takes no waitlist entries either.
func TestListedAsItIsHeld(t *testing.T) {
	s := open(t)
	s.TakeCards(t)
	policy := s.AddPolicy(t, func(r *catalog.Rules) { r.NoticeMinutes, r.WindowDays = 120, 7 })
	s.SetPolicy(t, policy)
	o := s.AddOffering(t)
	now := s.w.Clock.Now()
	for _, after := range []time.Duration{time.Hour, 3 * time.Hour, 4 * time.Hour, 10 * 24 * time.Hour} {
		s.AddOccurrence(t, o, now.Add(after), func(o *apptest.OccurrenceRow) {
			if after == 4*time.Hour {
				o.Taken, o.TakenOnline = o.Capacity, o.Online
			}
		})
	}
	for status, want := range map[string][]string{
		"active": {"too_late false", " false", "full true", "too_early false"},
		"paused": {"paused false", "paused false", "paused false", "paused false"},
	} {
		s.w.SQL(t, "update businesses set status = $1", status)
		var got []string
		for _, d := range s.timetable(t, "", 0).Days {
			for _, x := range d.Occurrences {
				got = append(got, fmt.Sprint(x.Obstacle, " ", x.Waitlist))
				detail, err := schedule.OccurrenceOf(t.Context(), s.w.DB.View(s.Business.ID), x.ID)
				rules, also := catalog.RulesOf(t.Context(), s.w.DB.View(s.Business.ID), []uuid.UUID{o.ID})
				one := detail.Listed(rules[o.ID], now)
				one.Pricing = x.Pricing // additions to a price are no part of a date by itself
				if err != nil || also != nil || !reflect.DeepEqual(one, x) {
					t.Errorf("by itself it is listed as %+v, in the schedule as %+v", one, x)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", status, got)
		}
	}
}
