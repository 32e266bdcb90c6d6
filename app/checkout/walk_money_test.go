package checkout_test

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/credit"
)

// payCart pays a held cart.
func (k *walker) payCart() error {
	who, token, err := k.held()
	if err != nil {
		return err
	}
	return k.payFor(who, token)
}

// buy is the usual path: add to a cart, hold it and pay.
func (k *walker) buy() error {
	if k.price == 0 {
		return nothing
	}
	who, token, err := k.holdSomething()
	if err != nil {
		return err
	}
	return k.payFor(who, token)
}

// holdSomething holds a cart that is new.
func (k *walker) holdSomething() (tenancy.Scope, string, error) {
	i, who := k.somebody()
	c, err := k.Checkout.Create(k.t.Context(), who, checkout.CreateInput{LocationID: k.Location.ID})
	k.carts[i] = c.Token
	if err == nil {
		err = []func(tenancy.Scope, string) error{k.addDate, k.addTime, k.addCourse}[k.r.IntN(3)](who, c.Token)
	}
	if err == nil {
		_, err = k.Checkout.Hold(k.t.Context(), who, c.Token, checkout.HoldInput{})
	}
	return who, c.Token, err
}

// payFor pays a held cart by card and, more often than not, returns to confirm it. Some leave the page before they
// pay, some cards are declined, and some close the browser during the payment: then the processor's event has to
// fulfil it.
func (k *walker) payFor(who tenancy.Scope, token string) error {
	ctx := k.t.Context()
	c, err := k.Checkout.Cart(ctx, who, token)
	if err != nil {
		return err
	}
	if c.Totals.CreditAmount() > 0 && c.Totals.DueNow() == 0 {
		_, err = k.Checkout.Confirm(ctx, who, token)
		return err
	}
	in := checkout.PayInput{QuotedAmount: c.Totals.DueNow()}
	if all := true; c.Deposit != nil && k.r.IntN(3) == 0 {
		in.InFull, in.QuotedAmount = &all, c.Deposit.FullAmount
	}
	if k.r.IntN(2) == 0 {
		in.How = &checkout.How{Consent: agreed}
	}
	p, err := k.Checkout.Pay(ctx, who, token, in)
	if err != nil {
		return err
	}
	k.secrets = append(k.secrets, p.ClientSecret)
	switch k.r.IntN(8) {
	case 0:
		return nothing
	case 1:
		if _, err := k.Sim.PayByCard(p.ClientSecret, apptest.CardDeclined); err != nil {
			return nothing // it is paid already
		}
		return nothing
	}
	if _, err := k.Sim.PayByCard(p.ClientSecret, apptest.CardGood); err != nil {
		return nothing
	}
	if k.r.IntN(3) > 0 {
		_, err = k.Checkout.Confirm(ctx, who, token)
	}
	return err
}

// useCredit has a customer's credit pay first for something, or not. Now and then they have a part of the price, or
// more than enough: a customer with much credit never needs a card for the balance.
func (k *walker) useCredit() error {
	if k.price == 0 {
		return nothing
	}
	who, token, err := k.holdSomething()
	if err != nil {
		return err
	}
	customer, err := k.some("select id from customers where person_id = $1", who.Person())
	if has := k.balance(customer); err == nil && k.r.IntN(2) == 0 {
		want := 1 + k.r.Int64N([]int64{k.price, 20 * k.price}[k.r.IntN(2)])
		if want != has {
			_, err = credit.New(k.w.DB).Adjust(k.t.Context(), k.Owner, credit.AdjustInput{
				CustomerID: customer, LocationID: k.Location.ID, Amount: want - has, Note: "as agreed",
			})
		}
	}
	if err == nil {
		_, err = k.Checkout.UseCredit(k.t.Context(), who, token, k.r.IntN(5) > 0)
	}
	if err != nil || k.r.IntN(4) == 0 {
		return err
	}
	return k.payFor(who, token)
}

// balance is the account credit of a customer, minor units.
func (k *walker) balance(customer uuid.UUID) int64 {
	return apptest.Value[int64](k.t, k.w, "select coalesce(sum(balance), 0)::bigint from credits where customer_id = $1", customer)
}

// payLate pays in a tab that was left open, whatever has become of the seats since.
func (k *walker) payLate() error {
	if len(k.secrets) == 0 {
		return nothing
	}
	if _, err := k.Sim.PayByCard(k.secrets[k.r.IntN(len(k.secrets))], apptest.CardGood); err != nil {
		return nothing // the processor takes no money for it any more
	}
	return nil
}

// payTooLate goes to the payment, thinks for longer than the seat is kept, and pays when guests have it.
func (k *walker) payTooLate() error {
	date, err := k.date()
	if err != nil || k.price == 0 {
		return nothing
	}
	ctx, who := k.t.Context(), k.people[k.r.IntN(len(k.people))]
	c, err := k.Checkout.Create(ctx, who, checkout.CreateInput{LocationID: k.Location.ID})
	if err == nil {
		_, err = k.Checkout.AddItem(ctx, who, c.Token, checkout.AddItemInput{OccurrenceID: date})
	}
	if err == nil {
		_, err = k.Checkout.Hold(ctx, who, c.Token, checkout.HoldInput{})
	}
	var p checkout.Payment
	if err == nil {
		c.Cart, err = k.Checkout.Cart(ctx, who, c.Token)
	}
	if err == nil {
		p, err = k.Checkout.Pay(ctx, who, c.Token, checkout.PayInput{QuotedAmount: c.Totals.DueNow()})
	}
	if err != nil {
		return err
	}
	k.w.Clock.Advance(booking.HoldLife + time.Minute)
	if err = k.Booking.ExpireDue(ctx); err == nil {
		err = k.fillUp(date)
	}
	if err != nil {
		return err
	}
	if _, err := k.Sim.PayByCard(p.ClientSecret, apptest.CardGood); err != nil {
		return nothing
	}
	return nil
}

