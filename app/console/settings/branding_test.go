package settings_test

import (
	"strings"
	"testing"

	"foyer/app/console/consoletest"
	"foyer/policy"
)

// The branding is previewed on the booking page before it is saved.
func TestBrandingPreview(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	look := "/settings/places/" + s.Location.ID.String() + "/look"
	page := owner.Get(look).Is(t, 200).Shows(t, "Booking page preview", "Edit stylesheet")
	owner.Get(look+"/page?accent=%23225577&background=dark").Is(t, 200).Shows(t, "Schedule", "Example class")
	if css := owner.Get(look+"/look.css?accent=%23225577&background=dark&type=system&corners=pill").Is(t, 200).Body; !strings.Contains(css, "--r-2:999px") || !strings.Contains(css, "system-ui") {
		t.Errorf("the sheet is %s", css)
	}
	typed := owner.Send(page.Form("/look"), "accent", "#225577", "then", "preview").Is(t, 200)
	if !strings.Contains(typed.Body, "accent=%23225577") {
		t.Error("the picture does not wear what is typed")
	}
	if l, err := s.Services.Business.Location(t.Context(), s.Owner, s.Location.ID); err != nil || l.Branding.Chosen() {
		t.Errorf("looking at it has saved it: %+v %v", l.Branding, err)
	}
	owner.Send(page.Form("/look"), "accent", "#225577").Is(t, 200).Shows(t, "Branding saved.")
	if s.As(t, policy.Viewer).Get(look).Is(t, 200).Has("/look/css") == false {
		t.Error("a viewer cannot read the stylesheet")
	}
}

// An invalid stylesheet has its error at its line, and keeps the typed text.
func TestTheStylesheetSaysWhatIsWrongAtItsLine(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/places/" + s.Location.ID.String() + "/look/css"
	form := owner.Get(path).Is(t, 200).Form("/css")
	css := "svc-schedule { color: red }\r\n\r\nbody { display: none }\r\n"
	back := owner.Send(form, "css", css).Is(t, 400).Shows(t, "Line 3", "body { display: none }")
	if got := back.Form("/css").Values.Get("css"); strings.ReplaceAll(got, "\r\n", "\n") != strings.ReplaceAll(css, "\r\n", "\n") {
		t.Errorf("it came back as %q", got)
	}
	if !strings.Contains(back.Body, `<li class="wrong" value="3">`) {
		t.Error("the line is not marked")
	}
	owner.Send(form, "css", strings.Repeat("svc-schedule{color:red}\n", 4400)).Is(t, 400).Shows(t, "Line ")
	owner.Send(owner.Get(path).Form("/css"), "css", "svc-schedule { color: red !important }").Is(t, 200).Shows(t, "1 line can be improved.", "Line 1")
	sheet, err := s.Services.Business.Stylesheet(t.Context(), s.Owner, s.Location.ID)
	if err != nil || sheet.CSS != "svc-schedule { color: red !important }" {
		t.Errorf("%q %v", sheet.CSS, err)
	}
	if stale := owner.Send(form, "css", "svc-times { color: blue }"); stale.Status != 409 {
		t.Errorf("an old version answers %d", stale.Status)
	}
}

// The embed code is two links from Today, and has the choices made.
func TestTheCodeForTheWebsite(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	settings := owner.Get("").Link("/settings")
	page := owner.Get(owner.Get(settings).Link("/website")).Is(t, 200).Shows(t, "Embed code", "<svc-schedule location=", "WordPress", "Copy")
	path := page.URL.Path
	owner.Get(path+"?what=svc-times&theme=card").Is(t, 200).Shows(t, `<svc-times location="`+s.Location.Slug+`" listing="`+class.Slug+`" theme="card">`)
	owner.Get(path+"?what=frame").Is(t, 200).Shows(t, "<iframe data-svc")
	owner.Get(path+"?what=link").Is(t, 200).Shows(t, s.URL+"/"+s.Location.Slug)
	if body := owner.Get(path+"/page?what=svc-classes&theme=%22%3E%3Cscript%3E").Is(t, 200).Body; !strings.Contains(body, "<svc-classes") || strings.Contains(body, `"><script>`) {
		t.Errorf("the page with the snippet is %s", body)
	}
	owner.Send(page.Forms("/website")[1], "website", "not an address").Is(t, 400)
	owner.Send(page.Forms("/website")[1], "website", "https://harbour.example.com").Is(t, 200).Shows(t, "Customers who come from there get a link back.")
}
