package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/policy"
)

// class returns a date with Mia as instructor, a day ahead; where changes the row.
func class(t *testing.T, s *consoletest.Studio, where ...func(*apptest.OccurrenceRow)) (apptest.OfferingRow, apptest.OccurrenceRow, booking.StudioBooking) {
	t.Helper()
	o := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	d := s.AddOccurrence(t, o, apptest.Start.Add(24*time.Hour), where...)
	return o, d, book(t, s, d, "Mia Moss", "mia@example.com")
}

func book(t *testing.T, s *consoletest.Studio, d apptest.OccurrenceRow, name, email string) booking.StudioBooking {
	t.Helper()
	done, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		OccurrenceID: d.ID, Customer: booking.CustomerRef{Name: name, Email: email},
	})
	if err != nil {
		t.Fatal(err)
	}
	return done.Booking
}

func customer(t *testing.T, s *consoletest.Studio, name, email string) crm.Customer {
	t.Helper()
	c, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: name, Email: email})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRosterShowsWhoComesAndWhatCanBeDone(t *testing.T) {
	s := consoletest.Open(t)
	_, d, _ := class(t, s)
	book(t, s, d, "Ben Lund", "ben@example.com")
	at := "/dates/" + d.ID.String()

	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Sunrise Vinyasa", "2 of 12 booked", "0 checked in", "Mia Moss", "Ben Lund", "$22.00 due", "The waitlist is empty")
	for _, way := range []string{"/move", "/edit", "/substitute", "/cancel", "/waitlist"} {
		if !page.Has(at + way) {
			t.Errorf("the owner's roster has no way to %s", way)
		}
	}
	owner.Get(at+"?q=mia").Shows(t, "Mia Moss").Silent(t, "Ben Lund")
	owner.Get(at+"?q=zoe").Shows(t, "No customers match")
	if page := owner.Sheet(at); !strings.Contains(page.Body, `<turbo-frame id="sheet"`) {
		t.Error("the roster does not open in the side sheet")
	}

	front := s.As(t, policy.FrontDesk)
	desk := front.Get(at).Is(t, 200).Shows(t, "Mia Moss")
	if desk.Has(at+"/move") || desk.Has(at+"/edit") {
		t.Error("the front desk is shown how to change a date, which it may not")
	}
	front.Get(at+"/edit").Is(t, 403)

	other := s.World.Studio(t)
	theirs := other.AddOccurrence(t, other.AddOffering(t), apptest.Start.Add(time.Hour))
	for _, id := range []string{theirs.ID.String(), uuid.NewString(), "nothing"} {
		owner.Get("/dates/"+id).Is(t, 404)
		owner.Get("/dates/"+id+"/cancel").Is(t, 404)
	}
}

func TestRosterOfATeacherIsTheirOwn(t *testing.T) {
	s := consoletest.Open(t)
	_, d, _ := class(t, s)
	s.As(t, policy.Instructor).Get("/dates/"+d.ID.String()).Is(t, 404)
}

func TestWaitlistIsRunFromTheRoster(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s, func(r *apptest.OccurrenceRow) { r.Capacity, r.Online = 1, 1 })
	zoe, kai := customer(t, s, "Zoe Hart", "zoe@example.com"), customer(t, s, "Kai Brandt", "kai@example.com")
	at := "/dates/" + d.ID.String()
	owner := s.As(t, consoletest.Owner)
	for _, k := range []crm.Customer{zoe, kai} {
		page := owner.Get(at+"/waitlist?q="+k.Email).Is(t, 200).Shows(t, k.Name)
		owner.Send(page.Form("/waitlist")) // the search itself
		owner.Send(add(t, page), "customerId", k.ID.String()).Shows(t, k.Name+" to the waitlist and notified them")
	}
	if got := names(t, s, o, d); got != "Zoe Hart, Kai Brandt" {
		t.Fatalf("waiting: %s", got)
	}
	page := owner.Get(at).Shows(t, "2 waiting")
	owner.Send(page.Form("/reorder"), "position", "2").Shows(t, "Changed the position of")
	if got := names(t, s, o, d); got != "Kai Brandt, Zoe Hart" {
		t.Errorf("after moving the first one: %s", got)
	}
	owner.Send(owner.Get(at).Form("/promote")).Shows(t, "full")
	owner.Send(owner.Get(at).Form("/remove")).Shows(t, "Removed from the waitlist")
	if got := names(t, s, o, d); got != "Zoe Hart" {
		t.Errorf("after taking Kai off: %s", got)
	}
	s.SQL(t, "update occurrences set capacity = 2, online_capacity = 2 where id = $1", d.ID)
	owner.Send(owner.Get(at).Form("/promote")).Shows(t, "Booked Zoe Hart", "2 of 2 booked")
}

