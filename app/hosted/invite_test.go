package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/identity"
)

func (s *shop) invite(t testing.TB, email string) string {
	t.Helper()
	made, err := identity.CreateInvite(t.Context(), s.DB, email, "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	return "/invite/" + made.Token
}

// TestInvitedOwnerOpensAStudio signs in by code and needs nothing but a browser: names, place, and the page is live.
// A31, A32.
func TestInvitedOwnerOpensAStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.visit(t)
	start := v.get(path).want(200, "Set up your studio")
	if !strings.Contains(start.Body, `value="olga@example.com"`) {
		t.Error("the address of the invite is not filled in")
	}
	code := start.form(path).post("email", "olga@example.com").wantTo(path+"/code").follow().want(200, "olga@example.com")
	studio := code.form("/code").post("code", s.code(t, "olga@example.com", 0)).wantTo(path+"/studio").follow().want(200, "Your studio", "Step 2 of 3")
	if !strings.Contains(studio.Body, `value="Hill Pilates"`) {
		t.Error("the name in the invite is not filled in")
	}
	studio.form("/studio").post("business", " ", "name", "Olga Hill").want(400, "Enter the studio’s name, of at most 120 characters", "There is a problem")
	v.get(path+"/studio").form("/studio").post("business", "Hill Pilates", "name", "").want(400, "Enter a name of at most 120 characters, on one line")
	place := v.get(path+"/studio").form("/studio").post("business", "Hill Pilates", "name", "Olga Hill").wantTo(path+"/location?business=Hill+Pilates&teaches=1").follow().want(200, "Your first location", "Step 3 of 3")
	wrong := place.form("/location").post("location.name", "", "location.address.country", "US", "location.zone", "Mars/Olympus", "location.currency", "EUR").want(400, "There is a problem")
	if !strings.Contains(wrong.Body, `href="#location.zone"`) || !strings.Contains(wrong.Body, `href="#location.name"`) ||
		!strings.Contains(wrong.Body, `id="location.zone"`) || !strings.Contains(wrong.Body, `<option value="EUR" selected`) {
		t.Error("the problems do not lead to their fields, or what was chosen is lost")
	}
	there := v.get(path+"/location?business=Hill+Pilates&zone=Europe/Lisbon").want(200, "Weeks begin on Sunday, and clocks show 17:30.", "Public address")
	for _, proposed := range []string{`<option value="pt" selected`, `<option value="inclusive" selected`, `<option value="EUR" selected`, `value="hill-pilates"`} {
		if !strings.Contains(there.Body, proposed) {
			t.Errorf("in Portugal the form does not propose %s", proposed)
		}
	}
	open := wrong.form("/location")
	lisbon := []string{"country", "PT", "location.address.country", "PT", "location.zone", "Europe/Lisbon", "location.currency", "EUR", "location.name", "Old Town",
		"location.address.street", "Rua Augusta 1", "location.address.postalCode", "1100-048", "location.address.city", "Lisboa"}
	first := open.post(lisbon...).wantTo("/manage/hill-pilates/welcome")
	second := open.post(lisbon...).wantTo("/manage/hill-pilates/welcome")
	if first.to() != second.to() || s.count(t, "businesses where name = 'Hill Pilates'") != 1 {
		t.Error("two clicks opened two studios")
	}
	if got := apptest.Value[string](t, s.World, `select concat(l.slug, ' ', l.language, ' ', l.tax_mode, ' ', m.bookable) from locations l
		join members m on m.business_id = l.business_id where l.name = 'Old Town'`); got != "hill-pilates-old-town en exclusive t" {
		t.Errorf("it opened as %s", got)
	}
	v.get("/hill-pilates").want(200, "Nothing can be booked in the next two weeks", "Rua Augusta 1, 1100-048 Lisboa")
	v.get(path).want(404, "This link no longer works", "Your businesses")
}

