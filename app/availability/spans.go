package availability

import (
	"cmp"
	"slices"
)

// A stretch is a part of real time: from its first second up to, and without, to. Unix seconds; never empty in a set.
type stretch struct{ from, to int64 }

// A set of stretches is in order, and no two of them overlap or touch: normal makes one out of anything.

// normal sorts stretches and joins overlapping and touching ones, in place. Empty ones are dropped.
func normal(list []stretch) []stretch {
	list = slices.DeleteFunc(list, func(s stretch) bool { return s.from >= s.to })
	byStart := func(a, b stretch) int { return cmp.Compare(a.from, b.from) }
	if !slices.IsSortedFunc(list, byStart) {
		slices.SortFunc(list, byStart)
	}
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// A cursor looks up one stretch after the other in a set. It remembers its position: lookups in the order of time
// cost a step or none each; a lookup backwards is correct, too, and starts from the beginning.
type cursor struct {
	set []stretch
	at  int
}

// seek goes to the first stretch that ends after an instant.
func (c *cursor) seek(instant int64) {
	if c.at > 0 && c.set[c.at-1].to > instant {
		c.at = 0
	}
	for c.at < len(c.set) && c.set[c.at].to <= instant {
		c.at++
	}
}

// covers reports whether the set has all of a stretch.
func (c *cursor) covers(from, to int64) bool {
	c.seek(from)
	return c.at < len(c.set) && c.set[c.at].from <= from && to <= c.set[c.at].to
}

// meets reports whether the set has any of a stretch.
func (c *cursor) meets(from, to int64) bool {
	c.seek(from)
	return c.at < len(c.set) && c.set[c.at].from < to
}

// occupancy is the number of occupied seats of a shared space, as steps in time: taken[i] from at[i] up to at[i+1].
type occupancy struct {
	at    []int64
	taken []int
	seen  int // where the last question ended
}

// newOccupancy adds the seats of all claims up. They may overlap in any way.
func newOccupancy(claims []Busy) occupancy {
	type edge struct {
		at    int64
		seats int
	}
	edges := make([]edge, 0, 2*len(claims))
	for _, c := range claims {
		if c.From < c.To {
			edges = append(edges, edge{c.From, c.Seats}, edge{c.To, -c.Seats})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var o occupancy
	level := 0
	for _, e := range edges {
		level += e.seats
		if n := len(o.at); n > 0 && o.at[n-1] == e.at {
			o.taken[n-1] = level
		} else {
			o.at, o.taken = append(o.at, e.at), append(o.taken, level)
		}
	}
	return o
}

// peak returns the maximum number of occupied seats at one moment of a stretch.
func (o *occupancy) peak(from, to int64) int {
	if o.seen > 0 && o.at[o.seen] > from {
		o.seen = 0
	}
	for o.seen+1 < len(o.at) && o.at[o.seen+1] <= from {
		o.seen++
	}
	most := 0
	for i := o.seen; i < len(o.at) && o.at[i] < to; i++ {
		if i+1 == len(o.at) || o.at[i+1] > from {
			most = max(most, o.taken[i])
		}
	}
	return most
}
