package checkout_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/policy"
)

// charging is a studio that looks at a fee of 5.00 for six hours and then charges it.
func charging(t testing.TB) shop {
	t.Helper()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
		r.PayAtStudio, r.Cancel.LateFeeAmount, r.NoShow.FeeAmount, r.NoShow.ReviewMinutes = true, 500, 700, 360
	}))
	return s
}

// lateCancel returns the fee of a customer who cancels late, and who has saved a card unless it is empty.
func (s shop) lateCancel(t testing.TB, who tenancy.Scope, card string) uuid.UUID {
	t.Helper()
	if card != "" {
		s.buys(t, who, card)
		s.jobs(t)
	}
	b := s.byDesk(t, who, s.class(t, 2200, 3))
	s.w.Clock.Set(b.StartsAt.Add(-time.Hour))
	if _, err := s.Booking.CancelMine(t.Context(), mine(who), b.ID); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	return apptest.Value[uuid.UUID](t, s.w, "select id from fees where booking_id = $1", b.ID)
}

func (s shop) fee(t testing.TB, id uuid.UUID) string {
	t.Helper()
	return apptest.Value[string](t, s.w, "select state || ' ' || charge_failed from fees where id = $1", id)
}

func (s shop) collectDue(t testing.TB) {
	t.Helper()
	if err := s.Owed.ChargeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
}

func (s shop) customer(t testing.TB, who tenancy.Scope) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", who.Person())
}

func (s shop) collect(t testing.TB, sc tenancy.Scope, in owed.CollectInput) (owed.Collecting, error) {
	t.Helper()
	return s.Owed.Collect(t.Context(), sc, in)
}

// After its review a fee is charged to the saved card, once for any number of runs of the sweep and the job: with the
// platform's fee, untaxed, as income of its booking's kind. The customer is mailed.
func TestAFeeIsChargedByItself(t *testing.T) {
	s := charging(t)
	ada := s.Customer(t, "Ada")
	fee := s.lateCancel(t, ada, cardAsksOnce)
	income := s.holds(t, ledger.IncomeClass)
	s.w.Clock.Advance(6*time.Hour - time.Second)
	if s.collectDue(t); s.fee(t, fee) != "due " {
		t.Fatalf("in review: %s", s.fee(t, fee))
	}
	s.w.Clock.Advance(time.Second)
	for range 3 {
		s.collectDue(t)
	}
	if s.fee(t, fee) != "paid " {
		t.Errorf("after the review: %s", s.fee(t, fee))
	}
	if got := apptest.Value[string](t, s.w, `select count(*) || ' of ' || min(p.amount) || ' with ' || min(p.fee_amount) || ', ' || min(o.state) from payments p
		join orders o on o.id = p.order_id where o.cart_id is null`); got != "1 of 500 with 10, fulfilled" {
		t.Error(got)
	}
	if got := s.holds(t, ledger.IncomeClass) - income; got != -500 {
		t.Errorf("income is %d more", -got)
	}
	if got := s.mails(ada); got[len(got)-1] != "fee charged" || slices.Contains(got, "fee not charged") {
		t.Errorf("mails: %v", got)
	}
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
	if err := s.Owed.ChargeDue(t.Context(), owed.ChargeJob{Business: s.Business.ID, Order: order}); err != nil {
		t.Errorf("the job once more: %v", err)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(order))
	if must(t, r, err); r.Lines[0].Fee != fees.LateCancel || r.Card == nil || r.Totals.TotalAmount != 500 || r.Totals.ServiceFeeAmount != 0 {
		t.Errorf("receipt: %+v", r)
	}
	s.check(t)
}

