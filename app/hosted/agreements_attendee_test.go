package hosted_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
)

// boxesOf are the names of the boxes of a document on a page, in their order.
func boxesOf(t *testing.T, p *page, d agreement.Document) []string {
	t.Helper()
	var out []string
	for _, found := range regexp.MustCompile(`type="checkbox" id="(agree\.`+d.Copy.ID.String()+`[^"]*)"`).FindAllStringSubmatch(p.Body, -1) {
		out = append(out, found[1])
	}
	return out
}

// TestAgreeingForWhoComesAlong: A160, A175, A189: a customer who books for a child agrees for the child by name, with
// a box beside their own, or one before the button of a text to read. Without it nothing is booked. Agreements for a
// child booked by the studio are signed before the visit, and the record names the child.
func TestAgreeingForWhoComesAlong(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Family yoga", 2, seats(6), func(o *apptest.OfferingRow) { o.Price = new(int64) })
	a, waiver := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care.")})
	_, rules := s.asksFor(t, agreement.CreateInput{Name: "House rules", Show: agreement.ShowPopup, Position: 1, Content: said("I am kind.")})
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	step := v.asks(yoga, 0, "2", "Mia").follow().follow().want(200, "Before you book", "I agree to Waiver for Mia, as their parent or guardian or with their permission",
		"Read and agree: House rules").lacks("<dialog")
	both := boxesOf(t, step, waiver)
	if len(both) != 2 || strings.Contains(strings.Join(both, ""), "Mia") {
		t.Fatalf("the boxes are %q", both)
	}
	half := step.form("/agreements").post(both[0], "1", both[1], "").want(400, "Tick the box to agree")
	if !strings.Contains(half.Body, `href="#`+both[1]+`"`) || strings.Contains(half.Body, `href="#`+both[0]+`"`) {
		t.Error("it is not the child's box that is missing")
	}

	// Leaving to read keeps the ticks, and adds a box for the child.
	reading := step.form("/agreements").post(both[1], "1", "read", rules.Copy.ID.String()).follow().want(200, "I am kind.", "I agree to House rules for Mia")
	child := boxesOf(t, reading, rules)
	reading.form("/agreements/"+rules.Copy.ID.String()).post(child[0], "").want(400, "Tick the box to agree")
	step = reading.form("/agreements/"+rules.Copy.ID.String()).post(child[0], "1").follow().want(200, "I agree to Waiver for Mia").lacks("Read and agree")
	if !strings.Contains(step.Body, `name="`+both[1]+`" value="1" checked`) {
		t.Error("what was ticked for the child is lost")
	}
	step.form("/agreements").post(both[1], "1").follow().follow().form("/pay").post().follow().want(200, "You’re booked")
	for _, d := range []agreement.Document{waiver, rules} {
		if n := s.count(t, "agreement_acceptances where cart_id is not null and document_id = $1 and attendee in ('', 'Mia')", d.ID); n != 2 {
			t.Errorf("%s: %d acceptances", d.Name, n)
		}
	}
	v.get("/my/agreements").want(200, "For Mia")

	// The studio books another child.
	customer := apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings limit 1")
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: yoga.Dates[1].ID, Attendee: "Leo"})
	if err != nil {
		t.Fatal(err)
	}
	owed := v.get(v.get("/my/bookings/"+made.Booking.ID.String()).want(200, "before your visit").link("Read and agree")).
		want(200, "I agree to Waiver for Leo", "Read and agree: House rules")
	leo := boxesOf(t, owed, waiver)
	if len(leo) != 1 {
		t.Fatalf("the boxes are %q", leo)
	}
	owed.form(s.Business.ID.String()).post(leo[0], "1").follow()
	reading = v.get("/my/agreements/"+s.Business.ID.String()+"/"+rules.Copy.ID.String()).want(200, "I agree to House rules for Leo")
	reading.form(rules.Copy.ID.String()).post(boxesOf(t, reading, rules)[0], "1").follow().follow().want(200, "You have signed all required agreements", "For Leo")
	if missing, err := a.MissingOf(t.Context(), s.Business.ID, []uuid.UUID{made.Booking.ID}); err != nil || len(missing) != 0 {
		t.Errorf("%v (%v)", missing, err)
	}
}
