package availability_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// luck draws evenly from a seed; rapid prefers small numbers, and small numbers make empty weeks.
type luck struct{ *rand.Rand }

func drawLuck(t *rapid.T) luck { return luck{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))} }

// of is a number from low to high.
func (l luck) of(low, high int) int { return low + l.IntN(high-low+1) }

// one holds once in n times.
func (l luck) one(n int) bool { return l.IntN(n) == 0 }

// startText writes a start as brute does.
func startText(s availability.Start) string {
	var codes []string
	for _, c := range s.Codes.List() {
		codes = append(codes, string(c))
	}
	p := s.Parts[0]
	return fmt.Sprintf("%s %s %v %v %d", s.StartsAt.Format("2006-01-02T15:04"), strings.Join(codes, ","), p.People, p.Spaces, s.Seats)
}

// week draws hours whose intervals of a day keep apart.
func (l luck) week() []business.Interval {
	var week []business.Interval
	for day := range 7 {
		at := l.of(-60, 130) * 5
		for range l.of(1, 3) {
			opens, closes := max(0, at), max(0, at)+l.of(2, 150)*5
			if closes >= 1380 {
				closes = 1440
			}
			if opens < closes {
				week = append(week, business.Interval{Weekday: time.Weekday(day), Opens: opens, Closes: closes})
			}
			at = closes + l.of(1, 40)*5
		}
	}
	return week
}

func (l luck) busy(around int64, most int, kinds ...availability.BusyKind) []availability.Busy {
	var out []availability.Busy
	for range l.of(0, most) {
		b := availability.Busy{From: (around/60 + int64(l.of(-30*60, 30*60))) * 60, Kind: kinds[l.IntN(len(kinds))]}
		b.To = b.From + int64(l.of(1, 200))*60
		if b.Kind == availability.ClaimedSeats || b.Kind == availability.ClaimedInPart {
			b.Seats = l.of(1, 3)
		}
		out = append(out, b)
	}
	return out
}

// given counts appointments on days around one.
func (l luck) given(day civil.Date) map[civil.Date]int {
	m := map[civil.Date]int{}
	for i := -9; i < 9; i++ {
		m[day.AddDays(i)] = l.of(0, 2)
	}
	return m
}

// facts draws a place on the days around a change of some zone's clocks.
func (l luck) facts() (f availability.Facts, from, to time.Time) {
	c := apptest.ZoneChanges()[l.IntN(len(apptest.ZoneChanges()))]
	f.Zone = c.Loc
	from = time.Unix(c.At/60*60, 0).UTC().Add(-time.Duration(l.of(0, 30*60)) * time.Minute)
	to = from.Add(time.Duration(l.of(8*60, 36*60)) * time.Minute)
	f.Now = from.Add(-time.Duration(l.of(-12*3600, 20*24*3600)) * time.Second)
	f.Paused, f.Week = l.one(10), l.week()
	day := civil.LocalDate(time.Unix(c.At, 0), c.Loc)
	for range l.of(-2, 2) {
		s := availability.SpecialDays{From: day.AddDays(l.of(-2, 2))}
		s.To = s.From.AddDays(l.of(0, 1))
		for opens := l.of(0, 100) * 5; opens < 1440 && !l.one(3); opens += 1000 {
			s.Hours = append(s.Hours, availability.DayHours{Opens: opens, Closes: min(1440, opens+l.of(20, 190)*5)})
		}
		f.Special = append(f.Special, s)
	}
	if l.one(4) {
		f.DailyCap, f.Given = l.of(1, 4), l.given(day)
	}
	for range l.of(1, 3) {
		p := availability.Person{Week: l.week(), Busy: l.busy(c.At, 5, availability.Claimed, availability.TimeOffReason)}
		if l.one(3) {
			p.DailyCap, p.Given = l.of(1, 3), l.given(day)
		}
		if l.one(3) {
			p.WeeklyCap, p.Given = l.of(5, 10), l.given(day)
		}
		f.People = append(f.People, p)
	}
	for i := range l.of(1, 4) {
		r := availability.Space{Whole: l.of(-1, i-1), Capacity: l.of(1, 8)}
		r.Busy = l.busy(c.At, 4, availability.Claimed, availability.ClaimedSeats, availability.ClaimedSeats, availability.ClaimedInPart, availability.TimeOffReason)
		if l.one(3) {
			r.Week = l.week()
		}
		f.Spaces = append(f.Spaces, r)
	}
	return f, from, to
}

