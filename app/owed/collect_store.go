package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// amountsDue are the amounts due of a customer to charge.
type amountsDue struct {
	bookings []atLocation
	fees     []uuid.UUID
}

// all returns the bookings.
func (of amountsDue) all() (ids []uuid.UUID) {
	for _, at := range of.bookings {
		ids = append(ids, at.Bookings...)
	}
	return ids
}

// atLocation are bookings at one location.
type atLocation struct {
	LocationID uuid.UUID
	Bookings   []uuid.UUID
}

// toCollect returns a customer's amounts to charge: the named ones, or all amounts due within cover. It returns a not
// found error for an unknown customer, and for an unknown booking.
func toCollect(ctx context.Context, r pg.Reader, in CollectInput, cover policy.Cover) (of amountsDue, err error) {
	_, found, err := pg.Find[uuid.UUID](ctx, r, `select id from customers where business_id = $1 and id = $2`,
		r.Business(), in.CustomerID)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return of, err
	}
	if len(in.BookingIDs)+len(in.FeeIDs) > 0 {
		of.fees = in.FeeIDs
		of.bookings, err = byLocation(ctx, r, in.CustomerID, in.BookingIDs)
		return of, err
	}
	of.fees, err = pg.All[uuid.UUID](ctx, r, `select id from fees where business_id = $1 and customer_id = $2
		and state = 'due' and amount > 0
		and ($3 or location_id = any($4)) order by id limit $5`,
		r.Business(), in.CustomerID, cover.Everywhere, cover.Locations, takeMost)
	if err != nil {
		return of, err
	}
	due, err := pg.All[uuid.UUID](ctx, r, `select b.id from bookings b`+order.DueJoins+`
		where b.business_id = $1 and b.customer_id = $2 and b.state in `+order.DueStatesSQL+` and owed.due > 0
		and ($3 or b.location_id = any($4)) order by b.starts_at, b.id limit $5`,
		r.Business(), in.CustomerID, cover.Everywhere, cover.Locations, takeMost)
	if err == nil {
		of.bookings, err = byLocation(ctx, r, in.CustomerID, due)
	}
	return of, err
}

// byLocation sorts bookings of a customer by their locations. It returns a not found error if one does not exist.
func byLocation(ctx context.Context, r pg.Reader, customer uuid.UUID, ids []uuid.UUID) (list []atLocation, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err = pg.All[atLocation](ctx, r, `select location_id, array_agg(id order by id) as bookings from bookings
		where business_id = $1 and id = any($2) and customer_id = $3
			group by location_id order by location_id`, r.Business(), ids, customer)
	n := 0
	for _, at := range list {
		n += len(at.Bookings)
	}
	return list, fault.When(n < len(ids), fault.Missing(), err)
}

// rulesOfTheirs returns the rules of a booking of a person; found is false for another person's.
func rulesOfTheirs(ctx context.Context, r pg.Reader, person, id uuid.UUID) (catalog.Rules, bool, error) {
	row, found, err := pg.Find[struct{ Rules catalog.Rules }](ctx, r,
		`select coalesce(b.policy, 'null') as rules from bookings b
		join customers c on c.business_id = $1 and c.id = b.customer_id
		where b.business_id = $1 and b.id = $2 and c.person_id = $3`, r.Business(), id, person)
	return row.Rules, found, err
}

// takesCards reports whether a card can pay the studio in a currency.
func takesCards(ctx context.Context, r pg.Reader, env processor.Env, cur money.Currency) (bool, error) {
	return pg.One[bool](ctx, r, `select `+billing.AcceptsSQL("$1", "$2", "$3"), r.Business(), env, cur)
}
