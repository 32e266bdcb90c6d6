package business

import (
	"github.com/google/uuid"

	"foyer/app/fault"
)

// The sizes of a page.
const (
	PageDefault = 50
	PageMax     = 200
)

// PageInput asks for a part of a list. Lists are in the order their rows were made, and the id is the key: ids grow with
// time.
type PageInput struct {
	After *uuid.UUID // the last id of the page before; nil: from the beginning
	Limit int        // 1 to PageMax; 0: PageDefault
}

// size checks the limit and fills in the default. The field of a refusal is query.limit.
func (in PageInput) size() (int, error) {
	if in.Limit == 0 {
		return PageDefault, nil
	}
	if in.Limit < 0 || in.Limit > PageMax {
		return 0, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	return in.Limit, nil
}

// Page is a part of a list. Next is what After takes for the next one; nil on the last page, and only there (A95).
type Page[T any] struct {
	Items []T
	Next  *uuid.UUID
}

// pageOf makes a page of rows that were read with one more than its size.
func pageOf[T any](rows []T, size int, id func(T) uuid.UUID) Page[T] {
	if len(rows) <= size {
		return Page[T]{Items: rows}
	}
	next := id(rows[size-1])
	return Page[T]{Items: rows[:size], Next: &next}
}

// each makes every row of a list into what it is about.
func each[R, T any](rows []R, of func(R) T) []T {
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = of(row)
	}
	return list
}