// offer draws a service of the place and adds it.
func (l luck) offer(f *availability.Facts) {
	o := availability.Offer{
		Lengths: catalog.Lengths{Kind: catalog.Appointment}, Capacity: l.of(1, 10), Rules: catalog.StandardRules(), Before: l.of(0, 4) * 5, After: l.of(0, 4) * 5,
		Grid: []int{0, 5, 10, 15, 30, 60}[l.of(0, 5)], NeedsPerson: true,
	}
	if l.one(2) {
		o.Kind, o.NeedsPerson = catalog.Rental, l.one(3)
		o.SoldAs = []catalog.SoldAs{catalog.PerPerson, catalog.WholeSpace}[l.of(0, 1)]
	}
	o.NeedsSpace = !o.NeedsPerson || l.one(3)
	if l.one(4) {
		last := civil.Clock(l.of(0, 1439))
		o.LastStart = &last
	}
	o.Rules.NoticeMinutes = l.of(0, 600)
	if l.one(2) {
		o.Rules.WindowDays = l.of(1, 25)
	}
	for i := range f.People {
		if !l.one(5) {
			o.People = append(o.People, i)
		}
	}
	for i := range f.Spaces {
		if !l.one(5) {
			o.Spaces = append(o.Spaces, i)
		}
	}
	f.Offers = append(f.Offers, o)
}

func (l luck) part(f *availability.Facts) availability.Part {
	p := availability.Part{Minutes: l.of(1, 30) * 5, Party: l.of(1, 3), Offer: len(f.Offers) - 1}
	if l.one(4) {
		p.People = []int{l.IntN(len(f.People))}
	}
	if l.one(4) {
		room := l.IntN(len(f.Spaces))
		p.Space = &room
	}
	return p
}

// Every start found, and no other, is one of going through real time minute by minute.
func TestFindAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLuck(t)
		f, from, to := l.facts()
		l.offer(&f)
		part := l.part(&f)
		var got []string
		for _, s := range f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{part}}) {
			got = append(got, startText(s))
		}
		want := newBrute(&f, from, to, part).starts(from, to)
		for i := range max(len(got), len(want)) {
			var a, b string
			if i < len(got) {
				a = got[i]
			}
			if i < len(want) {
				b = want[i]
			}
			if a != b {
				t.Fatalf("%s, start %d: found %q, brute force says %q", f.Zone, i, a, b)
			}
		}
	})
}

// A start is shown as bookable if and only if it can be placed, at any minute; a person placed by staff at any minute
// is free as well.
func TestShownIsPlaceable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLuck(t)
		f, from, to := l.facts()
		l.offer(&f)
		part := l.part(&f)
		shown := map[int64]availability.Start{}
		for _, s := range f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{part}}) {
			shown[s.StartsAt.Unix()] = s
		}
		asks := []time.Time{}
		for _, s := range shown {
			asks = append(asks, s.StartsAt)
		}
		slices.SortFunc(asks, time.Time.Compare)
		for range 30 {
			asks = append(asks, from.Add(time.Duration(l.IntN(int(to.Sub(from)/time.Minute)))*time.Minute))
		}
		for _, at := range asks {
			s, is := shown[at.Unix()]
			picks, refusal := f.Assign([]availability.SlotRequest{{Part: part, StartsAt: at}}, availability.Storefront)
			if (is && s.Bookable()) != (refusal == nil) {
				t.Fatalf("%s: shown %v with %v, placed: %+v", at, is, s.Codes.List(), refusal)
			}
			switch {
			case refusal != nil && is && refusal.Codes != s.Codes:
				t.Fatalf("%s: shown with %v, refused with %v", at, s.Codes.List(), refusal.Codes.List())
			case refusal != nil && !is && refusal.Codes.First() != availability.CodeClosed:
				t.Fatalf("%s is not shown and refused with %v", at, refusal.Codes.List())
			case refusal == nil && !(slices.Contains(s.Parts[0].People, picks[0].Person) || picks[0].Person < 0 && s.Parts[0].People == nil) ||
				refusal == nil && !(slices.Contains(s.Parts[0].Spaces, picks[0].Space) || picks[0].Space < 0 && s.Parts[0].Spaces == nil):
				t.Fatalf("%s: %+v is none of %+v", at, picks[0], s.Parts[0])
			}
		}
	})
}

