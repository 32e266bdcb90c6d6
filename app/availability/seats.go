package availability

import (
	"cmp"
	"slices"
)

// occupancy is how many seats of a shared space are taken, as steps in time: taken[i] from at[i] up to at[i+1].
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

// peak is the most seats that are taken at one moment of a stretch.
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
