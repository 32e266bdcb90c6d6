package availability

import (
	"slices"
	"time"
)

// SlotRequest is a service at a fixed time.
type SlotRequest struct {
	Part
	StartsAt time.Time
}

// Pick is the result for a wish: a person and a space, and the time they are occupied, with the buffers.
type Pick struct {
	Person, Space int // indices into the facts; -1: none is needed
	From, To      time.Time
}

// Refusal is a wish that cannot be met, and the codes against it.
type Refusal struct {
	Wish  int
	Codes Codes
}

// Assign finds a person and a space for every wish, or returns the first one that has none: the starts that it accepts
// for the storefront are exactly those that Find lists as bookable. A wish that begins where the one before it in the
// list ends follows it, as the services of a visit do, and needs to be on no grid.
func (f *Facts) Assign(wishes []SlotRequest, who Audience) ([]Pick, *Refusal) {
	n, tasks := f.tasks(wishes)
	for i := range tasks {
		if codes := n.weighTask(tasks, i, who); codes != 0 {
			return nil, &Refusal{i, codes}
		}
	}
	if n.overbooked(tasks) {
		return nil, &Refusal{len(tasks) - 1, fullBit}
	}
	chosen, failed := f.assign(&n.cal, tasks)
	if failed >= 0 {
		return nil, &Refusal{failed, tasks[failed].lacks()}
	}
	picks := make([]Pick, len(chosen))
	for i, c := range chosen {
		picks[i] = pick(c)
	}
	return picks, nil
}

// tasks makes wishes ready.
func (f *Facts) tasks(wishes []SlotRequest) (*finder, []task) {
	q := Question{}
	for i, w := range wishes {
		end := w.StartsAt.Add(time.Duration(w.Minutes) * time.Minute)
		if i == 0 || w.StartsAt.Before(q.From) {
			q.From = w.StartsAt
		}
		if end.After(q.To) {
			q.To = end
		}
		q.Parts = append(q.Parts, w.Part)
	}
	n := newFinder(f, q)
	tasks := make([]task, len(wishes))
	for i, w := range wishes {
		at := floor(w.StartsAt)
		tasks[i] = task{part: &n.parts[i], from: at, to: at + n.parts[i].length, day: n.dayOf(at)}
		tasks[i].follows = i > 0 && tasks[i-1].to == at
	}
	for i := range tasks {
		end := i + 1
		for end < len(tasks) && tasks[end].follows {
			end++
		}
		n.follow(i, end)
	}
	return n, tasks
}

// weighTask finds the candidates of a task, if it were alone, and the codes against it when there are none.
func (n *finder) weighTask(tasks []task, i int, who Audience) Codes {
	t := &tasks[i]
	p := t.part
	if !p.served() {
		return closedBit
	}
	turn := p.leaders()
	if !who.Staff && !t.follows {
		turn = slices.DeleteFunc(slices.Clone(turn), func(r *resource) bool { return len(n.marks(r, p, p.length, t.from, t.from+1)) == 0 })
	}
	before, after := p.before, p.after
	if t.follows {
		before = 0
	}
	if i+1 < len(tasks) && tasks[i+1].follows {
		after = 0
	}
	w := n.weigh(p, mark{t.from, t.day}, turn, before, after)
	if w.closed {
		return closedBit
	}
	if !who.Override {
		w.codes |= n.policy(p, t.from)
	}
	t.people, t.spaces = n.these(p, w.people, false), n.these(p, w.spaces, true)
	if p.offer.Compact {
		near := func(r *resource) bool { return r.touches(t.from-before, t.to+after) }
		t.people, t.spaces = firstOnes(t.people, near), firstOnes(t.spaces, near)
	}
	return w.codes
}

// firstOnes puts those for which holds is true first and keeps the order otherwise.
func firstOnes(list []*resource, holds func(*resource) bool) []*resource {
	slices.SortStableFunc(list, func(a, b *resource) int { return compareBool(holds(b), holds(a)) })
	return list
}

// lacks returns the codes of a task without a candidate beside the others, although it has candidates alone.
func (t *task) lacks() Codes {
	switch {
	case t.part.offer.NeedsPerson:
		return staffBit
	case t.part.offer.Shared():
		return fullBit
	}
	return spaceBit
}

func pick(c taken) Pick {
	p := Pick{Person: -1, Space: -1, From: instant(c.from), To: instant(c.to)}
	if c.person != nil {
		p.Person = c.person.index
	}
	if c.space != nil {
		p.Space = c.space.index
	}
	return p
}
