package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/billing"
	"foyer/billing/processor"
)

// openOrder is an open order of amounts due.
type openOrder struct {
	ID        uuid.UUID
	InTransit bool // its payment may be in progress
	Failed    bool // the charge of a saved card failed
	Lines     []openLine
}

// openLine is a line of it; uuid.Nil: none.
type openLine struct {
	BookingID, FeeID, OfLineID, SubjectID uuid.UUID `db:",null"`
	Quantity                              int
	ListedAmount, TaxAmount               int64
}

// openDue returns the open orders that pay something of bookings, of a date of a course of all of it, or one of these
// fees.
func openDue(ctx context.Context, r pg.Reader, bookings, feeList []uuid.UUID) (out []openOrder, err error) {
	if len(bookings)+len(feeList) == 0 {
		return nil, nil
	}
	rows, err := pg.All[struct {
		OrderID uuid.UUID
		Status  processor.Status
		Failed  bool
		openLine
	}](ctx, r, `select x.order_id, o.charge_failed <> '' as failed, x.booking_id, x.fee_id, x.of_line_id, x.subject_id,
			x.quantity, x.listed_amount, x.tax_amount, coalesce(p.status, '') as status
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		left join lateral (select status from payments where business_id = $1 and order_id = o.id
			order by attempt desc limit 1) p on true
		where o.business_id = $1 and o.state = 'open' and o.cart_id is null and o.id in (
			select y.order_id from order_lines y where y.business_id = $1 and y.booking_id in (`+withCourse+`)
			union all select y.order_id from order_lines y where y.business_id = $1 and y.fee_id = any($3))
		order by o.id, x.position`, r.Business(), bookings, feeList)
	for _, row := range rows {
		i := slices.IndexFunc(out, func(o openOrder) bool { return o.ID == row.OrderID })
		if i < 0 {
			i = len(out)
			out = append(out, openOrder{
				ID: row.OrderID, InTransit: billing.Payment{Status: row.Status}.InTransit(), Failed: row.Failed,
			})
		}
		out[i].Lines = append(out[i].Lines, row.openLine)
	}
	return out, err
}

// amountRow is the data of a payment of such an order.
type amountRow struct {
	LocationID  uuid.UUID
	Currency    money.Currency
	TotalAmount int64
	FeePpm      int64
}

func readAmount(ctx context.Context, r pg.Reader, orderID uuid.UUID) (amountRow, error) {
	return pg.One[amountRow](ctx, r, `select o.location_id, o.currency, t.amount as total_amount, h.fee_ppm
		from orders o
		join order_tenders t on t.business_id = $1 and t.order_id = o.id and t.kind = 'card'
		join businesses h on h.business_id = $1
		where o.business_id = $1 and o.id = $2`, r.Business(), orderID)
}

// dueOrder is an order without a cart to be paid by card, with what its lines pay.
type dueOrder struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	State      order.State
	Failed     string // the code of the last failed charge; empty: none failed
	Bookings   []uuid.UUID
	Fees       []uuid.UUID
	FeesDue    bool // each of them is due
	Goods      bool // it sells goods, which are reserved for it
	Renews     bool // it pays a billing period of a membership
	Changes    bool // it pays a change of a membership to another plan
	PeriodDue  bool // that is still to be paid, either
}

// readDueOrder reads such an order by the value of its column key. found is false for one with a cart.
func readDueOrder(ctx context.Context, r pg.Reader, key string, value any) (dueOrder, bool, error) {
	return pg.Find[dueOrder](ctx, r, `select o.id, o.location_id, o.state, o.charge_failed as failed,
			coalesce(array_agg(distinct x.booking_id) filter (where x.booking_id is not null), '{}') as bookings,
			coalesce(array_agg(x.fee_id) filter (where x.fee_id is not null), '{}') as fees,
			coalesce(bool_and(f.state = '`+string(fees.Due)+`'), true) as fees_due,
			bool_or(x.subject_id is not null and c.id is null and h.id is null) as goods,
			bool_or(c.id is not null) as renews, bool_or(h.id is not null) as changes,
			coalesce(bool_and(coalesce(c.state, h.state) = 'due'), true) as period_due
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		left join fees f on f.business_id = $1 and f.id = x.fee_id
		left join cycles c on c.business_id = $1 and c.order_line_id = x.id
		left join plan_changes h on h.business_id = $1 and h.order_line_id = x.id
		where o.business_id = $1 and o.`+key+` = $2 and o.cart_id is null
		group by o.id, o.location_id, o.state, o.charge_failed`, r.Business(), value)
}

// customerOfOrder returns the customer of an order, if that is the person.
func customerOfOrder(ctx context.Context, r pg.Reader, person, orderID uuid.UUID) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, r, `select c.id from orders o
		join customers c on c.business_id = $1 and c.id = o.customer_id
		where o.business_id = $1 and o.id = $2 and c.person_id = $3`, r.Business(), orderID, person)
}

// lockStillDue locks the bookings of an open order and the orders that its lines pay, and reports whether its prices
// are all still due. Its fees are the caller's to lock.
func lockStillDue(ctx context.Context, tx *pg.Tx, o dueOrder) (bool, error) {
	if o.Renews {
		_, due, err := plan.PeriodOfOrder(ctx, tx, o.ID)
		return due, err
	}
	if o.Changes {
		return plan.ChangeDueOf(ctx, tx, o.ID)
	}
	if len(o.Bookings) == 0 {
		return true, nil
	}
	if _, err := lockCourseOf(ctx, tx, o.Bookings); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, `select o.id from orders o where o.business_id = $1 and o.id in (
			select x.order_id from order_lines y join order_lines x on x.business_id = $1 and x.id = y.of_line_id
			where y.business_id = $1 and y.order_id = $2)
		order by o.id for no key update`, tx.Business(), o.ID); err != nil {
		return false, err
	}
	return pricesStillDue(ctx, tx, o.ID)
}

// stillDue reports whether all of an open order is still due.
func stillDue(ctx context.Context, r pg.Reader, o dueOrder) (bool, error) {
	if !o.FeesDue || len(o.Bookings) == 0 {
		return o.FeesDue && o.PeriodDue, nil
	}
	return pricesStillDue(ctx, r, o.ID)
}

func pricesStillDue(ctx context.Context, r pg.Reader, orderID uuid.UUID) (bool, error) {
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
	return pg.Find[Charge](ctx, r, `select o.id as order_id, `+order.OrderTotalSQL("o")+` as amount,
		o.charge_failed as failed
		from orders o
		where o.business_id = $1 and o.state = 'open' and o.cart_id is null and o.id in (
			select y.order_id from order_lines y where y.business_id = $1 and y.booking_id in (`+withCourse+`))
			and (o.charge_failed <> '' or exists (select from payments p where p.business_id = $1 and p.order_id = o.id
				and p.card_id is not null))
		order by o.created_at desc limit 1`, r.Business(), []uuid.UUID{booking})
}

// soldIncomeSQL is the income account of the first sale of booking b of offering f, or of the sale of its course; empty
// for a booking that is in no order. Its $1 is the business.
const soldIncomeSQL = `coalesce((select x.income_account
			from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'fulfilled'
			where x.business_id = $1 and x.booking_id in (select b.id union select g.id from bookings g
				where ` + order.InCourseSQL + ` and g.business_id = $1 and g.group_id = b.group_id)
			order by o.created_at, x.position limit 1), '')`
