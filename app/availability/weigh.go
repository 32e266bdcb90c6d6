package availability

// weight has the candidates of a start of one part, and the codes against it.
type weight struct {
	people, spaces []int // candidates, as indices into the facts
	codes          Codes
	seats          int  // the largest party there is room for
	closed         bool // no member works, or no space is open
}

// weigh checks all candidates of a part from a mark on. turn are the leaders that have it; before and after are the
// buffers to check, in seconds.
func (n *finder) weigh(p *readyPart, now mark, turn []*resource, before, after int64) (w weight) {
	from, to := now.at, now.at+p.length
	w.seats = p.offer.Capacity
	if p.offer.NeedsPerson {
		people := turn
		if p.offer.NeedsSpace {
			people = p.people
		}
		n.weighPeople(&w, p, people, now.day, from, to, before, after)
	}
	if p.offer.NeedsSpace {
		n.weighSpaces(&w, p, turn, from, to, before, after)
	}
	if w.seats < p.Party && w.codes == 0 || n.spare != nil && n.spare[now.day] <= 0 {
		w.codes |= fullBit
	}
	if w.codes&^fullBit != 0 || n.spare != nil && n.spare[now.day] <= 0 {
		w.seats = 0
	}
	return w
}

func (n *finder) weighPeople(w *weight, p *readyPart, people []*resource, day int, from, to, before, after int64) {
	begin, working := len(n.ints), 0
	for _, r := range people {
		if !r.hours.covers(from, to) {
			continue
		}
		working++
		if !r.capped(day, 0, 0) && !r.busy.meets(from-before, to+after) {
			n.ints = append(n.ints, r.index)
		}
	}
	w.people = n.ints[begin:len(n.ints):len(n.ints)]
	w.closed = working == 0 || p.Together && working < len(p.people)
	if len(w.people) == 0 || p.Together && len(w.people) < len(p.people) {
		w.people, w.codes = nil, w.codes|staffBit
	}
}

func (n *finder) weighSpaces(w *weight, p *readyPart, spaces []*resource, from, to, before, after int64) {
	begin, open, most, seated := len(n.ints), 0, 0, false
	for _, r := range spaces {
		if !r.hours.covers(from, to) {
			continue
		}
		open++
		seats, busy := r.vacant(from-before, to+after)
		if busy {
			continue
		}
		most, seated = max(most, seats), true
		if seats >= p.Party {
			n.ints = append(n.ints, r.index)
		}
	}
	w.spaces = n.ints[begin:len(n.ints):len(n.ints)]
	w.closed = w.closed || open == 0
	w.seats = min(w.seats, most)
	switch {
	case len(w.spaces) > 0:
	case seated:
		w.codes |= fullBit
	default:
		w.codes |= spaceBit
	}
}