// add returns the form that adds a customer to the waitlist, beside the search.
func add(t *testing.T, p *consoletest.Page) *consoletest.Form {
	t.Helper()
	for _, f := range p.Forms("/waitlist") {
		if f.Method == "POST" {
			return f
		}
	}
	t.Fatal("there is no form to add somebody")
	return nil
}

func names(t *testing.T, s *consoletest.Studio, o apptest.OfferingRow, d apptest.OccurrenceRow) string {
	t.Helper()
	list, err := s.Waitlist.List(t.Context(), s.Owner, waitlist.ListInput{OfferingID: o.ID, OccurrenceID: d.ID})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list.Entries.Items {
		out = append(out, e.CustomerName)
	}
	return strings.Join(out, ", ")
}

// now returns the current date.
func now(t *testing.T, s *consoletest.Studio, o apptest.OfferingRow) schedule.Occurrence {
	t.Helper()
	page, err := s.Schedule.Occurrences(t.Context(), s.Owner, schedule.OccurrencesInput{OfferingID: o.ID})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d dates, %v", len(page.Items), err)
	}
	return page.Items[0]
}

// A customer booked at the desk has the required agreement outstanding: the roster has the document's name until it
// is signed.
func TestRosterShowsOutstandingAgreements(t *testing.T) {
	s := consoletest.Open(t)
	_, d, mia := class(t, s)
	at := "/dates/" + d.ID.String()
	owner := s.As(t, consoletest.Owner)
	owner.Get(at).Is(t, 200).Silent(t, "missing")
	waiver, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := owner.Get(at).Is(t, 200).Shows(t, "Mia Moss", "Waiver not signed")
	if page.Link("/customers/"+mia.CustomerID.String()) == "" {
		t.Error("nothing leads to where it is marked as signed")
	}
	s.As(t, policy.FrontDesk).Get(at).Is(t, 200).Shows(t, "Waiver not signed")
	one := statements(t, s, owner, at)
	ben := book(t, s, d, "Ben Lund", "ben@example.com")
	book(t, s, d, "Kai Brandt", "kai@example.com")
	if got := statements(t, s, owner, at); got != one {
		t.Errorf("a roster of one takes %d statements, of three %d", one, got)
	}
	for _, b := range []booking.StudioBooking{mia, ben} {
		if n := strings.Count(owner.Get(at).Text(), "Waiver not signed"); n < 2 {
			t.Errorf("%d are flagged", n)
		}
		_, err := s.Agreement.MarkSigned(t.Context(), s.Owner, agreement.MarkInput{
			StatusInput: agreement.StatusInput{CustomerID: b.CustomerID, LocationID: s.Location.ID}, DocumentID: waiver.ID,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(owner.Get(at).Text(), "Waiver not signed"); n != 1 {
		t.Errorf("%d are flagged after two have signed", n)
	}
	if _, err := s.Agreement.Archive(t.Context(), s.Owner, s.Location.ID, waiver.ID); err != nil {
		t.Fatal(err)
	}
	owner.Get(at).Is(t, 200).Silent(t, "missing")
}

// statements returns the number of statements of a page with warm caches.
func statements(t *testing.T, s *consoletest.Studio, c *consoletest.Client, path string) int {
	t.Helper()
	s.StopWorker(t)
	c.Get(path).Is(t, 200)
	_, n := s.World.Sent(func() { c.Get(path).Is(t, 200) })
	return n
}
