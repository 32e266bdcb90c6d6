package rules_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

// id is an id that stands for a name.
func id(name string) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(name)) }

var (
	yoga, hot, climbing = id("yoga"), id("hot yoga"), id("climbing")
	here, there         = id("here"), id("there")
	today               = day("2026-11-30") // a Monday
)

func seat(changes ...func(*rules.Seat)) rules.Seat {
	s := rules.Seat{Offering: yoga, Location: here, Kind: "class", Tags: []string{"mat"}, On: today}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func on(d civil.Date) func(*rules.Seat) { return func(s *rules.Seat) { s.On = d } }

func guest(s *rules.Seat) { s.Guest = true }

func party(n int) func(*rules.Seat) { return func(s *rules.Seat) { s.Party = n } }

func passes(s *rules.Source) { s.GuestsOnly = true }

// pack is a pack of ten credits for 150.00.
func pack(name string, changes ...func(*rules.Source)) rules.Source {
	s := rules.Source{ID: id(name), Rank: rules.Pack, From: today, Credits: 10, Value: 15000, Of: 10, Since: today.Utc()}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func ranked(rank rules.Rank) func(*rules.Source) { return func(s *rules.Source) { s.Rank = rank } }

func until(d civil.Date) func(*rules.Source) { return func(s *rules.Source) { s.Until = d } }

// named is a choice in words.
func named(c rules.Choice, sources ...rules.Source) string {
	name := map[uuid.UUID]string{uuid.Nil: "none"}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		name[id(n)] = n
	}
	out := []string{fmt.Sprintf("%s %d", name[c.Source], c.Credits)}
	for _, p := range c.Passed {
		out = append(out, name[p.Source]+" "+string(p.Why))
	}
	return strings.Join(out, ", ")
}

// The order of payment: by rank, then what ends first, then the cheapest credit, then the oldest (6.9).
func TestOrder(t *testing.T) {
	soon, later := today.AddDays(10), today.AddDays(40)
	cheap := func(s *rules.Source) { s.Value = 12000 }
	old := func(s *rules.Source) { s.Since = s.Since.Add(-time.Hour) }
	sources := []rules.Source{
		pack("g"), pack("f", old), pack("e", cheap), pack("d", until(later), ranked(rules.Pack)),
		pack("c", until(soon), cheap),
		pack("b", ranked(rules.Gift), until(later)), pack("a", ranked(rules.Unlimited)),
	}
	want := "a 0, b behind, c behind, d behind, e behind, f behind, g behind"
	for i := range 7 {
		got := named(rules.Choose([]rules.Seat{seat()}, sources)[0])
		if got != want {
			t.Errorf("without the first %d: %s, want %s", i, got, want)
		}
		sources = sources[:len(sources)-1] // the first one
		_, want, _ = strings.Cut(want, ", ")
		want = strings.Replace(want, " behind", " 1", 1)
	}
	for i, rank := range []rules.Rank{rules.Unlimited, rules.Carried, rules.Included, rules.Gift, rules.Pack} {
		if int(rank) != i {
			t.Errorf("rank %d is %d", i, rank)
		}
	}
}

// Each reason for which a source does not pay, and the seats just on the other side of it.
func TestReasons(t *testing.T) {
	tomorrow := today.AddDays(1)
	costly := func(s *rules.Source) { s.Costs = map[uuid.UUID]int{hot: 2} }
	credits := func(n int) func(*rules.Source) { return func(s *rules.Source) { s.Credits = n } }
	scope := func(c rules.Scope) func(*rules.Source) { return func(s *rules.Source) { s.Scope = c } }
	limits := func(l rules.Limits) func(*rules.Source) {
		return func(s *rules.Source) { s.Limits, s.Booked = l, map[civil.Date]int{today: 1, today.AddDays(-1): 1} }
	}
	offering := func(o uuid.UUID) func(*rules.Seat) { return func(s *rules.Seat) { s.Offering = o } }
	week := rules.Limits{PerWeek: 1, WeekStart: time.Tuesday} // the week of today is that of yesterday
	for _, c := range []struct {
		source rules.Source
		seat   rules.Seat
		want   string
	}{
		{pack("a", scope(rules.Scope{Locations: []uuid.UUID{there}})), seat(), "none 0, a not_at_location"},
		{pack("a", scope(rules.Scope{Locations: []uuid.UUID{there, here}})), seat(), "a 1"},
		{pack("a", scope(rules.Scope{Offerings: []uuid.UUID{hot}})), seat(), "none 0, a not_covered"},
		{pack("a", scope(rules.Scope{Offerings: []uuid.UUID{hot}, Tags: []string{"mat"}})), seat(), "a 1"},
		{pack("a", scope(rules.Scope{Kinds: []string{"appointment"}})), seat(), "none 0, a not_covered"},
		{pack("a", scope(rules.Scope{Kinds: []string{"class"}})), seat(), "a 1"},
		{
			pack("a", scope(rules.Scope{Kinds: []string{"class"}, Excluded: []uuid.UUID{yoga}})), seat(),
			"none 0, a not_covered",
		},
		{pack("a"), seat(on(today.AddDays(-1))), "none 0, a not_started"},
		{pack("a", until(today)), seat(), "a 1"},
		{pack("a", until(today)), seat(on(tomorrow)), "none 0, a ended"},
		{pack("a", costly, credits(1)), seat(offering(hot)), "none 0, a no_credits"},
		{pack("a", costly, credits(2)), seat(offering(hot)), "a 2"},
		{pack("a", credits(0)), seat(), "none 0, a no_credits"},
		{pack("a", credits(0), ranked(rules.Unlimited)), seat(), "a 0"},
		{pack("a", func(s *rules.Source) { s.Stopped = rules.PastDue }), seat(), "none 0, a past_due"},
		{
			pack("a", func(s *rules.Source) { s.Frozen = []rules.Period{{From: today, Until: tomorrow}} }), seat(),
			"none 0, a frozen",
		},
		{
			pack("a", func(s *rules.Source) { s.Frozen = []rules.Period{{From: today, Until: tomorrow}} }),
			seat(on(tomorrow)), "a 1",
		},
		{pack("a", limits(rules.Limits{PerDay: 1})), seat(), "none 0, a daily_limit"},
		{pack("a", limits(rules.Limits{PerDay: 1})), seat(on(tomorrow)), "a 1"},
		{pack("a", limits(rules.Limits{PerDay: 2})), seat(), "a 1"},
		{pack("a", limits(week)), seat(), "none 0, a weekly_limit"},
		{pack("a", limits(week)), seat(on(tomorrow)), "a 1"},
		{
			pack("a", limits(rules.Limits{Upcoming: 1}), func(s *rules.Source) { s.Upcoming = 1 }), seat(),
			"none 0, a upcoming_limit",
		},
		{pack("a", limits(rules.Limits{Upcoming: 2}), func(s *rules.Source) { s.Upcoming = 1 }), seat(), "a 1"},
		{pack("a"), seat(guest), "none 0, a no_guest_pass"},
		{pack("a"), seat(party(2)), "none 0, a no_guest_pass"},
		{pack("a", func(s *rules.Source) { s.ForGuests = true }), seat(guest), "a 1"},
		{pack("a", func(s *rules.Source) { s.ForGuests = true }), seat(party(3)), "a 3"},
		{pack("a", passes), seat(guest), "a 1"},
		{pack("a", passes), seat(guest, party(2)), "a 2"},
		{pack("a", passes), seat(), "none 0, a guests_only"},
		{pack("a", passes), seat(party(2)), "none 0, a guests_only"}, // with the customer in it
		{pack("a", passes, credits(0)), seat(guest), "none 0, a no_credits"},
		{pack("a", passes, costly, credits(1)), seat(guest, offering(hot)), "none 0, a no_credits"},
		{pack("a", passes, limits(rules.Limits{PerDay: 1})), seat(guest), "none 0, a daily_limit"},
		{pack("a"), seat(func(s *rules.Seat) { s.With = id("b") }), "none 0, a not_chosen"},
		{pack("a"), seat(func(s *rules.Seat) { s.With = id("a") }), "a 1"},
	} {
		if got := named(rules.Choose([]rules.Seat{c.seat}, []rules.Source{c.source})[0]); got != c.want {
			t.Errorf("%+v of %+v: %s, want %s", c.seat, c.source, got, c.want)
		}
	}
}

// Seats of one cart share what there is: the last credit pays once, and limits count them all.
func TestSeatsShare(t *testing.T) {
	two := func(s *rules.Source) { s.Credits = 2 }
	one := func(s *rules.Source) {
		s.Limits = rules.Limits{PerDay: 1, PerWeek: 2, Upcoming: 3, WeekStart: time.Monday}
	}
	days := []rules.Seat{
		seat(), seat(), seat(on(today.AddDays(1))), seat(on(today.AddDays(2))), seat(on(today.AddDays(7))),
		seat(on(today.AddDays(8))),
	}
	for _, c := range []struct {
		seats   []rules.Seat
		sources []rules.Source
		want    string
	}{
		{[]rules.Seat{seat(), seat(), seat()}, []rules.Source{pack("a", two)}, "a 1; a 1; none 0, a no_credits"},
		{
			[]rules.Seat{seat(), seat(), seat()}, []rules.Source{pack("a", two), pack("b", until(today))},
			"b 1, a behind; b 1, a behind; b 1, a behind",
		},
		{
			days, []rules.Source{pack("a", one)},
			"a 1; none 0, a daily_limit; a 1; none 0, a weekly_limit; a 1; none 0, a upcoming_limit",
		},
		{
			[]rules.Seat{seat(), seat(guest), seat(guest)},
			[]rules.Source{pack("a", two), pack("b", passes, func(s *rules.Source) { s.Credits = 1 })},
			"a 1, b guests_only; b 1, a no_guest_pass; none 0, b no_credits, a no_guest_pass",
		},
		{ // the credits that are for the customer too are spared
			[]rules.Seat{seat(guest), seat(guest), seat()},
			[]rules.Source{
				pack("a", two, func(s *rules.Source) { s.ForGuests = true }),
				pack("b", passes, func(s *rules.Source) { s.Credits, s.Value, s.Of = 1, 0, 1 }),
			},
			"b 1, a behind; a 1, b no_credits; a 1, b guests_only",
		},
	} {
		var got []string
		for _, choice := range rules.Choose(c.seats, c.sources) {
			got = append(got, named(choice))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s, want %s", text, c.want)
		}
	}
}

// sources draws what a customer has.
func sources(t *rapid.T) []rules.Source {
	n := rapid.IntRange(0, 6).Draw(t, "sources")
	out := make([]rules.Source, n)
	for i := range out {
		s := &out[i]
		s.ID, s.Rank = id(fmt.Sprint(i)), rules.Rank(rapid.IntRange(0, 4).Draw(t, "rank"))
		s.From = today.AddDays(rapid.IntRange(-3, 3).Draw(t, "from"))
		if rapid.Bool().Draw(t, "ends") {
			s.Until = s.From.AddDays(rapid.IntRange(0, 5).Draw(t, "until"))
		}
		s.Credits = rapid.IntRange(0, 3).Draw(t, "credits")
		s.GuestsOnly = rapid.IntRange(0, 3).Draw(t, "guests only") == 0
		s.ForGuests = !s.GuestsOnly && rapid.Bool().Draw(t, "for guests")
		s.Value, s.Of = rapid.Int64Range(0, 3).Draw(t, "value"), rapid.IntRange(1, 3).Draw(t, "of")
		s.Costs = map[uuid.UUID]int{hot: rapid.IntRange(0, 2).Draw(t, "cost")}
		if rapid.Bool().Draw(t, "scoped") {
			s.Scope.Offerings = []uuid.UUID{hot}
		}
		s.Limits.PerDay = rapid.IntRange(0, 2).Draw(t, "per day")
		s.Limits.PerWeek = rapid.IntRange(0, 2).Draw(t, "per week")
		s.Since = today.Utc().Add(time.Duration(rapid.IntRange(0, 2).Draw(t, "since")) * time.Hour)
	}
	return out
}

// TestChoose: no source pays for more than it has, each one that does not pay has a reason, the order of the sources
// and sources that do not pay change nothing, and a customer's own choice is respected.
func TestChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have := sources(t)
		seats := make([]rules.Seat, rapid.IntRange(1, 5).Draw(t, "seats"))
		for i := range seats {
			seats[i] = seat(on(today.AddDays(rapid.IntRange(-1, 4).Draw(t, "on"))))
			if rapid.Bool().Draw(t, "hot") {
				seats[i].Offering = hot
			}
			seats[i].Guest = rapid.IntRange(0, 4).Draw(t, "guest") == 0
			if len(have) > 0 && rapid.IntRange(0, 3).Draw(t, "choose") == 0 {
				seats[i].With = have[rapid.IntRange(0, len(have)-1).Draw(t, "with")].ID
			}
		}
		got := rules.Choose(seats, have)
		credits, days := map[uuid.UUID]int{}, map[string]int{}
		by := map[uuid.UUID]rules.Source{}
		for _, s := range have {
			by[s.ID] = s
		}
		paid := map[uuid.UUID]bool{}
		for i, c := range got {
			n := len(c.Passed)
			if c.Source != uuid.Nil {
				n++
				paid[c.Source] = true
				credits[c.Source] += c.Credits
				days[c.Source.String()+seats[i].On.String()]++
				if s := by[c.Source]; seats[i].Guest && !s.ForGuests && !s.GuestsOnly || !seats[i].Guest && s.GuestsOnly {
					t.Errorf("%+v pays for %+v", s, seats[i])
				}
				if w := seats[i].With; w != uuid.Nil && w != c.Source {
					t.Errorf("%s pays, chosen was %s", c.Source, w)
				}
			}
			if n != len(have) {
				t.Errorf("%d of %d sources are explained", n, len(have))
			}
		}
		for _, s := range have {
			if s.Rank != rules.Unlimited && credits[s.ID] > s.Credits {
				t.Errorf("%d credits of %+v", credits[s.ID], s)
			}
			for d := -1; d < 5; d++ {
				if n := days[s.ID.String()+today.AddDays(d).String()]; s.Limits.PerDay > 0 && n > s.Limits.PerDay {
					t.Errorf("%d on a day of %+v", n, s)
				}
			}
		}
		shuffled := slices.Clone(have)
		seed := rapid.Uint64().Draw(t, "shuffle")
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		})
		if again := rules.Choose(seats, shuffled); !reflect.DeepEqual(got, again) {
			t.Errorf("in another order: %+v, then %+v", got, again)
		}
		used := slices.DeleteFunc(shuffled, func(s rules.Source) bool { return !paid[s.ID] })
		for i, c := range rules.Choose(seats, used) {
			if c.Source != got[i].Source || c.Credits != got[i].Credits {
				t.Errorf("without those that do not pay: %+v, then %+v", got[i], c)
			}
		}
	})
}

