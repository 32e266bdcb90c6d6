package order

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// receiptRow is a receipt with the data of its card.
type receiptRow struct {
	Receipt
	business.Address
	Totals
	Env                  processor.Env
	CardBrand, CardLast4 string
	CardWallet           string
	PaidAmount           *int64
	PaidAt               *time.Time
	CardState            CardState
}

// receiptLineRow is a line with the data of its tax, rules and dates.
type receiptLineRow struct {
	ReceiptLine
	TaxRateID *uuid.UUID
	TaxName   string
	TaxPpm    int64
	Course    *uuid.UUID // the group, of a course
	GrantID   *uuid.UUID // of the plan that paid it
	PlanName  string
	Credits   int
	Sold      bool // it sold a plan
	EndsOn    *civil.Date
	FirstUse  bool
	Count     int
	Unit      string
}

// receiptDateRow is one date of a course that was sold.
type receiptDateRow struct {
	GroupID uuid.UUID
	booking.CourseDate
}

// ReceiptOf reads an order in any state as a receipt, in one trip; the caller may see it. It returns a not found
// error.
func ReceiptOf(ctx context.Context, v *pg.View, order uuid.UUID) (Receipt, error) {
	return readReceiptBy(ctx, v, "id", order)
}

// readReceiptBy reads the order whose column key has that value.
func readReceiptBy(ctx context.Context, v *pg.View, key string, value any) (Receipt, error) {
	var head receiptRow
	var found bool
	var lines []receiptLineRow
	var refunds []ReceiptRefund
	var manualPayments []ReceiptPayment
	var later []ReceiptCard
	var dates []receiptDateRow
	var past []fees.PastWaiver
	where := ` where o.business_id = $1 and o.` + key + ` = $2 `
	b := v.Batch()
	pg.QueueOne(b, &head, &found, `select o.id as order_id, o.state, o.created_at, o.fulfilled_at, coalesce(c.ref, '') as ref, o.cart_id is null as desk, o.business_id, b.name as business_name,
			o.location_id, l.name as location_name, l.slug as location_slug, l.zone, l.street, l.city, l.region, l.postal_code,
			l.country, l.accent, l.website, u.name as customer_name, o.currency, o.tax_mode, o.subtotal_amount, o.discount_amount, `+DiscountsSQL("o.business_id", "o.id")+` as discounts, o.tax_amount,
			agreed.fee as service_fee_amount, o.total_amount + agreed.fee as total_amount, agreed.prepaid,
			o.total_amount - agreed.price as due_later_amount, coalesce(p.env, '') as env,
			coalesce(p.card_brand, '') as card_brand,
			coalesce(p.card_last4, '') as card_last4, coalesce(p.card_wallet, '') as card_wallet, p.amount as paid_amount,
			coalesce(p.succeeded_at, p.authorized_at) as paid_at,
			case p.status when 'authorized' then 'authorized' when 'canceled' then 'voided' else 'captured' end as card_state
		from orders o
		left join carts c on c.business_id = o.business_id and c.id = o.cart_id
		join businesses b on b.business_id = o.business_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		join customers u on u.business_id = o.business_id and u.id = o.customer_id
		left join payments p on p.business_id = o.business_id and p.order_id = o.id and p.outcome <> ''
		`+tender.AgreedSQL("o")+where,
		v.Business(), value)
	pg.QueueAll(b, &lines, `select k.id as booking_id, k.offering_id, k.occurrence_id, x.kind, f.kind as offering_kind,
		x.quantity, x.subject_id, x.label, f.slug, k.attendee,
		k.party, k.starts_at,
			k.ends_at, `+schedule.InstructorAndSpaceSQL+`, k.state, x.listed_amount, x.discount_amount, x.tax_amount,
			x.tax_rate_id, x.tax_name, x.tax_ppm, x.non_refundable_amount, back.card as card_amount,
			coalesce(back.paid, 0) as paid_amount, coalesce(back.stands, 0) + back.later as net_amount,
			coalesce(y.kind, '') as fee, coalesce(k.policy, 'null') as rules,
			case when f.enrolment = 'series' then k.group_id end as course, k.reschedules, k.grace_until, k.version,
			k.updated_at,
			x.grant_id, coalesce(payer.name, '') as plan_name, x.credits, got.id is not null as sold,
			got.ends_on, coalesce((got.sold #>> '{validity,FromFirstUse}')::bool, false) as first_use,
			coalesce((got.sold #>> '{validity,Count}')::int, 0) as count, coalesce(got.sold #>> '{validity,Unit}', '') as unit
		from orders o
		join order_lines x on x.business_id = o.business_id and x.order_id = o.id
		left join memberships got on got.business_id = o.business_id and got.order_line_id = x.id
		left join grants paying on paying.business_id = o.business_id and paying.id = x.grant_id
		left join memberships payer on payer.business_id = o.business_id and payer.id = paying.membership_id
		left join fees y on y.business_id = o.business_id and y.id = x.fee_id
		left join bookings k on k.business_id = o.business_id and k.id = coalesce(x.booking_id, y.booking_id)
		left join offerings f on f.business_id = o.business_id and f.id = k.offering_id
		left join occurrences z on z.business_id = o.business_id and z.id = k.occurrence_id`+
		schedule.InstructorAndSpaceJoinSQL("o.business_id", "z")+`
		`+PaidBesideSQL("o.business_id")+where+`order by x.position`,
		v.Business(), value)
	pg.QueueAll(b, &dates, `select k.group_id, k.id as booking_id, k.occurrence_id, k.starts_at, k.ends_at, k.state,
			k.version, k.updated_at, `+schedule.InstructorAndSpaceSQL+`
		from orders o
		join bookings k on k.business_id = o.business_id and k.order_id = o.id and k.group_id is not null
		join offerings f on f.business_id = o.business_id and f.id = k.offering_id and f.enrolment = 'series'
		join occurrences z on z.business_id = o.business_id and z.id = k.occurrence_id`+schedule.InstructorAndSpaceJoinSQL("o.business_id", "z")+where+`order by k.starts_at, k.id`,
		v.Business(), value)
	pg.QueueAll(b, &refunds, `select r.amount, r.state, r.destination, r.created_at as at
		from orders o
		join payments p on p.business_id = o.business_id and p.order_id = o.id
		join refunds r on r.business_id = o.business_id and r.payment_id = p.id`+where+`order by r.created_at, r.id`,
		v.Business(), value)
	pg.QueueAll(b, &manualPayments, `select t.kind as method, t.source_label as label, t.amount,
			coalesce(g.amount, 0)::bigint as refunded_amount, coalesce(g.credit, 0)::bigint as credit_amount,
			t.captured_at as at
		from orders o
		join order_tenders t on t.business_id = o.business_id and t.order_id = o.id and t.kind <> 'card'
			and t.state = 'captured'
		left join lateral (select sum(g.amount) as amount,
				sum(g.amount) filter (where g.destination = 'account_credit' or t.kind = 'account_credit') as credit
			from refunds g where g.business_id = o.business_id and g.tender_id = t.id) g on true`+where+`
		order by t.captured_at, t.id`,
		v.Business(), value)
	pg.QueueAll(b, &later, `select p.card_brand as brand, p.card_last4 as last4, p.card_wallet as wallet, sum(`+LaterDueSQL+`)::bigint as amount, p.succeeded_at as paid_at, 'captured' as state
		from orders o
		join order_lines x on x.business_id = o.business_id and x.order_id = o.id
		join order_lines y on y.business_id = o.business_id and y.of_line_id = x.id
		join orders q on q.business_id = o.business_id and q.id = y.order_id and q.state = 'fulfilled'
		join payments p on p.business_id = o.business_id and p.order_id = q.id and p.outcome = 'fulfilled'`+where+`
		group by p.business_id, p.id order by p.succeeded_at, p.id`, v.Business(), value)
	fees.QueueGrace(b, v, &past, `select o.customer_id from orders o`+where, value)
	if err := b.Send(ctx); err != nil {
		return Receipt{}, err
	}
	if !found {
		return Receipt{}, fault.Missing()
	}
	head.WaivedAt = fees.TimesOf(past)
	head.Payments, head.Later = manualPayments, later
	return head.receipt(lines, dates, refunds), nil
}

