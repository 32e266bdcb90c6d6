package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/agreement"
	"foyer/app/apptest"
)

// asksFor adds a document that every listing requires.
func (s *shop) asksFor(t testing.TB, in agreement.CreateInput) (*agreement.Service, agreement.Document) {
	t.Helper()
	in.LocationID, in.EveryListing = s.Location.ID, true
	a := agreement.New(agreement.Options{DB: s.World.DB, Files: s.Files})
	d, err := a.Create(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return a, d
}

func said(body string) agreement.Content { return agreement.Content{Body: &body} }

// TestAgreeingWithoutScript: A160, A175, A182, A189: required agreements come between the cart and the payment: a box
// to tick, or a page of its own for a text to read. Nothing is paid before, and the step is skipped after agreeing.
func TestAgreeingWithoutScript(t *testing.T) {
	t.Parallel()
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
	page.form("/agreements/"+rules.Copy.ID.String()).post("end", "").want(400, "Read to the end, then agree")
	step = page.form("/agreements/"+rules.Copy.ID.String()).post().follow().want(200, "I agree to Waiver", "You agreed to House rules on Jun").lacks("Read and agree: House rules")
	step = step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "").want(400, "Tick the box to agree")
	pay := step.form("/agreements").post("agree."+waiver.Copy.ID.String(), "1").follow().follow().want(200, "Pay $22.00")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
	if n := s.count(t, "agreement_acceptances where shown = 'full' and document_id = $1 and user_agent <> '' or shown = 'checkbox' and document_id = $2", rules.ID, waiver.ID); n != 2 {
		t.Errorf("%d acceptances", n)
	}
	v.choose(yoga, 1).follow().want(200, "Pay $22.00", "You agreed to Waiver on Jun", "You agreed to House rules on Jun")
}

// TestWordsThatChangeWhileTheyAreRead: A184: a customer who agrees to an outdated text sees the current one, with all
// other ticks kept, and agrees to nothing before sending that.
func TestWordsThatChangeWhileTheyAreRead(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	a, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care.")})
	_, terms := s.asksFor(t, agreement.CreateInput{Name: "Terms", Position: 1, Content: said("I pay.")})
	_, rules := s.asksFor(t, agreement.CreateInput{Name: "House rules", Position: 2, Show: agreement.ShowFull, Content: said("I am kind.")})
	other := func(d agreement.Document, says string) agreement.Document {
		t.Helper()
		now, err := a.Update(t.Context(), s.Owner, agreement.UpdateInput{LocationID: d.LocationID, ID: d.ID, Content: said(says)})
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	step := v.choose(yoga, 0).follow().follow().want(200, "I agree to Waiver")
	now := other(d, "I take great care.")
	step = step.form("/agreements").post("agree."+d.Copy.ID.String(), "1", "agree."+terms.Copy.ID.String(), "1").
		want(409, "The agreement has changed", "Waiver has changed").lacks("Terms has new words")
	ticked := func(p *page, d agreement.Document) bool {
		return strings.Contains(p.Body, `name="agree.`+d.Copy.ID.String()+`" value="1" checked`)
	}
	if !ticked(step, terms) || ticked(step, now) {
		t.Errorf("what was ticked: terms %t, the words that nobody has seen %t", ticked(step, terms), ticked(step, now))
	}
	if n := s.count(t, "agreement_acceptances"); n != 0 {
		t.Errorf("%d acceptances already", n)
	}

	// To a document on its own page, and back: ticks stay, and are not agreements yet.
	reading := step.form("/agreements").post("agree."+terms.Copy.ID.String(), "1", "agree."+now.Copy.ID.String(), "", "read", rules.Copy.ID.String()).follow().want(200, "I am kind")
	if back := v.get(reading.link("Back")); !ticked(back, terms) || ticked(back, now) {
		t.Error("leaving to read lost what was ticked")
	}
	later := other(rules, "I am kinder.")
	again := reading.form("/agreements/"+rules.Copy.ID.String()).post().want(409, "The agreement has changed", "I am kinder.")
	step = again.form("/agreements/"+later.Copy.ID.String()).post().follow().want(200, "I agree to Waiver")
	if !ticked(step, terms) {
		t.Error("agreeing on another page lost what was ticked")
	}
	step.form("/agreements").post("agree."+now.Copy.ID.String(), "1", "agree."+terms.Copy.ID.String(), "1").follow().follow().want(200, "Pay $22.00")
	for _, d := range []agreement.Document{now, terms, later} {
		if n := s.count(t, "agreement_acceptances where copy_id = $1", d.Copy.ID); n != 1 {
			t.Errorf("%d acceptances of what %s says now", n, d.Name)
		}
	}
	if n := s.count(t, "agreement_acceptances"); n != 3 {
		t.Errorf("%d acceptances", n)
	}
}
