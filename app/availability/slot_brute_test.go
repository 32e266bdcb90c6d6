package availability_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// brute computes availability of one service minute by minute, the slow way: it walks real time, reads the wall clock
// at every minute, and applies each rule to each minute. It shares no arithmetic with the product.
type brute struct {
	f    *availability.Facts
	part availability.Part
	o    *availability.Offer
	days []wallDay
	seen map[string][]bruteOpening // earlier results, by owner and day
}

// wallDay is a day of the location: its minutes in the order of real time.
type wallDay struct {
	date    string
	weekday time.Weekday
	minutes []wallMinute
}

type wallMinute struct{ at, shown int } // Unix minutes, and the wall clock as minutes after midnight

func newBrute(f *availability.Facts, from, to time.Time, part availability.Part) *brute {
	b := &brute{f: f, part: part, o: &f.Offers[part.Offer], seen: map[string][]bruteOpening{}}
	for at := from.Add(-27 * time.Hour); at.Before(to.Add(28 * time.Hour)); at = at.Add(time.Minute) {
		wall := at.In(f.Zone)
		date := wall.Format(time.DateOnly)
		if n := len(b.days); n == 0 || b.days[n-1].date != date {
			b.days = append(b.days, wallDay{date: date, weekday: wall.Weekday()})
		}
		d := &b.days[len(b.days)-1]
		d.minutes = append(d.minutes, wallMinute{int(at.Unix() / 60), wall.Hour()*60 + wall.Minute()})
	}
	b.days = b.days[1:] // the first one is not whole
	return b
}

// bruteOpening is an interval of a day as the minutes that it has.
type bruteOpening struct {
	opens int
	open  map[int]bool
}

// until is the minute at which the wall clock first shows a time or has jumped over it.
func (d wallDay) until(minute int) int {
	for _, m := range d.minutes {
		if m.shown >= minute {
			return m.at
		}
	}
	return d.minutes[len(d.minutes)-1].at + 1
}

func (d wallDay) opening(opens, closes int) bruteOpening {
	o := bruteOpening{opens, map[int]bool{}}
	for at := d.until(opens); at < d.until(closes); at++ {
		o.open[at] = true
	}
	return o
}

// limits returns the hours that closures leave of a day, as pairs; given reports whether there is any for it.
func (b *brute) limits(d wallDay) (minutes map[int]bool, given bool) {
	if len(b.f.Special) == 0 {
		return nil, false
	}
	for _, s := range b.f.Special {
		if d.date < s.From.String() || d.date > s.To.String() {
			continue
		}
		these := map[int]bool{}
		for m := range 1440 {
			for _, h := range s.Hours {
				if m >= h.Opens && m < h.Closes && (!given || minutes[m]) {
					these[m] = true
				}
			}
		}
		minutes, given = these, true
	}
	return minutes, given
}

// runs returns the parts of a day's 1440 minutes where keep is true.
func runs(keep func(minute int) bool) (out [][2]int) {
	for m := 0; m < 1440; m++ {
		if !keep(m) {
			continue
		}
		from := m
		for m < 1440 && keep(m) {
			m++
		}
		out = append(out, [2]int{from, m})
	}
	return out
}

func weekly(week []business.Interval, d wallDay, minute int) bool {
	return slices.ContainsFunc(week, func(v business.Interval) bool {
		return v.Weekday == d.weekday && minute >= v.Opens && minute < v.Closes
	})
}

// openings returns the openings of a person or a space, by day. The intervals of the tests of a day neither touch nor
// overlap.
func (b *brute) openings(of string, i int, d wallDay, keep func(minute int) bool) []bruteOpening {
	key := fmt.Sprint(of, i, d.date)
	out, is := b.seen[key]
	if is {
		return out
	}
	for _, r := range runs(keep) {
		out = append(out, d.opening(r[0], r[1]))
	}
	b.seen[key] = out
	return out
}

