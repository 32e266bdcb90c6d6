package schedule

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The sizes of a page. A89: no list gives more than 200 rows.
const (
	PageDefault = 50
	PageMax     = 200
)

// SeriesKey is where a page of series ended: they are in the order of their first date, then id.
type SeriesKey struct {
	Start civil.Date
	ID    uuid.UUID
}

// SeriesOfInput chooses the series of an offering.
type SeriesOfInput struct {
	OfferingID uuid.UUID
	After      *SeriesKey // nil: from the beginning
	Limit      int        // 0: PageDefault
}

// Validate checks the input.
func (in SeriesOfInput) Validate() error {
	var checks fault.Checks
	CheckLimit(&checks, in.Limit)
	if in.After != nil {
		checks.That(in.After.Start.Valid(), "cursor", "This is not a place in this list.")
	}
	return checks.Err()
}

func CheckLimit(c *fault.Checks, n int) {
	c.That(n >= 0 && n <= PageMax, "limit", "Use 1 to "+strconv.Itoa(PageMax)+".")
}

func LimitOf(n int) int {
	if n == 0 {
		return PageDefault
	}
	return n
}

// SeriesPage is a part of a list. Next is nil on the last page, and only there.
type SeriesPage struct {
	Items []Series
	Next  *SeriesKey
}

// SeriesOf returns the series of an offering, ended ones too, in one round trip. It needs location.view at the
// offering's location; an unknown offering is not found.
func (s *Service) SeriesOf(ctx context.Context, sc tenancy.Scope, in SeriesOfInput) (SeriesPage, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return SeriesPage{}, err
	}
	if err := in.Validate(); err != nil {
		return SeriesPage{}, err
	}
	limit := LimitOf(in.Limit)
	rows, location, found, err := listSeries(ctx, s.db.View(sc.Tenant), in, limit+1)
	if err != nil {
		return SeriesPage{}, err
	}
	if !found {
		return SeriesPage{}, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return SeriesPage{}, err
	}
	page := SeriesPage{Items: rows}
	if len(rows) > limit {
		page.Items = rows[:limit]
		last := rows[limit-1]
		page.Next = &SeriesKey{last.Rule.Start, last.ID}
	}
	return page, nil
}
