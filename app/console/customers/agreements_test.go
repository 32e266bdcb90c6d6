package customers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// An outstanding agreement is on the customer's page until it is marked as signed; from then on the exact text is one
// link away, also after it has changed.
func TestAgreementsOfACustomer(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t), s.Clock.Now().Add(24*time.Hour))
	s.Seat(t, date.ID, "Ada", "")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = 'Ada'")
	at := "/customers/" + id.String()
	owner := s.As(t, consoletest.Owner)
	owner.Get(at).Is(t, 200).Silent(t, "Agreements", "Mark as signed")
	content := agreement.Content{Body: new("I take care of myself.")}
	waiver, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: content})
	if err != nil {
		t.Fatal(err)
	}
	page := owner.Get(at).Is(t, 200).Shows(t, "Waiver", "Not signed yet", "Mark as signed")
	done := owner.Send(page.Form("/signed")).Is(t, 200)
	done.Shows(t, "Marked Waiver as signed.", "on paper", "Signed copy").Silent(t, "Mark as signed", "Not signed yet")
	first := agreement.Path(s.Studio.Business.ID, waiver.Copy.ID)
	if done.Link(first) == "" {
		t.Errorf("nothing opens the copy that was agreed to: %v", done.Links())
	}
	evidence := ""
	for _, href := range done.Links() {
		if strings.Contains(href, "/evidence?") {
			evidence = href
		}
	}
	proof := owner.Get(evidence).Is(t, 200).Shows(t, "I take care of myself.", "Recorded by", "record.json", "Signed by Ada")
	if !strings.Contains(proof.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("the evidence may load or run something")
	}
	owner.Get(strings.Replace(evidence, s.Location.ID.String(), uuid.NewString(), 1)).Is(t, 404)
	_, err = s.Agreement.Update(t.Context(), s.Owner, agreement.UpdateInput{
		LocationID: s.Location.ID, ID: waiver.ID, Content: agreement.Content{Body: new("Other words.")}, Reask: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	page = owner.Get(at).Is(t, 200).Shows(t, "Must sign again", "Mark as signed")
	if page.Link(first) == "" {
		t.Error("nothing opens what was agreed to before")
	}
	elsewhere := s.AddLocation(t, "Riverside")
	several := owner.Get(at).Is(t, 200).Shows(t, "Required agreements differ by location. Choose one:", "Riverside")
	i := slices.IndexFunc(several.Links(), func(href string) bool { return strings.Contains(href, elsewhere.ID.String()) })
	if i < 0 {
		t.Fatal("no link chooses the place")
	}
	owner.Get(several.Links()[i]).Is(t, 200).Silent(t, "Waiver", "Mark as signed")
	here := owner.Get(at+"?location="+s.Location.ID.String()).Is(t, 200).Shows(t, "Waiver")
	if after := owner.Send(here.Form("/signed")).Is(t, 200).Shows(t, "Signed copy"); !strings.Contains(after.URL.RawQuery, s.Location.ID.String()) {
		t.Errorf("it leads to %s", after.URL)
	}
	s.As(t, policy.Marketer).Get(at+"?location="+s.Location.ID.String()).Is(t, 200).Silent(t, "Mark as signed")
}

// TestWhoseAgreementIsMissing: a customer with children has an agreement outstanding for each of them: the page names
// them, and the desk records each signature.
func TestWhoseAgreementIsMissing(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	date := s.AddOccurrence(t, class, s.Clock.Now().Add(24*time.Hour))
	s.Seat(t, date.ID, "Ada", "")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = 'Ada'")
	if _, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: id}, OccurrenceID: date.ID, Attendee: "Mia"}); err != nil {
		t.Fatal(err)
	}
	waiver, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/customers/"+id.String()).Is(t, 200).Shows(t, "Outstanding for the customer, Mia", "Mark signed for the customer", "Mark signed for Mia")
	both := page.Forms("/signed")
	if len(both) != 2 {
		t.Fatalf("%d buttons", len(both))
	}
	page = owner.Send(both[1]).Is(t, 200).Shows(t, "Not signed yet", "For Mia", "Mark as signed").Silent(t, "Outstanding for one upcoming booking")
	owner.Send(page.Form("/signed")).Is(t, 200).Shows(t, "Signed").Silent(t, "Mark as signed")
	owner.Get("/catalog/agreements/"+s.Location.ID.String()+"/"+waiver.ID.String()+"/people").Is(t, 200).Shows(t, "Signed: 2", "For Mia · on paper")
}
