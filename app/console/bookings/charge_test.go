package bookings_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestChargeAFee: the button states the amount and the card; a repeated post charges once, and the fee is paid a
// moment later. Without a saved card the page has a notice.
func TestChargeAFee(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	s.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, charge_at, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3, $3 from bookings where id = $1`,
		b.ID, uuid.New(), s.Clock.Now().Add(time.Hour))
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String()
	// Without a saved card that can pay it, charging the fee is not offered (issue 31, item 18).
	offered := func(yes bool) {
		t.Helper()
		for _, page := range []string{at, "/bookings/fees"} {
			if p := c.Get(page).Is(t, 200).Shows(t, "$7.00"); yes {
				p.Shows(t, "Charge $7.00…")
			} else {
				p.Silent(t, "Charge $7.00…")
			}
		}
	}
	offered(false)
	c.Get(at+"/charge").Is(t, 200).Shows(t, "The studio has saved no card of this customer").Silent(t, "Charge $7.00")
	s.SaveCard(t, "ada@example.com", "Ada Lovelace")
	offered(true)
	for set, undo := range map[string]string{
		"consent_version = 'renewals'":                     "consent_version = '2026-11'",
		"exp_year = exp_year - 20":                         "exp_year = exp_year + 20",
		"removed_at = created_at, removed_by = 'customer'": "removed_at = null, removed_by = ''",
	} {
		s.SQL(t, "update saved_cards set "+set)
		offered(false)
		s.SQL(t, "update saved_cards set "+undo)
	}
	offered(true)
	page := c.Get(c.Get("/bookings/fees").Is(t, 200).Link(at+"/charge")).Is(t, 200).Shows(t, "Charged to Visa ending 4242: No-show fee", "$7.00")
	form := page.Posts(at + "/charge")
	later := c.Get(at+"/charge?of=fees").Is(t, 200).Posts(at + "/charge")
	c.Send(form).Is(t, 200).Shows(t, "Charging $7.00 to Visa ending 4242.")
	c.Send(form).Is(t, 200)
	for range 200 {
		if apptest.Value[int](t, s.World, "select count(*) from fees where state = 'paid'") == 1 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.Send(form).Is(t, 200).Shows(t, "Paid") // pressed again after it is paid
	c.Send(later).Is(t, 409)                 // and by a slower colleague
	c.Get(at).Is(t, 200).Shows(t, "Paid").Silent(t, "Charge $7.00…")
	if n := apptest.Value[int](t, s.World, "select count(*) from payments where amount = 700 and status = 'succeeded'"); n != 1 {
		t.Errorf("%d charges", n)
	}
	s.As(t, policy.Instructor).Get(at+"/charge").Is(t, 403)
}

// TestChargeThePrice: a booking made at the desk is charged to the saved card from the payment page; a repeated post
// charges once. The booking shows the payment and its method.
func TestChargeThePrice(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String()
	c.Get(at+"/take").Is(t, 200).Silent(t, "Saved card")
	s.SaveCard(t, "ada@example.com", "Ada Lovelace")
	page := c.Get(c.Get(at+"/take").Is(t, 200).Shows(t, "Charge Visa ending 4242…").Link(at+"/charge")).Is(t, 200).
		Shows(t, "Evening Flow", "Charged to Visa ending 4242", "Charge $22.00")
	form := page.Posts(at + "/charge")
	c.Send(form).Is(t, 200).Shows(t, "Charging $22.00 to Visa ending 4242.")
	c.Send(form).Is(t, 200)
	for range 200 {
		if apptest.Value[int](t, s.World, "select count(*) from orders where cart_id is null and state = 'fulfilled'") == 1 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.Get(at).Is(t, 200).Shows(t, "Paid by card", "$22.00").Silent(t, "Take $22.00…", "Charging")
	if n := apptest.Value[int](t, s.World, "select count(*) from payments p join orders o on o.id = p.order_id where o.cart_id is null and p.status = 'succeeded' and p.amount = 2200"); n != 1 {
		t.Errorf("%d charges", n)
	}
	c.Get(at+"/charge?of=price").Is(t, 200).Silent(t, "Charge $22.00")
	s.As(t, policy.Instructor).Get(at+"/charge?of=price").Is(t, 403)
}
