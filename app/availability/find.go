package availability

import (
	"math"
	"slices"
	"sort"
	"time"

	"foyer/app/catalog"
	"foyer/app/civil"
)

// Find lists the starts in the hours and on the grid, in the order of time, with the codes against each. Closed times
// are not listed.
func (f *Facts) Find(q Question) []Start {
	n := newFinder(f, q)
	if len(n.parts) == 0 || !n.parts[0].served() {
		return nil
	}
	first := &n.parts[0]
	n.follow(0, len(n.parts))
	leaders := first.leaders()
	var m merged
	count := 0
	for _, r := range leaders {
		list := n.marks(r, first, first.length, ceil(q.From), ceil(q.To))
		m.lists, count = append(m.lists, list), max(count, len(list))
	}
	m.at = make([]int, len(leaders))
	out := make([]Start, 0, count)
	n.pieces, n.ints = make([]StartPart, 0, count*len(n.parts)), make([]int, 0, count*len(leaders))
	turn := make([]*resource, 0, len(leaders))
	for now, ok := m.next(); ok; now, ok = m.next() {
		turn = turn[:0]
		for _, i := range m.turn {
			turn = append(turn, leaders[i])
		}
		s, open := n.start(now, turn)
		if open {
			out = append(out, s)
		}
	}
	return out
}

// finder is a question made ready.
type finder struct {
	f      *Facts
	cal    calendar
	parts  []readyPart
	spare  []int // how many more appointments and rentals the location takes, by day; nil: without limit
	ready  map[readyKey]*resource
	ints   []int // storage of the lists of candidates
	pieces []StartPart
}

type readyKey struct {
	space        bool
	index, offer int
}

// readyPart is a part of a visit made ready. Lengths are seconds, clock times minutes after midnight.
type readyPart struct {
	*Part
	offer                 *Offer
	length, before, after int64
	step                  int
	lastStart             int
	lateBefore            int64 // starts before this are too late
	earlyAfter            int64 // starts after this are too early
	people, spaces        []*resource
}

func newFinder(f *Facts, q Question) *finder {
	n := &finder{f: f, ready: map[readyKey]*resource{}}
	var total int64
	for _, p := range q.Parts {
		total += int64(p.Minutes) * 60
	}
	n.cal = newCalendar(f, stretch{floor(q.From), ceil(q.To) + total})
	if f.DailyCap > 0 {
		for _, d := range n.cal.days {
			n.spare = append(n.spare, f.DailyCap-f.Given[d.date])
		}
	}
	n.parts = make([]readyPart, len(q.Parts))
	for i := range q.Parts {
		n.parts[i] = n.prepare(&q.Parts[i])
	}
	return n
}

// follow makes some parts one visit. Without a grid, one visit begins at the end of the one before.
func (n *finder) follow(first, end int) {
	p, last := &n.parts[first], &n.parts[end-1]
	if p.offer.Grid > 0 {
		return
	}
	p.step = p.offer.Before + last.offer.After
	for _, q := range n.parts[first:end] {
		p.step += q.Minutes
	}
}

func (n *finder) prepare(part *Part) readyPart {
	o := &n.f.Offers[part.Offer]
	p := n.limits(o)
	p.Part, p.length, p.step, p.lastStart = part, int64(part.Minutes)*60, o.Grid, minutesPerDay
	if p.step == 0 {
		p.step = o.Before + part.Minutes + o.After
	}
	if o.LastStart != nil {
		p.lastStart = int(*o.LastStart)
	}
	if o.NeedsPerson {
		for _, i := range ofThese(o.People, part.People) {
			p.people = append(p.people, n.resource(false, i, part.Offer))
		}
	}
	if o.NeedsSpace {
		for _, i := range o.Spaces {
			if part.Space == nil || *part.Space == i {
				p.spaces = append(p.spaces, n.resource(true, i, part.Offer))
			}
		}
	}
	return p
}

// limits is an offer with the instants between which its policy lets it begin.
func (n *finder) limits(o *Offer) readyPart {
	return readyPart{
		offer: o, before: int64(o.Before) * 60, after: int64(o.After) * 60,
		lateBefore: max(ceil(n.f.Now)+int64(o.Rules.NoticeMinutes)*60, floor(n.f.Now)+1),
		earlyAfter: n.f.earlyAfter(o),
	}
}