// wrongMoney returns the errors in the payments, found in another way than by package integrity: from the fate of
// each seat. All that was paid for a seat is refunded if its studio took it away, declined it, or the customer
// cancelled in time, and else nothing of it. A late payment is refunded in full. A course, of which the studio may
// take single dates away, is only checked against its bounds. A non-refundable deposit stays if its customer cancels
// in time: of the card payments for the seat, the deposit's own first, and only then of the payment with credit. The
// last instant of a refund is the first in which it is late. Nobody is charged for a seat that costs nothing.
func (k *walker) wrongMoney() []string {
	type row struct {
		ID      uuid.UUID
		Outcome string
		// Failed: a partial refund whose job did not run for a day. It is unknown whether it was submitted, and it is
		// still to be made.
		Amount, Back, Failed, Ended, Free, All int64
		Course                                 bool
	}
	rows, err := pg.All[row](k.t.Context(), k.w.DB.View(k.Business.ID), `select p.id, p.outcome, p.amount,
			coalesce((select sum(r.amount) from refunds r where r.business_id = p.business_id and r.payment_id = p.id
				and r.state not in ('failed', 'canceled')), 0)::bigint as back,
			coalesce((select sum(r.amount) from refunds r where r.business_id = p.business_id and r.payment_id = p.id
				and r.state = 'failed'), 0)::bigint as failed,
			coalesce(sum(on_card.amount - on_card.kept) filter (where b.state in ('cancelled', 'studio_cancelled', 'declined') or due.back), 0)::bigint as ended,
			count(x.id) filter (where x.listed_amount = 0) as free,
			coalesce(sum(paid.amount), 0)::bigint as "all",
			coalesce(bool_or(f.enrolment = 'series'), false) as course
		from payments p
		join orders o on o.business_id = p.business_id and o.id = p.order_id
		join order_lines x on x.business_id = p.business_id and x.order_id = p.order_id and x.fee_id is null
		join bookings b on b.business_id = x.business_id and b.id = x.booking_id
		cross join lateral (select b.state = 'late_cancelled' and b.cancelled_at <= b.starts_at - (b.policy #>> '{cancel,freeUntilMinutes}')::int * interval '1 minute' as back) due
		cross join lateral (select coalesce((select sum(i.amount) from tender_parts i
				join order_tenders t on t.business_id = i.business_id and t.id = i.tender_id and t.kind = 'card'
				where i.business_id = p.business_id and i.line_id = x.id), 0) as amount,
			coalesce((select max(y.non_refundable_amount) from order_lines y where y.business_id = b.business_id and y.booking_id = b.id and y.fee_id is null), 0) as deposit,
			coalesce((select sum(i.amount) from tender_parts i
				join order_tenders t on t.business_id = i.business_id and t.id = i.tender_id and t.kind = 'card'
				join payments q on q.business_id = t.business_id and q.order_id = t.order_id and q.outcome = 'fulfilled'
				where i.business_id = b.business_id and i.line_id = x.of_line_id), 0) as before) paid
		cross join lateral (select paid.amount, case when (b.state = 'cancelled' or due.back) and (select t.from_state from booking_transitions t
				where t.business_id = b.business_id and t.booking_id = b.id order by t.created_at desc, t.id desc limit 1) = 'confirmed'
			then least(greatest(paid.deposit - paid.before, 0), paid.amount) else 0 end as kept) on_card
		join offerings f on f.business_id = b.business_id and f.id = b.offering_id
		where p.business_id = $1 and p.status = 'succeeded'
		group by p.business_id, p.id, p.outcome, p.amount`, k.Business.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	var wrong []string
	say := func(r row, what string) {
		wrong = append(wrong, what+": payment "+r.ID.String())
		k.t.Logf("%+v", r)
	}
	for _, r := range rows {
		switch {
		case r.Back < 0 || r.Back > r.Amount:
			say(r, "more goes back than was paid")
		case r.Amount != r.All:
			say(r, "what was paid is not what the seats cost")
		case r.Outcome == "refunded" && r.Back+r.Failed < r.Amount:
			say(r, "money without a seat is kept")
		case r.Outcome == "fulfilled" && !r.Course && (r.Back > r.Ended || r.Back+r.Failed < r.Ended):
			say(r, "what is kept is not what the seats say")
		}
	}
	if charged := k.value(`select exists (select from orders o join payments p on p.business_id = o.business_id and p.order_id = o.id
		where o.business_id = $1 and o.total_amount = 0)`, k.Business.ID); charged || k.price == 0 && len(k.secrets) > 0 {
		wrong = append(wrong, "somebody was charged for what costs nothing")
	}
	return wrong
}
