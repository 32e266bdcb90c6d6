package view_test

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// E126: only addresses of the booking frame may be framed, and no page may run inline code.
func TestPolicies(t *testing.T) {
	t.Parallel()
	for _, embed := range []bool{false, true} {
		for _, live := range []bool{false, true} {
			p := view.Policy(embed, live)
			if framed := strings.Contains(p, "frame-ancestors *"); framed != embed {
				t.Errorf("embed %v: %s", embed, p)
			}
			if reaches := strings.Contains(p, "https://js.stripe.com"); reaches != live {
				t.Errorf("live %v: %s", live, p)
			}
			if !strings.HasPrefix(p, "default-src 'self'; ") || strings.Contains(p, "unsafe") {
				t.Errorf("not strict: %s", p)
			}
		}
	}
}

// Photos come from another origin only after ImagesFrom, and nothing else does.
func TestImagesFrom(t *testing.T) {
	// Serial: it changes a setting of the process.
	t.Cleanup(func() { view.ImagesFrom("") })
	before := view.Policy(false, false)
	view.ImagesFrom("https://bucket.example.com:9000")
	for _, p := range []string{view.Policy(false, false), view.Policy(true, true), view.PolicyInside()} {
		if !strings.Contains(p, "; img-src 'self' data: https://bucket.example.com:9000; ") || strings.Count(p, "bucket.example.com") != 1 {
			t.Errorf("photos of the bucket: %s", p)
		}
	}
	if view.ImagesFrom(""); view.Policy(false, false) != before || !strings.Contains(before, "; img-src 'self' data:; ") {
		t.Errorf("without a bucket: %s", before)
	}
}

// E141: the way back stands in place of the mark, and stays on the receipt. E147: not in the frame.
func TestWayBack(t *testing.T) {
	t.Parallel()
	back := `href="https://harbouryoga.com/timetable"`
	if page := string(render(t, "receipt")); strings.Count(page, back) != 2 || strings.Contains(page, `class="mark"`) {
		t.Error("the receipt needs the way back in the header, in place of the mark, and below the booking")
	}
	if page := string(render(t, "receipt-framed")); strings.Contains(page, back) {
		t.Error("the customer never left the site, so there is no way back")
	}
	if page := string(render(t, "schedule")); strings.Contains(page, "Back to") {
		t.Error("without a good ref there is no way back")
	}
}

// ticket stands for the frame's state.
type ticket string

func (t ticket) Text() string   { return string(t) }
func (t ticket) Version() int64 { return 7 }

// E127, E148: links and forms carry the frame's ticket, except forms to other sites; outside links open beside the
// website.
func TestTheFrameCarriesItsTicket(t *testing.T) {
	t.Parallel()
	sh := framed(harbour())
	sh.Ticket = ticket("sealed")
	if got := sh.Link("/harbour?day=1"); got != "/harbour?_ticket=sealed&day=1&embed=1" {
		t.Errorf("a link is %s", got)
	}
	if got := sh.Link("https://maps.example.com/"); got != "https://maps.example.com/" {
		t.Errorf("a link away is %s", got)
	}
	page := func(c templ.Component) string {
		t.Helper()
		var b strings.Builder
		if err := c.Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	door := page(kit.SignInPage(sh, kit.SignIn{Form: post("/my/sign-in")}))
	for _, want := range []string{`data-ticket="sealed"`, `data-version="7"`, `name="_ticket" value="sealed"`, `name="embed" value="1"`} {
		if !strings.Contains(door, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	away := post("/__sim/pay")
	away.Away, away.Hidden = true, []view.Param{{Name: "secret", Value: "theirs"}}
	pay := page(cart.PayPage(sh, cart.Pay{Way: cart.PayTest, Form: away}))
	if strings.Contains(pay, `name="_ticket"`) || strings.Contains(pay, `name="_token"`) || !strings.Contains(pay, `name="secret" value="theirs"`) {
		t.Error("the processor's form takes along what is ours")
	}
	v := receipt()
	v.Map, v.Address, v.Calendar.File = "https://maps.example.com/", "12 Quay Street", "/receipt/r/calendar.ics"
	if got := page(cart.ReceiptPage(sh, v)); !strings.Contains(got, `href="https://maps.example.com/" rel="noopener" target="_blank"`) || !strings.Contains(got, `/calendar.ics?_ticket=sealed`) {
		t.Error("the receipt's links do not leave the frame, or the file does not know it")
	}
	if got := page(cart.ReceiptPage(harbour(), v)); !strings.Contains(got, `href="https://maps.example.com/">`) || !strings.Contains(got, `/calendar.ics"`) {
		t.Error("outside the frame the receipt's links have changed")
	}
	sh.Ticket = ticket("")
	if got := page(kit.SignInPage(sh, kit.SignIn{Form: post("/my/sign-in")})); strings.Contains(got, "_ticket") || strings.Contains(got, "data-version") {
		t.Error("a page with nothing to remember has a ticket")
	}
}

// E148: inner links keep the frame; E141: and where the customer came from.
func TestLinksCarryTheFrameAndTheWayBack(t *testing.T) {
	t.Parallel()
	plain, came := harbour(), framed(from(harbour()))
	for _, c := range []struct{ to, want string }{
		{"/harbour?from=2026-11-20", "/harbour?embed=1&from=2026-11-20&ref=https%3A%2F%2Fharbouryoga.com%2Ftimetable"},
		{"/cart/abc", "/cart/abc?embed=1&ref=https%3A%2F%2Fharbouryoga.com%2Ftimetable"},
		{"#d2026-11-20", "#d2026-11-20"},
		{"https://maps.example.com/?q=1", "https://maps.example.com/?q=1"},
		{"//evil.example/", "//evil.example/"},
	} {
		if got := came.Link(c.to); got != c.want {
			t.Errorf("%s became %s", c.to, got)
		}
		if got := plain.Link(c.to); got != c.to {
			t.Errorf("%s became %s without frame and ref", c.to, got)
		}
	}
}
