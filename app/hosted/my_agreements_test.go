package hosted_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/view"
)

// TestAgreeingBeforeAVisit: A159, A160, A169, A189: the page of a booking lists the agreements accepted with it, and
// opens the exact copy; agreements required anew, or for a booking made by the studio, are signed before the visit,
// without a cart.
func TestAgreeingBeforeAVisit(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2, priced(0))
	a, waiver := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care.")})
	_, rules := s.asksFor(t, agreement.CreateInput{Name: "House rules", Position: 1, Show: agreement.ShowFull, Frequency: agreement.EveryBooking, Content: said("I am kind.")})
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/my/agreements").want(200, "No agreements yet.")
	step := v.choose(yoga, 0).follow().follow().want(200, "I agree to Waiver")
	read := func(step *page) *page {
		t.Helper()
		at := step.url.Path + "/" + rules.Copy.ID.String()
		return v.get(at).want(200, "I am kind.").form(at).post().follow().want(200, "I agree to Waiver")
	}
	step = read(step)
	step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "1").follow().follow().form("/pay").post().follow().want(200, "You’re booked")
	first := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where occurrence_id = $1", yoga.Dates[0].ID)
	mine := v.get("/my/bookings/"+first.String()).want(200, "You agreed to Waiver on Jun", "You agreed to House rules on Jun").lacks("before your visit")
	if got, want := mine.link("You agreed to Waiver"), agreement.Path(s.Business.ID, waiver.Copy.ID); got != want {
		t.Errorf("it opens %s, want %s", got, want)
	}
	v.get(v.get("/my").want(200).link("Your agreements")).want(200, "Waiver", "House rules", "Read to the end", "Harbour Yoga")

	// Another text, required of everyone, and a date booked by the studio.
	now, err := a.Update(t.Context(), s.Owner, agreement.UpdateInput{LocationID: waiver.LocationID, ID: waiver.ID, Content: said("I take great care."), Reask: true})
	if err != nil {
		t.Fatal(err)
	}
	customer := apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings where id = $1", first)
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: yoga.Dates[1].ID})
	if err != nil {
		t.Fatal(err)
	}
	mine = v.get("/my/bookings/"+first.String()).want(200, "Harbour Yoga requires your agreement before your visit", "You agreed to Waiver on Jun")
	if got, want := mine.link("You agreed to Waiver"), agreement.Path(s.Business.ID, waiver.Copy.ID); got != want {
		t.Errorf("what was agreed to with the booking is %s, want %s", got, want)
	}
	owed := v.get(mine.link("Read and agree")).want(200, "Before your visit", "I agree to Waiver", "Read and agree: House rules").lacks("Held for")
	for _, other := range []*visitor{s.signedIn(t, "ben@example.com", "Ben Other")} {
		other.get(owed.url.Path).wantTo("/my/agreements?done=1")
	}
	s.visit(t).get(owed.url.Path).wantTo("/my/sign-in")
	owed.form(s.Business.ID.String()).post("agree."+now.Copy.ID.String(), "").want(400, "Tick the box to agree.")
	owed.form(s.Business.ID.String()).post("agree."+now.Copy.ID.String(), "", "agree."+waiver.Copy.ID.String(), "1").want(409, "The agreement has changed")
	owed = read(owed)
	sign := owed.form(s.Business.ID.String())
	sign.post("agree."+now.Copy.ID.String(), "1").follow().want(200, "You have signed all required agreements")
	sign.post("agree."+now.Copy.ID.String(), "1")
	for what, where := range map[string]string{
		"the waiver, for no booking": "document_id = $1 and copy_id = $2 and round = 2 and booking_id is null and shown = 'checkbox' and $3::uuid is not null",
		"the rules, for the booking": "document_id <> $1 and copy_id <> $2 and booking_id = $3 and shown = 'full'",
	} {
		if n := s.count(t, "agreement_acceptances where cart_id is null and source = 'checkout' and user_agent <> '' and "+where, waiver.ID, now.Copy.ID, made.Booking.ID); n != 1 {
			t.Errorf("%d acceptances of %s", n, what)
		}
	}
	for _, date := range yoga.Dates {
		if owes, err := a.Missing(t.Context(), s.Business.ID, date.ID); err != nil || len(owes) != 0 {
			t.Errorf("the roster says %v (%v)", owes, err)
		}
	}
	v.get("/my/bookings/"+made.Booking.ID.String()).want(200, "You agreed to House rules on Jun", "You agreed to Waiver on Jun").lacks("before your visit")
}

// TestA215_AgreementsNameTheStudio: every page on which a customer reads or gives an agreement names the studio, and
// so does the record of an acceptance.
func TestA215_AgreementsNameTheStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1, priced(0))
	a, waiver := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care.")})
	_, rules := s.asksFor(t, agreement.CreateInput{
		Name: "House rules", Position: 1, Show: agreement.ShowFull, Content: said("I am kind."),
	})
	const studio = "Harbour Yoga"
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	step := v.choose(yoga, 0).follow().follow().want(200, "I agree to Waiver", studio)
	at := step.url.Path + "/" + rules.Copy.ID.String()
	step = v.get(at).want(200, "I am kind.", studio).form(at).post().follow().want(200, "I agree to Waiver", studio)
	v.get(agreement.Path(s.Business.ID, waiver.Copy.ID)).want(200, "I take care.", studio)
	step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "1").follow().follow().form("/pay").post().follow().
		want(200, "You’re booked")
	v.get("/my/agreements").want(200, "Waiver", studio)
	e, err := a.Evidence(t.Context(), s.Owner, agreement.EvidenceInput{
		StatusInput: agreement.StatusInput{
			CustomerID: apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings"), LocationID: s.Location.ID,
		},
		DocumentID: waiver.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	record, err := view.Evidence(e)
	if err != nil || !strings.Contains(string(record), studio) {
		t.Errorf("the record of the acceptance does not name the studio (%v): %s", err, record)
	}
}
