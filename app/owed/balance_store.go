package owed

import (
	"context"
	"slices"

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

// atLocation are bookings at one location.
type atLocation struct {
	LocationID uuid.UUID
	Bookings   []uuid.UUID
}

// toCollect returns a customer's amounts to charge: the named ones, or all amounts due within cover. It returns a not
// found error for an unknown customer, and for an unknown booking.
func toCollect(ctx context.Context, r pg.Reader, in CollectInput, cover policy.Cover) (of amountsDue, err error) {
	_, found, err := pg.Find[uuid.UUID](ctx, r, `select id from customers where business_id = $1 and id = $2`, r.Business(), in.CustomerID)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return of, err
	}
	if len(in.BookingIDs)+len(in.FeeIDs) > 0 {
		of.fees = in.FeeIDs
		of.bookings, err = byLocation(ctx, r, in.CustomerID, in.BookingIDs)
		return of, err
	}
	of.fees, err = pg.All[uuid.UUID](ctx, r, `select id from fees where business_id = $1 and customer_id = $2 and state = 'due' and amount > 0
		and ($3 or location_id = any($4)) order by id limit $5`, r.Business(), in.CustomerID, cover.Everywhere, cover.Locations, takeMost)
	if err != nil {
		return of, err
	}
	due, err := pg.All[uuid.UUID](ctx, r, `select b.id from bookings b`+order.DueJoins+`
		where b.business_id = $1 and b.customer_id = $2 and b.state in `+order.DueStatesSQL+` and owed.due > 0
		and ($3 or b.location_id = any($4)) order by b.starts_at, b.id limit $5`, r.Business(), in.CustomerID, cover.Everywhere, cover.Locations, takeMost)
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
		where business_id = $1 and id = any($2) and customer_id = $3 group by location_id order by location_id`, r.Business(), ids, customer)
	n := 0
	for _, at := range list {
		n += len(at.Bookings)
	}
	return list, fault.When(n < len(ids), fault.Missing(), err)
}

// rulesOfTheirs returns the rules of a booking of a person; found is false for another person's.
func rulesOfTheirs(ctx context.Context, r pg.Reader, person, id uuid.UUID) (catalog.Rules, bool, error) {
	row, found, err := pg.Find[struct{ Rules catalog.Rules }](ctx, r, `select coalesce(b.policy, 'null') as rules from bookings b
		join customers c on c.business_id = $1 and c.id = b.customer_id
		where b.business_id = $1 and b.id = $2 and c.person_id = $3`, r.Business(), id, person)
	return row.Rules, found, err
}

// takesCards reports whether a card can pay the studio in a currency.
func takesCards(ctx context.Context, r pg.Reader, env processor.Env, cur money.Currency) (bool, error) {
	return pg.One[bool](ctx, r, `select `+billing.AcceptsSQL("$1", "$2", "$3"), r.Business(), env, cur)
}

// openBalance is the open order of balances.
type openBalance struct {
	ID        uuid.UUID
	InTransit bool // its payment may be in progress
	Failed    bool // the charge of a saved card failed
	Lines     []balanceLine
}

type balanceLine struct {
	BookingID    uuid.UUID
	OfLineID     *uuid.UUID
	ListedAmount int64
	TaxAmount    int64
}

// openBalances returns the open orders that pay something of bookings; of a date of a course, of all of it.
func openBalances(ctx context.Context, r pg.Reader, bookings []uuid.UUID) (out []openBalance, err error) {
	rows, err := pg.All[struct {
		OrderID uuid.UUID
		Status  processor.Status
		Failed  bool
		balanceLine
	}](ctx, r, `select x.order_id, o.charge_failed <> '' as failed, x.booking_id, x.of_line_id, x.listed_amount, x.tax_amount, coalesce(p.status, '') as status
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		left join lateral (select status from payments where business_id = $1 and order_id = o.id order by attempt desc limit 1) p on true
		where o.business_id = $1 and o.state = 'open' and o.cart_id is null and o.id in (
			select y.order_id from order_lines y where y.business_id = $1 and y.fee_id is null and y.booking_id in (`+withCourse+`))
		order by o.id, x.position`, r.Business(), bookings)
	for _, row := range rows {
		i := slices.IndexFunc(out, func(o openBalance) bool { return o.ID == row.OrderID })
		if i < 0 {
			i = len(out)
			out = append(out, openBalance{
				ID: row.OrderID, InTransit: billing.Payment{Status: row.Status}.InTransit(), Failed: row.Failed,
			})
		}
		out[i].Lines = append(out[i].Lines, row.balanceLine)
	}
	return out, err
}

// balanceRow is the data of a payment of balances.
type balanceRow struct {
	LocationID  uuid.UUID
	Currency    money.Currency
	TotalAmount int64
	FeePpm      int64
}

func readBalance(ctx context.Context, r pg.Reader, orderID uuid.UUID) (balanceRow, error) {
	return pg.One[balanceRow](ctx, r, `select o.location_id, o.currency, o.total_amount, h.fee_ppm from orders o
		join businesses h on h.business_id = $1
		where o.business_id = $1 and o.id = $2`, r.Business(), orderID)
}

// lockStillDue locks the bookings of such an order and the orders that its lines pay, and reports whether all of it is
// still due.
func lockStillDue(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (bool, error) {
	ids, err := pg.All[uuid.UUID](ctx, tx, `select distinct booking_id from order_lines where business_id = $1 and order_id = $2`, tx.Business(), orderID)
	if err != nil {
		return false, err
	}
	if _, err := lockCourseOf(ctx, tx, ids); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, `select o.id from orders o where o.business_id = $1 and o.id in (
			select x.order_id from order_lines y join order_lines x on x.business_id = $1 and x.id = y.of_line_id
			where y.business_id = $1 and y.order_id = $2)
		order by o.id for no key update`, tx.Business(), orderID); err != nil {
		return false, err
	}
	return stillDue(ctx, tx, orderID)
}

// stillDue reports whether all of an open order is still due.
func stillDue(ctx context.Context, r pg.Reader, orderID uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, r, `select not exists (select from orders q
		join order_lines y on y.business_id = $1 and y.order_id = q.id
		join bookings b on b.business_id = $1 and b.id = y.booking_id`+order.DueJoins+`
		left join order_lines x on x.business_id = $1 and x.id = y.of_line_id
		left join orders o on o.business_id = $1 and o.id = x.order_id
		`+order.PaidBesideSQL("$1")+`
		where q.business_id = $1 and q.id = $2 and not case when x.id is null then owed.unsold >= y.listed_amount
			else owed.due > 0 and `+order.LineUnpaidSQL+` >= `+order.LaterDueSQL+` end)`, r.Business(), orderID)
}

func chargeOf(ctx context.Context, r pg.Reader, booking uuid.UUID) (Charge, bool, error) {
	return pg.Find[Charge](ctx, r, `select o.id as order_id, o.total_amount as amount, o.charge_failed as failed
		from orders o
		where o.business_id = $1 and o.state = 'open' and o.cart_id is null and o.id in (
			select y.order_id from order_lines y where y.business_id = $1 and y.fee_id is null and y.booking_id in (`+withCourse+`))
			and (o.charge_failed <> '' or exists (select from payments p where p.business_id = $1 and p.order_id = o.id and p.card_id is not null))
		order by o.created_at desc limit 1`, r.Business(), []uuid.UUID{booking})
}
