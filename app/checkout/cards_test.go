package checkout_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
)

// Other cards of the simulator.
const (
	cardAsksOnce      = "4000002500003155"
	cardDeclinesSaved = "4000000000000341"
)

const backTo = "/done"

// agreed is the consent of a customer who ticks the box.
var agreed = &billing.Consent{Text: "Keep my card.", Version: billing.ConsentVersion}

// choose pays a held cart in a way.
func (s shop) choose(ctx context.Context, who tenancy.Scope, token string, how checkout.How) (checkout.Payment, error) {
	return s.Checkout.Pay(ctx, who, token, checkout.PayInput{QuotedAmount: 2200, How: &how, ReturnURL: backTo})
}

// buys books a new class and pays it with a card that is typed and kept.
func (s shop) buys(t testing.TB, who tenancy.Scope, card string) {
	t.Helper()
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, who, token)
	p, err := s.choose(t.Context(), who, token, checkout.How{Consent: agreed})
	if err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, p.ClientSecret, card)
	if card == cardAsksOnce {
		s.PassCheck(t, p.ClientSecret)
	}
	s.confirm(t, who, token)
}

// held is a cart of a new class that is held.
func (s shop) held(t testing.TB, who tenancy.Scope) string {
	t.Helper()
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, who, token)
	return token
}

// savedCard are the cards that can pay a held cart.
func (s shop) savedCard(t testing.TB, who tenancy.Scope, token string) []billing.SavedCard {
	t.Helper()
	c, err := s.Checkout.Cart(t.Context(), who, token)
	cards, err2 := s.Checkout.SavedCards(t.Context(), who, must(t, c, err))
	return must(t, cards, err2)
}

func TestSavedCardPays(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, s.class(t, 2200, 5))
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if cards := must(t, s.savedCard(t, ada, s.held(t, ada)), nil); len(cards) != 0 {
		t.Fatalf("a card was kept that nobody agreed to keep: %+v", cards)
	}

	s.buys(t, ada, apptest.CardGood)
	s.jobs(t) // the events of all that, twice and late, keep no second one
	next := s.held(t, ada)
	cards := s.savedCard(t, ada, next)
	if len(cards) != 1 || cards[0].Last4 != "4242" || cards[0].ConsentText != agreed.Text || cards[0].ConsentVersion != agreed.Version || cards[0].ConsentedAt.IsZero() {
		t.Fatalf("the kept cards are %+v", cards)
	}
	for range 2 { // the button is pressed twice
		p, err := s.choose(t.Context(), ada, next, checkout.How{CardID: cards[0].ID})
		if err != nil && !errors.Is(err, checkout.ErrOrdered) {
			t.Fatal(err)
		}
		if err == nil && p.Status != processor.StatusSucceeded {
			t.Errorf("the payment is %s", p.Status)
		}
	}
	s.confirm(t, ada, next)
	if n := apptest.Value[int](t, s.w, "select count(*) from payments where status = 'succeeded' and card_id is not null and fee_amount = 44 and card_last4 = '4242'"); n != 1 {
		t.Errorf("%d payments by a kept card", n)
	}

	// The same number again is kept once, and the processor forgets the old one.
	s.buys(t, ada, apptest.CardGood)
	s.jobs(t)
	again := s.savedCard(t, ada, s.held(t, ada))
	if len(again) != 1 || again[0].ID == cards[0].ID {
		t.Errorf("the kept cards are %+v", again)
	}
	if left := must(t, s.atProcessor(t), nil); len(left) != 1 || left[0] != again[0].Method {
		t.Errorf("the processor keeps %v", left)
	}
	s.check(t)
}

// atProcessor are the cards that the processor keeps.
func (s shop) atProcessor(t testing.TB) []string {
	t.Helper()
	account := apptest.Value[string](t, s.w, "select external_id from processor_accounts where business_id = '"+s.Business.ID.String()+"'")
	left, err := s.Sim.SavedCards(account)
	return must(t, left, err)
}

