package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/tenancy"
)

// MineInput chooses a person's own bookings.
type MineInput struct {
	Past  bool // what is over, the latest first; otherwise what is to come, the soonest first
	After *Key // nil: from the beginning
	Limit int  // 0: PageDefault
}

// MinePage is a part of a person's own bookings.
type MinePage struct {
	Items []CustomerBooking
	Next  *Key
}

// Mine returns the bookings of the signed-in person in all businesses; a course is one, by its next date, and over when its
// last date is. Held and expired seats are not among them. It takes one round trip and one more for each business that is on
// the page, and more where there are courses. Errors: identity.ErrSignIn, ErrKeyRefused; Validation on query.limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in MineInput) (MinePage, error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return MinePage{}, err
	}
	size, ok := PageSize(in.Limit)
	if !ok {
		return MinePage{}, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	var items []CustomerBooking
	for more := true; more && len(items) <= size; {
		keys, err := mine(ctx, s.db, person, in, size+1)
		if err != nil {
			return MinePage{}, err
		}
		if more = len(keys) > size; more {
			last := keys[len(keys)-1]
			in.After = &Key{last.StartsAt, last.ID}
		}
		list, err := s.listed(ctx, person, keys)
		if err != nil {
			return MinePage{}, err
		}
		items = append(items, list...)
	}
	page, next := Cut(items, size, func(v CustomerBooking) Key { return Key{v.StartsAt, v.ID} })
	return MinePage{Items: append([]CustomerBooking{}, page...), Next: next}, nil
}

// listed reads the bookings of keys, without those of a course that is listed by another of its dates.
func (s *Service) listed(ctx context.Context, person uuid.UUID, keys []mineKey) ([]CustomerBooking, error) {
	byID := map[uuid.UUID]CustomerBooking{}
	for business, ids := range byBusiness(keys) {
		list, err := visits(ctx, s.db.View(business), person, ids)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			byID[v.ID] = v
		}
	}
	var out []CustomerBooking
	for _, k := range keys {
		if v, still := byID[k.ID]; still {
			out = append(out, v)
		}
	}
	return out, nil
}

func byBusiness(keys []mineKey) map[uuid.UUID][]uuid.UUID {
	out := map[uuid.UUID][]uuid.UUID{}
	for _, k := range keys {
		out[k.BusinessID] = append(out[k.BusinessID], k.ID)
	}
	return out
}

// MyBooking returns one booking of the signed-in person, whichever business it is in; of a course it is the whole, whichever
// of its dates was asked for. Somebody else's is not found.
func (s *Service) MyBooking(ctx context.Context, p tenancy.Principal, id uuid.UUID) (CustomerBooking, error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return CustomerBooking{}, err
	}
	business, found, err := businessOfMine(ctx, s.db, person, id)
	if err != nil {
		return CustomerBooking{}, err
	}
	if !found {
		return CustomerBooking{}, fault.Missing()
	}
	list, err := visits(ctx, s.db.View(business), person, []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return CustomerBooking{}, err
	}
	return list[0], nil
}

// myScope is the scope of a person in the business of one of their bookings. Somebody else's booking is not found.
func (s *Service) myScope(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (tenancy.Scope, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return sc, err
	}
	business, found, err := businessOfMine(ctx, s.db, person, id)
	if err == nil && !found {
		err = fault.Missing()
	}
	if err != nil {
		return sc, err
	}
	return tenancy.Visitor(sc.Principal, business, sc.Surface), nil
}
