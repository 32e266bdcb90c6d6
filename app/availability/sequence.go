package availability

// visit weighs a start of several services in a row. A candidate of one of them is a person or a space with which the
// whole visit is possible.
func (n *finder) visit(now mark, turn []*resource) (s Start, open bool) {
	tasks := make([]task, len(n.parts))
	begin, at := len(n.pieces), now.at
	s = Start{StartsAt: instant(now.at), Date: n.cal.days[now.day].date, Seats: uncapped}
	for k := range n.parts {
		p := &n.parts[k]
		m := mark{at, n.dayOf(at)}
		if k > 0 {
			turn = p.leaders()
		}
		w := n.weigh(p, m, turn, 0, 0)
		if w.closed || !p.served() {
			return s, false
		}
		s.Codes |= w.codes | n.policy(p, at)
		s.Seats = min(s.Seats, w.seats)
		at += p.length
		tasks[k] = task{part: p, from: m.at, to: at, day: m.day, follows: k > 0, people: n.these(p, w.people, false), spaces: n.these(p, w.spaces, true)}
		n.pieces = append(n.pieces, StartPart{instant(m.at), instant(at), nil, nil})
	}
	s.EndsAt, s.Parts = instant(at), n.pieces[begin:len(n.pieces):len(n.pieces)]
	if n.overbooked(tasks) {
		s.Codes |= fullBit
	}
	if s.Available() {
		n.candidates(&s, tasks)
	}
	if !s.Available() {
		s.Seats = 0
	}
	return s, true
}

// these are resources of a part by their index.
func (n *finder) these(p *readyPart, index []int, spaces bool) []*resource {
	out := make([]*resource, len(index))
	for i, at := range index {
		out[i] = n.resource(spaces, at, p.Offer)
	}
	return out
}

// overbooked reports whether the location takes fewer than these tasks on one of their days.
func (n *finder) overbooked(tasks []task) bool {
	if n.spare == nil {
		return false
	}
	count := map[int]int{}
	for _, t := range tasks {
		count[t.day]++
		if count[t.day] > n.spare[t.day] {
			return true
		}
	}
	return false
}

// candidates finds for every service the persons and spaces with which it is possible, if the others are possible as
// well.
func (n *finder) candidates(s *Start, tasks []task) {
	for k := range tasks {
		t, piece := &tasks[k], &s.Parts[k]
		people, spaces := t.people, t.spaces
		for i := range people {
			if t.people = people[i : i+1]; n.works(tasks) {
				piece.People = append(piece.People, people[i].index)
			}
		}
		t.people = people
		for i := range spaces {
			if t.spaces = spaces[i : i+1]; n.works(tasks) {
				piece.Spaces = append(piece.Spaces, spaces[i].index)
			}
		}
		t.spaces = spaces
		if t.part.offer.NeedsPerson && len(piece.People) == 0 {
			s.Codes |= staffBit
		}
		if t.part.offer.NeedsSpace && len(piece.Spaces) == 0 {
			s.Codes |= spaceBit
		}
		if !s.Available() {
			return
		}
		if t.part.offer.Compact && n.touching(t.part, piece, t.from-t.part.before, t.to+t.part.after) {
			s.Touches = true
		}
	}
}

func (n *finder) works(tasks []task) bool {
	_, failed := n.f.assign(&n.cal, tasks)
	return failed < 0
}
