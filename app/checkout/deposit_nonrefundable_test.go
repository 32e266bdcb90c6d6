package checkout_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A non-refundable deposit stays, however early its customer cancels: of the card payment, or first of the payment
// with credit. Other payments are refunded as any price is, and all of it if the studio cancels or decides so. Each
// cost was shown before, and the books hold the kept amount, with its tax.
func TestNonRefundableDeposit(t *testing.T) {
	for name, c := range map[string]struct {
		inFull       bool
		credit, cash int64
		wait         time.Duration
		byStudio     bool
		waived       bool
		// the outcome
		back, again, desk, lost, kept, tax int64
	}{
		"in time":             {lost: 719, kept: 719, tax: 59},
		"in full":             {inFull: true, back: 2395 - 719, lost: 719, kept: 719, tax: 59},
		"late":                {wait: 30 * time.Hour, lost: 719, tax: 59},
		"in full, late":       {inFull: true, wait: 30 * time.Hour, lost: 2395, tax: 195},
		"by the studio":       {byStudio: true, back: 719},
		"waived":              {waived: true, back: 719},
		"with some credit":    {credit: 300, lost: 719, kept: 719, tax: 58},
		"with credit":         {credit: 719, lost: 719, kept: 719, tax: 59},
		"all of it by credit": {inFull: true, credit: 2395, again: 2395 - 719, lost: 719, kept: 719, tax: 59},
		"the rest in cash":    {cash: 1676, desk: 1676, lost: 719, kept: 719, tax: 195},
		"credit, and cash":    {credit: 719, cash: 1000, desk: 1000, lost: 719, kept: 719, tax: 59 + 81},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ada := s.Customer(t, "Ada")
			if c.credit > 0 {
				ada, _ = s.credited(t, "Ada", c.credit)
			}
			s.deposits(t, 30, func(r *catalog.Rules) { r.Deposit.NonRefundable = true })
			o, rate := s.taxed(t)
			got := s.withChoice(t, ada, o, c.inFull, c.credit > 0)
			b := got.Lines[0].BookingID
			if c.cash > 0 {
				sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
					BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: c.cash}},
				})
				must(t, sale, err)
			}
			s.w.Clock.Advance(c.wait)
			is := s.bookingOf(t, ada, b)
			told := is.Costs(s.receipt(t, got.Receipt).CostBases()[0], s.w.Clock.Now())[0]
			of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{is})
			if again := is.Costs(must(t, of, err)[b], s.w.Clock.Now())[0]; again.LostAmount != told.LostAmount {
				t.Errorf("the receipt says %d, the booking %d", told.LostAmount, again.LostAmount)
			}
			var did booking.Cancellation
			switch {
			case c.byStudio, c.waived:
				in := booking.CancelInput{BookingID: b, By: booking.ByStudio, Reason: "ill"}
				if c.waived {
					in = booking.CancelInput{BookingID: b, By: booking.ByCustomer, FeeMode: booking.FeeWaive, Reason: "ill"}
				}
				cost, err := s.Booking.Cancel(t.Context(), s.Owner, in)
				did = must(t, cost, err).Done
			default:
				cost, err := s.Booking.CancelMine(t.Context(), mine(ada), b)
				did = must(t, cost, err).Done
				if told.LostAmount != c.lost {
					t.Errorf("told %+v", told)
				}
			}
			if did.RefundAmount != c.back || did.CreditAmount != c.again || did.DeskAmount != c.desk || did.ForfeitedAmount != c.lost || did.NonRefundableAmount != c.kept {
				t.Errorf("%+v", did)
			}
			s.jobs(t)
			if n := s.holds(t, ledger.Tax(rate.ID)); n != -c.tax {
				t.Errorf("%d of tax stays, want %d", -n, c.tax)
			}
			s.check(t)
		})
	}
}

// withChoice books a date, with a deposit or in full, by credit first or not, and pays the remaining amount by card.
func (s shop) withChoice(t testing.TB, who tenancy.Scope, o apptest.OccurrenceRow, inFull, credit bool) checkout.Confirmed {
	t.Helper()
	var token string
	if credit {
		token, _ = s.useCredit(t, who, o)
	} else {
		token = s.Fill(t, o)
		s.hold(t, who, token)
	}
	if inFull {
		c, err := s.Checkout.PayInFull(t.Context(), who, token, true)
		must(t, c, err)
	}
	c, err := s.Checkout.Cart(t.Context(), who, token)
	if left := must(t, c, err).Totals.DueNow(); left > 0 {
		s.PayCard(t, s.pay(t, who, token, left).ClientSecret, apptest.CardGood)
	}
	return s.confirm(t, who, token)
}

// A request that its customer withdraws refunds the deposit, too: nothing was approved yet.
func TestNonRefundableDepositOfARequest(t *testing.T) {
	s := open(t)
	s.deposits(t, 50, func(r *catalog.Rules) { r.Deposit.NonRefundable = true })
	ada := s.Customer(t, "Ada")
	got := s.withDeposit(t, ada, s.withApproval(t, 1))
	cost, err := s.Booking.CancelMine(t.Context(), mine(ada), got.Lines[0].BookingID)
	if did := must(t, cost, err).Done; did.RefundAmount != 1100 || did.ForfeitedAmount != 0 || !did.Held {
		t.Errorf("%+v", did)
	}
	s.check(t)
}

// An earlier refund of the studio by hand is not repeated, and the deposit stays all the same.
func TestNonRefundableDepositAfterARefund(t *testing.T) {
	s := open(t)
	s.deposits(t, 30, func(r *catalog.Rules) { r.Deposit.NonRefundable = true })
	ada := s.Customer(t, "Ada")
	o, _ := s.taxed(t)
	got := s.withChoice(t, ada, o, true, false)
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments where order_id = $1", got.OrderID)
	must(t, 0, pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
		_, err := s.Billing.RefundTx(
			t.Context(), tx, billing.RefundInput{PaymentID: payment, Amount: 1000, Reason: billing.ReasonGoodwill},
		)
		return err
	}))
	s.jobs(t)
	cost, err := s.Booking.CancelMine(t.Context(), mine(ada), got.Lines[0].BookingID)
	if did := must(t, cost, err).Done; did.RefundAmount != 2395-1000-719 || did.NonRefundableAmount != 719 {
		t.Errorf("%+v", did)
	}
	s.check(t)
}
