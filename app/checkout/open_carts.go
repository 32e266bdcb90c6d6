package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OpenCart is an open cart as the studio sees it. It has no token, and nothing else with which to act as the customer.
type OpenCart struct {
	Cart
	CustomerID    *uuid.UUID // nil: nobody has held it yet
	CustomerName  string
	CustomerEmail string
	UpdatedAt     time.Time
}

// OpenCartsInput selects open carts.
type OpenCartsInput struct {
	LocationID uuid.UUID // uuid.Nil: every location
	Page       paging.In[paging.Moment]
}

// OpenCarts lists the open carts, the newest first. Two statements read a page with all items, whatever its size. It
// needs booking.view, and lists the carts of the locations for which the caller has it. A97.
func (s *Service) OpenCarts(
	ctx context.Context, sc tenancy.Scope, in OpenCartsInput,
) (out paging.Page[OpenCart, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err != nil {
		return out, err
	}
	if err := in.Page.Validate(); err != nil {
		return out, err
	}
	return s.openCarts(ctx, s.db.View(sc.Tenant), in, cover)
}

// OpenCart returns one open cart by its id. It needs booking.view at the cart's location. An unknown id, and that of a
// cart that is booked, is not found. A97.
func (s *Service) OpenCart(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (OpenCart, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return OpenCart{}, err
	}
	c, err := s.openCart(ctx, s.db.View(sc.Tenant), id)
	if err != nil {
		return OpenCart{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, c.LocationID, false); err != nil {
		return OpenCart{}, err
	}
	return c, nil
}

// Paying reports whether the cart is being paid for right now: its items and prices are fixed.
func (c *OpenCart) Paying() bool { return c.frozen() }