func TestConsentIsWithdrawnBeforePaying(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token := s.held(t, ada)
	for _, how := range []checkout.How{{Consent: agreed}, {}, {Consent: agreed}, {}} {
		if _, err := s.choose(t.Context(), ada, token, how); err != nil {
			t.Fatal(err)
		}
	}
	s.PayCard(t, s.pay(t, ada, token, 2200).ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if n := apptest.Value[int](t, s.w, "select count(*) from saved_cards"); n != 0 || len(s.atProcessor(t)) != 0 {
		t.Errorf("%d cards are kept here, %v there", n, s.atProcessor(t))
	}
	s.check(t)
}

func TestBankChallengesASavedCard(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, cardAsksOnce)
	token := s.held(t, ada)
	how := checkout.How{CardID: s.savedCard(t, ada, token)[0].ID}
	for _, yes := range []bool{false, true} {
		var p checkout.Payment
		for range 2 {
			var err error
			if p, err = s.choose(t.Context(), ada, token, how); err != nil || p.RedirectURL == "" || p.Status != processor.StatusAwaitingCustomer {
				t.Fatalf("%+v, %v", p, err)
			}
		}
		if err := s.Sim.AnswerBank(p.ClientSecret, yes); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Checkout.Confirm(t.Context(), ada, token); yes != (err == nil) {
			t.Fatalf("the bank says %v, and then: %v", yes, err)
		}
		if yes {
			break
		}
		// Looking at the payment page again charges nothing.
		if p = s.pay(t, ada, token, 2200); p.Status != processor.StatusAwaitingMethod || p.RedirectURL != "" {
			t.Errorf("opening the page again: %+v", p)
		}
	}
	s.check(t)
}

// Issue 31, item 14. An address that the processor does not lead back to is refused by its name, and the next one is
// taken.
func TestAnAddressThatIsRefused(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, cardAsksOnce)
	token := s.held(t, ada)
	how := checkout.How{CardID: s.savedCard(t, ada, token)[0].ID}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200, How: &how, ReturnURL: "http://elsewhere.test/done"})
	refused(t, "an address elsewhere", err, processor.ErrAddressRefused)
	if apptest.Wrong(err) != "returnUrl" {
		t.Errorf("wrong is %q", apptest.Wrong(err))
	}
	p, err := s.choose(t.Context(), ada, token, how)
	if must(t, p, err); p.RedirectURL == "" {
		t.Fatalf("%+v", p)
	}
	if err := s.Sim.AnswerBank(p.ClientSecret, true); err != nil {
		t.Fatal(err)
	}
	s.confirm(t, ada, token)
	s.check(t)
}

func TestSavedCardIsDeclined(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, cardDeclinesSaved)
	token := s.held(t, ada)
	p, err := s.choose(t.Context(), ada, token, checkout.How{CardID: s.savedCard(t, ada, token)[0].ID})
	if err != nil || p.Status != processor.StatusAwaitingMethod || p.FailureCode != "generic_decline" {
		t.Fatalf("%+v, %v", p, err)
	}
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "a declined cart", err, checkout.ErrPaymentRequired)
	s.PayCard(t, p.ClientSecret, apptest.CardGood) // another card, on the same payment
	s.confirm(t, ada, token)
	s.check(t)
}

