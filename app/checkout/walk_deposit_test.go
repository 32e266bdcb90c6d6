package checkout_test

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/billing"
)

// deposits are the deposits by price.
var deposits = map[int64]catalog.DepositRules{1900: {Percent: 40, BalanceMinutes: 18 * 60}, 3500: {Amount: 1000, NonRefundable: true, BalanceMinutes: 24 * 60}}

// keptDeposits are the lines x with a non-refundable deposit: those cancelled in time without a pending decision of
// the studio.
const keptDeposits = `select from order_lines x join bookings b on b.id = x.booking_id and b.state = 'cancelled'
	join orders o on o.id = x.order_id and o.state = 'fulfilled'
	where x.non_refundable_amount > 0 and (select t.from_state from booking_transitions t where t.booking_id = b.id order by t.created_at desc, t.id desc limit 1) = 'confirmed'`

// deposited returns a booking with a deposit that was not refunded at the desk, and that can be cancelled free of
// charge; if there is none, a customer books one now.
func (k *walker) deposited() (who tenancy.Scope, id uuid.UUID, err error) {
	if !deposits[k.price].Required() {
		return who, id, nothing
	}
	some := `select b.id from bookings b
		join order_lines x on x.booking_id = b.id
		join orders o on o.id = x.order_id and o.state = 'fulfilled' and o.cart_id is not null and o.total_amount >
			(select coalesce(
				sum(t.amount - t.service_fee_amount), 0) from order_tenders t where t.order_id = o.id and t.position > 0)
		where b.state = 'confirmed' and b.balance_requested_at is null and b.starts_at > $1
			and (exists (select from tender_parts a join order_tenders t on t.id = a.tender_id and t.kind = 'card'
				where a.line_id = x.id)
					and exists (select from payments p where p.order_id = o.id and p.outcome = 'fulfilled')
				or (select sum(a.amount - ` + billing.RefundedPartSQL("x.business_id", "a") + `)
					from tender_parts a join order_tenders t on t.id = a.tender_id and t.kind <> 'card' and t.state = 'captured'
					where a.line_id = x.id) > 0)`
	early := k.w.Clock.Now().Add(25 * time.Hour)
	if id, err = k.some(some, early); err != nil {
		if err = k.payDeposit(); err == nil {
			id, err = k.some(some, early)
		}
	}
	if err != nil {
		return who, id, err
	}
	for _, who := range k.people {
		if k.value("select exists (select from bookings b join customers c on c.id = b.customer_id where b.id = $1 and c.person_id = $2)", id, who.Person()) {
			return who, id, nil
		}
	}
	return who, id, nothing
}

// payDeposit has a customer pay a deposit for an upcoming time, and save their card.
func (k *walker) payDeposit() error {
	ctx, who := k.t.Context(), k.people[k.r.IntN(len(k.people))]
	c, err := k.Checkout.Create(ctx, who, checkout.CreateInput{LocationID: k.Location.ID})
	if err == nil {
		slot := checkout.Slot{OfferingID: k.services[0], StartsAt: k.slot().Add(24 * time.Hour), Party: 1}
		_, err = k.Checkout.AddItem(ctx, who, c.Token, checkout.AddItemInput{Slot: &slot})
	}
	if err == nil {
		_, err = k.Checkout.Hold(ctx, who, c.Token, checkout.HoldInput{})
	}
	if err == nil {
		c.Cart, err = k.Checkout.Cart(ctx, who, c.Token)
	}
	var p checkout.Payment
	if err == nil {
		p, err = k.Checkout.Pay(ctx, who, c.Token, checkout.PayInput{QuotedAmount: c.Totals.DueNow(), How: &checkout.How{Consent: agreed}})
	}
	if err != nil {
		return err
	}
	if _, err := k.Sim.PayByCard(p.ClientSecret, apptest.CardGood); err != nil {
		return nothing
	}
	_, err = k.Checkout.Confirm(ctx, who, c.Token)
	return err
}

// payBalance has a customer pay the balance of their deposit by a typed card, or only view it.
func (k *walker) payBalance() error {
	who, id, err := k.deposited()
	if err != nil {
		return err
	}
	link, err := k.Owed.PayBalance(k.t.Context(), who, id)
	if err != nil {
		return err
	}
	p, err := k.Owed.Pay(k.t.Context(), who, link)
	if err != nil {
		return err
	}
	k.secrets = append(k.secrets, p.ClientSecret)
	if k.r.IntN(3) == 0 {
		return nothing
	}
	if _, err := k.Sim.PayByCard(p.ClientSecret, apptest.CardGood); err != nil {
		return nothing
	}
	return k.Owed.Paid(k.t.Context(), who, link)
}

// chargeBalances advances to the time of a deposit's balance, and has it charged.
func (k *walker) chargeBalances() error {
	_, id, err := k.deposited()
	if err != nil {
		return err
	}
	b, err := k.Booking.Get(k.t.Context(), k.Owner, id)
	if err != nil {
		return err
	}
	from, _ := b.Rules.Deposit.BalanceDueFrom(b.StartsAt)
	k.w.Clock.Advance(max(0, from.Sub(k.w.Clock.Now()))) // time does not run backwards
	if err := k.sweep(); err != nil {
		return err
	}
	if err := k.Owed.ChargeAll(k.t.Context()); err != nil {
		return err
	}
	if !k.value(`select state <> 'confirmed' or balance_requested_at is not null or exists (select from order_lines x join orders o on o.id = x.order_id and o.state = 'open'
		where x.booking_id = b.id) from bookings b where id = $1`, id) {
		k.t.Errorf("it is time for the rest of booking %s, and nobody asked for it", id)
	}
	return nil
}

// cancelDeposit cancels a booking with a deposit in time.
func (k *walker) cancelDeposit() error {
	who, id, err := k.deposited()
	if err != nil {
		return err
	}
	did, err := k.Booking.CancelMine(k.t.Context(), who, id)
	if kept := did.Done.NonRefundableAmount > 0; err == nil && kept != deposits[k.price].NonRefundable {
		k.t.Errorf("booking %s was cancelled in time, and of its deposit %+v", id, did.Done)
	}
	return err
}
