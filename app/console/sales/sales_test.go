package sales_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/policy"
)

// TestList: payments filtered by method, state and day, with totals of the page; the front desk sees today.
func TestList(t *testing.T) {
	s := consoletest.Open(t)
	owner, desk := s.As(t, consoletest.Owner), s.As(t, policy.FrontDesk)
	owner.Get("/sales").Is(t, 200).Shows(t, "No payments yet")
	desk.Get("/sales").Is(t, 200).Shows(t, "No payments today")
	p := s.Sell(t, "Ada Lovelace")
	owner.Get("").Shows(t, "Sales")
	owner.Get("/sales").Is(t, 200).Shows(t, "Ada Lovelace", "Evening Flow", "Visa ···4242", "Paid", "$24.44", "gross", "net, before fees that are still pending")
	for query, shown := range map[string]bool{
		"method=card": true, "method=cash": false, "state=paid": true, "state=refunded": false, "span=today": true, "span=yesterday": false,
		"span=week": true, "from=2031-01-01": false, "customer=" + p.CustomerID.String(): true, "order=" + p.OrderID.String(): true,
	} {
		if page := owner.Get("/sales?"+query).Is(t, 200); shown {
			page.Shows(t, "Ada Lovelace").Silent(t, "No payments match.")
		} else {
			page.Silent(t, "Ada Lovelace").Shows(t, "No payments match.")
		}
	}
	owner.Get("/sales?from=2031-02-01&to=2031-01-01").Is(t, 400).Shows(t, "The last day is before the first.")
	desk.Get("/sales").Is(t, 200).Shows(t, "Ada Lovelace", "Today's payments")
	desk.Get("/sales/"+p.ID.String()).Is(t, 200).Shows(t, "$24.44")
	s.Clock.Advance(24 * time.Hour)
	desk.Get("/sales").Is(t, 200).Shows(t, "No payments today")
	desk.Get("/sales/"+p.ID.String()).Is(t, 404)
	desk.Get("/sales/"+p.ID.String()+"/refund").Is(t, 404)
	owner.Get("/sales").Shows(t, "Ada Lovelace")
	s.As(t, policy.Instructor).Get("/sales").Is(t, 403)
}

// TestPages: a list of more than a page has a next page, and a link to its beginning.
func TestPages(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	s.SQL(t, `insert into order_tenders (id, business_id, location_id, order_id, kind, state, amount, currency,
		actor_kind, captured_at, created_at)
		select gen_random_uuid(), business_id, location_id, order_id, 'cash', 'captured', 100, currency, 'person',
			created_at + n * interval '1 second', created_at
		from payments, generate_series(1, 60) n where id = $1`, p.ID)
	c := s.As(t, consoletest.Owner)
	page := c.Get("/sales").Is(t, 200).Shows(t, "$50.00", "Next page").Silent(t, "Visa")
	next := ""
	for _, link := range page.Links() {
		if strings.Contains(link, "after=") {
			next = link
		}
	}
	c.Get(next).Is(t, 200).Shows(t, "Visa ···4242", "Back to the first page").Silent(t, "Next page")
}

