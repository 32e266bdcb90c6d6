package waitlist

import (
	"maps"
	"slices"
)

// Transitions lists them all, in no order.
func Transitions() []Transition { return slices.Collect(maps.Keys(table)) }

// After returns the state after a transition; ok is false when s does not allow it.
func (s State) After(t Transition) (State, bool) {
	if !slices.Contains(table[t].from, s) {
		return s, false
	}
	return table[t].to, true
}
