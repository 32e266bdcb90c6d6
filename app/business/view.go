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

// SavedView is what somebody of the team cut a list down to, under a name of theirs. Nobody else sees it.
type SavedView struct {
	ID        uuid.UUID
	Screen    Screen
	Name      string
	Query     string // the parameters of the address, as url.Values writes them
	CreatedAt time.Time
}

// Screen is a list that views are kept of.
type Screen string

// The screens.
const (
	ScreenBookings  Screen = "bookings"
	ScreenCalendar  Screen = "calendar"
	ScreenCatalog   Screen = "catalog"
	ScreenCustomers Screen = "customers"
)

// sees is what somebody must be allowed somewhere who keeps a view of a screen; empty: there is no such screen.
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

// The bounds of saved views, in characters, and how many of one screen somebody has.
const (
	ViewNameMax  = 40
	viewQueryMax = 1000
	viewsMax     = 20
)

// keeper is who keeps views of a screen: a person who may see it. A view of a screen that is not there is nobody's.
func (s Screen) keeper(sc tenancy.Scope) (uuid.UUID, error) {
	if s.sees() == "" {
		return uuid.Nil, fault.Missing()
	}
	if err := policy.RequireAny(sc, s.sees()); err != nil {
		return uuid.Nil, err
	}
	return identity.PersonOf(sc.Principal)
}

// SavedViews lists the caller's own views of a screen, the oldest first, in one round trip. Errors: policy.ErrMissingFeature of the
// screen, identity.ErrSignIn, fault.Missing for a screen that is not there.
func (s *Service) SavedViews(ctx context.Context, sc tenancy.Scope, screen Screen) ([]SavedView, error) {
	person, err := screen.keeper(sc)
	if err != nil {
		return nil, err
	}
	return savedViews(ctx, s.o.DB.View(sc.Tenant), person, screen)
}

// SaveViewInput is a list as it is now.
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
	c.That(err == nil && len(in.Query) <= viewQueryMax, "query", "These filters are too many for a view.")
	return c.Err()
}

func checkViewName(c *fault.Checks, name string) string {
	name = names.Clean(name)
	c.That(name != "", "name", "Give the view a name.")
	c.That(utf8.RuneCountInString(name) <= ViewNameMax && identity.IsLine(name, len(name)), "name", "Write a name of at most 40 characters, on one line.")
	return name
}

// SaveView keeps a view for the caller. Under a name that one of theirs has already it takes its place. Errors: as SavedViews;
// Validation, also when there are 20 of the screen.
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

// RenameView gives a view of the caller's another name. Errors: as SavedViews; Validation, also for a name that another one of theirs
// has; fault.Missing for somebody else's.
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

// DeleteView takes a view of the caller's away and returns what it was. Errors: as SavedViews; fault.Missing for somebody else's.
func (s *Service) DeleteView(ctx context.Context, sc tenancy.Scope, screen Screen, id uuid.UUID) (SavedView, error) {
	person, err := screen.keeper(sc)
	if err != nil {
		return SavedView{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (SavedView, error) {
		return deleteView(ctx, tx, person, screen, id)
	})
}
