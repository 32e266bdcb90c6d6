package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// waive adds a required waiver.
func waive(t *testing.T, s *consoletest.Studio) agreement.Document {
	t.Helper()
	d, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every check-in shows the outstanding agreements, with a link to sign; a long list takes as many statements as a
// short one.
func TestCheckInShowsOutstandingAgreements(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t), apptest.Start.Add(30*time.Minute))
	seat := s.Seat(t, date.ID, "Mia Moss", "")
	customer := apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings where id = $1", seat)
	owner, desk := s.As(t, consoletest.Owner), s.As(t, policy.FrontDesk)
	one := "/bookings/" + seat.String()
	owner.Get("").Is(t, 200).Shows(t, "Arriving").Silent(t, "missing")
	waiver := waive(t, s)
	for _, at := range []string{"", "/bookings", one, "/dates/" + date.ID.String()} {
		page := owner.Get(at).Is(t, 200).Shows(t, "Mia Moss", "Waiver not signed")
		if !strings.Contains(page.Body, "/customers/"+customer.String()+"?location="+s.Location.ID.String()+"#agreements") {
			t.Errorf("%s: nothing leads to where it is marked as signed", at)
		}
		desk.Get(at).Is(t, 200).Shows(t, "Waiver not signed")
	}
	lists := []string{"", "/bookings"}
	var before []int
	for _, at := range lists {
		before = append(before, statements(t, s, owner, at))
	}
	s.Seat(t, date.ID, "Ben Lund", "")
	s.Seat(t, date.ID, "Kai Brandt", "")
	for i, at := range lists {
		if got := statements(t, s, owner, at); got != before[i] {
			t.Errorf("%q with one who owes takes %d statements, with three %d", at, before[i], got)
		}
		if n := strings.Count(owner.Get(at).Text(), "Waiver not signed"); n != 3 {
			t.Errorf("%q flags %d of three", at, n)
		}
	}
	_, err := s.Agreement.MarkSigned(t.Context(), s.Owner, agreement.MarkInput{
		StatusInput: agreement.StatusInput{CustomerID: customer, LocationID: s.Location.ID}, DocumentID: waiver.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	owner.Get(one).Is(t, 200).Silent(t, "missing")
	if n := strings.Count(owner.Get("/bookings").Text(), "Waiver not signed"); n != 2 {
		t.Errorf("%d are flagged after one has signed", n)
	}
	s.Clock.Advance(3 * time.Hour)
	owner.Get("/bookings").Is(t, 200).Shows(t, "Ben Lund").Silent(t, "missing") // past: no check-in
}

// A walk-in without a booking has it outstanding, too, while they are present.
func TestWalkInShowsOutstandingAgreements(t *testing.T) {
	s := door(t)
	desk := s.As(t, policy.FrontDesk)
	desk.Send(desk.Get("/walkins").Form("/walkins"), "party", "1", "customer.name", "Noor").Is(t, 200).Silent(t, "missing")
	waive(t, s)
	desk.Get("/walkins").Is(t, 200).Shows(t, "Noor", "Waiver not signed")
	page := desk.Send(desk.Get("/walkins").Form("/walkins"), "party", "1", "customer.name", "Ola").Is(t, 200).Shows(t, "Ola")
	if n := strings.Count(page.Text(), "Waiver not signed"); n != 2 {
		t.Errorf("%d are flagged", n)
	}
	page = desk.Send(page.Form("/check-out")).Is(t, 200)
	if n := strings.Count(page.Text(), "Waiver not signed"); n != 1 {
		t.Errorf("%d are flagged after one has left", n)
	}
}