func (b *brute) person(i int, d wallDay) []bruteOpening {
	limits, given := b.limits(d)
	return b.openings("person", i, d, func(m int) bool { return weekly(b.f.People[i].Week, d, m) && (!given || limits[m]) })
}

func (b *brute) room(i int, d wallDay) []bruteOpening {
	limits, given := b.limits(d)
	return b.openings("room", i, d, func(m int) bool {
		open := weekly(b.f.Week, d, m)
		if given {
			open = limits[m]
		}
		return open && (len(b.f.Spaces[i].Week) == 0 || weekly(b.f.Spaces[i].Week, d, m))
	})
}

// offers reports whether an opening of a day has a start at a minute.
func (b *brute) offers(list []bruteOpening, d wallDay, m wallMinute) bool {
	first := slices.IndexFunc(d.minutes, func(o wallMinute) bool { return o.shown == m.shown })
	if d.minutes[first].at != m.at || b.o.LastStart != nil && m.shown > int(*b.o.LastStart) {
		return false
	}
	step := b.o.Grid
	if step == 0 {
		step = b.o.Before + b.part.Minutes + b.o.After
	}
	return slices.ContainsFunc(list, func(o bruteOpening) bool { return o.open[m.at] && (m.shown-o.opens)%step == 0 })
}

// openMinutes returns every minute at which a list is open.
func openMinutes(by func(d wallDay) []bruteOpening, days []wallDay) map[int]bool {
	all := map[int]bool{}
	for _, d := range days {
		for _, o := range by(d) {
			for m := range o.open {
				all[m] = true
			}
		}
	}
	return all
}

func all(set map[int]bool, from, to int) bool {
	for m := from; m < to; m++ {
		if !set[m] {
			return false
		}
	}
	return true
}

// busyAt returns the occupied part of a list at a minute: all of it, or seats.
func busyAt(list []availability.Busy, minute int, kinds ...availability.BusyKind) (busy bool, seats int) {
	for _, b := range list {
		if slices.Contains(kinds, b.Kind) && int64(minute)*60 < b.To && int64(minute)*60+60 > b.From {
			busy, seats = true, seats+b.Seats
		}
	}
	return busy, seats
}

func (b *brute) personFree(i int, date string, from, to int) bool {
	p := b.f.People[i]
	for m := from - b.o.Before; m < to+b.o.After; m++ {
		if busy, _ := busyAt(p.Busy, m, availability.Claimed, availability.TimeOffReason); busy {
			return false
		}
	}
	day, _ := time.Parse(time.DateOnly, date)
	week := 0
	for d, n := range p.Given {
		other, _ := time.Parse(time.DateOnly, d.String())
		y1, w1 := day.ISOWeek()
		if y2, w2 := other.ISOWeek(); y1 == y2 && w1 == w2 {
			week += n
		}
		if p.DailyCap > 0 && d.String() == date && n >= p.DailyCap {
			return false
		}
	}
	return p.WeeklyCap == 0 || week < p.WeeklyCap
}

// ancestors of a space, itself included.
func (b *brute) above(i int) (out []int) {
	for ; i >= 0; i = b.f.Spaces[i].Whole {
		out = append(out, i)
	}
	return out
}

func (b *brute) roomSeats(i int, from, to int) (seats int, busy bool) {
	shared := b.o.Kind == catalog.Rental && b.o.SoldAs != catalog.WholeSpace
	most := 0
	for m := from - b.o.Before; m < to+b.o.After; m++ {
		for j := range b.f.Spaces {
			if !slices.Contains(b.above(i), j) && !slices.Contains(b.above(j), i) {
				continue
			}
			kinds := []availability.BusyKind{availability.Claimed, availability.TimeOffReason}
			if !shared {
				kinds = append(kinds, availability.ClaimedSeats, availability.ClaimedInPart)
			}
			if is, _ := busyAt(b.f.Spaces[j].Busy, m, kinds...); is {
				return 0, true
			}
		}
		if shared {
			_, n := busyAt(b.f.Spaces[i].Busy, m, availability.ClaimedSeats)
			most = max(most, n)
		}
	}
	return min(b.f.Spaces[i].Capacity, b.o.Capacity) - most, false
}

