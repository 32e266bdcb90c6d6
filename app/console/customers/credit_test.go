package customers_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestCredit: credit is added and removed on the customer's page with a reason, never below zero, with the right to;
// everyone with access to the customer sees balance and reasons.
func TestCredit(t *testing.T) {
	s, ids, _ := owing(t)
	c := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	page := c.Get(at).Is(t, 200).Shows(t, "Account credit", "No credit.")
	page = c.Get(page.Link(at+"/credit")).Is(t, 200).Shows(t, "Adjust credit", "Balance due")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "").Is(t, 400).Shows(t, "Say why.")
	c.Send(page.Posts(at+"/credit"), "amount", "nonsense", "note", "x").Is(t, 400).Shows(t, "Enter an amount such as 22.50")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "The heating was off").Is(t, 200).Shows(t, "The credit balance is now $15.00.", "Credit added", "The heating was off")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "The heating was off").Is(t, 200) // sent twice
	if n := apptest.Value[int64](t, s.World, "select balance from credits"); n != 1500 {
		t.Fatalf("the credit is %d", n)
	}
	page = c.Get(at+"/credit").Is(t, 200)
	c.Send(page.Posts(at+"/credit"), "way", "take", "amount", "15.01", "note", "wrong Ada").Is(t, 409).Shows(t, "There is not enough account credit.")
	c.Send(page.Posts(at+"/credit"), "way", "take", "amount", "5.00", "note", "wrong Ada").Is(t, 200).Shows(t, "The credit balance is now $10.00.", "Credit deducted")
	front := s.As(t, policy.FrontDesk)
	front.Get(at).Is(t, 200).Shows(t, "Account credit", "$10.00", "Credit transactions").Silent(t, "Adjust credit")
	front.Get(at+"/credit").Is(t, 200).Shows(t, "wrong Ada").Silent(t, "Adjust credit")
	front.Send(page.Posts(at+"/credit"), "amount", "5.00", "note", "for me").Is(t, 403)
}

// TestSavedCards: members who take payments see a customer's saved cards, and remove one; others do not see them.
func TestSavedCards(t *testing.T) {
	s, ids, _ := owing(t)
	s.SQL(t, `insert into saved_cards (id, business_id, customer_id, env, account, method, brand, last4, exp_month, exp_year, fingerprint,
			consent_text, consent_version, consented_at, created_at, updated_at)
		select gen_random_uuid(), business_id, id, 'simulated', 'acct_sim_kept', 'pm_1', 'visa', '4242', 3, 2034, '', 'Keep my card.', '2026-11', $2, $2, $2
		from customers where id = $1`, ids["Ada"], s.Clock.Now())
	at := "/customers/" + ids["Ada"].String()
	s.As(t, policy.Marketer).Get(at).Is(t, 200).Silent(t, "Saved cards", "4242")
	c := s.As(t, policy.FrontDesk)
	page := c.Get(at).Is(t, 200).Shows(t, "Saved cards", "Visa ···4242", "expires 03/2034")
	form := page.Form("/remove")
	c.Send(form).Is(t, 200).Shows(t, "The card is removed.").Silent(t, "4242")
	c.Send(form) // sent twice
	if by := apptest.Value[string](t, s.World, "select removed_by from saved_cards"); by != "studio" {
		t.Errorf("it was removed by %q", by)
	}
	c.Get("/customers/"+ids["Ben"].String()).Is(t, 200).Silent(t, "Saved cards")
}
