package checkout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/mail"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/billing"
)

// in has a studio sell in a currency.
func in(cur money.Currency) func(*apptest.StudioPlan) {
	return func(p *apptest.StudioPlan) { p.Currency = cur }
}

// returned fails the test unless the processor has sent so much back of the payments, by refunds that all succeeded.
func (s shop) returned(t testing.TB, want int64) {
	t.Helper()
	s.check(t)
	if got := s.Refunded(t); got != want {
		t.Errorf("the processor gave %d back, want %d", got, want)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from refunds where state <> 'succeeded'"); n != 0 {
		t.Errorf("%d refunds did not succeed", n)
	}
}

// Issue 31, item 4. Two dates of 4.250 BHD and 10 % tax are charged 9350, which is 4675 each, and the processor sends
// 4670 or 4680: the first that is cancelled is refunded 4680, the other 4670. The shown amount is the sent one, and
// together they are the whole charge, in any currency.
func TestRefundsInSteps(t *testing.T) {
	for cur, want := range map[money.Currency][]int64{
		"BHD": {4680, 4670}, "KWD": {4680, 4670}, "MGA": {4700, 4700}, "ISK": {4675, 4675}, "UGX": {4675, 4675}, "JPY": {4675, 4675}, "USD": {4675, 4675},
	} {
		for first := range 2 {
			t.Run(fmt.Sprint(cur, first), func(t *testing.T) {
				s := open(t, in(cur))
				rate := s.AddTaxRate(t, "VAT", 100_000)
				class := func() apptest.OccurrenceRow {
					return s.class(t, 4250, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
				}
				ada := s.Customer(t, "Ada")
				receipt, ids := s.bought(t, ada, class(), class())
				if receipt.Totals.TotalAmount != cur.Ceil(9350) {
					t.Fatalf("charged %d", receipt.Totals.TotalAmount)
				}
				for i, back := range want {
					got, err := s.Booking.CancelMine(t.Context(), mine(ada), ids[(first+i)%2])
					if err != nil || got.Done.RefundAmount != back || got.Done.ForfeitedAmount != 0 {
						t.Errorf("cancelling says %+v (%v), want %d", got.Done, err, back)
					}
					s.jobs(t)
					said := slices.ContainsFunc(s.Mail.List(ada.Email), func(m mail.Delivered) bool { return strings.Contains(m.Text, fmt.Sprintf("back %d ", back)) })
					if !said {
						t.Errorf("no mail says that %d goes back", back)
					}
				}
				if got := s.refunds(t); !slices.Equal(got, want) {
					t.Errorf("refunds of %v, want %v", got, want)
				}
				s.returned(t, receipt.Totals.TotalAmount)
			})
		}
	}
}

// Cancelled by the studio one by one, and all at once, all of it is refunded with the service fee, to the card or as
// credit.
func TestStudioCancelsInSteps(t *testing.T) {
	for name, to := range map[string]struct{ credit, atOnce bool }{"card": {}, "at once": {atOnce: true}, "credit": {credit: true}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, in("BHD"))
			s.feeMode(t, billing.ModeCustomer)
			rate := s.AddTaxRate(t, "VAT", 100_000)
			class := func(price int64) apptest.OccurrenceRow {
				return s.class(t, price, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
			}
			receipt, ids := s.bought(t, s.Customer(t, "Ada"), class(3333), class(3333), class(4251))
			var back, credit int64
			add := func(c booking.Cancellation) {
				back, credit = back+c.RefundAmount, credit+c.CreditAmount
				if (c.RefundAmount+c.CreditAmount)%10 != 0 || c.ServiceFeeAmount != 0 {
					t.Errorf("%+v", c)
				}
			}
			in := booking.CancelInput{By: booking.ByStudio, ToCredit: to.credit}
			if to.atOnce {
				got, err := s.Booking.BulkCancel(t.Context(), s.Owner, ids, in)
				for _, row := range must(t, got, err).Rows {
					add(*row.Done)
				}
			} else {
				for _, id := range []uuid.UUID{ids[1], ids[2], ids[0]} {
					in.BookingID = id
					got, err := s.Booking.Cancel(t.Context(), s.Owner, in)
					add(must(t, got, err).Done)
				}
			}
			total := receipt.Totals.TotalAmount
			if back+credit != total || to.credit != (credit > 0) {
				t.Errorf("%d to the card and %d as credit of %d", back, credit, total)
			}
			s.returned(t, back)
		})
	}
}

// A deposit that stays, its balance due on the saved card, and the fee for cancelling late are amounts that the
// processor takes.
func TestDepositsAndFeesInSteps(t *testing.T) {
	s := open(t, in("BHD"))
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, apptest.CardGood)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
		r.Deposit.Percent, r.Deposit.NonRefundable, r.CollectFees = 33, true, true
		r.Cancel.LateFeeAmount, r.NoShow.ReviewMinutes = 333, 0
	}))
	rate := s.AddTaxRate(t, "VAT", 100_000)
	class := func() apptest.OccurrenceRow {
		return s.class(t, 4250, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	}
	before := s.Refunded(t)
	got := s.withDeposit(t, ada, class(), class())
	var kept, back int64
	if got.Totals.DueLaterAmount%10 != 0 {
		t.Errorf("%d is left for later", got.Totals.DueLaterAmount)
	}
	for _, l := range got.Lines[:1] {
		c, err := s.Booking.CancelMine(t.Context(), mine(ada), l.BookingID)
		if must(t, c, err); c.Done.RefundAmount%10 != 0 || c.Done.RefundAmount+c.Done.NonRefundableAmount > got.Card.Amount {
			t.Errorf("%+v of %d", c.Done, got.Card.Amount)
		}
		kept, back = kept+c.Done.NonRefundableAmount, back+c.Done.RefundAmount
	}
	if kept == 0 {
		t.Error("no deposit stays")
	}
	in := owed.CollectInput{CustomerID: s.customer(t, ada), BookingIDs: []uuid.UUID{got.Lines[1].BookingID}}
	charge, err := s.collect(t, s.Owner, in)
	if must(t, charge, err).Amount%10 != 0 {
		t.Errorf("%d is charged", charge.Amount)
	}
	s.jobs(t)
	if n := s.moneyOf(t, got.Lines[1].BookingID).Due; n != 0 {
		t.Errorf("%d is due", n)
	}
	s.w.Clock.Advance(47 * 3600e9)
	c, err := s.Booking.CancelMine(t.Context(), mine(ada), got.Lines[1].BookingID)
	if must(t, c, err); c.Done.FeeAmount != 330 {
		t.Errorf("a fee of %d", c.Done.FeeAmount)
	}
	s.collectDue(t)
	if n := apptest.Value[int](t, s.w, "select count(*) from fees where state = 'paid' and amount = 330"); n != 1 {
		t.Errorf("%d fees are paid", n)
	}
	s.returned(t, before+back)
}

// A desk booking is in no steps: the saved card pays the next one.
func TestBalanceInSteps(t *testing.T) {
	s := open(t, in("BHD"))
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, apptest.CardGood)
	o := s.class(t, 4675, 9)
	b := s.byDesk(t, ada, o)
	got, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: s.customer(t, ada)})
	if must(t, got, err).Amount != 4680 {
		t.Errorf("%+v", got)
	}
	s.jobs(t)
	if n := s.moneyOf(t, b.ID).Due; n != 0 {
		t.Errorf("%d is due", n)
	}
	s.check(t)
}
