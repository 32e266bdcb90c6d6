package checkout_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// withSavedCard is a shop with a customer who has saved a card: by a purchase of 22.00.
func withSavedCard(t testing.TB, card string) (shop, tenancy.Scope, uuid.UUID) {
	t.Helper()
	s := charging(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, card)
	s.jobs(t)
	s.feeMode(t, billing.ModeCustomer)
	return s, ada, s.customer(t, ada)
}

// balances are the payments of orders without a cart, by their amount, with the platform's fee and the states of
// payment and order.
func (s shop) balances(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select coalesce(string_agg(p.amount || ' fee ' || p.fee_amount || ' ' || p.status || ' ' || o.state, ', ' order by o.created_at, p.attempt), '')
		from payments p join orders o on o.id = p.order_id where o.cart_id is null`)
}

// A desk booking is charged to the saved card: the price with its tax, once for any number of requests, with the
// platform's fee and no service fee, in the books like any sale by card; the customer is mailed, and it is no longer
// due.
func TestA24_CollectWhatTheDeskBooked(t *testing.T) {
	s, ada, who := withSavedCard(t, cardAsksOnce)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	b := s.byDesk(t, ada, s.class(t, 2000, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }))
	income := s.holds(t, ledger.IncomeClass)
	for range 2 {
		got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{b.ID}})
		if must(t, got, err); got.Amount != 2178 || len(got.Lines) != 1 || got.Lines[0].BookingID != b.ID || got.Card.Last4 == "" {
			t.Errorf("%+v", got)
		}
	}
	if m := s.money(t, b); m.Due != 2178 || m.Paid != 0 {
		t.Errorf("before it is charged: %+v", m)
	}
	s.jobs(t)
	if got := s.balances(t); got != "2178 fee 44 succeeded fulfilled" {
		t.Error(got)
	}
	if m := s.money(t, b); m.Due != 0 || m.Paid != 2178 || m.PaidAtStudio != 0 || m.OrderRefunded != 0 {
		t.Errorf("paid: %+v", m)
	}
	if tax := s.holds(t, ledger.Tax(rate.ID)); tax != -178 || s.holds(t, ledger.IncomeClass)-income != -2000 {
		t.Errorf("tax %d, income %d more", tax, s.holds(t, ledger.IncomeClass)-income)
	}
	if got := s.mails(ada); got[len(got)-1] != "fee charged" {
		t.Errorf("mails: %v", got)
	}
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(order))
	if must(t, r, err); !r.Desk || r.Card == nil || r.Totals.TotalAmount != 2178 || r.Totals.TaxAmount != 178 || r.Totals.ServiceFeeAmount != 0 || r.DueAmount != 0 || r.Lines[0].Fee != "" {
		t.Errorf("receipt: %+v", r)
	}
	_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	refused(t, "nothing is owed", err, checkout.ErrNothingToPay)
	s.check(t)
}

// An order that was to be paid at the studio is paid by a saved card after cash paid a part of one of its lines: the
// balance of the line with the remainder of its tax. The order is unchanged, and its receipt shows the payment. With
// a fee beside, and nothing selected, all is charged.
func TestCollectTheBalanceOfAnOrder(t *testing.T) {
	for _, mode := range []business.TaxMode{business.TaxExclusive, business.TaxInclusive} {
		s, ada, who := withSavedCard(t, apptest.CardGood)
		fee := s.lateCancel(t, ada, "")
		rate := s.AddTaxRate(t, "Sales tax", 88750)
		s.w.SQL(t, "update locations set tax_mode = $1", mode)
		a, b := s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }), s.class(t, 1000, 3)
		token := s.Fill(t, a, b)
		s.hold(t, ada, token)
		total := s.cart(t, token).AtStudio.TotalAmount
		sold := s.atStudio(t, ada, token, total)
		_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			BookingIDs: []uuid.UUID{sold.Lines[0].BookingID}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 701}},
		})
		must(t, 0, err)
		before := s.holds(t, ledger.IncomeClass) + s.holds(t, ledger.Tax(rate.ID))
		got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
		if must(t, got, err); got.Amount != total-701+500 || len(got.Lines) != 3 {
			t.Fatalf("%s: %+v of %d", mode, got, total)
		}
		s.jobs(t)
		if m := s.money(t, s.bookingOf(t, ada, sold.Lines[0].BookingID)); m.Due != 0 || m.PaidAtStudio != 701 || m.Paid != total-1000-701 {
			t.Errorf("%s: the first line: %+v", mode, m)
		}
		if m := s.money(t, s.bookingOf(t, ada, sold.Lines[1].BookingID)); m.Due != 0 || m.Paid != 1000 {
			t.Errorf("%s: the second line: %+v", mode, m)
		}
		if after := s.holds(t, ledger.IncomeClass) + s.holds(t, ledger.Tax(rate.ID)); before-after != total-701+500 || s.fee(t, fee) != "paid " {
			t.Errorf("%s: %d of income and tax, the fee is %s", mode, before-after, s.fee(t, fee))
		}
		if tax := s.holds(t, ledger.Tax(rate.ID)); tax != -sold.Totals.TaxAmount {
			t.Errorf("%s: tax is %d of %d", mode, tax, sold.Totals.TaxAmount)
		}
		r := s.receipt(t, sold.Receipt)
		if r.DueAmount != 0 || r.Totals.TotalAmount != total || len(r.Payments) != 1 || len(r.Later) != 1 || r.Later[0].Amount != total-701 || r.Later[0].Last4 != "4242" {
			t.Errorf("%s: receipt: %+v", mode, r)
		}
		s.check(t)
	}
}

// A course is charged once, by whichever of its dates.
func TestCollectForACourse(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	course, _ := s.course(t, 3, 6000, 5)
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: ada.Email}, OfferingID: course.ID})
	must(t, made, err)
	for _, id := range apptest.Values[uuid.UUID](t, s.w, "select id from bookings where group_id is not null order by starts_at desc") {
		got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{id}})
		if must(t, got, err); got.Amount != 6000 {
			t.Errorf("%+v", got)
		}
	}
	s.jobs(t)
	if m := s.money(t, made.Booking.Booking); m.Due != 0 || m.Paid != 6000 ||
		s.balances(t) != "6000 fee 120 succeeded fulfilled" {
		t.Errorf("%+v, %s", m, s.balances(t))
	}
	s.check(t)
}

// A later payment by saved card is refunded by the rules, like any payment: the quoted cost is the cost.
func TestCollectedAndCancelled(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	b := s.byDesk(t, ada, s.class(t, 2200, 3))
	_, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	must(t, 0, err)
	s.jobs(t)
	of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{s.bookingOf(t, ada, b.ID)})
	if stake := must(t, of, err)[b.ID]; stake.PriceAmount != 2200 || stake.DueAmount != 0 {
		t.Errorf("at stake: %+v", stake)
	}
	done, err := s.Booking.CancelMine(t.Context(), mine(ada), b.ID)
	if must(t, done, err); done.Done.RefundAmount != 2200 {
		t.Errorf("%+v", done.Done)
	}
	s.jobs(t)
	if m := s.money(t, s.bookingOf(t, ada, b.ID)); m.Due != 0 || m.Paid != 2200 || m.OrderRefunded != 2200 {
		t.Errorf("refunds: %+v", m)
	}
	s.check(t)
}

// The price of a booking at the studio that grew is due by two lines: its order's, and one that is in none yet. One
// payment pays both, and its refund is shown once.
func TestCollectWhatGrew(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, ada, token)
	b := s.bookingOf(t, ada, s.atStudio(t, ada, token, 2200).Lines[0].BookingID)
	two := 2
	_, err := s.Booking.Edit(t.Context(), s.Owner, booking.EditInput{BookingID: b.ID, Party: &two, Version: b.Version, Difference: booking.DifferenceLater})
	must(t, 0, err)
	got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	if must(t, got, err); got.Amount != 4400 || len(got.Lines) != 2 {
		t.Fatalf("%+v", got)
	}
	s.jobs(t)
	if m := s.money(t, b); m.Due != 0 || m.Paid != 4400 || s.balances(t) != "4400 fee 88 succeeded fulfilled" {
		t.Errorf("%+v, %s", m, s.balances(t))
	}
	done, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: b.ID, By: booking.ByStudio})
	if must(t, done, err).Done.RefundAmount != 4400 {
		t.Errorf("%+v", done.Done)
	}
	s.jobs(t)
	if m := s.money(t, b); m.Due != 0 || m.Paid != 4400 || m.OrderRefunded != 4400 {
		t.Errorf("refunds: %+v", m)
	}
	s.check(t)
}

// After a decline, or if the bank requires a check, the price stays due: the studio sees the reason, the customer is
// mailed once with a link to pay it themselves.
func TestCollectDeclined(t *testing.T) {
	s, ada, who := withSavedCard(t, cardDeclinesSaved)
	b := s.byDesk(t, ada, s.class(t, 2200, 3))
	for range 2 {
		_, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
		must(t, 0, err)
		s.jobs(t)
	}
	if m := s.money(t, b); m.Due != 2200 || m.Paid != 0 {
		t.Errorf("declined: %+v", m)
	}
	if got := apptest.Value[string](t, s.w, "select state || ' ' || charge_failed from orders where cart_id is null"); got != "open generic_decline" {
		t.Error(got)
	}
	c, found, err := s.Owed.ChargeOf(t.Context(), s.Owner, b)
	if !found || err != nil || c.Failed != "generic_decline" || c.Amount != 2200 {
		t.Errorf("the studio sees %+v, %v, %v", c, found, err)
	}
	// it was tried twice
	if n := len(slices.DeleteFunc(s.mails(ada), func(m string) bool { return m != "fee not charged" })); n != 2 {
		t.Errorf("told %d times", n)
	}
	link := s.Orders.ReceiptToken(apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null"))
	p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
	if must(t, p, err); p.Amount != 2200 || p.Failed != "generic_decline" || p.Receipt.Lines[0].BookingID != b.ID {
		t.Errorf("%+v", p)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), link))
	if m := s.money(t, b); m.Due != 0 || m.Paid != 2200 {
		t.Errorf("paid by its customer: %+v", m)
	}
	if _, found, err := s.Owed.ChargeOf(t.Context(), s.Owner, b); found || err != nil {
		t.Errorf("the studio still sees a charge: %v", err)
	}
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), link)
	refused(t, "paying it again", err, checkout.ErrNothingToPay)
	s.check(t)
}

// While the card is being charged the price is paid at the desk, or the booking is cancelled, or another one is
// charged with it: never twice. A card payment that succeeds all the same is refunded.
func TestBalancePaidTwice(t *testing.T) {
	for name, do := range map[string]func(s shop, ada tenancy.Scope, b booking.Booking) error{
		"at the desk": func(s shop, _ tenancy.Scope, b booking.Booking) error {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: owed.Pays(tender.Cash)},
			)
			return err
		},
		"cancelled": func(s shop, ada tenancy.Scope, b booking.Booking) error {
			_, err := s.Booking.CancelMine(t.Context(), mine(ada), b.ID)
			return err
		},
		"with another": func(s shop, ada tenancy.Scope, b booking.Booking) error {
			s.byDesk(t, ada, s.class(t, 1000, 3))
			_, err := s.Owed.Collect(t.Context(), s.Owner, owed.CollectInput{CustomerID: b.CustomerID})
			return err
		},
	} {
		for _, charged := range []bool{false, true} {
			s, ada, who := withSavedCard(t, apptest.CardGood)
			b := s.byDesk(t, ada, s.class(t, 2200, 3))
			_, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
			must(t, 0, err)
			first := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
			if charged { // without a report
				p, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(first))
				must(t, p, err)
				s.PayCard(t, p.ClientSecret, apptest.CardGood)
			}
			if err := do(s, ada, b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s.jobs(t)
			got := apptest.Value[string](t, s.w, "select p.status || ' ' || p.outcome || ' ' || o.state from payments p join orders o on o.id = p.order_id where o.id = $1", first)
			if want := map[bool]string{false: "canceled  void", true: "succeeded refunded void"}[charged]; got != want {
				t.Errorf("%s, charged %v: the payment is %s, want %s", name, charged, got, want)
			}
			if charged && !slices.Contains(s.mails(ada), "refunded") {
				t.Errorf("%s: mails %v", name, s.mails(ada))
			}
			s.check(t)
		}
	}
}

func TestCollectBookingsRefuses(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	eve := s.Customer(t, "Eve")
	b, evil := s.byDesk(t, ada, s.class(t, 2200, 3)), s.byDesk(t, eve, s.class(t, 1000, 3))
	for name, ids := range map[string][]uuid.UUID{
		"an unknown booking": {uuid.New()}, "somebody else's": {evil.ID}, "one of them is": {b.ID, evil.ID}, "one of them is unknown": {b.ID, uuid.New()},
	} {
		if _, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: ids}); !missing(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{b.ID, b.ID}}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("a booking twice: %v", err)
	}
	north := s.AddLocation(t, "North").ID
	front := s.Join(t, "front@example.com", apptest.At(policy.FrontDesk, north))
	_, err := s.collect(t, front, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{b.ID}})
	refused(t, "a booking of another location", err, policy.ErrMissingFeature)
	_, err = s.collect(t, front, owed.CollectInput{CustomerID: who})
	refused(t, "nothing is owed where they may", err, checkout.ErrNothingToPay)
	s.takes(t, b.ID)
	_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{b.ID}})
	refused(t, "it is paid", err, checkout.ErrNothingToPay)
	if got := s.balances(t); strings.Contains(got, "fee") {
		t.Errorf("payments: %s", got)
	}
	s.check(t)
}

// Charging a price, killed at every call to the database; then everything comes again. One charge.
func TestChargeOfABalanceKilledAnywhere(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	d, k := s.doomed(t)
	for _, after := range []bool{false, true} {
		for n, spared := 1, false; !spared; n++ {
			b := s.byDesk(t, ada, s.class(t, 2200, 1))
			in := owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{b.ID}}
			ctx := k.arm(t.Context(), n, after)
			_, err := d.Owed.Collect(ctx, s.Owner, in)
			if err == nil {
				order := apptest.Value[uuid.UUID](t, s.w, "select order_id from order_lines where booking_id = $1", b.ID)
				err = d.Owed.ChargeDue(ctx, owed.ChargeJob{Business: s.Business.ID, Order: order})
			}
			if spared = k.spared(); spared && err != nil {
				t.Fatal(err)
			}
			for range 100 { // Postgres releases the locks of the dead process a moment later
				_, _ = s.collect(t, s.Owner, in)
				if s.jobs(t); s.money(t, b).Due == 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if m := s.money(t, b); m.Due != 0 || m.Paid != 2200 {
				t.Errorf("killed at call %d (after: %v): %+v: %v", n, after, m, err)
			}
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments p join orders o on o.id = p.order_id where o.cart_id is null and p.status = 'succeeded'"); n !=
		apptest.Value[int](t, s.w, "select count(*) from bookings where order_id is null") {
		t.Errorf("%d payments", n)
	}
	s.check(t)
}

// Amounts due in two currencies are not charged at once, selected or not; each alone is. Issue 31, item 15.
func TestCollectInOneCurrency(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	lyon := s.AddLocation(t, "Lyon", func(in *business.LocationInput) { in.Currency = "EUR" })
	here := s.byDesk(t, ada, s.class(t, 2200, 3))
	there := s.byDesk(t, ada, s.class(t, 1000, 3, func(o *apptest.OfferingRow) { o.Location = lyon.ID }))
	for name, in := range map[string]owed.CollectInput{
		"named": {CustomerID: who, BookingIDs: []uuid.UUID{here.ID, there.ID}},
		"all":   {CustomerID: who},
	} {
		_, err := s.collect(t, s.Owner, in)
		refused(t, name, err, owed.ErrAtOneCurrency)
	}
	if got := s.balances(t); got != "" {
		t.Errorf("charged: %s", got)
	}
	got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, BookingIDs: []uuid.UUID{here.ID}})
	if must(t, got, err); got.Currency != "USD" || got.Amount != 2200 {
		t.Errorf("one of them: %+v", got)
	}
}
