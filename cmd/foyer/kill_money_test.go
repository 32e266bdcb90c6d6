package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/integrity"
	"foyer/app/owed"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/stripesim"
)

// Processes are killed as with kill -9 at every call to the database and to the processor in all acts on money after
// the customer has paid: the event that settles a payment, refunds to the card and as credit, a fee that is charged
// to a saved card; in a short walk at every third of them. The requests are repeated, as by clients and the outbox.
// Then each amount has changed hands once: the processor charged each payment, it refunded each requested refund, no
// payment is without its order, a fee is charged once, and the data check has no difference.
func TestMoneyKilledAtEveryCall(t *testing.T) {
	s := openKillStudio(t)
	if err := s.feesAreDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, h := s.openLane(t), s.openHand(t)
	server := mortal{cable: l.cable, stripe: s.stripe, kill: func() { l.server.kill() }, start: l.start}
	worker := mortal{cable: h.cable, stripe: s.stripe, kill: func() { h.kill() }, start: h.start}
	every := walks.Steps(3, 1)
	at := int(walks.Seed(t) % uint64(every))
	for _, act := range []struct {
		name  string
		who   mortal
		begin func(context.Context) (moneyTrial, error)
	}{
		{"an event settles a payment", worker, h.settling},
		{"a refund to the card is asked for", server, l.asking("original")},
		{"a refund to the card is made", worker, h.refunding},
		{"a refund as credit", server, l.asking("account_credit")},
		{"a fee is to be charged", server, l.collecting},
		{"a fee is charged", worker, h.charging},
	} {
		plain, err := act.begin(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", act.name, err)
		}
		act.who.arm(strikeAt{})
		err = plain.run(t.Context())
		database, processor, _ := act.who.disarm()
		if err = errors.Join(err, s.moved(t.Context(), plain)); err != nil || database == 0 {
			t.Fatalf("%s, with %d calls and nobody killed: %v", act.name, database, err)
		}
		t.Logf("%s: %d calls to the database, %d to the processor", act.name, database, processor)
		for n := 1; n <= database+processor; n++ {
			for _, after := range []bool{false, true} {
				d := strikeAt{n: n, after: after}
				if n > database {
					d.processor, d.n = true, n-database
				} else if at++; at%every != 0 {
					continue
				}
				if err := s.dies(t.Context(), act.who, d, act.begin); err != nil {
					t.Errorf("%s, killed %v: %v", act.name, d, err)
				}
			}
		}
	}
	s.sums(t)
}

// moneyTrial is something that moves money when it is run, and once however often it is.
type moneyTrial struct {
	run     func(context.Context) error
	payment string                                // ours; empty: find
	find    func(context.Context) (string, error) // it is made by running
	want    string                                // its rows then: moneySQL
	made    int                                   // payments at the processor
}

// dies begins something, has the process die of it, and does it again.
func (s *killStudio) dies(ctx context.Context, m mortal, at strikeAt, begin func(context.Context) (moneyTrial, error)) error {
	trial, err := begin(ctx)
	if err != nil {
		return err
	}
	m.arm(at)
	err = trial.run(ctx)
	if _, _, struck := m.disarm(); !struck {
		return errors.Join(errors.New("it lives"), err)
	}
	if err := errors.Join(m.start(), s.healthy(ctx), trial.run(ctx), s.x.jobs.Sweeps(ctx)); err != nil {
		return err
	}
	return s.moved(ctx, trial)
}

// healthy returns the differences of the data check.
func (s *killStudio) healthy(ctx context.Context) error {
	r, err := integrity.CheckBusiness(ctx, s.x.db.View(s.owner.Tenant), assembly.Checks()...)
	if err == nil && len(r.Differences) > 0 {
		err = fmt.Errorf("integrity finds %+v", r.Differences)
	}
	return err
}

