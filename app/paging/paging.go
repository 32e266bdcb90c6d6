// Package paging is how every list is cut into pages: by the key of the last row, never by counting rows (A88 to A95).
package paging

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// The rows of a page. A89.
const (
	Default = 50
	Max     = 200
)

// In selects a page of a list that is sorted by K.
type In[K any] struct {
	After *K  // the key of the last row of the previous page; nil: from the beginning
	Limit int // 1 to Max rows; 0: Default
}

// Check records a limit that no page has, about the field limit.
func (in In[K]) Check(c *fault.Checks) { Check(c, in.Limit) }

// Validate is Check for a list with nothing else to check.
func (in In[K]) Validate() error {
	var c fault.Checks
	in.Check(&c)
	return c.Err()
}

// From returns the key before the page. At the beginning it is the zero K, smaller than all keys.
func (in In[K]) From() K {
	if in.After == nil {
		return *new(K)
	}
	return *in.After
}

// Size is the number of rows on the page.
func (in In[K]) Size() int { return Size(in.Limit) }

// Check is In.Check for a list that is continued in another way.
func Check(c *fault.Checks, limit int) {
	c.That(limit >= 0 && limit <= Max, "limit", "Ask for 1 to 200.")
}

// Size is In.Size for a list that is continued in another way.
func Size(limit int) int {
	if limit == 0 {
		return Default
	}
	return limit
}

// Page is a page of a list. Next is the value of In.After for the next one; nil on the last page, and only there
// (A95).
type Page[T, K any] struct {
	Items []T
	Next  *K
}

// Of makes a page of rows that were read with one more than its size.
func Of[T, K any](rows []T, size int, key func(T) K) Page[T, K] {
	if len(rows) <= size {
		return Page[T, K]{Items: rows}
	}
	next := key(rows[size-1])
	return Page[T, K]{Items: rows[:size], Next: &next}
}

// Moment is the key of lists in the order of a time; rows of the same time are in the order of their ids.
type Moment struct {
	At time.Time
	ID uuid.UUID
}
