package welcome_test

import (
	"net/http"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/identity"
)

// founder follows an invite without script, and counts the inputs.
type founder struct {
	*consoletest.Client
	inputs int
}

// fill sends a form with typed values: pairs of names and values.
func (f *founder) fill(form *consoletest.Form, typed ...string) *consoletest.Page {
	f.inputs += len(typed) / 2
	return f.Send(form, typed...)
}

// From an invite to a class that a visitor can book: each step links to the next one, payment comes before a price,
// and seven inputs are enough beside the defaults.
func TestFromTheInviteToAClassThatCanBeBooked(t *testing.T) {
	s := consoletest.Open(t)
	invite, err := identity.CreateInvite(t.Context(), s.World.DB, "olga@example.com", "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	f := &founder{Client: s.Visitor(t)}
	page := f.Get("/invite/"+invite.Token).Is(t, 200)
	code := s.NextCode(t, "olga@example.com", func() { page = f.fill(page.Form(invite.Token)) })
	page = f.fill(page.Form("/code"), "code", code).Shows(t, "Your studio")
	page = f.fill(page.Form("/studio"), "name", "Olga Hill").Shows(t, "Your first location")
	page = f.fill(page.Form("/location"), "location.name", "Hilltop", "location.address.street", "12 Quay Street", "location.address.city", "Portland").Is(t, 200)
	if page.URL.Path != "/manage/hill-pilates/welcome" {
		t.Fatalf("the invite leads to %s", page.URL)
	}
	page.Shows(t, "Setup guide", "Next: Opening hours", "Opening hours", "First offering", "Payment", "Branding", "Your website")

	page = f.Get(page.Link("/hours")).Is(t, 200).Shows(t, "Step 1 of 5", "The same hours on several days", "I also teach during these hours")
	page = f.fill(page.Forms("/hours")[0]).Is(t, 200).Shows(t, "The hours are saved.", "Step 2 of 5", "Not connected")
	if n := apptest.Value[int](t, s.World, `select count(*) from member_hours h join members m on m.id = h.member_id
		where m.name = 'Olga Hill' and m.bookable`); n != 7 {
		t.Errorf("the owner teaches on %d days", n)
	}
	page = f.fill(page.Form("/connect")).Is(t, 200).Shows(t, "Continue to processor")
	sim := f.Get(processor(t, page)).Is(t, 200)
	page = f.fill(sim.Forms("")[0]).Is(t, 200).Shows(t, "Accepting cards", "Next: First offering")
	page = f.Get(page.Link("/catalog/new")).Is(t, 200).Shows(t, "Step 3 of 5")
	page = f.Get(page.Link("/catalog/new")+"?from=yoga").Is(t, 200).Shows(t, "Step 3 of 5")
	page = f.fill(page.Form("/catalog/new"), "weekdays", "1", "time", "09:00", "then", "publish").Is(t, 200)
	f.inputs-- // the button
	page.Shows(t, "Published Morning flow to your booking page.", "Step 3 of 5", "Done")
	if f.inputs > 7 {
		t.Errorf("%d inputs from the invite to a class that can be booked, at most 7", f.inputs)
	}

	visitor := s.Visitor(t).Get(s.URL+"/hill-pilates").Is(t, http.StatusOK).Shows(t, "Morning flow", "Book")
	if visitor.Link("/hill-pilates-hilltop/morning-flow") == "" {
		t.Error("a visitor finds no date of the class")
	}
	// The remaining steps, and the end.
	page = f.Get("/manage/hill-pilates/welcome").Is(t, 200).Shows(t, "Next: Branding")
	page = f.Get(page.Link("/look")).Shows(t, "Step 4 of 5")
	page = f.Send(page.Form("/look"), "accent", "#225577").Is(t, 200).Shows(t, "Done", "Next: Your website")
	page = f.Get(page.Link("/website")).Shows(t, "Step 5 of 5")
	f.Send(page.Forms("/website")[1], "website", "https://hill.example.com").Is(t, 200).Shows(t, "Done", "Finish")
	f.Get("/manage/hill-pilates/welcome").Is(t, 200).Shows(t, "Hill Pilates is ready", "Open Today")
	f.Get("/manage/hill-pilates/settings/payments").Is(t, 200).Silent(t, "Step 2 of 5")

	// A second location has its own screens, and starts no setup.
	page = f.Get("/manage/hill-pilates/settings/places/new").Is(t, 200)
	f.Send(page.Form("/places/new"), "name", "Quayside").Is(t, 200).Shows(t, "Quayside")
	f.Get("/manage/hill-pilates?at=hill-pilates-quayside").Is(t, 200).Silent(t, "First offering", "Setup guide")
	f.Get("/manage/hill-pilates/welcome").Is(t, 200).Shows(t, "Hill Pilates is ready")
}

// Missing fields of a new offering are listed once, each with a link.
func TestWhatKeepsItFromBeingPublishedIsSaidOnce(t *testing.T) {
	s := consoletest.Open(t)
	s.SQL(t, "update processor_accounts set state = 'restricted'")
	c := s.As(t, consoletest.Owner)
	page := c.Get("/catalog/new?from=yoga")
	page = c.Send(page.Form("/catalog/new"), "weekdays", "1", "time", "09:00", "then", "publish").Is(t, 200)
	const why = "Connect the payment account, or choose a policy"
	for _, page := range []*consoletest.Page{page, c.Send(page.Form("/publish"))} {
		if n := strings.Count(page.Body, why); n != 1 {
			t.Errorf("it is said %d times: %s", n, page.Text())
		}
		if page.Link("/settings/payments") == "" {
			t.Error("no way to the payments")
		}
	}
}

// processor returns the address of the processor's own page.
func processor(t *testing.T, page *consoletest.Page) string {
	t.Helper()
	_, rest, ok := strings.Cut(page.Body, `class="btn" href="`)
	to, _, _ := strings.Cut(rest, `"`)
	if !ok || !strings.Contains(to, "/__sim/") {
		t.Fatalf("no way to the processor: %s", page.Text())
	}
	return strings.ReplaceAll(to, "&amp;", "&")
}

// A studio without card payments allows payment at the studio, by one button, with an undo.
func TestPayingAtTheStudioIsOneButton(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/settings/payments").Is(t, 200).Shows(t, "Payment at the studio", "Allow payment at "+s.Location.Name)
	at := "/at-studio/" + s.Location.ID.String()
	page = owner.Send(page.Form(at)).Is(t, 200).Shows(t, "Customers can book at "+s.Location.Name+" and pay on arrival.", "Allowed")
	rules, err := s.Catalog.LocationPolicy(t.Context(), s.Owner, s.Location.ID)
	if err != nil || !rules.Rules.PayAtStudio || rules.PolicyID == nil {
		t.Fatalf("%+v %v", rules, err)
	}
	made := *rules.PolicyID
	owner.Send(page.Form("/places/"+s.Location.ID.String())).Is(t, 200)
	if rules, err = s.Catalog.LocationPolicy(t.Context(), s.Owner, s.Location.ID); err != nil || rules.PolicyID != nil {
		t.Errorf("it was not taken back: %+v %v", rules, err)
	}
	// Again, and by a press that finds its policy already created, as after an interrupted one.
	again := owner.Get("/settings/payments").Form(at)
	for range 2 {
		owner.Send(again).Is(t, 200).Shows(t, "Allowed")
	}
	if rules, err = s.Catalog.LocationPolicy(t.Context(), s.Owner, s.Location.ID); err != nil || rules.PolicyID == nil || *rules.PolicyID != made {
		t.Errorf("the second time: %+v %v", rules, err)
	}
}

// The steps are shown on their screens only during the setup.
func TestNobodyElseIsLed(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	hours := "/settings/places/" + s.Location.ID.String() + "/hours"
	owner.Get(hours).Is(t, 200).Silent(t, "Step 1 of 5")
	owner.Get("/welcome").Is(t, 200)
	owner.Get(hours).Is(t, 200).Shows(t, "Step 1 of 5", "Next: First offering")
	s.As(t, consoletest.Owner).Get(hours).Silent(t, "Step 1 of 5")
}
