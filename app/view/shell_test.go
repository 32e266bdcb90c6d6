package view_test

import (
	"strings"
	"testing"

	"foyer/app/view"
)

// E126: only addresses of the booking frame may be framed, and no page may run inline code.
func TestPolicies(t *testing.T) {
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

// E141: the way back stands in place of the mark, and stays on the receipt. E147: not in the frame.
func TestWayBack(t *testing.T) {
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

// E148: inner links keep the frame; E141: and where the customer came from.
func TestLinksCarryTheFrameAndTheWayBack(t *testing.T) {
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
