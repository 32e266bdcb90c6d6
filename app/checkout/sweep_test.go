package checkout_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
)

// A customer begins to pay the balance while the sweep is about to charge it: the sweep has not failed, and charges
// that very payment in the next round.
func TestTheSweepMeetsTheCustomer(t *testing.T) {
	s, ada, _ := withSavedCard(t, apptest.CardGood)
	s.balanceEarly(t)
	o, _ := s.taxed(t)
	b := s.withDeposit(t, ada, o).Lines[0].BookingID
	s.w.Clock.Set(o.StartsAt.Add(-time.Hour))
	met := false
	d := s.interrupted(t, "order by b.id for no key update", func() {
		met = true
		s.payBalance(t, ada, b)
	})
	if err := d.Owed.ChargeAll(t.Context()); err != nil {
		t.Errorf("the sweep fails: %v", err)
	}
	if s.jobs(t); !met || s.balances(t) != "" || s.moneyOf(t, b).Due != 1676 {
		t.Fatalf("after the first round: %q, %+v", s.balances(t), s.moneyOf(t, b))
	}
	s.collectBalances(t)
	if got := s.balances(t); got != "1676 fee 34 succeeded fulfilled" || s.moneyOf(t, b).Due != 0 {
		t.Errorf("after the second: %q, %+v", got, s.moneyOf(t, b))
	}
	s.check(t)
}

// While the money of a customer who pays one of two balances is on its way, the sweep charges neither and has not
// failed. It charges the other one when the money has come.
func TestTheSweepWaitsForMoneyOnItsWay(t *testing.T) {
	s, ada, _ := withSavedCard(t, apptest.CardGood)
	s.balanceEarly(t)
	a, c := s.class(t, 2000, 5), s.class(t, 1000, 5)
	lines := s.withDeposit(t, ada, a, c).Lines
	link := s.payBalance(t, ada, lines[0].BookingID)
	p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
	must(t, p, err)
	intent, _, _ := strings.Cut(p.ClientSecret, "_secret_")
	s.Instead = func(r *http.Request) (int, string) {
		if r.URL.Path != "/v1/payment_intents/"+intent {
			return 0, ""
		}
		return http.StatusOK, fmt.Sprintf(`{"id":%q,"object":"payment_intent","status":"processing","amount":1400,"currency":"usd",
			"application_fee_amount":28,"client_secret":%q}`, intent, p.ClientSecret)
	}
	refused(t, "it is on its way", s.Owed.Paid(t.Context(), s.Visitor(), link), checkout.ErrPaymentPending)
	s.w.Clock.Set(a.StartsAt.Add(-time.Hour))
	s.collectBalances(t)
	if got := s.balances(t); got != "1400 fee 28 processing open" {
		t.Errorf("while the money is on its way: %s", got)
	}
	s.Instead = nil
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), link))
	s.jobs(t)
	s.collectBalances(t)
	if got := s.balances(t); got != "1400 fee 28 succeeded fulfilled, 700 fee 14 succeeded fulfilled" {
		t.Errorf("when it has come: %s", got)
	}
	for _, id := range []uuid.UUID{lines[0].BookingID, lines[1].BookingID} {
		if m := s.moneyOf(t, id); m.Due != 0 {
			t.Errorf("%+v", m)
		}
	}
	s.check(t)
}
