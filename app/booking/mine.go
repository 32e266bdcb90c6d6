package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Mine returns the bookings of the signed-in person in all businesses. A course is one booking, listed by its next
// date, and past when its last date has ended. Held and expired seats are not included. It takes one round trip and
// one more for each business on the page, and more where there are courses. Errors: identity.ErrSignIn,
// ErrKeyRefused; Validation on limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in MineInput) (out paging.Page[CustomerBooking, paging.Moment], err error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return out, err
	}
	if err := in.Page.Validate(); err != nil {
		return out, err
	}
	items, size := []CustomerBooking{}, in.Page.Size()
	for more := true; more && len(items) <= size; {
		keys, err := mine(ctx, s.db, person, in)
		if err != nil {
			return out, err
		}
		if more = len(keys) > size; more {
			last := keys[len(keys)-1]
			in.Page.After = &paging.Moment{At: last.At, ID: last.ID}
		}
		// A course is listed by one of its dates, so there may be fewer rows than keys.
		list, err := pg.Across(keys, func(b CustomerBooking) uuid.UUID { return b.ID },
			func(business uuid.UUID, ids []uuid.UUID) ([]CustomerBooking, error) {
				return theirs(ctx, s.db.View(business), person, ids...)
			})
		if err != nil {
			return out, err
		}
		items = append(items, list...)
	}
	return paging.Of(items, size, func(b CustomerBooking) paging.Moment { return paging.Moment{At: b.StartsAt, ID: b.ID} }), nil
}

// MyBooking returns one booking of the signed-in person, in any business. For any date of a course it returns the
// whole course. Another person's booking is not found.
func (s *Service) MyBooking(ctx context.Context, p tenancy.Principal, id uuid.UUID) (CustomerBooking, error) {
	sc, err := s.myScope(ctx, tenancy.Scope{Principal: p}, id)
	if err != nil {
		return CustomerBooking{}, err
	}
	return myOne(ctx, s.db.View(sc.Tenant), sc.Person(), id)
}

// myScope returns the scope of a person in the business of one of their bookings. Another person's booking is not
// found.
func (s *Service) myScope(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (tenancy.Scope, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return sc, err
	}
	business, err := businessOfMine(ctx, s.db, person, id)
	return tenancy.Visitor(sc.Principal, business, sc.Surface), err
}

func myOne(ctx context.Context, r pg.Reader, person, id uuid.UUID) (CustomerBooking, error) {
	list, err := theirs(ctx, r, person, id)
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return CustomerBooking{}, err
	}
	return list[0], nil
}