// The rules of an explanation, combined, agree with the start shown.
func TestExplanationAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLuck(t)
		f, from, to := l.facts()
		l.offer(&f)
		part := l.part(&f)
		shown := f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{part}})
		var asks []time.Time
		for range 10 {
			asks = append(asks, from.Add(time.Duration(l.IntN(int(to.Sub(from)/time.Minute)))*time.Minute))
			if len(shown) > 0 {
				asks = append(asks, shown[l.IntN(len(shown))].StartsAt)
			}
		}
		for _, at := range asks {
			list, codes := f.Explain(availability.SlotRequest{Part: part, StartsAt: at})
			var general []availability.Code
			people, spaces := map[*uuid.UUID]bool{}, map[*uuid.UUID]bool{}
			for _, v := range list {
				switch {
				case v.MemberID != nil:
					people[v.MemberID] = people[v.MemberID] || !v.Holds
				case v.SpaceID != nil:
					spaces[v.SpaceID] = spaces[v.SpaceID] || !v.Holds
				case !v.Holds && v.Rule != availability.RulePublished:
					general = append(general, v.Code)
				}
				if v.Text == "" || v.Holds != (v.Code == "") && v.Rule != availability.RulePublished {
					t.Fatalf("%+v", v)
				}
			}
			somebody := func(is map[*uuid.UUID]bool) bool {
				for _, fails := range is {
					if !fails {
						return true
					}
				}
				return false
			}
			o := f.Offers[part.Offer]
			free := len(general) == 0 && (!o.NeedsPerson || somebody(people)) && (!o.NeedsSpace || somebody(spaces))
			if free != (codes == 0) {
				t.Fatalf("%s: rules say %v, codes are %v: %+v", at, free, codes.List(), list)
			}
			for _, c := range general {
				if c != availability.CodeFull && !slices.Contains(codes.List(), c) && codes.First() != availability.CodeClosed {
					t.Fatalf("%s: %s is not among %v", at, c, codes.List())
				}
			}
		}
	})
}

// Two services in a row: visits shown can be placed, with every named candidate; others cannot.
func TestShownVisitsArePlaceable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLuck(t)
		f, from, to := l.facts()
		l.offer(&f)
		first := l.part(&f)
		l.offer(&f)
		second := l.part(&f)
		shown := map[int64]availability.Start{}
		for _, s := range f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{first, second}}) {
			shown[s.StartsAt.Unix()] = s
		}
		place := func(at time.Time, first, second availability.Part) bool {
			next := availability.SlotRequest{Part: second, StartsAt: at.Add(time.Duration(first.Minutes) * time.Minute)}
			_, refusal := f.Assign([]availability.SlotRequest{{Part: first, StartsAt: at}, next}, availability.Storefront)
			return refusal == nil
		}
		for _, s := range shown {
			if place(s.StartsAt, first, second) != s.Bookable() {
				t.Fatalf("%s: %v", s.StartsAt, s.Codes.List())
			}
			if !s.Bookable() {
				continue
			}
			for k, piece := range s.Parts {
				for _, i := range piece.People {
					parts := [2]availability.Part{first, second}
					parts[k].People = []int{i}
					if !place(s.StartsAt, parts[0], parts[1]) {
						t.Fatalf("%s: person %d cannot give service %d", s.StartsAt, i, k)
					}
				}
			}
		}
		for range 10 {
			at := from.Add(time.Duration(l.IntN(int(to.Sub(from)/time.Minute))) * time.Minute)
			if s := shown[at.Unix()]; place(at, first, second) != (s.Parts != nil && s.Bookable()) {
				t.Fatalf("%s: shown %v", at, s)
			}
		}
	})
}
