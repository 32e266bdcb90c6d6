package catalog

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The sizes of a page. A89: no list gives more than 200 rows.
const (
	PageDefault = 50
	PageMax     = 200
)

// ListInput chooses offerings of a location; empty filters choose all.
type ListInput struct {
	LocationID uuid.UUID
	Kind       Kind
	State      State
	Heading    string // what they are listed under, in singular or plural and in any letter case
	Query      string // a part of the name or slug, in any letter case
	After      *Key   // nil: from the beginning
	Limit      int    // 0: PageDefault
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var checks fault.Checks
	checks.That(in.State == "" || in.State.Valid(), "state", "Use draft, published or archived.")
	checks.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use class, appointment or rental.")
	checkText(&checks, "heading", in.Heading, HeadingMax, "")
	checkText(&checks, "q", in.Query, NameMax, "")
	checkLimit(&checks, in.Limit)
	return checks.Err()
}

func checkLimit(c *fault.Checks, n int) {
	c.That(n >= 0 && n <= PageMax, "limit", "Use 1 to "+strconv.Itoa(PageMax)+".")
}

// ListPage is a part of a list. Next is nil on the last page, and only there (A95).
type ListPage struct {
	Items []Offering
	Next  *Key
}

// List returns offerings of a location in the storefront's order, in one round trip. It needs location.view there; an
// unknown location is not found. Walking the pages gives every offering once, also while others are made (A94).
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (ListPage, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return ListPage{}, err
	}
	if err := in.Validate(); err != nil {
		return ListPage{}, err
	}
	limit := in.Limit
	if limit == 0 {
		limit = PageDefault
	}
	rows, found, err := list(ctx, s.o.DB.View(sc.Tenant), in, limit+1)
	if err != nil {
		return ListPage{}, err
	}
	if !found {
		return ListPage{}, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, in.LocationID); err != nil {
		return ListPage{}, err
	}
	page := ListPage{Items: rows}
	if len(rows) > limit {
		page.Items = rows[:limit]
		last := rows[limit-1]
		page.Next = &Key{last.Position, last.Name, last.ID}
	}
	return page, nil
}