func (r receiptRow) receipt(lines []receiptLineRow, dates []receiptDateRow, refunds []ReceiptRefund) Receipt {
	out := r.Receipt
	out.Address, out.Totals, out.Refunds = r.Address, r.Totals, refunds
	if r.PaidAmount != nil {
		out.Card = &ReceiptCard{Brand: r.CardBrand, Last4: r.CardLast4, Wallet: r.CardWallet, Amount: *r.PaidAmount, PaidAt: *r.PaidAt, State: r.CardState}
		out.Test = r.Env != processor.EnvLive
	}
	for _, l := range lines {
		line := l.line(dates)
		if line.Cover != nil {
			out.Totals.PlanAmount += line.DiscountAmount
		}
		out.Lines = append(out.Lines, line)
	}
	out.DueAmount = out.dueFor(out.Lines)
	out.Taxes()
	return out
}

func (r receiptLineRow) line(dates []receiptDateRow) ReceiptLine {
	l := r.ReceiptLine
	if r.TaxRateID != nil {
		l.Tax = &Tax{RateID: *r.TaxRateID, Name: r.TaxName, PPM: r.TaxPpm}
	}
	if r.GrantID != nil {
		l.Cover = &Cover{GrantID: *r.GrantID, Name: r.PlanName, Credits: r.Credits}
	}
	if r.Sold {
		l.PlanEnd = &PlanEnd{EndsOn: r.EndsOn, FirstUse: r.FirstUse, Count: r.Count, Unit: r.Unit}
	}
	if r.Course != nil {
		l.enrolled(*r.Course, dates)
	}
	return l
}