// moneySQL has all rows of a payment: its state and outcome, its order, and its refunds with their destinations, with
// the entries of each in the books.
const moneySQL = `select concat_ws('; ', p.status || ' ' || p.outcome, 'order ' || o.state,
	(select count(*) || ' sale' from ledger_entries where source_kind = 'payment' and source_id = p.id::text),
	(select string_agg(r.amount || ' ' || r.state || ' ' || r.destination || ' with ' || (select count(*) from ledger_entries e
		where e.source_kind = 'refund' and e.source_id = r.id::text) || ' entry', ', ' order by r.created_at, r.id) from refunds r where r.payment_id = p.id),
	(select 'credit ' || sum(m.amount) from credit_transactions m join refunds r on r.id = m.refund_id where r.payment_id = p.id))
	from payments p join orders o on o.id = p.order_id where p.id = $1`

// moved returns the errors of a payment, here and at the processor.
func (s *killStudio) moved(ctx context.Context, trial moneyTrial) error {
	if trial.find != nil {
		var err error
		if trial.payment, err = trial.find(ctx); err != nil {
			return err
		}
	}
	got, err := s.text(ctx, moneySQL, trial.payment)
	if err != nil {
		return err
	}
	if got != trial.want {
		return fmt.Errorf("there is %q, want %q", got, trial.want)
	}
	order, err := s.text(ctx, "select order_id::text from payments where id = $1", trial.payment)
	if err == nil && s.stripe.payments(order) != trial.made {
		err = fmt.Errorf("%d payments were made at the processor", s.stripe.payments(order))
	}
	return errors.Join(err, s.healthy(ctx))
}

// sums compares all payments and refunds with the processor's charges and refunds.
func (s *killStudio) sums(t *testing.T) {
	t.Helper()
	s.clock.Advance(3 * time.Second) // until the processor has booked the last of them
	s.Sim.Flush(t.Context())
	charged, refunded, _, err := s.Sim.Totals(simulated(s.account))
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.text(t.Context(), `select (select sum(amount) from payments where status = 'succeeded') || ' ' ||
		(select sum(amount) from refunds where state = 'succeeded' and destination = 'original')`)
	if got := fmt.Sprint(charged, " ", refunded); err != nil || got != want {
		t.Errorf("the processor took and gave back %s, the rows say %s: %v", got, want, err)
	}
	orphans, err := s.text(t.Context(), `select count(*)::text from payments p where status = 'succeeded' and outcome = 'fulfilled'
		and not exists (select from orders o where o.id = p.order_id and o.state = 'fulfilled')`)
	if err != nil || orphans != "0" {
		t.Errorf("%s payments have no order that is fulfilled: %v", orphans, err)
	}
}

// feesAreDue makes every cancellation late, which costs 5.00.
func (s *killStudio) feesAreDue(ctx context.Context) error {
	rules := catalog.StandardRules()
	rules.PayAtStudio, rules.Cancel.LateFromMinutes, rules.Cancel.FreeUntilMinutes, rules.Cancel.LateFeeAmount = true, 30*24*60, 30*24*60, 500
	p, err := s.x.Catalog.CreatePolicy(ctx, s.owner, catalog.CreatePolicyInput{Name: "Always late", Rules: rules})
	if err != nil {
		return err
	}
	_, err = s.x.Catalog.PutLocationPolicy(ctx, s.owner, catalog.PutLocationPolicyInput{LocationID: s.locations[0].ID, PolicyID: &p.ID})
	return err
}

