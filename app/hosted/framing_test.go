package hosted_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
)

// neverFramed begin the addresses of pages that are no part of the booking frame: of invited owners, the consent of
// assistants, and uploads.
var neverFramed = []string{"/invite/", "/oauth/", "/upload/"}

// TestFraming requests every page, plain, with embed=1 and with embed=live: the first can never be framed, the second
// by every site except for the pages of invited owners, of assistants and of uploads, and the third is the walk-ins bar
// alone. E126.
func TestFraming(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	receipt := v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked").url.Path
	cart := strings.TrimSuffix(v.choose(yoga, 1).follow().want(200, "Pay $22.00").url.Path, "/pay")
	booked := apptest.Value[string](t, s.World, "select id::text from bookings where state = 'confirmed'")
	invite := s.invite(t, "olga@example.com")
	fill := strings.NewReplacer(
		"/cart/:token", cart, "/receipt/:token", receipt, "/invite/:token", invite, "/my/waitlist/:token", "/my/waitlist/none",
		":slug", s.Location.Slug, ":listing", yoga.Slug, ":occurrence", yoga.Dates[0].ID.String(), ":booking", booked, ":item", "none",
	)
	framed := s.frame(t)
	framed.check = nil
	seen := 0
	for _, route := range s.Server.App().GetRoutes(true) {
		path := fill.Replace(route.Path)
		if route.Method != "GET" || strings.Contains(path, "*") || strings.HasPrefix(path, "/__") || path == "/openapi.json" {
			continue
		}
		seen++
		for _, visitor := range []*visitor{v, framed} {
			for _, embed := range []string{"", "?embed=1", "?embed=live", "?embed=0", "?embed=11", "?embed=1&embed=0"} {
				p := visitor.get(path + embed)
				if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
					continue
				}
				booking := !slices.ContainsFunc(neverFramed, func(below string) bool { return strings.HasPrefix(path, below) })
				framed := booking && strings.HasPrefix(embed, "?embed=1") && embed != "?embed=11"
				open := framed || embed == "?embed=live" && route.Path == "/:slug"
				want := "frame-ancestors 'none'"
				if open {
					want = "frame-ancestors *"
				}
				if got := p.Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, want) {
					t.Errorf("%s: the policy is %q", path+embed, got)
				}
			}
		}
	}
	if seen < 25 {
		t.Errorf("%d pages were looked at", seen)
	}
	for _, path := range []string{"/nowhere", "/cart/none", "/harbour/nothing"} {
		if got := v.get(path).want(404).Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, "frame-ancestors 'none'") {
			t.Errorf("%s: the policy is %q", path, got)
		}
	}
}