// enrolled makes the line one of a course: of all dates of its group.
func (l *ReceiptLine) enrolled(group uuid.UUID, dates []receiptDateRow) {
	for _, d := range dates {
		if d.GroupID != group {
			continue
		}
		l.Dates = append(l.Dates, d.CourseDate)
	}
	if len(l.Dates) == 0 {
		return
	}
	first := l.Dates[0]
	l.StartsAt, l.EndsAt, l.State = first.StartsAt, first.EndsAt, booking.CourseState(l.Dates)
	for _, d := range l.Dates {
		if d.Instructor != l.Instructor {
			l.Instructor = ""
		}
		if d.Space != l.Space {
			l.Space = ""
		}
	}
}

// Recipient is the recipient of an order's mails.
type Recipient struct{ Email, Name, Locale string }

// RecipientOf returns the recipient of an order's mails. It returns a not found error for an unknown order.
func RecipientOf(ctx context.Context, r pg.Reader, order uuid.UUID) (Recipient, error) {
	return pg.One[Recipient](ctx, r, `select c.email, c.name, `+business.ReaderLanguage+` as locale
		from orders o join customers c on c.business_id = o.business_id and c.id = o.customer_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		left join persons p on p.id = c.person_id
		where o.business_id = $1 and o.id = $2`, r.Business(), order)
}

// soldInstead returns the order by which the cart of another was sold in the end.
func soldInstead(ctx context.Context, r pg.Reader, order uuid.UUID) (id uuid.UUID, found bool, err error) {
	list, err := pg.All[struct{ ID uuid.UUID }](ctx, r, `select o.id from orders given
		join orders o on o.business_id = given.business_id and o.cart_id = given.cart_id and o.id <> given.id and o.state = 'fulfilled'
		where given.business_id = $1 and given.id = $2 limit 1`, r.Business(), order)
	if err != nil || len(list) == 0 {
		return uuid.Nil, false, err
	}
	return list[0].ID, true, nil
}
