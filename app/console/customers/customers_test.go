package customers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/policy"
)

// order returns names in the order of a page.
func order(page *consoletest.Page, names ...string) string {
	_, text, _ := strings.Cut(page.Text(), "Since")
	var found []string
	for len(found) < len(names) {
		first, at := "", -1
		for _, name := range names {
			if i := strings.Index(text, name); i >= 0 && (at < 0 || i < at) && !strings.Contains(strings.Join(found, " "), name) {
				first, at = name, i
			}
		}
		if at < 0 {
			break
		}
		found = append(found, first)
	}
	return strings.Join(found, " ")
}

// owing returns a studio with three customers: Ada is booked tomorrow with the class due, Ben has a no-show fee, Cy
// has no booking.
func owing(t *testing.T) (s *consoletest.Studio, ids map[string]uuid.UUID, cost int64) {
	t.Helper()
	s = consoletest.Open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.NoShow.FeeAmount = 700 }))
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug = "Slow Burn", "slow-burn" })
	soon, later := s.AddOccurrence(t, class, s.Clock.Now().Add(time.Hour)), s.AddOccurrence(t, class, s.Clock.Now().Add(26*time.Hour))
	ben := s.Seat(t, soon.ID, "Ben", "")
	s.Clock.Advance(time.Second)
	s.Seat(t, later.ID, "Ada", "")
	if _, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Cy"}); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(3 * time.Hour)
	if _, err := s.Booking.NoShow(t.Context(), s.Owner, ben); err != nil {
		t.Fatal(err)
	}
	ids = map[string]uuid.UUID{}
	for _, name := range []string{"Ada", "Ben", "Cy"} {
		ids[name] = apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = $1", name)
	}
	return s, ids, *class.Price
}

// TestOrderOfCustomers: by name, next booking, last booking, balance due; customers without one are last.
func TestOrderOfCustomers(t *testing.T) {
	s, _, _ := owing(t)
	c := s.As(t, consoletest.Owner)
	for sort, want := range map[string]string{
		"": "Cy Ada Ben", "oldest": "Ben Ada Cy", "name": "Ada Ben Cy", "next": "Ada", "last": "Ben", "balance": "Ben Ada Cy", "nonsense": "Cy Ada Ben",
	} {
		got := order(c.Get("/customers?sort="+sort).Is(t, 200), "Ada", "Ben", "Cy")
		if !strings.HasPrefix(got, want) {
			t.Errorf("by %q it is %s", sort, got)
		}
	}
	page := c.Get("/customers").Shows(t, "3 customers", "Next booking", "Last booking", "Balance due")
	if !strings.Contains(strings.Join(page.Links(), " "), "sort=balance") {
		t.Error("nothing sorts by what is owed")
	}
	c.Get("/customers?q=ad").Is(t, 200).Shows(t, "1 customer matches", "Ada", "Save view").Silent(t, "Ben")
	c.Get("/customers?q=zz").Is(t, 200).Shows(t, "No customers match.", "Clear filters")
	long := strings.Repeat("q", 200)
	if got := c.Get("/customers?q="+long).Is(t, 400).Shows(t, "Use at most 120 characters.").Form("/customers").Values.Get("q"); got != long {
		t.Errorf("what was searched is gone: %q", got)
	}
	view := c.Send(c.Get("/customers?sort=balance").Form("/customers/views"), "name", "Debtors").Is(t, 200).Shows(t, "Debtors", "This view")
	if view.URL.RawQuery != "sort=balance" {
		t.Errorf("it leads to %s", view.URL)
	}
}