// earlyAfter returns the last start that can be booked already. Dates of classes are opened by schedule.Opens: in
// days of the location, and without a limit where the rules name none.
func (f *Facts) earlyAfter(o *Offer) int64 {
	switch {
	case o.Kind != catalog.Class:
		return floor(f.Now.Add(o.window()))
	case o.Rules.WindowDays == 0:
		return math.MaxInt64
	}
	_, end := civil.DayBounds(civil.LocalDate(f.Now, f.Zone).AddDays(o.Rules.WindowDays), f.Zone)
	return floor(end) - 1
}

// ofThese are those of all that are wanted, in the order of all.
func ofThese(all, wanted []int) []int {
	if wanted == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(i int) bool { return !slices.Contains(wanted, i) })
}

// resource makes a person, or a space, ready for an offer, once.
func (n *finder) resource(space bool, index, offer int) *resource {
	key := readyKey{space, index, offer}
	switch {
	case n.ready[key] != nil:
	case space:
		n.ready[key] = n.spaceFor(index, &n.f.Offers[offer])
	default:
		n.ready[key] = n.personFor(index, &n.f.Offers[offer])
	}
	return n.ready[key]
}

// served reports whether the part has a candidate at all. Together needs all named people.
func (p *readyPart) served() bool {
	o := p.offer
	return (o.NeedsPerson || o.NeedsSpace) && (!o.NeedsPerson || len(p.people) > 0) && (!o.NeedsSpace || len(p.spaces) > 0) &&
		(!p.Together || len(p.people) == len(p.People))
}

// leaders returns the resources whose openings make the grid: the spaces, or without one the people.
func (p *readyPart) leaders() []*resource {
	if p.offer.NeedsSpace {
		return p.spaces
	}
	return p.people
}

// start weighs a start of the first part; turn are the leaders that offer it. open is false when something is closed.
func (n *finder) start(now mark, turn []*resource) (s Start, open bool) {
	if len(n.parts) > 1 {
		return n.visit(now, turn)
	}
	p := &n.parts[0]
	w := n.weigh(p, now, turn, p.before, p.after)
	if w.closed {
		return s, false
	}
	end := now.at + p.length
	n.pieces = append(n.pieces, StartPart{instant(now.at), instant(end), w.people, w.spaces})
	piece := n.pieces[len(n.pieces)-1:]
	s = Start{
		StartsAt: piece[0].StartsAt, EndsAt: piece[0].EndsAt, Date: n.cal.days[now.day].date, Parts: piece[:1:1],
		Codes: w.codes | n.policy(p, now.at), Seats: w.seats,
	}
	if p.offer.Compact && s.Available() {
		s.Touches = n.touching(p, &piece[0], now.at-p.before, end+p.after)
	}
	return s, true
}

// policy returns the codes of the policy against a start of a part.
func (n *finder) policy(p *readyPart, at int64) (c Codes) {
	if n.f.Paused {
		c |= pausedBit
	}
	if at < p.lateBefore {
		c |= lateBit
	}
	if at > p.earlyAfter {
		c |= earlyBit
	}
	return c
}

// touching reports whether one of the candidates has a booking right before or after.
func (n *finder) touching(p *readyPart, piece *StartPart, from, to int64) bool {
	touches := func(r *resource) bool { return r.touches(from, to) }
	return slices.ContainsFunc(n.these(p, piece.People, false), touches) || slices.ContainsFunc(n.these(p, piece.Spaces, true), touches)
}

// dayOf is the index of the day that an instant belongs to.
func (n *finder) dayOf(at int64) int {
	return sort.Search(len(n.cal.days)-1, func(i int) bool { return n.cal.days[i].end > at })
}

// floor and ceil are an instant in whole seconds.
func floor(t time.Time) int64 { return t.Unix() }

func ceil(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// instant is a whole second in UTC.
func instant(unix int64) time.Time { return time.Unix(unix, 0).UTC() }
