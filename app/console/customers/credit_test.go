package customers_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestCredit: credit is given and taken away on the customer's page with a reason, never below nothing, by those who may; everybody who
// sees the customer sees what there is and why.
func TestCredit(t *testing.T) {
	s, ids, _ := owing(t)
	c := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	page := c.Get(at).Is(t, 200).Says(t, "Account credit", "No credit.")
	page = c.Get(page.Link(at+"/credit")).Is(t, 200).Says(t, "Give or take away credit", "Owes")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "").Is(t, 400).Says(t, "Say why.")
	c.Send(page.Posts(at+"/credit"), "amount", "nonsense", "note", "x").Is(t, 400).Says(t, "Write an amount like 22.50")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "The heating was off").Is(t, 200).Says(t, "The credit is $15.00 now.", "Given", "The heating was off")
	c.Send(page.Posts(at+"/credit"), "amount", "15.00", "note", "The heating was off").Is(t, 200) // sent twice
	if n := apptest.Value[int64](t, s.World, "select balance from credits"); n != 1500 {
		t.Fatalf("the credit is %d", n)
	}
	page = c.Get(at+"/credit").Is(t, 200)
	c.Send(page.Posts(at+"/credit"), "way", "take", "amount", "15.01", "note", "wrong Ada").Is(t, 409).Says(t, "There is not that much account credit.")
	c.Send(page.Posts(at+"/credit"), "way", "take", "amount", "5.00", "note", "wrong Ada").Is(t, 200).Says(t, "The credit is $10.00 now.", "Taken away")
	front := s.As(t, policy.FrontDesk)
	front.Get(at).Is(t, 200).Says(t, "Account credit", "$10.00", "How it has changed").Silent(t, "Give or take away credit")
	front.Get(at+"/credit").Is(t, 200).Says(t, "wrong Ada").Silent(t, "Change the credit")
	front.Send(page.Posts(at+"/credit"), "amount", "5.00", "note", "for me").Is(t, 403)
}