func (b *brute) wants(list []int, i int) bool { return list == nil || slices.Contains(list, i) }

// starts renders every start: time, codes, people, spaces.
func (b *brute) starts(from, to time.Time) (out []string) {
	open := map[string]map[int]bool{}
	for i := range b.f.People {
		open[fmt.Sprint("person", i)] = openMinutes(func(d wallDay) []bruteOpening { return b.person(i, d) }, b.days)
	}
	for i := range b.f.Spaces {
		open[fmt.Sprint("room", i)] = openMinutes(func(d wallDay) []bruteOpening { return b.room(i, d) }, b.days)
	}
	for _, d := range b.days {
		for _, m := range d.minutes {
			if m.at < int(from.Unix()/60) || m.at >= int(to.Unix()/60) {
				continue
			}
			if text, ok := b.start(d, m, open); ok {
				out = append(out, text)
			}
		}
	}
	return out
}

func (b *brute) start(d wallDay, m wallMinute, open map[string]map[int]bool) (string, bool) {
	end, codes, seats := m.at+b.part.Minutes, []string{}, b.o.Capacity
	var people, spaces []int
	working, openRooms, seated, led := 0, 0, false, false
	for _, i := range b.o.People {
		if !b.o.NeedsPerson || !b.wants(b.part.People, i) || !all(open[fmt.Sprint("person", i)], m.at, end) {
			continue
		}
		if !b.o.NeedsSpace {
			if !b.offers(b.person(i, d), d, m) {
				continue
			}
			led = true
		}
		working++
		if b.personFree(i, d.date, m.at, end) {
			people = append(people, i)
		}
	}
	best := 0
	for _, i := range b.o.Spaces {
		if !b.o.NeedsSpace || b.part.Space != nil && *b.part.Space != i || !all(open[fmt.Sprint("room", i)], m.at, end) || !b.offers(b.room(i, d), d, m) {
			continue
		}
		led, openRooms = true, openRooms+1
		n, busy := b.roomSeats(i, m.at, end)
		if busy {
			continue
		}
		seated, best = true, max(best, n)
		if n >= b.part.Party {
			spaces = append(spaces, i)
		}
	}
	if !led || b.o.NeedsPerson && working == 0 || b.o.NeedsSpace && openRooms == 0 {
		return "", false
	}
	if b.f.Paused {
		codes = append(codes, "paused")
	}
	start := time.Unix(int64(m.at)*60, 0)
	window := b.o.Rules.WindowDays
	if window == 0 {
		window = availability.OpenWindowDays
	}
	if start.After(b.f.Now.Add(time.Duration(window) * 24 * time.Hour)) {
		codes = append(codes, "too_early")
	}
	if !start.After(b.f.Now) || start.Add(-time.Duration(b.o.Rules.NoticeMinutes)*time.Minute).Before(b.f.Now) {
		codes = append(codes, "too_late")
	}
	taken := false
	if b.o.NeedsPerson && len(people) == 0 {
		codes, taken = append(codes, "staff_busy"), true
	}
	full := false
	if b.o.NeedsSpace {
		seats = min(seats, best)
		if len(spaces) == 0 && !seated {
			codes, taken = append(codes, "space_busy"), true
		}
		full = len(spaces) == 0 && seated
	}
	full = full || seats < b.part.Party && !taken
	if date, _ := civil.ParseDate(d.date); b.f.DailyCap > 0 && b.f.Given[date] >= b.f.DailyCap {
		full, taken = true, true
	}
	if full {
		codes = append(codes, "full")
	}
	if taken {
		seats = 0
	}
	return fmt.Sprintf("%s %s %v %v %d", start.UTC().Format("2006-01-02T15:04"), strings.Join(codes, ","), people, spaces, seats), true
}
