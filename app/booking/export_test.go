package booking

import (
	"maps"
	"slices"
)

// Transitions lists them all, in no order.
func Transitions() []Transition { return slices.Collect(maps.Keys(table)) }
