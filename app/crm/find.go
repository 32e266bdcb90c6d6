package crm

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Customer is the record that one business has of a person.
type Customer struct {
	ID        uuid.UUID
	PersonID  *uuid.UUID // their login; nil while there is none
	Name      string     // may be empty
	Email     string     // trimmed, lower case; may be empty
	Phone     string
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Get returns one customer. It needs crm.view for this customer, by AddReach. An unknown id is not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Customer, error) {
	return Seen(ctx, s.o.DB.View(sc.Tenant), sc, policy.CRMView, id)
}

// Seen is Get with another feature f, in a transaction or view of the caller's.
func Seen(ctx context.Context, r pg.Reader, sc tenancy.Scope, f tenancy.Feature, id uuid.UUID) (Customer, error) {
	cover, err := policy.Where(sc, f)
	if err != nil {
		return Customer{}, err
	}
	c, open, err := find(ctx, r, sc.Person(), cover, id)
	if err != nil {
		return Customer{}, err
	}
	if !open {
		return Customer{}, policy.ErrMissingFeature.With("feature", string(f))
	}
	return c, nil
}

const queryMax = 120

// ListInput selects customers, newest record first.
type ListInput struct {
	Query  string // part of the name, or beginning of the address or number; empty: all
	Limit  int    // 1 to paging.Max; 0: paging.Default
	Offset int
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	paging.Check(&c, in.Limit)
	c.That(in.Offset >= 0, "offset", "Use 0 or more.")
	c.That(utf8.RuneCountInString(in.Query) <= queryMax, "q", "Use at most "+strconv.Itoa(queryMax)+" characters.")
	c.That(utf8.ValidString(in.Query) && !strings.ContainsRune(in.Query, 0), "q", "This text has a character that cannot be searched.")
	return c.Err()
}

// Page is a part of the list, in the contract's shape. A90.
type Page struct {
	Customers []Customer
	Total     int // of all pages
	Limit     int
	Offset    int
}

// List returns customers in one round trip. It needs crm.view, and returns the customers covered by the caller's
// grants, by AddReach. A86, A90.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (Page, error) {
	cover, err := policy.Where(sc, policy.CRMView)
	if err != nil {
		return Page{}, err
	}
	if err := in.Validate(); err != nil {
		return Page{}, err
	}
	page, query := Page{Limit: paging.Size(in.Limit), Offset: in.Offset}, ParseQuery(in.Query)
	view := s.o.DB.View(sc.Tenant)
	if !cover.Everywhere || !query.Empty() {
		return listSome(ctx, view, page, sc.Person(), cover, query)
	}
	page, known, err := listAll(ctx, view, page, s.totals.of(sc.Tenant, view.Now()))
	if err == nil {
		s.totals.keep(sc.Tenant, known)
	}
	return page, err
}
