package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

// cartCustomer is the customer record of the person who holds the cart, or held it.
var cartCustomer = cartPart{
	`c.updated_at, w.id as customer_id, coalesce(w.name, '') as customer_name, coalesce(w.email, '') as customer_email`, `
	left join customers w on w.person_id = c.person_id`}

// createdOpenSQL is the creation time of an open cart, as the index carts_left has it.
const createdOpenSQL = `(case when cart.state = 'open' then cart.created_at end)`

// The statements that read open carts, of business $1 at the time $2: the beginning, up to conditions on cart, and the
// rest.
var (
	openCartsFrom = `with c as materialized (select cart.*, ` + offersSQL + ` as offers
		from carts cart where cart.business_id = $1 and ` + createdOpenSQL + ` is not null`
	openCartsRows = `) ` + cartRows(cartNames, cartSeats, cartAccount, cartMoney, cartCustomer) +
		` order by c.created_at desc, c.id desc, ` + itemOrder
)

// openCartRow is an open cart with one of its items, or with none.
type openCartRow struct {
	cartRow
	CustomerID                  *uuid.UUID
	CustomerName, CustomerEmail string
	UpdatedAt                   time.Time
}

func (s *Service) openCarts(
	ctx context.Context, v *pg.View, in OpenCartsInput, cover policy.Cover,
) (out paging.Page[OpenCart, paging.Moment], err error) {
	q := pg.NewShape(openCartsFrom, v.Business(), v.Now(), s.billing.Env())
	q.AndIf(in.LocationID != uuid.Nil, `cart.location_id = ?`, in.LocationID)
	q.AndIf(!cover.Everywhere, `cart.location_id = any(?)`, cover.Locations)
	after := in.Page.From()
	q.AndIf(in.Page.After != nil, `(`+createdOpenSQL+`, cart.id) < (?, ?)`, after.At, after.ID)
	q.Add(` order by `+createdOpenSQL+` desc, cart.id desc limit ?`, in.Page.Size()+1)
	q.Add(openCartsRows)
	carts, err := s.readOpen(ctx, v, q)
	return paging.Of(carts, in.Page.Size(), func(c OpenCart) paging.Moment {
		return paging.Moment{At: c.CreatedAt, ID: c.ID}
	}), err
}

func (s *Service) openCart(ctx context.Context, v *pg.View, id uuid.UUID) (OpenCart, error) {
	q := pg.NewShape(openCartsFrom, v.Business(), v.Now(), s.billing.Env())
	q.And(`cart.id = ?`, id)
	q.Add(openCartsRows)
	found, err := s.readOpen(ctx, v, q)
	switch {
	case err != nil:
		return OpenCart{}, err
	case len(found) == 0:
		return OpenCart{}, fault.Missing()
	}
	return found[0], nil
}

// readOpen reads the carts of a statement, and then what completes them, of all at once.
func (s *Service) readOpen(ctx context.Context, v *pg.View, q *pg.Shape) ([]OpenCart, error) {
	rows, err := pg.All[openCartRow](ctx, v, q.SQL(), q.Args()...)
	if err != nil {
		return nil, err
	}
	carts, out := []*loaded{}, []OpenCart{}
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].Cart.ID == rows[begin].Cart.ID {
			end++
		}
		items := make([]cartRow, 0, end-begin)
		for _, r := range rows[begin:end] {
			items = append(items, r.cartRow)
		}
		l, err := load(items, v.Now(), nil)
		if err != nil {
			return nil, err
		}
		f := rows[begin]
		carts = append(carts, &l)
		out = append(out, OpenCart{
			CustomerID: f.CustomerID, CustomerName: f.CustomerName, CustomerEmail: f.CustomerEmail, UpdatedAt: f.UpdatedAt,
		})
		begin = end
	}
	if err := s.complete(ctx, v, carts); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Cart = carts[i].Cart
	}
	return out, nil
}