// TestInvitesThatDoNotWork: used, expired and unknown look alike; another person's names the recipient and offers to
// sign in as them.
func TestInvitesThatDoNotWork(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	late := s.invite(t, "late@example.com")
	v := s.signedIn(t, "ben@example.com", "Ben Other")
	for _, step := range []string{"/studio", "/location?business=X"} {
		wrong := v.get(path+step).want(403, "This link was sent to another address", "olga@example.com", "ben@example.com")
		wrong.form("/leave").post().wantTo(path).follow().want(200, "Set up your studio")
		v = s.signedIn(t, "ben@example.com", "Ben Other")
	}
	s.visit(t).get(path + "/studio").wantTo(path)
	s.visit(t).get(path + "/code").wantTo(path)

	owner := s.signedIn(t, "olga@example.com", "Olga Hill")
	owner.get(path).wantTo(path + "/studio")
	owner.get(path + "/location").wantTo(path + "/studio")
	form := owner.get(path + "/location?business=Hill").form("/location")
	form.post("location.name", "Hill", "location.address.country", "US", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo("/manage/hill/welcome")
	again := owner.get("/my").form("/sign-out") // any form of this browser has a token
	again.Action = path + "/location"
	again.post("business", "Second", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").want(404, "This link no longer works")
	owner.get(path).want(404, "This link no longer works")

	s.Clock.Advance(identity.InviteLife + time.Minute)
	for _, gone := range []string{late, path, "/invite/unknown", late + "/studio", "/invite/" + strings.Repeat("A", 43)} {
		s.visit(t).get(gone).want(404, "This link no longer works").lacks("olga", "late@")
	}
}

// TestOpeningWithAnothersInvite is refused in the last step, too: the session decides, not the link.
func TestOpeningWithAnothersInvite(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.signedIn(t, "ben@example.com", "Ben Other")
	form := v.get("/my").form("/sign-out")
	form.Action = path + "/location"
	form.post("business", "Stolen", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").want(403, "This link was sent to another address")
	nobody := s.visit(t)
	door := nobody.get(path).form(path)
	door.Action = path + "/location"
	door.post("business", "Stolen", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo(path)
	if n := s.count(t, "businesses where name = 'Stolen'"); n != 0 {
		t.Errorf("%d businesses were opened", n)
	}
}

// place is the last step of the wizard for a signed-in owner, with the browser's clock from the step before.
func (v *visitor) place(path, zone string) *page {
	v.t.Helper()
	return v.get(path+"/studio").form("/studio").post("business", "Hill Pilates", "name", "Olga Hill", "zone", zone).follow().want(200, "Your first location")
}

// TestPlaceOfTheFirstLocation: the place comes first, and time zone and currency follow from it. The country is that
// of the browser's clock, and without script that of its language. A31.
func TestPlaceOfTheFirstLocation(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.signedIn(t, "olga@example.com", "Olga Hill")
	for name, of := range map[string]struct {
		zone, accept string
		has, lacks   []string
	}{
		"the clock of New York": {"America/New_York", "en-US", []string{
			`<option value="US" selected`, "data-says=\"location.zone\">New York, 8:00\u00a0am now<", "Another time zone", ">Honolulu, 2:00\u00a0am now<",
			`<option value="USD" selected>US Dollar (USD)<`, "State or province"}, []string{"Detroit", "Lisbon"}},
		"a clock of another name": {"America/Detroit", "en-US", []string{"data-says=\"location.zone\">Detroit, 8:00\u00a0am now<"}, []string{"New York"}},
		"a name of before":        {"Asia/Calcutta", "en", []string{`<option value="IN" selected`, ">Kolkata, 5:30\u00a0pm now<", `value="Asia/Kolkata"`, `<option value="INR" selected`}, nil},
		"a country of one clock":  {"Europe/Berlin", "en", []string{`<option value="DE" selected>Germany<`, ">Berlin, 14:00 now<", `<option value="EUR" selected>Euro (EUR)<`}, []string{"Another time zone", "State or province"}},
		"no script":               {"", "pt-PT", []string{`<option value="PT" selected>Portugal<`, `<select id="location.zone"`, ">Lisboa, agora 13:00<", ">Açores, agora 12:00<", `<option value="EUR" selected>Euro (EUR)<`}, []string{"<details"}},
		"nothing known":           {"UTC", "", []string{`<option value="US" selected`, "<option value=\"America/New_York\" selected>New York, 8:00\u00a0am now<"}, []string{"<details"}},
	} {
		t.Run(name, func(t *testing.T) {
			v.headers.Set("Accept-Language", of.accept)
			defer v.headers.Del("Accept-Language")
			place := v.get(path + "/location?business=Hill&zone=" + of.zone)
			for _, want := range of.has {
				if !strings.Contains(place.Body, want) {
					t.Errorf("lacks %s", want)
				}
			}
			for _, not := range of.lacks {
				if strings.Contains(place.Body, not) {
					t.Errorf("has %s", not)
				}
			}
			if n := strings.Count(place.Body, `<option value="Pacific/`) + strings.Count(place.Body, `<option value="America/`); n > 8 {
				t.Errorf("%d zones are offered", n)
			}
		})
	}
}

// TestChangeOfTheCountry keeps the entered values, and no studio opens with the time zone or the currency of the
// former country. A31.
func TestChangeOfTheCountry(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.signedIn(t, "olga@example.com", "Olga Hill")
	typed := []string{"location.name", "Old Town", "location.address.street", "Rua Augusta 1", "location.address.city", "Lisboa", "location.zone", "America/New_York", "location.currency", "USD"}
	kept := func(p *page) {
		t.Helper()
		for _, want := range []string{`value="Old Town"`, `value="Rua Augusta 1"`, `value="Lisboa"`, `<option value="PT" selected`, `<option value="Europe/Lisbon" selected`, `<option value="EUR" selected`} {
			if !strings.Contains(p.Body, want) {
				t.Errorf("lacks %s", want)
			}
		}
	}
	form := v.place(path, "America/New_York").form("/location")
	kept(form.post(append(typed, "location.address.country", "PT", "change", "1")...).want(200, "Your first location").lacks("There is a problem"))
	again := form.post(append(typed, "location.address.country", "PT")...).want(400, "You changed the country. Check its time zone, currency, language and tax.")
	kept(again)
	if n := s.count(t, "businesses where name = 'Hill Pilates'"); n != 0 {
		t.Fatal("a studio is open in the time of another country")
	}
	again.form("/location").post(append(typed, "location.address.country", "PT", "location.zone", "Atlantic/Azores", "location.currency", "EUR")...).wantTo("/manage/hill-pilates/welcome")
	if n := s.count(t, "locations where zone = 'Atlantic/Azores' and currency = 'EUR' and country = 'PT' and street = 'Rua Augusta 1'"); n != 1 {
		t.Errorf("%d locations are in the Azores", n)
	}
	other := s.signedIn(t, "ben@example.com", "Ben Other").get("/my").form("/sign-out")
	other.Action = path + "/location"
	other.post("location.address.country", "PT", "change", "1").want(404, "This link no longer works")
}

// TestPlaceInABrowser: the browser sends its time zone, and another country brings its time zones and its currency at
// once. A31.
func TestPlaceInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.invite(t, "olga@example.com")
	l := s.look(t, browser.Options{Zone: "America/Chicago"})
	l.at(path).Click("main form button")
	l.Fill("#code", s.code(t, "olga@example.com", 0))
	l.Click("form[action$='/code'] button")
	l.Fill("#name", "Olga Hill")
	l.Click("form[action$='/studio'] button")
	if got := l.Text("[data-says]"); got != "Chicago, 7:00\u00a0am now" {
		t.Errorf("the clock says %q", got)
	}
	l.fits()
	l.see("invite-place")
	l.Fill("[id='location.name']", "Old Town")
	l.Fill("[id='location.address.city']", "Lisboa")
	l.Click("summary")
	l.Choose("[id='location.zone']", "America/Denver")
	if got := l.Text("[data-says]"); got != "Denver, 6:00\u00a0am now" {
		t.Errorf("after another choice the clock says %q", got)
	}
	l.Choose("[id='location.address.country']", "PT")
	l.Wait("option[value='Atlantic/Azores']:not(details *), select[id='location.zone']:not(details *)")
	if got := browser.Eval[string](l.Page, `["location.zone", "location.currency", "location.name", "location.address.city"].map(id => document.getElementById(id).value).join()`); got != "Europe/Lisbon,EUR,Old Town,Lisboa" {
		t.Errorf("in Portugal the form says %q", got)
	}
	l.see("invite-place-abroad")
	l.quiet()
	l.Click("main form .btn.wide")
	if got := l.URL(); !strings.HasSuffix(got, "/manage/hill-pilates/welcome") { // the console, which is not served here
		t.Errorf("the invite leads to %s", got)
	}
	if got := apptest.Values[string](t, s.World, "select zone || ' ' || currency || ' ' || city from locations where name = 'Old Town'"); len(got) != 1 || got[0] != "Europe/Lisbon EUR Lisboa" {
		t.Errorf("the place is %q", got)
	}
}
