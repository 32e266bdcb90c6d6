package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/pg"
)

// lockDesk locks the bookings of a payment, then the orders with an amount due, then the fees, each in the order of
// their ids, and reads the amounts due. It returns a not found error, fees.ErrNotDue and ErrOneCustomer.
func lockDesk(ctx context.Context, tx *pg.Tx, in PaymentInput) (d deskDue, err error) {
	asked, err := lockCourseOf(ctx, tx, in.BookingIDs)
	if err != nil {
		return d, err
	}
	if len(asked) > 0 {
		if _, err := tx.Exec(ctx, `select o.id from orders o where o.business_id = $1 and o.state = 'fulfilled' and o.id in (
				select order_id from order_lines where business_id = $1 and booking_id = any($2))
			order by o.id for no key update`, tx.Business(), asked); err != nil {
			return d, err
		}
	}
	feeList, err := fees.DueTx(ctx, tx, in.FeeIDs)
	if err != nil {
		return d, err
	}
	if len(in.BookingIDs)+len(in.FeeIDs) == 0 {
		d.place, err = deskOfGoods(ctx, tx, in.LocationID)
		return d, err
	}
	return deskOf(ctx, tx, asked, feeList)
}

// deskOfGoods reads the location where goods are sold alone; the customer is added later. It returns a not found
// error, and catalog.ErrLocationArchived.
func deskOfGoods(ctx context.Context, r pg.Reader, location uuid.UUID) (deskPlace, error) {
	row, err := pg.Found(pg.One[struct {
		deskPlace
		Archived bool
	}](ctx, r, `select id as location_id, currency, tax_mode, archived_at is not null as archived from locations
		where business_id = $1 and id = $2`, r.Business(), location))
	return row.deskPlace, fault.When(row.Archived, catalog.ErrLocationArchived, err)
}

// deskOf reads the amounts due of locked bookings, of courses all dates, and of locked fees. There is at least one. It
// returns ErrOneCustomer.
func deskOf(ctx context.Context, tx *pg.Tx, asked []uuid.UUID, feeList []fees.Fee) (d deskDue, err error) {
	d.bookings, d.fees = asked, feeList
	of := slices.Clone(asked)
	for _, f := range feeList {
		of = append(of, f.BookingID)
	}
	rows, err := pg.All[deskPrice](ctx, tx, `select b.id as booking_id, b.location_id, b.customer_id, b.currency, l.tax_mode, f.kind,
			f.name as label, owed.unsold, r.id as tax_rate_id, coalesce(r.name, '') as tax_name, coalesce(r.ppm, 0) as tax_ppm,
			f.revenue_category_id, `+soldIncomeSQL+` as sold_income
		from bookings b`+order.DueJoins+`
		join offerings f on f.business_id = $1 and f.id = b.offering_id
		join locations l on l.business_id = $1 and l.id = b.location_id
		left join tax_rates r on r.business_id = $1 and r.id = f.tax_rate_id
		where b.business_id = $1 and b.id = any($2) order by b.starts_at, b.id`, tx.Business(), of)
	if err != nil {
		return d, err
	}
	d.booked = map[uuid.UUID]deskPrice{}
	for i, r := range rows {
		if i > 0 && r.deskPlace != rows[0].deskPlace {
			return d, ErrOneCustomer
		}
		d.booked[r.BookingID] = r
		if r.Unsold > 0 && slices.Contains(asked, r.BookingID) {
			d.prices = append(d.prices, r)
		}
	}
	d.place = rows[0].deskPlace
	if len(asked) == 0 {
		return d, nil
	}
	d.unpaid, err = pg.All[deskLine](ctx, tx, `select x.order_id, x.id as line_id, x.booking_id, x.label, x.kind,
			x.tax_rate_id, x.tax_name, x.tax_ppm, x.income_account, `+order.LineUnpaidSQL+` as amount
		from bookings b`+order.DueJoins+`
		join order_lines x on x.business_id = $1 and x.booking_id = b.id
		join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'fulfilled'
		`+order.PaidBesideSQL("$1")+`
		where b.business_id = $1 and b.id = any($2) and owed.due > 0 and `+order.LineUnpaidSQL+` > 0
		order by x.order_id, x.position`, tx.Business(), asked)
	return d, err
}

// withCourse are bookings $2, those of a course with all its dates.
const withCourse = `select unnest($2::uuid[]) union select g.id from bookings x
				join offerings f on f.business_id = $1 and f.id = x.offering_id and f.enrolment = 'series'
				join bookings g on g.business_id = $1 and g.group_id = x.group_id
				where x.business_id = $1 and x.id = any($2)`

// lockCourseOf locks bookings, those of a course with all its dates. It returns a not found error if one does not
// exist.
func lockCourseOf(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]uuid.UUID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := pg.All[uuid.UUID](ctx, tx, `select b.id from bookings b where b.business_id = $1 and b.state not in ('held', 'expired')
			and b.id in (`+withCourse+`)
		order by b.id for no key update`, tx.Business(), ids)
	for _, id := range ids {
		if err == nil && !slices.Contains(all, id) {
			err = fault.Missing()
		}
	}
	return all, err
}