// A fee that is waived, paid at the desk or withdrawn during its review is not charged, nor one without a saved card,
// nor one under a policy without charges, nor one of a customer who disputes a payment.
func TestAFeeIsNotChargedByItself(t *testing.T) {
	for name, c := range map[string]struct {
		card string
		do   func(s shop, who tenancy.Scope, fee uuid.UUID)
		want string
	}{
		"waived": {apptest.CardGood, func(s shop, _ tenancy.Scope, fee uuid.UUID) {
			_, err := fees.New(s.w.DB).Waive(t.Context(), s.Owner, fees.WaiveInput{FeeID: fee, Version: 1, Reason: "kind"})
			must(t, 0, err)
		}, "waived "},
		"paid at the desk": {apptest.CardGood, func(s shop, _ tenancy.Scope, fee uuid.UUID) {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{FeeIDs: []uuid.UUID{fee}, Tenders: owed.Pays(tender.Cash)},
			)
			must(t, 0, err)
		}, "paid "},
		"no card": {"", func(shop, tenancy.Scope, uuid.UUID) {}, "due "},
		"a card that was removed": {apptest.CardGood, func(s shop, who tenancy.Scope, _ uuid.UUID) {
			must(t, 0, s.Checkout.RemoveMyCard(t.Context(), who.Principal, apptest.Value[uuid.UUID](t, s.w, "select id from saved_cards")))
		}, "due "},
		"a dispute": {"4000000000000259", func(s shop, _ tenancy.Scope, _ uuid.UUID) { s.w.Clock.Advance(time.Minute) }, "due "},
	} {
		t.Run(name, func(t *testing.T) {
			s := charging(t)
			ada := s.Customer(t, "Ada")
			fee := s.lateCancel(t, ada, c.card)
			before := apptest.Value[int](t, s.w, "select count(*) from payments")
			c.do(s, ada, fee)
			s.w.Clock.Advance(7 * time.Hour)
			s.jobs(t)
			s.collectDue(t)
			if n := apptest.Value[int](t, s.w, "select count(*) from payments"); n != before || s.fee(t, fee) != c.want {
				t.Errorf("%d more payments, the fee is %s", n-before, s.fee(t, fee))
			}
			s.check(t)
		})
	}
	s := charging(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount, r.CollectFees, r.PayAtStudio = 500, false, true }))
	fee := s.lateCancel(t, s.Customer(t, "Ada"), apptest.CardGood)
	s.w.Clock.Advance(48 * time.Hour)
	if s.collectDue(t); s.fee(t, fee) != "due " {
		t.Errorf("the policy does not collect: %s", s.fee(t, fee))
	}
	s = charging(t) // less than a card pays is paid at the studio: the sweep has not failed
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount, r.CollectFees, r.PayAtStudio = 20, true, true }))
	fee = s.lateCancel(t, s.Customer(t, "Ada"), apptest.CardGood)
	s.w.Clock.Advance(48 * time.Hour)
	if s.collectDue(t); s.fee(t, fee) != "due " {
		t.Errorf("20 cents: %s", s.fee(t, fee))
	}
}