// paid is a payment with a charged card; it is not settled yet.
func (s *killStudio) paid(ctx context.Context) (sc tenancy.Scope, cart, payment string, err error) {
	s.mu.Lock()
	s.customers++
	email := fmt.Sprintf("payer%d@ninelives.example.com", s.customers)
	s.mu.Unlock()
	who, err := s.Actor(ctx, email, uuid.Nil)
	if err != nil {
		return sc, "", "", err
	}
	sc = tenancy.Visitor(who.Principal, s.owner.Tenant, tenancy.SurfaceAPI)
	g, err := s.take(true)
	if err != nil {
		return sc, "", "", err
	}
	c, err := s.x.Checkout.Create(ctx, sc, checkout.CreateInput{LocationID: s.locations[0].ID})
	if err == nil {
		_, err = s.x.Checkout.AddItem(ctx, sc, c.Token, checkout.AddItemInput{OccurrenceID: g.date})
	}
	if err == nil {
		_, err = s.x.Checkout.Hold(ctx, sc, c.Token, checkout.HoldInput{})
	}
	if err != nil {
		return sc, "", "", err
	}
	full, err := s.x.Checkout.Cart(ctx, sc, c.Token)
	if err != nil {
		return sc, "", "", err
	}
	ready, err := s.x.Checkout.Pay(ctx, sc, c.Token, checkout.PayInput{
		QuotedAmount: full.Totals.TotalAmount, How: &checkout.How{Consent: &billing.Consent{Text: "Keep my card.", Version: billing.ConsentVersion}},
	})
	if err == nil {
		_, err = s.Sim.PayByCard(ready.ClientSecret, "4242424242424242")
	}
	if err != nil {
		return sc, "", "", err
	}
	payment, err = s.text(ctx, `select p.id::text from payments p join orders o on o.id = p.order_id where o.cart_id = $1`, c.ID)
	return sc, c.Token, payment, err
}

// bought is a payment of 23.95 that is settled.
func (s *killStudio) bought(ctx context.Context) (payment string, customer uuid.UUID, err error) {
	sc, cart, payment, err := s.paid(ctx)
	if err == nil {
		_, err = s.x.Checkout.Confirm(ctx, sc, cart)
	}
	if err != nil {
		return "", uuid.Nil, err
	}
	id, err := s.text(ctx, "select o.customer_id::text from orders o join payments p on p.order_id = o.id where p.id = $1", payment)
	if err != nil {
		return "", uuid.Nil, err
	}
	customer, err = uuid.Parse(id)
	return payment, customer, err
}

const fulfilledSale = "succeeded fulfilled; order fulfilled; 1 sale"

// settling is the event of a payment whose customer has not returned.
func (h *hand) settling(ctx context.Context) (moneyTrial, error) {
	_, _, payment, err := h.paid(ctx)
	if err != nil {
		return moneyTrial{}, err
	}
	intent, err := h.text(ctx, "select intent from payments where id = $1", payment)
	if err != nil {
		return moneyTrial{}, err
	}
	event := "evt_" + payment
	raw, err := json.Marshal(map[string]any{
		"id": event, "object": "event", "type": "payment_intent.succeeded", "account": h.account, "livemode": false,
		"created": h.clock.Now().Unix(), "api_version": stripesim.APIVersion,
		"data": map[string]any{"object": map[string]any{"id": intent, "object": "payment_intent"}},
	})
	if err != nil {
		return moneyTrial{}, err
	}
	err = h.x.Billing.ReceiveWebhook(ctx, processor.EndpointConnect, raw, stripesim.Sign(raw, stripesim.DefaultWebhookSecret, h.clock.Now()))
	return h.trial(ctx, err, payment, fulfilledSale, billing.WebhookJob{}.Kind(), "event", event)
}

// trial is a job of the outbox, by a field of it.
func (h *hand) trial(ctx context.Context, err error, payment, want, kind, field, value string) (moneyTrial, error) {
	if err != nil {
		return moneyTrial{}, err
	}
	args, err := h.text(ctx, "select args::text from river.river_job where kind = $1 and args->>$2 = $3", kind, field, value)
	e := errand{Kind: kind, Args: json.RawMessage(args)}
	return moneyTrial{run: func(context.Context) error { return h.run(e) }, payment: payment, want: want, made: 1}, err
}

