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

// disputed sells Ada a seat, lets her bank dispute the payment, and returns the dispute's address and its id at the
// processor.
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

// listed runs the nightly listing of the processor's events.
func listed(t *testing.T, s *consoletest.Studio) {
	t.Helper()
	s.Clock.Advance(24 * time.Hour)
	s.Sweep(t)
}

// TestSubmitEvidence: the form has the known data; a draft is saved, reviewed and submitted once, and the screen
// shows its state until the bank has decided.
func TestSubmitEvidence(t *testing.T) {
	s := consoletest.Open(t)
	at, id := disputed(t, s, s.Sim.Dispute)
	c := s.As(t, consoletest.Owner)
	page := c.Get("/sales/disputes").Is(t, 200).Shows(t, "Ada Lovelace", "Submit evidence by")
	page = c.Get(page.Link(at)).Is(t, 200).Shows(t, "$24.44 in dispute", "Needs response", "The bank withdrew $24.44", "Ada Lovelace", "Evening Flow", "product not received",
		"Filled in from the records of the payment", "of 150,000 characters", "Review and submit…")
	form := page.Form(at)
	if v := form.Values; v.Get("customerName") != "Ada Lovelace" || !strings.Contains(v.Get("product"), "Evening Flow: a class") || !strings.Contains(v.Get("attendance"), "booked by the customer") {
		t.Errorf("%v", form.Values)
	}
	page = c.Send(form, "refusal", "").Is(t, 200).Shows(t, "Draft saved. It has not been submitted to the bank.", "Draft saved", "Fill in from records").Silent(t, "Filled in from the records of the payment")
	stale := page.Form(at)
	c.Send(page.Form(at), "refusal", "She came <at nine>.")
	c.Send(stale, "refusal", "Another.").Is(t, 409).Shows(t, "Another user changed this while you were editing")
	c.Get(at+"?anew=1").Is(t, 200).Shows(t, "Filled in from the records of the payment")
	form = c.Get(at).Form(at)
	form.Values.Set("then", "submit")
	page = c.Send(form).Is(t, 200).Shows(t, "Evidence to submit", "She came <at nine>.", "You can submit evidence only once. Nothing can be changed or added afterwards.",
		"Submit evidence")
	hand := page.Form("/submit")
	c.Send(hand).Is(t, 200).Shows(t, "Evidence submitted. The bank reviews it next.", "You submitted evidence on", "Submitted evidence", "She came <at nine>.").Silent(t, "Save as draft")
	c.Send(form, "refusal", "One thing more.").Is(t, 409).Shows(t, "The evidence was already submitted.")
	listed(t, s)
	c.Get(at).Shows(t, "Under review", "The bank reviews it and decides.")
	if err := s.Sim.LoseDispute(s.Account, id); err != nil {
		t.Fatal(err)
	}
	listed(t, s)
	c.Get(at).Shows(t, "Lost", "Dispute lost: the customer keeps the money.", "She came <at nine>.")
	c.Get("/sales/disputes?all=1").Shows(t, "Ada Lovelace", "Lost")
}

// TestEvidenceThatWasRefused: a refusal by the processor is above the form, with its reason.
func TestEvidenceThatWasRefused(t *testing.T) {
	s := consoletest.Open(t)
	at, id := disputed(t, s, s.Sim.Inquire)
	c := s.As(t, consoletest.Owner)
	c.Get(at+"/submit").Is(t, 200).Shows(t, "No evidence saved")
	page := c.Get(at).Is(t, 200).Shows(t, "Inquiry: needs response", "No funds have been withdrawn yet.")
	c.Send(page.Form(at), "product", "", "customerName", strings.Repeat("a", 1001)).Is(t, 400).Shows(t, "This is too long.")
	form := c.Get(at).Form(at)
	form.Values.Set("then", "submit")
	page = c.Send(form)
	s.StopWorker(t)
	c.Send(page.Form("/submit")).Shows(t, "It is on its way to the bank.")
	if err := s.Sim.CloseInquiry(s.Account, id); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(24 * time.Hour)
	if err := s.Balance.ListingsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Get(at).Is(t, 200).Shows(t, "The processor rejected the evidence:", "No funds were withdrawn.", "Unsubmitted draft")
}

// TestWhoMaySubmitEvidence: reading needs the right to see all payments; writing the right to refund all of them.
// Screens are read in a few trips for orders of any size.
func TestWhoMaySubmitEvidence(t *testing.T) {
	s := consoletest.Open(t)
	at, _ := disputed(t, s, s.Sim.Dispute)
	accountant := s.As(t, policy.Accountant)
	accountant.Get(at).Is(t, 200).Shows(t, "$24.44 in dispute").Silent(t, "Save as draft", "@example.com")
	for _, role := range []policy.Role{policy.FrontDesk, policy.Instructor, policy.Marketer} {
		s.As(t, role).Get(at).Is(t, 403)
	}
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/disputes/"+uuid.NewString()).Is(t, 404)
	if got := accountant.Post(at, url.Values{"product": {"x"}, web.FieldToken: {accountant.Token()}, web.FieldKey: {"0123456789012345678901"}}); got.Status != 403 {
		t.Errorf("the accountant keeps a draft: %d", got.Status)
	}
	s.StopWorker(t)
	if trips := s.Statements(func() { c.Get(at).Is(t, 200).Shows(t, "Filled in from the records of the payment") }); trips > 14 {
		t.Errorf("%d trips", trips)
	}
	s.Clock.Advance(30 * 24 * time.Hour)
	s.As(t, policy.Admin).Get(at).Is(t, 200).Shows(t, "The deadline for evidence was").Silent(t, "Save as draft")
}
