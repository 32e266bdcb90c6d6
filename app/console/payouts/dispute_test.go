package payouts_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/web"
	"foyer/policy"
)

// disputed has Ada buy a seat and their bank want the money back, and returns the dispute's address and its id at the processor.
func disputed(t *testing.T, s *consoletest.Studio, begin func(account, payment, reason string) (string, error)) (at, id string) {
	t.Helper()
	p := s.Sell(t, "Ada Lovelace")
	id, err := begin(s.Account, apptest.Value[string](t, s.World, "select intent from payments where id = $1", p.ID), "product_not_received")
	if err != nil {
		t.Fatal(err)
	}
	listed(t, s)
	return "/sales/disputes/" + apptest.Value[string](t, s.World, "select id::text from disputes where payment_id = $1", p.ID), id
}

// listed has the night's listing find what has happened at the processor.
func listed(t *testing.T, s *consoletest.Studio) {
	t.Helper()
	s.Clock.Advance(24 * time.Hour)
	s.Sweep(t)
}

// TestAnswerADispute: the form has what is known in it; a draft is kept, read through and handed in once, and the screen says how it stands
// until the bank has decided.
func TestAnswerADispute(t *testing.T) {
	s := consoletest.Open(t)
	at, id := disputed(t, s, s.Sim.Dispute)
	c := s.As(t, consoletest.Owner)
	page := c.Get("/sales/disputes").Is(t, 200).Shows(t, "Ada Lovelace", "Answer by")
	page = c.Get(page.Link(at)).Is(t, 200).Shows(t, "$24.44 in dispute", "Answer it", "The bank has taken $24.44 back", "Ada Lovelace", "Evening Flow", "product not received",
		"What is known of the payment is filled in", "of 150,000 characters", "Read it through and hand it in…")
	form := page.Form(at)
	if v := form.Values; v.Get("customerName") != "Ada Lovelace" || !strings.Contains(v.Get("product"), "Evening Flow: a class") || !strings.Contains(v.Get("attendance"), "booked by the customer") {
		t.Errorf("%v", form.Values)
	}
	page = c.Send(form, "refusal", "").Is(t, 200).Shows(t, "The draft is kept. The bank has not got it yet.", "A draft is kept", "Fill in what is known").Silent(t, "is filled in")
	stale := page.Form(at)
	c.Send(page.Form(at), "refusal", "She came <at nine>.")
	c.Send(stale, "refusal", "Another.").Is(t, 409).Shows(t, "Somebody else changed this while you were writing")
	c.Get(at+"?anew=1").Is(t, 200).Shows(t, "is filled in")
	form = c.Get(at).Form(at)
	form.Values.Set("then", "hand-in")
	page = c.Send(form).Is(t, 200).Shows(t, "This goes to the bank, as it stands here", "She came <at nine>.", "Nothing can be changed or added afterwards.",
		"Hand in to the bank. This can be done once.")
	hand := page.Form("/hand-in")
	c.Send(hand).Is(t, 200).Shows(t, "Handed in. The bank looks at it now.", "You handed the answer in on", "What the bank was told", "She came <at nine>.").Silent(t, "Keep as a draft")
	c.Send(form, "refusal", "One thing more.").Is(t, 409).Shows(t, "The answer was handed in.")
	listed(t, s)
	c.Get(at).Shows(t, "Being looked at", "The bank looks at it, and decides.")
	if err := s.Sim.LoseDispute(s.Account, id); err != nil {
		t.Fatal(err)
	}
	listed(t, s)
	c.Get(at).Shows(t, "Lost", "You lost: the customer keeps the money.", "She came <at nine>.")
	c.Get("/sales/disputes?all=1").Shows(t, "Ada Lovelace", "Lost")
}

// TestAnAnswerThatWasRefused: what the processor did not take stands above the form, with its reason.
func TestAnAnswerThatWasRefused(t *testing.T) {
	s := consoletest.Open(t)
	at, id := disputed(t, s, s.Sim.Inquire)
	c := s.As(t, consoletest.Owner)
	c.Get(at+"/hand-in").Is(t, 200).Shows(t, "Nothing is kept yet")
	page := c.Get(at).Is(t, 200).Shows(t, "Inquiry: answer it", "No money has moved yet.")
	c.Send(page.Form(at), "product", "", "customerName", strings.Repeat("a", 1001)).Is(t, 400).Shows(t, "This is too long.")
	form := c.Get(at).Form(at)
	form.Values.Set("then", "hand-in")
	page = c.Send(form)
	s.Rest(t)
	c.Send(page.Form("/hand-in")).Shows(t, "It is on its way to the bank.")
	if err := s.Sim.CloseInquiry(s.Account, id); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(24 * time.Hour)
	if err := s.Billing.ListingsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Get(at).Is(t, 200).Shows(t, "The processor did not take the answer:", "No money has moved.", "The draft that was not handed in")
}

// TestWhoAnswersDisputes: who sees all payments reads; who may give all of them back writes. Screens are read in a few trips however much
// the order was for.
func TestWhoAnswersDisputes(t *testing.T) {
	s := consoletest.Open(t)
	at, _ := disputed(t, s, s.Sim.Dispute)
	accountant := s.As(t, policy.Accountant)
	accountant.Get(at).Is(t, 200).Shows(t, "$24.44 in dispute").Silent(t, "Keep as a draft", "@example.com")
	for _, role := range []policy.Role{policy.FrontDesk, policy.Instructor, policy.Marketer} {
		s.As(t, role).Get(at).Is(t, 403)
	}
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/disputes/"+uuid.NewString()).Is(t, 404)
	if got := accountant.Post(at, url.Values{"product": {"x"}, web.FieldToken: {accountant.Token()}, web.FieldKey: {"0123456789012345678901"}}); got.Status != 403 {
		t.Errorf("the accountant keeps a draft: %d", got.Status)
	}
	s.Rest(t)
	if trips := s.Statements(func() { c.Get(at).Is(t, 200).Shows(t, "is filled in") }); trips > 14 {
		t.Errorf("%d trips", trips)
	}
	s.Clock.Advance(30 * 24 * time.Hour)
	s.As(t, policy.Admin).Get(at).Is(t, 200).Shows(t, "The time to answer was over on").Silent(t, "Keep as a draft")
}
