package catalog_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// asks adds a document that everything requires, and returns it with its address.
func asks(t *testing.T, s *consoletest.Studio) (agreement.Document, string) {
	t.Helper()
	d, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, "/catalog/agreements/" + d.LocationID.String() + "/" + d.ID.String()
}

// A document lists its signers and those with it outstanding; the evidence of each is one press away, and a long list
// has pages.
func TestWhoHasAgreed(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 80, 80 }), s.Clock.Now().Add(24*time.Hour), func(o *apptest.OccurrenceRow) { o.Capacity, o.Online = 80, 80 })
	d, at := asks(t, s)
	owner := s.As(t, consoletest.Owner)
	owner.Get(at).Is(t, 200).Shows(t, "Signatures", "Outstanding")
	owner.Get(at+"/people").Is(t, 200).Shows(t, "No signatures yet.", "Signed: 0", "Outstanding: 0")
	for n := range 52 {
		s.Seat(t, date.ID, fmt.Sprintf("Guest %02d", n), "")
	}
	first := owner.Get(at+"/people?who=owing").Is(t, 200).Shows(t, "Outstanding: 52", "Next booking")
	if n := strings.Count(first.Text(), "Guest "); n != 50 {
		t.Errorf("%d stand on the first page", n)
	}
	next := ""
	for _, href := range first.Links() {
		if strings.Contains(href, "after=") {
			next = href
		}
	}
	if n := strings.Count(owner.Get(next).Is(t, 200).Text(), "Guest "); n != 2 {
		t.Errorf("%d stand on the second page", n)
	}
	ids := apptest.Value[[]uuid.UUID](t, s.World, "select array_agg(id order by name) from customers where name like 'Guest%'")
	if _, err := s.Agreement.MarkSigned(t.Context(), s.Owner, agreement.MarkInput{
		StatusInput: agreement.StatusInput{CustomerID: ids[7], LocationID: s.Location.ID}, DocumentID: d.ID,
	}); err != nil {
		t.Fatal(err)
	}
	page := owner.Get(at+"/people").Is(t, 200).Shows(t, "Signed: 1", "Outstanding: 51", "Guest 07", "on paper", "Copy 1")
	evidence := ""
	for _, href := range page.Links() {
		if strings.Contains(href, "/evidence?") {
			evidence = href
		}
	}
	owner.Get(evidence).Is(t, 200).Shows(t, "Signed by Guest 07", "I take care of myself.")
	s.As(t, policy.Viewer).Get(at+"/people").Is(t, 403)
	owner.Get(strings.Replace(at, s.Location.ID.String(), s.AddLocation(t, "Riverside").ID.String(), 1)+"/people").Is(t, 404)
}

// Two members save at once: the second gets a notice, keeps the typed text, and sees the current one.
func TestTwoWhoChangeAnAgreement(t *testing.T) {
	s := consoletest.Open(t)
	d, at := asks(t, s)
	owner := s.As(t, consoletest.Owner)
	hers, his := owner.Get(at).Is(t, 200).Form(at), owner.Get(at).Is(t, 200).Form(at)
	owner.Send(hers, "body", "Her words.").Is(t, 200)
	told := owner.Send(his, "body", "His words.").Is(t, 409).Shows(t, "Another user changed this while you were editing", "Current value:", "Her words.")
	form := told.Form(at)
	if got := form.Values.Get("body"); got != "His words." {
		t.Errorf("the field has %q", got)
	}
	if got, err := s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID); err != nil || *got.Copy.Body != "Her words." {
		t.Errorf("%+v (%v)", got.Copy, err)
	}
	owner.Send(form).Is(t, 200)
	if got, err := s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID); err != nil || *got.Copy.Body != "His words." || got.Copy.Number != 3 {
		t.Errorf("%+v (%v)", got.Copy, err)
	}
}

// Beside the form is the preview for customers, with the typed values: a checkbox, the text with a button, or the
// text to its end. Nothing is saved.
func TestWhatCustomersWouldMeet(t *testing.T) {
	s := consoletest.Open(t)
	d, at := asks(t, s)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200)
	if !strings.Contains(page.Body, `<iframe class="picture" src="/manage/`) || !strings.Contains(page.Body, "<noscript>") {
		t.Error("there is no picture of it, or no way to it without script")
	}
	owner.Get(at+"/page").Is(t, 200).Shows(t, "I agree to Waiver")
	owner.Get(at+"/page?name=Waiver&show=popup&format=plain&body=Typed+words").Is(t, 200).Shows(t, "Typed words", "I agree")
	owner.Get(at+"/page?name=Rules&show=full&format=markdown&body=Be+**kind**").Is(t, 200).Shows(t, "Rules", "Be kind", "I have read all of it")
	knot := strings.Repeat("*a ", 300) // is refused in the preview as when saved, and is not rendered
	const why = "Use at most 256 marks such as * _ [ ] &lt; or ` in one paragraph"
	if got := owner.Get(at+"/page?name=Rules&show=full&format=markdown&body="+url.QueryEscape(knot)).Is(t, 200); !strings.Contains(got.Body, why) {
		t.Error("the picture does not say that the words cannot be shown")
	}
	if got := owner.Send(page.Form(at), "body", knot, "format", "markdown").Is(t, 400); !strings.Contains(got.Body, why) {
		t.Error("the form does not say that the words cannot be shown")
	}
	fresh := "/catalog/agreements/" + d.LocationID.String() + "/new"
	owner.Get(fresh+"/page?name=Sauna&show=popup&format=plain&body=It+is+hot").Is(t, 200).Shows(t, "Sauna", "It is hot")
	typed := owner.Send(page.Form(at), "body", "Noon words", "show", "full", "then", "preview").Is(t, 200)
	if typed.Form(at).Values.Get("body") != "Noon words" || !strings.Contains(typed.Body, "body=Noon") {
		t.Error("the form came back without what was typed")
	}
	if got, err := s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID); err != nil || *got.Copy.Body != "I take care of myself." || got.Show != agreement.ShowList {
		t.Errorf("looking at it has saved %+v (%v)", got, err)
	}
	s.As(t, policy.Viewer).Get(at+"/page").Is(t, 404)
}

// The form has the text in the other languages of the pages; saving it unchanged makes no copy.
func TestWordsInFurtherLanguages(t *testing.T) {
	s := consoletest.Open(t)
	d, at := asks(t, s)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Text in Español").Silent(t, "Text in English")
	owner.Send(page.Form(at), "body.es", "Me cuido.\r\nSiempre.").Is(t, 200)
	got, err := s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID)
	if err != nil || got.Copy.Number != 2 || *got.Copy.In("es").Body != "Me cuido.\nSiempre." || *got.Copy.Body != "I take care of myself." {
		t.Fatalf("%+v (%v)", got.Copy, err)
	}
	owner.Send(owner.Get(at).Form(at), "name", "Rules").Is(t, 200)
	if got, err = s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID); err != nil || got.Copy.Number != 2 || got.Name != "Rules" {
		t.Errorf("%+v (%v)", got.Copy, err)
	}
	owner.Send(owner.Get(at).Form(at), "body.es", "").Is(t, 200)
	if got, err = s.Agreement.Get(t.Context(), s.Owner, d.LocationID, d.ID); err != nil || got.Copy.Number != 3 || len(got.Copy.Translations) != 0 {
		t.Errorf("%+v (%v)", got.Copy, err)
	}
}