// After a decline, or if the bank requires a check, the fee stays due: the customer is mailed once, with a link to
// pay the same payment.
func TestAFeeThatACardDoesNotPay(t *testing.T) {
	for card, code := range map[string]string{
		cardDeclinesSaved: "generic_decline", apptest.CardChecked: "authentication_required",
	} {
		s := charging(t)
		ada := s.Customer(t, "Ada")
		var fee uuid.UUID
		if card == apptest.CardChecked {
			token := s.held(t, ada)
			p, err := s.choose(t.Context(), ada, token, checkout.How{Consent: agreed})
			must(t, p, err)
			s.PayCard(t, p.ClientSecret, card)
			s.PassCheck(t, p.ClientSecret)
			s.confirm(t, ada, token)
			fee = s.lateCancel(t, ada, "")
		} else {
			fee = s.lateCancel(t, ada, card)
		}
		s.w.Clock.Advance(6 * time.Hour)
		s.collectDue(t)
		if s.fee(t, fee) != "due "+code {
			t.Fatalf("the fee is %q, want %s", s.fee(t, fee), code)
		}
		order := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
		if err := s.Owed.ChargeDue(t.Context(), owed.ChargeJob{Business: s.Business.ID, Order: order}); err != nil {
			t.Fatal(err)
		}
		s.jobs(t)
		s.collectDue(t)
		told := slices.DeleteFunc(s.mails(ada), func(m string) bool { return m != "fee not charged" })
		if len(told) != 1 {
			t.Errorf("told %d times", len(told))
		}
		link := s.Orders.ReceiptToken(order)
		for range 2 {
			p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
			if must(t, p, err); p.Amount != 500 || p.ClientSecret == "" || p.Failed != code || p.Receipt.Lines[0].Fee != fees.LateCancel {
				t.Fatalf("%+v", p)
			}
			refused(t, "not paid yet", s.Owed.Paid(t.Context(), s.Visitor(), link), checkout.ErrPaymentRequired)
		}
		s.w.Clock.Advance(30 * time.Hour) // the payment is given up; its link is not
		must(t, 0, s.Billing.Recheck(t.Context()))
		s.jobs(t)
		p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
		must(t, p, err)
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		if err := s.Owed.Paid(t.Context(), s.Visitor(), link); err != nil {
			t.Fatal(err)
		}
		if s.fee(t, fee) != "paid " {
			t.Errorf("paid by its customer: %s", s.fee(t, fee))
		}
		_, err = s.Owed.Pay(t.Context(), s.Visitor(), link)
		refused(t, "paying it again", err, checkout.ErrNothingToPay)
		s.check(t)
	}
}

// A staff member charges the card at once: several fees, each once, however often the button is pressed.
func TestCollect(t *testing.T) {
	s := charging(t)
	ada := s.Customer(t, "Ada")
	one := s.lateCancel(t, ada, apptest.CardGood)
	two := s.lateCancel(t, ada, "")
	in := owed.CollectInput{CustomerID: s.customer(t, ada)}
	got, err := s.collect(t, s.Owner, in)
	if must(t, got, err); got.Amount != 1000 || len(got.Lines) != 2 || got.Card.Last4 != "4242" || got.Currency != "USD" {
		t.Errorf("%+v", got)
	}
	if _, err := s.collect(t, s.Owner, in); err != nil {
		t.Errorf("pressed twice: %v", err)
	}
	s.jobs(t)
	if s.fee(t, one) != "paid " || s.fee(t, two) != "paid " {
		t.Errorf("%s, %s", s.fee(t, one), s.fee(t, two))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments p join orders o on o.id = p.order_id where o.cart_id is null"); n != 2 {
		t.Errorf("%d payments", n)
	}
	_, err = s.collect(t, s.Owner, in)
	refused(t, "nothing is owed", err, checkout.ErrNothingToPay)
	s.w.Clock.Advance(7 * time.Hour)
	s.collectDue(t)
	s.check(t)
}

func TestCollectRefuses(t *testing.T) {
	s := charging(t)
	ada, eve := s.Customer(t, "Ada"), s.Customer(t, "Eve")
	fee := s.lateCancel(t, ada, "")
	who := s.customer(t, ada)
	_, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	refused(t, "no card", err, processor.ErrCardRemoved)
	s.buys(t, ada, apptest.CardGood)
	s.buys(t, eve, apptest.CardGood)
	eves := apptest.Value[uuid.UUID](t, s.w, "select id from saved_cards where customer_id = $1", s.customer(t, eve))
	_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, CardID: eves})
	refused(t, "somebody else's card", err, processor.ErrCardRemoved)
	adas := apptest.Value[uuid.UUID](t, s.w, "select id from saved_cards where customer_id = $1", who)
	s.w.SQL(t, "update saved_cards set consent_version = 'renewals' where id = $1", adas)
	for _, card := range []uuid.UUID{uuid.Nil, adas} { // issue 31, item 14
		_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, CardID: card})
		refused(t, "a card without consent", err, processor.ErrCardConsent)
	}
	s.w.SQL(t, "update saved_cards set consent_version = $2 where id = $1", adas, billing.ConsentVersion)
	for name, in := range map[string]owed.CollectInput{
		"an unknown customer":   {CustomerID: uuid.New()},
		"an unknown fee":        {CustomerID: who, FeeIDs: []uuid.UUID{uuid.New()}},
		"somebody else's fee":   {CustomerID: s.customer(t, eve), FeeIDs: []uuid.UUID{fee}},
		"another studio's fees": {CustomerID: s.customer(t, eve), FeeIDs: []uuid.UUID{fee, uuid.New()}},
	} {
		if _, err := s.collect(t, s.Owner, in); !missing(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who, FeeIDs: []uuid.UUID{fee, fee}}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("a fee twice: %v", err)
	}
	north := s.AddLocation(t, "North").ID
	_, err = s.collect(t, s.Join(t, "front@example.com", apptest.At(policy.FrontDesk, north)), owed.CollectInput{CustomerID: who, FeeIDs: []uuid.UUID{fee}})
	refused(t, "a fee of another location", err, policy.ErrMissingFeature)
	if s.fee(t, fee) != "due " {
		t.Errorf("the fee is %s", s.fee(t, fee))
	}
	s.check(t)
}

