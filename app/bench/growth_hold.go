package bench

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// growingHold holds the next cart.
func growingHold(g *growing, c *client) operation {
	return func(context.Context, int) error {
		n := g.cart.Add(1) - 1
		if n >= g.carts {
			return errDone
		}
		_, err := c.do(head("POST", "/storefront/carts/"+cartToken(n)+"/hold", sessionToken(growthSession+n), ""))
		return err
	}
}

// growthSession is the token number of who has cart 0, as in growth.sql.
const growthSession = 1_000_000_000

// holdFloor has the product hold some carts.
func holdFloor(ctx context.Context, g *growing) (script, error) {
	trips, n, err := g.shortest(ctx, func(db *pg.DB, n int64) error {
		c, err := g.growthCart(ctx, n)
		if err == nil {
			_, err = newCheckout(db).Hold(ctx, tenancy.Visitor(c.who, c.business, tenancy.SurfaceAPI), cartToken(n), checkout.HoldInput{})
		}
		return err
	})
	if err != nil {
		return script{}, err
	}
	c, err := g.growthCart(ctx, n)
	if err != nil {
		return script{}, err
	}
	return drawnScript{drawCart, c.names()}.write(ctx, g.super, trips, c.stands().of)
}

// growthCart is a cart with what it is about.
type growthCart struct {
	business, location, cart, customer, date uuid.UUID
	who                                      tenancy.Principal
	hash                                     []byte
}

func (g *growing) growthCart(ctx context.Context, n int64) (growthCart, error) {
	var c growthCart
	c.who.Kind = tenancy.ActorPerson
	err := g.super.QueryRow(ctx, `select c.business_id, c.location_id, c.id, bench.growth_customer($1), i.occurrence_id, p.id, p.name, p.email,
			c.token_hash
		from carts c join cart_items i on i.cart_id = c.id join persons p on p.id = bench.growth_person($1) where c.id = bench.growth_cart($1)`, n).
		Scan(&c.business, &c.location, &c.cart, &c.customer, &c.date, &c.who.ID, &c.who.Name, &c.who.Email, &c.hash)
	return c, err
}

// drawCart makes :n into what a cart is about.
const drawCart = `select bench.business(b) as business, bench.location(b) as location, bench.growth_cart(:n) as cart,
	bench.growth_customer(:n) as customer, bench.growth_person(:n) as person, d as date, array[d] as dates
	from (select bench.growth_business(:n) as b, bench.growth_date(:n) as d) w`

// names is what the columns of drawCart are of this cart.
func (c growthCart) names() map[string]string {
	date := c.date.String()
	return map[string]string{
		c.business.String(): "business", c.location.String(): "location", c.cart.String(): "cart", c.customer.String(): "customer",
		c.who.ID.String(): "person", date: "date", "{" + date + "}": "dates",
	}
}

// stands knows what has a name, so that the rest is what the product makes anew.
func (c growthCart) stands() *stands {
	return &stands{hash: string(c.hash), known: map[uuid.UUID]string{
		c.business: "", c.location: "", c.cart: "", c.customer: "", c.who.ID: "", c.date: "",
	}}
}