// TestRefund: from the payment in two presses and a note, in full, by line or by amount; the page shows the effects,
// the button has them, and a change meanwhile is shown first.
func TestRefund(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	s.StopWorker(t) // the refund stays pending
	c := s.As(t, consoletest.Owner)
	at := "/sales/" + p.ID.String()
	back := func() int64 {
		return apptest.Value[int64](t, s.World, "select coalesce(sum(amount), 0)::bigint from refunds")
	}
	page := c.Get(at).Is(t, 200).Shows(t, "Ada Lovelace", "Evening Flow", "Sales tax · 8.875%", "$1.95", "Service fee", "$0.49", "Platform fee, 2%", "Available a few seconds after the payment", "Refund…")
	page = c.Get(page.Link(at+"/refund")).Is(t, 200).Shows(t, "Refund $24.44 to Visa ···4242", "Tax included", "Platform fee refunded to you")
	c.Get(at+"/refund?how=lines").Is(t, 200).Shows(t, "Evening Flow · $23.95", "Service fee · $0.49", "Choose an amount to preview the refund").Silent(t, "Refund $")
	c.Get(at+"/refund?how=lines&line=fee").Is(t, 200).Shows(t, "Refund $0.49 to Visa")
	c.Get(at+"/refund?how=amount&amount=nonsense").Is(t, 200).Shows(t, "Enter an amount such as 22.50")
	c.Get(at+"/refund?how=amount&amount=24.45").Is(t, 200).Shows(t, "larger than the refundable amount").Silent(t, "Refund $")

	half := c.Get(at+"/refund?how=amount&amount=10.00").Is(t, 200).Shows(t, "Refund $10.00 to Visa ···4242", "$14.44")
	if back() != 0 {
		t.Fatalf("looking gave %d back", back())
	}
	c.Send(half.Posts(at+"/refund"), "note", "she was ill", "reason", "goodwill").Is(t, 200).
		Shows(t, "Refunded $10.00 to Visa ···4242.", "Partially refunded", "she was ill", "Goodwill", "Pending")
	c.Send(half.Posts(at+"/refund"), "note", "she was ill", "reason", "goodwill").Is(t, 200) // sent twice
	if back() != 1000 {
		t.Fatalf("%d went back", back())
	}
	page = c.Send(page.Posts(at+"/refund"), "note", "all of it").Is(t, 409).Shows(t, "The details have changed", "Refund $14.44 to Visa ···4242")
	if back() != 1000 {
		t.Fatalf("%d went back", back())
	}
	c.Send(page.Posts(at+"/refund"), "note", "all of it").Is(t, 200).Shows(t, "Refunded").Silent(t, "Refund…")
	if back() != 2444 {
		t.Fatalf("%d went back", back())
	}
	c.Get(at+"/refund").Is(t, 200).Shows(t, "Nothing of this is refundable").Silent(t, "Refund $")
	s.SQL(t, "update refunds set state = 'failed'")
	c.Get(at).Shows(t, "failed on", "Refund…")
}

// TestRefundAnAmount: the amount is typed beside the button, which is there at once. The reason is optional, nothing
// is refunded twice, and an invalid amount, or more than refundable, is an error at its field or above it.
func TestRefundAnAmount(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	at := "/sales/" + p.ID.String() + "/refund"
	back := func() int64 {
		return apptest.Value[int64](t, s.World, "select coalesce(sum(amount), 0)::bigint from refunds")
	}
	page := c.Get(at+"?how=amount").Is(t, 200).Shows(t, "Refundable: $24.44", "Refund this amount to Visa ···4242")
	form := page.Posts(at)
	if got := form.Values.Get("amount"); got != "24.44" {
		t.Errorf("the amount begins as %q", got)
	}
	c.Send(form, "amount", "lots").Is(t, 400).Shows(t, "Enter an amount such as 22.50", "Refund this amount")
	c.Send(form, "amount", "").Is(t, 400).Shows(t, "Enter an amount, or choose lines to refund")
	c.Send(form, "amount", "24.45").Is(t, 409).Shows(t, "larger than the refundable amount", "Refund this amount")
	if back() != 0 {
		t.Fatalf("%d went back", back())
	}
	for range 2 { // pressed twice
		c.Send(form, "amount", "5").Is(t, 200).Shows(t, "Refunded $5.00 to Visa ···4242.")
	}
	if got := apptest.Values[string](t, s.World, "select amount || ' ' || reason || ' ' || note from refunds"); len(got) != 1 || got[0] != "500 requested " {
		t.Errorf("%q", got)
	}
	c.Get(at+"?how=amount").Shows(t, "Refundable: $19.44")
	c.Get(at+"?how=amount&to=account_credit").Shows(t, "Refund this amount as account credit")
}