// One fee is charged by its own address, once for any number of calls, whoever its customer is.
func TestChargeFee(t *testing.T) {
	s := charging(t)
	ada := s.Customer(t, "Ada")
	one := s.lateCancel(t, ada, apptest.CardGood)
	other := s.lateCancel(t, ada, "")
	charge := func(who tenancy.Scope, in owed.ChargeFeeInput) (owed.Collecting, error) {
		return s.Owed.ChargeFee(t.Context(), who, in)
	}
	north := s.AddLocation(t, "North").ID
	_, err := charge(s.Join(t, "front@example.com", apptest.At(policy.FrontDesk, north)), owed.ChargeFeeInput{FeeID: one})
	refused(t, "a fee of another location", err, policy.ErrMissingFeature)
	teacher := s.Join(t, "teacher@example.com", apptest.Everywhere(policy.Instructor))
	_, err = charge(teacher, owed.ChargeFeeInput{FeeID: one})
	refused(t, "an instructor", err, policy.ErrMissingFeature)
	if _, err := charge(s.Owner, owed.ChargeFeeInput{FeeID: uuid.New()}); !missing(err) {
		t.Errorf("an unknown fee: %v", err)
	}
	_, err = charge(s.Owner, owed.ChargeFeeInput{FeeID: one, CardID: uuid.New()})
	refused(t, "an unknown card", err, processor.ErrCardRemoved)
	for range 2 {
		got, err := charge(s.Owner, owed.ChargeFeeInput{FeeID: one})
		if must(t, got, err); got.Amount != 500 || got.CustomerID != s.customer(t, ada) || *got.Lines[0].FeeID != one {
			t.Errorf("%+v", got)
		}
	}
	s.jobs(t)
	if s.fee(t, one) != "paid " || s.fee(t, other) != "due " {
		t.Errorf("%s, %s", s.fee(t, one), s.fee(t, other))
	}
	_, err = charge(s.Owner, owed.ChargeFeeInput{FeeID: one})
	refused(t, "a paid fee", err, fees.ErrNotDue)
	s.check(t)
}

// While the card is being charged the fee is paid at the desk, waived, or paid on its link: never twice. A card
// payment that succeeds all the same is refunded.
func TestAFeeThatIsPaidTwice(t *testing.T) {
	for name, do := range map[string]func(s shop, fee uuid.UUID) error{
		"at the desk": func(s shop, fee uuid.UUID) error {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{FeeIDs: []uuid.UUID{fee}, Tenders: owed.Pays(tender.Cash)},
			)
			return err
		},
		"waived": func(s shop, fee uuid.UUID) error {
			_, err := fees.New(s.w.DB).Waive(t.Context(), s.Owner, fees.WaiveInput{FeeID: fee, Version: 2, Reason: "kind"})
			return err
		},
	} {
		for _, charged := range []bool{false, true} {
			s := charging(t)
			ada := s.Customer(t, "Ada")
			fee := s.lateCancel(t, ada, apptest.CardGood)
			_, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: s.customer(t, ada)})
			must(t, 0, err)
			link := s.Orders.ReceiptToken(apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null"))
			if charged { // without a report
				p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
				must(t, p, err)
				s.PayCard(t, p.ClientSecret, apptest.CardGood)
			}
			if err := do(s, fee); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s.jobs(t)
			state := apptest.Value[string](t, s.w, "select p.status || ' ' || p.outcome from payments p join orders o on o.id = p.order_id where o.state <> 'fulfilled'")
			if want := map[bool]string{false: "canceled ", true: "succeeded refunded"}[charged]; state != want {
				t.Errorf("%s, charged %v: the payment is %s, want %s", name, charged, state, want)
			}
			if charged && !slices.Contains(s.mails(ada), "refunded") {
				t.Errorf("%s: mails %v", name, s.mails(ada))
			}
			s.check(t)
		}
	}
}

