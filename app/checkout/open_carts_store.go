package checkout

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/billing/processor"
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
	openCartsFrom = `with c as materialized (select cart.*, ` + discount.Candidates("cart", "$2") + ` as offers
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

func openCarts(
	ctx context.Context, v *pg.View, env processor.Env, in OpenCartsInput, cover policy.Cover,
) (out paging.Page[OpenCart, paging.Moment], err error) {
	s := pg.NewShape(openCartsFrom, v.Business(), v.Now(), env)
	s.AndIf(in.LocationID != uuid.Nil, `cart.location_id = ?`, in.LocationID)
	s.AndIf(!cover.Everywhere, `cart.location_id = any(?)`, cover.Locations)
	after := in.Page.From()
	s.AndIf(in.Page.After != nil, `(`+createdOpenSQL+`, cart.id) < (?, ?)`, after.At, after.ID)
	s.Add(` order by `+createdOpenSQL+` desc, cart.id desc limit ?`, in.Page.Size()+1)
	s.Add(openCartsRows)
	carts, err := readOpen(ctx, v, s)
	return paging.Of(carts, in.Page.Size(), func(c OpenCart) paging.Moment {
		return paging.Moment{At: c.CreatedAt, ID: c.ID}
	}), err
}

func openCart(ctx context.Context, v *pg.View, env processor.Env, id uuid.UUID) (OpenCart, error) {
	s := pg.NewShape(openCartsFrom, v.Business(), v.Now(), env)
	s.And(`cart.id = ?`, id)
	s.Add(openCartsRows)
	found, err := readOpen(ctx, v, s)
	switch {
	case err != nil:
		return OpenCart{}, err
	case len(found) == 0:
		return OpenCart{}, fault.Missing()
	}
	return found[0], nil
}

// readOpen reads the carts of a statement, and then the dates of all courses in them.
func readOpen(ctx context.Context, v *pg.View, s *pg.Shape) ([]OpenCart, error) {
	rows, err := pg.All[openCartRow](ctx, v, s.SQL(), s.Args()...)
	if err != nil {
		return nil, err
	}
	carts, out := []loaded{}, []OpenCart{}
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
		carts = append(carts, l)
		out = append(out, OpenCart{
			CustomerID: f.CustomerID, CustomerName: f.CustomerName, CustomerEmail: f.CustomerEmail, UpdatedAt: f.UpdatedAt,
		})
		begin = end
	}
	if slices.ContainsFunc(carts, func(l loaded) bool { return l.hasCourses() }) {
		dates, err := readCoursesOf(ctx, v, carts)
		if err != nil {
			return nil, err
		}
		for i := range carts {
			carts[i].fillCourses(dates, v.Now())
		}
	}
	for i := range out {
		out[i].Cart = carts[i].Cart
	}
	return out, nil
}