// TestAmountsDueOfACustomer: the sum, with its bookings; a waived fee is no longer due.
func TestAmountsDueOfACustomer(t *testing.T) {
	s, ids, cost := owing(t)
	c := s.As(t, consoletest.Owner)
	sum := func(minor int64) string { return fmt.Sprintf("Balance due: $%d.%02d", minor/100, minor%100) }
	page := c.Get("/customers/"+ids["Ben"].String()).Is(t, 200).Shows(t, sum(cost+700), "due at the studio, no-show fee", "Past")
	booked := apptest.Value[string](t, s.World, "select id::text from bookings where customer_id = $1", ids["Ben"])
	if page.Link("/bookings/"+booked) == "" {
		t.Error("the sum leads to no booking")
	}
	c.Send(c.Get("/bookings/"+booked+"/waive").Is(t, 200).Posts("/waive"), "reason", "A flat tyre").Is(t, 200)
	c.Get("/customers/"+ids["Ben"].String()).Is(t, 200).Shows(t, sum(cost)).Silent(t, "no-show fee")
	c.Get("/customers/"+ids["Ada"].String()).Is(t, 200).Shows(t, sum(cost), "Upcoming", "Slow Burn")
	c.Get("/customers/"+ids["Cy"].String()).Is(t, 200).Shows(t, "No upcoming bookings.").Silent(t, "Balance due")
	ada := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where customer_id = $1", ids["Ada"])
	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: ada, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	c.Get("/customers/"+ids["Ada"].String()).Is(t, 200).Silent(t, "Balance due")
	// A member with access to customers, but not to bookings, sees no booking.
	s.As(t, policy.Marketer).Get("/customers").Is(t, 200).Shows(t, "Ada").Silent(t, "Balance due", "Next booking", "$")
	c.Get("/customers/"+uuid.NewString()).Is(t, 404)
}

// TestPagesOfCustomers: pages link back and on, the first one only on; a long list costs as many trips and statements
// as a short one.
func TestPagesOfCustomers(t *testing.T) {
	s, ids, _ := owing(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/customers").Silent(t, "Next page", "Previous page", "first page")
	count := func(path string) string {
		c.Get(path).Is(t, 200) // fill caches
		s.StopWorker(t)        // the worker's reads would be counted, too
		trips, statements := s.World.Sent(func() { c.Get(path).Is(t, 200) })
		return fmt.Sprintf("%d trips, %d statements", trips, statements)
	}
	list, one := count("/customers?sort=balance"), count("/customers/"+ids["Ben"].String())
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 200, 0 })
	for i := range 8 {
		date := s.AddOccurrence(t, class, s.Clock.Now().Add(time.Duration(24+i)*time.Hour))
		for j := range 7 {
			s.Seat(t, date.ID, fmt.Sprintf("Guest %d", 10*i+j), "")
		}
	}
	if got := count("/customers?sort=balance"); got != list {
		t.Errorf("three customers: %s; 59: %s", list, got)
	}
	if got := count("/customers/" + ids["Ben"].String()); got != one {
		t.Errorf("one customer: %s, then %s", one, got)
	}
	page := c.Get("/customers?sort=name").Shows(t, "59 customers", "Next page").Silent(t, "Previous page")
	next := ""
	for _, href := range page.Links() {
		if strings.Contains(href, "from=50") {
			next = href
		}
	}
	c.Get(next).Is(t, 200).Shows(t, "Previous page").Silent(t, "Next page")
	c.Get("/customers?from=500").Is(t, 200).Shows(t, "No customers on this page.")
}

// TestWritingSomebodyDown: an error is at its field; an outdated version shows both values; a known address links to
// its customer.
func TestWritingSomebodyDown(t *testing.T) {
	s, ids, _ := owing(t)
	c := s.As(t, consoletest.Owner)
	page := c.Send(c.Get("/customers/new").Posts("/customers/new"), "name", strings.Repeat("n", 100_000)).Is(t, 400).
		Shows(t, "Enter a name of at most 120 characters, on one line.")
	if got := page.Posts("/customers/new").Values.Get("name"); len(got) != 100_000 {
		t.Errorf("%d letters are left", len(got))
	}
	path := "/customers/" + ids["Ada"].String() + "/edit"
	mine, theirs := c.Get(path).Posts("/edit"), c.Get(path).Posts("/edit")
	c.Send(theirs, "name", "Ada Quist").Is(t, 200).Shows(t, "Saved.")
	c.Send(mine, "name", "Ada Holm").Is(t, 409).Shows(t, "Another user changed this", "Current value:", "Ada Quist")
	email := apptest.Value[string](t, s.World, "select email from customers where id = $1", ids["Ben"])
	c.Send(c.Get("/customers/new").Posts("/customers/new"), "name", "Benjamin", "email", email).Is(t, 200).Shows(t, "A customer with this e-mail address already exists", "Ben")
}