// Charging a fee, killed at every call to the database; then the sweep and the job come again. One charge.
func TestAFeeKilledAnywhere(t *testing.T) {
	s := charging(t)
	d, k := s.doomed(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, apptest.CardGood)
	s.jobs(t)
	for _, after := range []bool{false, true} {
		for n, spared := 1, false; !spared; n++ {
			fee := s.lateCancel(t, ada, "")
			s.w.Clock.Advance(6 * time.Hour)
			ctx := k.arm(t.Context(), n, after)
			err := d.Owed.ChargeAll(ctx)
			if err == nil {
				order := s.orderOfFee(t, fee)
				err = d.Owed.ChargeDue(ctx, owed.ChargeJob{Business: s.Business.ID, Order: order})
			}
			if spared = k.spared(); spared && err != nil {
				t.Fatal(err)
			}
			s.jobs(t)
			for range 100 { // Postgres releases the locks of the dead process a moment later
				if s.collectDue(t); s.fee(t, fee) == "paid " {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if s.fee(t, fee) != "paid " {
				t.Errorf("killed at call %d (after: %v): the fee is %s: %v", n, after, s.fee(t, fee), err)
			}
		}
	}
	if n := apptest.Value[int](t, s.w, `select count(*) from payments p join orders o on o.id = p.order_id where o.cart_id is null`); n !=
		apptest.Value[int](t, s.w, "select count(*) from fees") {
		t.Errorf("%d payments", n)
	}
	s.check(t)
}

// orderOfFee is the order that a fee is paid with; Nil: it has none.
func (s shop) orderOfFee(t testing.TB, fee uuid.UUID) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.w, "select coalesce((select order_id from order_lines where fee_id = $1), $2)", fee, uuid.Nil)
}

// A charge that was given up, because the processor did not answer for hours, is told like a card that is declined:
// once, with the way to pay. Money that comes all the same pays the fee.
func TestAFeeWhoseChargeWasGivenUp(t *testing.T) {
	s := charging(t)
	ada := s.Customer(t, "Ada")
	fee := s.lateCancel(t, ada, cardAsksOnce)
	s.w.Clock.Advance(6 * time.Hour)
	if err := s.Owed.ChargeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	// as River ends it
	s.w.SQL(t, "update river.river_job set state = 'discarded', finalized_at = now() where kind = $1", owed.ChargeJob{}.Kind())
	for range 2 {
		if err := s.Owed.ChargeAll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = $1", owed.ChargeMailJob{}.Kind()); n != 1 || s.fee(t, fee) != "due processing_error" {
		t.Errorf("%d mails, the fee is %s", n, s.fee(t, fee))
	}
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
	if err := s.Owed.MailCharge(t.Context(), owed.ChargeMailJob{Business: s.Business.ID, Order: order}); err != nil {
		t.Fatal(err)
	}
	if got := s.mails(ada); got[len(got)-1] != "fee not charged" {
		t.Errorf("mails: %v", got)
	}
	s.jobs(t) // the same job, at last
	if s.fee(t, fee) != "paid " {
		t.Errorf("the fee is %s", s.fee(t, fee))
	}
	s.check(t)
}