func TestWhoseCardItIs(t *testing.T) {
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	s.buys(t, ada, apptest.CardGood)
	mine, err := s.Checkout.MyCards(t.Context(), ada.Principal)
	if err != nil || len(mine) != 1 || mine[0].BusinessName == "" || mine[0].BusinessID != s.Business.ID {
		t.Fatalf("%+v, %v", mine, err)
	}
	card := mine[0].ID
	if others := must(t, s.savedCard(t, bob, s.held(t, bob)), nil); len(others) != 0 {
		t.Errorf("Bob sees %+v", others)
	}
	token := s.held(t, bob)
	for _, id := range []uuid.UUID{card, uuid.New()} {
		_, err = s.choose(t.Context(), bob, token, checkout.How{CardID: id})
		refused(t, "somebody else's card", err, processor.ErrCardRemoved)
		if err := s.Checkout.RemoveMyCard(t.Context(), bob.Principal, id); !missing(err) {
			t.Errorf("Bob removes a card that is not his: %v", err)
		}
	}

	customer := apptest.Value[uuid.UUID](t, s.w, "select customer_id from saved_cards")
	desk := s.Owner
	list, err := s.Billing.Cards(t.Context(), desk, customer)
	if err != nil || len(list) != 1 || list[0].ID != card {
		t.Errorf("the studio sees %+v, %v", list, err)
	}
	if _, err := s.Billing.Cards(t.Context(), desk, uuid.New()); !missing(err) {
		t.Errorf("the cards of an unknown customer: %v", err)
	}
	if err := s.Billing.RemoveCard(t.Context(), desk, uuid.New(), card); !missing(err) {
		t.Errorf("the card of another customer: %v", err)
	}

	waiting := s.held(t, ada)
	if _, err := s.choose(t.Context(), ada, waiting, checkout.How{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Checkout.RemoveMyCard(t.Context(), ada.Principal, card); err != nil {
		t.Fatal(err)
	}
	if err := s.Checkout.RemoveMyCard(t.Context(), ada.Principal, card); !missing(err) {
		t.Errorf("a card that is gone: %v", err)
	}
	_, err = s.choose(t.Context(), ada, waiting, checkout.How{CardID: card})
	refused(t, "a card that is gone", err, processor.ErrCardRemoved)
	s.jobs(t)
	if left := s.atProcessor(t); len(left) != 0 {
		t.Errorf("the processor still keeps %v", left)
	}
	if got := apptest.Value[string](t, s.w, "select removed_by || (detached_at is not null) from saved_cards"); got != "customertrue" {
		t.Errorf("the card is %s", got)
	}
	s.check(t)
}

// The studio removes a card on the processor's website: the event reports it, and a payment that is faster than it
// finds out.
func TestCardDetachedAtTheProcessor(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	for _, told := range []bool{true, false} {
		s.buys(t, ada, apptest.CardGood)
		s.jobs(t)
		token := s.held(t, ada)
		card := s.savedCard(t, ada, token)[0]
		if err := s.Sim.DashboardDetach(card.AccountID, card.Method); err != nil {
			t.Fatal(err)
		}
		if told {
			s.jobs(t)
		}
		_, err := s.choose(t.Context(), ada, token, checkout.How{CardID: card.ID})
		refused(t, "a card that is gone", err, processor.ErrCardRemoved)
		if left := s.savedCard(t, ada, token); len(left) != 0 {
			t.Errorf("told %v: still kept: %+v", told, left)
		}
		s.w.Clock.Advance(time.Hour)
	}
	s.check(t)
}

// Paying with a saved card, killed at every call to the database; then the customer presses again. One charge, one
// booking.
func TestSavedCardKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, apptest.CardGood)
	for _, after := range []bool{false, true} {
		for n, spared := 1, false; !spared; n++ {
			token := s.held(t, ada)
			how := checkout.How{CardID: s.savedCard(t, ada, token)[0].ID}
			_, err := d.choose(k.arm(t.Context(), n, after), ada, token, how)
			if spared = k.spared(); spared && err != nil {
				t.Fatal(err)
			}
			if _, err := s.choose(t.Context(), ada, token, how); err != nil && !errors.Is(err, checkout.ErrOrdered) {
				t.Errorf("killed at call %d (after: %v), then: %v", n, after, err)
			}
			s.confirm(t, ada, token)
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments where status <> 'succeeded'"); n != 0 {
		t.Errorf("%d payments did not succeed", n)
	}
	s.check(t)
}

func missing(err error) bool {
	f := fault.From(err)
	return f != nil && f.Reason == fault.Missing().Reason
}