// asking is a refund of 10.00 requested by staff.
func (l *lane) asking(to string) func(context.Context) (moneyTrial, error) {
	return func(ctx context.Context) (moneyTrial, error) {
		payment, _, err := l.bought(ctx)
		if err != nil {
			return moneyTrial{}, err
		}
		want := fulfilledSale + "; 1000 pending original with 0 entry"
		if to == "account_credit" {
			want = fulfilledSale + "; 1000 succeeded account_credit with 1 entry; credit 1000"
		}
		run := func(ctx context.Context) error {
			_, err := l.ask(ctx, ask{
				method: "POST", path: "/businesses/" + l.owner.Tenant.String() + "/payments/" + payment + "/refunds", token: l.manager,
				body: fmt.Sprintf(`{"amount":1000,"reason":"requested","note":"as agreed","destination":%q}`, to), key: payment,
			})
			return err
		}
		return moneyTrial{run: run, payment: payment, want: want, made: 1}, nil
	}
}

// refunding is a requested refund of 10.00.
func (h *hand) refunding(ctx context.Context) (moneyTrial, error) {
	payment, _, err := h.bought(ctx)
	if err != nil {
		return moneyTrial{}, err
	}
	id, err := uuid.Parse(payment)
	if err != nil {
		return moneyTrial{}, err
	}
	amount := int64(1000)
	_, err = h.x.Sales.Refund(ctx, h.owner, sales.RefundInput{PaymentID: id, Amount: &amount, Reason: "requested", Note: "as agreed"})
	if err != nil {
		return moneyTrial{}, err
	}
	refund, err := h.text(ctx, "select id::text from refunds where payment_id = $1", payment)
	return h.trial(ctx, err, payment, fulfilledSale+"; 1000 succeeded original with 1 entry", billing.RefundJob{}.Kind(), "refund", refund)
}

// late is a fee of 5.00 due from a customer with a saved card.
func (s *killStudio) late(ctx context.Context) (customer uuid.UUID, err error) {
	_, customer, err = s.bought(ctx)
	if err != nil {
		return customer, err
	}
	g, err := s.take(false)
	if err != nil {
		return customer, err
	}
	b, err := s.x.Booking.Book(ctx, s.owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: g.date})
	if err == nil {
		_, err = s.x.Booking.Cancel(ctx, s.owner, booking.CancelInput{BookingID: b.Booking.ID, By: booking.ByCustomer})
	}
	return customer, err
}

// feePayment is the payment of a customer's fee.
func (s *killStudio) feePayment(ctx context.Context, customer uuid.UUID) (string, error) {
	return s.text(ctx, `select p.id::text from payments p join orders o on o.id = p.order_id where o.customer_id = $1 and o.cart_id is null`, customer)
}

// collecting is a fee that staff have charged.
func (l *lane) collecting(ctx context.Context) (moneyTrial, error) {
	customer, err := l.late(ctx)
	if err != nil {
		return moneyTrial{}, err
	}
	trial := moneyTrial{want: "new ; order open; 0 sale"}
	trial.find = func(ctx context.Context) (string, error) { return l.feePayment(ctx, customer) }
	trial.run = func(ctx context.Context) error {
		_, err := l.ask(ctx, ask{
			method: "POST", path: "/businesses/" + l.owner.Tenant.String() + "/customers/" + customer.String() + "/balance/collect",
			token: l.manager, body: `{}`, key: customer.String(),
		})
		return err
	}
	return trial, nil
}

// charging is a fee that is to be charged.
func (h *hand) charging(ctx context.Context) (moneyTrial, error) {
	customer, err := h.late(ctx)
	if err == nil {
		_, err = h.x.Owed.Collect(ctx, h.owner, owed.CollectInput{CustomerID: customer})
	}
	if err != nil {
		return moneyTrial{}, err
	}
	payment, err := h.feePayment(ctx, customer)
	if err != nil {
		return moneyTrial{}, err
	}
	order, err := h.text(ctx, "select order_id::text from payments where id = $1", payment)
	return h.trial(ctx, err, payment, fulfilledSale, owed.ChargeJob{}.Kind(), "order", order)
}
