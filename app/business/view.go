package business

import (
	"context"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// SavedView is a member's named filter of a list. It is visible to its member only.
type SavedView struct {
	ID        uuid.UUID
	Screen    Screen
	Name      string
	Query     string // the parameters of the address, as url.Values writes them
	CreatedAt time.Time
}

// Screen is a list with saved views.
type Screen string

// Screens.
const (
	ScreenBookings  Screen = "bookings"
	ScreenCalendar  Screen = "calendar"
	ScreenCatalog   Screen = "catalog"
	ScreenCustomers Screen = "customers"
)

// sees returns the feature that a screen needs at some location; empty: there is no such screen.
func (s Screen) sees() tenancy.Feature {
	switch s {
	case ScreenBookings, ScreenCalendar:
		return policy.BookingView
	case ScreenCatalog:
		return policy.LocationView
	case ScreenCustomers:
		return policy.CRMView
	}
	return ""
}

// Bounds of saved views: characters, and the number per member and screen.
const (
	ViewNameMax  = 40
	viewQueryMax = 1000
	viewsMax     = 20
)

// keeper returns the person that the views of a screen belong to. It is an error for a caller without the screen's
// feature and for an unknown screen.
func (s Screen) keeper(sc tenancy.Scope) (uuid.UUID, error) {
	if s.sees() == "" {
		return uuid.Nil, fault.Missing()
	}
	if err := policy.RequireAny(sc, s.sees()); err != nil {
		return uuid.Nil, err
	}
	return identity.PersonOf(sc.Principal)
}

// SavedViews lists the caller's own views of a screen, oldest first, in one round trip. Errors:
// policy.ErrMissingFeature of the screen, identity.ErrSignIn, fault.Missing for an unknown screen.
func (s *Service) SavedViews(ctx context.Context, sc tenancy.Scope, screen Screen) ([]SavedView, error) {
	person, err := screen.keeper(sc)
	if err != nil {
		return nil, err
	}
	return savedViews(ctx, s.o.DB.View(sc.Tenant), person, screen)
}

// SaveViewInput saves the current filter of a list.
type SaveViewInput struct {
	Screen Screen
	Name   string
	Query  string // the parameters of the address
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *SaveViewInput) Validate() error {
	var c fault.Checks
	in.Name = checkViewName(&c, in.Name)
	q, err := url.ParseQuery(in.Query)
	in.Query = q.Encode()
	c.That(err == nil && len(in.Query) <= viewQueryMax, "query", "This view has too many filters.")
	return c.Err()
}

func checkViewName(c *fault.Checks, name string) string {
	name = names.Clean(name)
	c.That(name != "", "name", "Enter a name.")
	c.That(utf8.RuneCountInString(name) <= ViewNameMax && identity.IsLine(name, len(name)), "name", "Write a name of at most 40 characters, on one line.")
	return name
}

// SaveView saves a view of the caller. A view of the same name is replaced. Errors: as SavedViews; Validation, also
// for more than 20 of the screen.
func (s *Service) SaveView(ctx context.Context, sc tenancy.Scope, in SaveViewInput) (SavedView, error) {
	person, err := in.Screen.keeper(sc)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return SavedView{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (SavedView, error) {
		has, err := savedViews(ctx, tx, person, in.Screen)
		if err != nil {
			return SavedView{}, err
		}
		if len(has) >= viewsMax && !slices.ContainsFunc(has, func(v SavedView) bool { return v.Name == in.Name }) {
			return SavedView{}, fault.Invalid("name", "You have 20 views of this list. Delete one of them first.")
		}
		return saveView(ctx, tx, person, in)
	})
}

// RenameView renames a view of the caller. Errors: as SavedViews; Validation, also for the name of another one of
// theirs; fault.Missing for another member's.
func (s *Service) RenameView(ctx context.Context, sc tenancy.Scope, screen Screen, id uuid.UUID, name string) (SavedView, error) {
	person, err := screen.keeper(sc)
	if err != nil {
		return SavedView{}, err
	}
	var c fault.Checks
	name = checkViewName(&c, name)
	if err := c.Err(); err != nil {
		return SavedView{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (SavedView, error) {
		return renameView(ctx, tx, person, screen, id, name)
	})
}

// DeleteView deletes a view of the caller and returns it. Errors: as SavedViews; fault.Missing for another member's.
func (s *Service) DeleteView(ctx context.Context, sc tenancy.Scope, screen Screen, id uuid.UUID) (SavedView, error) {
	person, err := screen.keeper(sc)
	if err != nil {
		return SavedView{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (SavedView, error) {
		return deleteView(ctx, tx, person, screen, id)
	})
}