// BenchmarkChoose chooses for ten seats among 200 grants. The aim is 100 µs.
func BenchmarkChoose(b *testing.B) {
	var seats []rules.Seat
	for i := range 10 {
		seats = append(seats, seat(on(today.AddDays(i))))
	}
	var have []rules.Source
	for i := range 200 {
		have = append(have, pack(fmt.Sprint(i), until(today.AddDays(i)), func(s *rules.Source) {
			s.Limits = rules.Limits{PerDay: 1, PerWeek: 3}
			s.Scope.Offerings = []uuid.UUID{climbing, hot, yoga}
		}))
	}
	b.ReportAllocs()
	for b.Loop() {
		if c := rules.Choose(seats, have); c[9].Source == uuid.Nil {
			b.Fatal("nothing pays")
		}
	}
}

// TestWeeks: a weekly limit counts the days from the first day of the week of the class until the next one.
func TestWeeks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		class := day("1999-12-01").AddDays(rapid.IntRange(0, 20_000).Draw(t, "class"))
		other := class.AddDays(rapid.IntRange(-8, 8).Draw(t, "other"))
		start := time.Weekday(rapid.IntRange(0, 6).Draw(t, "start"))
		first := class
		for first.Weekday() != start {
			first = first.AddDays(-1)
		}
		want := ""
		if !other.Before(first) && other.Before(first.AddDays(7)) {
			want = "weekly_limit"
		}
		source := pack("a", func(s *rules.Source) {
			s.From = class
			s.Limits = rules.Limits{PerWeek: 1, WeekStart: start}
			s.Booked = map[civil.Date]int{other: 1}
		})
		c := rules.Choose([]rules.Seat{seat(on(class))}, []rules.Source{source})[0]
		if got := c.Source == uuid.Nil; got != (want != "") {
			t.Errorf("booked on %s, class on %s, weeks from %s: %+v", other, class, start, c)
		}
	})
}
