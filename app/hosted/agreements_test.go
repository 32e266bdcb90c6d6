package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/media/mediatest"
)

// asksFor adds a document that every listing asks for.
func (s *shop) asksFor(t testing.TB, in agreement.CreateInput) (*agreement.Service, agreement.Document) {
	t.Helper()
	in.LocationID, in.EveryListing = s.Location.ID, true
	a := agreement.New(agreement.Options{DB: s.World.DB, Files: mediatest.Store(t)})
	d, err := a.Create(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return a, d
}

func said(body string) agreement.Content { return agreement.Content{Body: &body} }

// TestAgreeingWithoutScript: A160, A175, A182, A189: what is asked comes between the cart and the payment: a box to tick, and a page of its
// own for what is read; nothing is paid before, and whoever agreed comes there no more.
func TestAgreeingWithoutScript(t *testing.T) {
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	_, waiver := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care of myself.")})
	markdown := agreement.Markdown
	_, rules := s.asksFor(t, agreement.CreateInput{
		Name: "House rules", Show: agreement.ShowFull, Position: 1,
		Content: agreement.Content{Body: new("Be **kind**. <script>alert(1)</script> [ours](https://example.com/x) [theirs](javascript:alert(1))"), Format: &markdown},
	})
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	step := v.choose(yoga, 0).follow().follow().want(200, "Before you book", "I agree to Waiver", "Read and agree: House rules", "Held for")
	if !strings.HasSuffix(step.url.Path, "/agreements") {
		t.Fatalf("it is at %s", step.url)
	}
	if n := s.count(t, "payments"); n != 0 {
		t.Error("a payment began")
	}
	v.get(agreement.Path(s.Business.ID, waiver.Copy.ID)).want(200, "Waiver", "I take care of myself.").lacks("<form")
	page := v.get(step.url.Path+"/"+rules.Copy.ID.String()).want(200, "House rules", "I have read all of it, and I agree", "theirs")
	for text, there := range map[string]bool{
		"<strong>kind</strong>": true, `href="https://example.com/x"`: true, "&lt;script&gt;alert": true, "<script>alert": false, `href="javascript`: false,
	} {
		if strings.Contains(page.Body, text) != there {
			t.Errorf("%s is there: %t", text, !there)
		}
	}
	step = page.form("/agreements/"+rules.Copy.ID.String()).post().follow().want(200, "I agree to Waiver").lacks("House rules")
	step = step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "").want(400, "Tick what you agree to")
	pay := step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "1").follow().follow().want(200, "Pay $22.00")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
	if n := s.count(t, "agreement_acceptances where shown = 'full' and document_id = $1 and user_agent <> '' or shown = 'checkbox' and document_id = $2", rules.ID, waiver.ID); n != 2 {
		t.Errorf("%d acceptances", n)
	}
	v.choose(yoga, 1).follow().want(200, "Pay $22.00")
}

// TestWordsThatChangeWhileTheyAreRead: A184: who agrees to what it said before is shown what it says now.
func TestWordsThatChangeWhileTheyAreRead(t *testing.T) {
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	a, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care.")})
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	step := v.choose(yoga, 0).follow().follow().want(200, "I agree to Waiver")
	now, err := a.Update(t.Context(), s.Owner, agreement.UpdateInput{LocationID: d.LocationID, ID: d.ID, Content: said("I take great care.")})
	if err != nil {
		t.Fatal(err)
	}
	step = step.form("/agreements").post("agree."+d.Copy.ID.String(), "1").want(400, "The words have changed")
	step.form("/agreements").post("agree."+now.Copy.ID.String(), "1").follow().follow().want(200, "Pay $22.00")
	if n := s.count(t, "agreement_acceptances where copy_id = $1", now.Copy.ID); n != 1 {
		t.Errorf("%d acceptances of the words of now", n)
	}
}