// TestRefundAtTheDesk: the front desk refunds up to the location's limit; its setting is shown with the right to
// change it.
func TestRefundAtTheDesk(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	owner, desk, manager := s.As(t, consoletest.Owner), s.As(t, policy.FrontDesk), s.Member(t, "m@example.com", apptest.At(policy.Manager, s.Location.ID))
	at, place := "/sales/"+p.ID.String()+"/refund", "/settings/places/"+s.Location.ID.String()
	desk.Get(at).Is(t, 200).Shows(t, "You can refund up to $0.00 of a payment").Silent(t, "Refund $24.44")
	owner.Send(owner.Get(place).Form(place), "refundCap", "lots").Is(t, 400).Shows(t, "Enter an amount such as 22.50")
	owner.Send(owner.Get(place).Form(place), "refundCap", "15.00").Is(t, 200)
	if got := apptest.Value[int64](t, s.World, "select refund_cap_amount from locations where id = $1", s.Location.ID); got != 1500 {
		t.Fatalf("the place allows %d", got)
	}
	manager.Get(place).Is(t, 200).Silent(t, "Front desk refund limit")
	manager.Send(manager.Get(place).Form(place), "name", "Harbor").Is(t, 200) // a hidden field is unchanged
	desk.Get(at).Shows(t, "You can refund up to $15.00 of a payment")
	page := desk.Get(at+"?how=amount&amount=10").Shows(t, "Refund $10.00 to Visa ···4242")
	desk.Send(page.Posts(at), "note", "ill").Is(t, 200).Shows(t, "Refunded $")
	desk.Get(at+"?how=amount&amount=6").Shows(t, "You can refund up to $15.00 of a payment, and $10.00 of this one is already refunded.")
	manager.Get(at).Shows(t, "Refund $14.44")
}

// TestWaysToAPayment: a booking and a customer link to it, and it links back to them and to the receipt.
func TestWaysToAPayment(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	booking, customer := "/bookings/"+p.Lines[0].BookingID.String(), "/customers/"+p.CustomerID.String()
	page := c.Get("/sales/" + p.ID.String())
	for _, to := range []string{booking, customer, "/receipt/" + p.Receipt} {
		if page.Link(to) == "" {
			t.Errorf("no way to %s", to)
		}
	}
	if page := c.Get(booking); page.Link("/sales/"+p.ID.String()) == "" {
		t.Error("no way from the booking")
	}
	if page := c.Get(customer); !slices.ContainsFunc(page.Links(), func(l string) bool { return strings.HasSuffix(l, "/sales?customer="+p.CustomerID.String()) }) {
		t.Error("no way from the customer")
	}
	viewer := s.As(t, policy.Viewer)
	if page := viewer.Get(booking).Is(t, 200); page.Link("/sales/"+p.ID.String()) != "" {
		t.Error("a way for somebody who may not go it")
	}
	list, err := s.Services.Sales.List(t.Context(), s.Owner, sales.ListInput{Page: paging.In[paging.Moment]{Limit: 1}})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("%+v (%v)", list, err)
	}
}

// TestRefundToCredit: the page states that no card is refunded, and the payment shows the credit.
func TestRefundToCredit(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	at := "/sales/" + p.ID.String()
	c.Get(at+"/refund").Is(t, 200).Shows(t, "Original card (Visa ···4242)", "Account credit")
	page := c.Get(at+"/refund?to=account_credit").Is(t, 200)
	page.Shows(t, "Refund $24.44 as account credit", "Added to the customer's account credit", "the card is not credited")
	page.Silent(t, "The customer sees it on the receipt, and in a few days on their bank statement")
	c.Send(page.Posts(at+"/refund"), "note", "prefers it").Is(t, 200).Shows(t, "Refunded $24.44 as account credit.", "as account credit")
	if n := apptest.Value[int64](t, s.World, "select balance from credits"); n != 2444 {
		t.Errorf("the credit is %d", n)
	}
	c.Get("/customers/"+p.CustomerID.String()+"/credit").Is(t, 200).Shows(t, "$24.44", "Refund", "prefers it")
}
