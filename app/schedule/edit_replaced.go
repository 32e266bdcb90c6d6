package schedule

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// swap is a person or a space in place of another; Nil is none.
type swap struct{ from, to uuid.UUID }

// tally counts the dates with a change, in the order in which the changes are met.
type tally[K comparable] struct {
	keys  []K
	dates map[K]int
}

func (t *tally[K]) add(k K) {
	if t.dates == nil {
		t.dates = map[K]int{}
	}
	if t.dates[k]++; t.dates[k] == 1 {
		t.keys = append(t.keys, k)
	}
}

// nameChanges writes into the plan the changes of instructor, space and capacity of dates that are scheduled before
// and after.
func (c *change) nameChanges(ctx context.Context, tx *pg.Tx) error {
	var people, spaces tally[swap]
	var seats tally[[4]int]
	for _, st := range c.steps {
		if st.was.State != Scheduled || st.is.State != Scheduled {
			continue
		}
		if !equal(st.was.MemberID, st.is.MemberID) {
			people.add(swap{idOf(st.was.MemberID), idOf(st.is.MemberID)})
		}
		if !equal(st.was.SpaceID, st.is.SpaceID) {
			spaces.add(swap{idOf(st.was.SpaceID), idOf(st.is.SpaceID)})
		}
		if k := [4]int{st.was.Capacity, st.is.Capacity, st.was.OnlineCapacity, st.is.OnlineCapacity}; k[0] != k[1] || k[2] != k[3] {
			seats.add(k)
		}
	}
	for _, k := range seats.keys {
		c.plan.Seats = append(c.plan.Seats, ReplacedCapacity{k[0], k[1], k[2], k[3], seats.dates[k]})
	}
	if len(people.keys)+len(spaces.keys) == 0 {
		return nil
	}
	names, err := namesOf(ctx, tx, slices.Concat(idsIn(people.keys), idsIn(spaces.keys)))
	c.plan.Instructors, c.plan.Spaces = named(people, names), named(spaces, names)
	return err
}

func idOf(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

func idsIn(list []swap) (ids []uuid.UUID) {
	for _, s := range list {
		ids = append(ids, s.from, s.to)
	}
	return ids
}

func named(t tally[swap], names map[uuid.UUID]string) (out []Replaced) {
	for _, k := range t.keys {
		out = append(out, Replaced{From: names[k.from], To: names[k.to], Dates: t.dates[k]})
	}
	return out
}
