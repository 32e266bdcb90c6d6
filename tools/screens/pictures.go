package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// screen is a screen of the console that has a picture. Its address is path; or, with a link, the first address on the page of path
// that has the link in it, and then more behind it. {place} is the first place of the studio.
type screen struct {
	name, path string
	link, more string
	phone      bool // has a picture at 390 pixels, too
}

var screens = []screen{
	{name: "today", phone: true},
	{name: "calendar", path: "/calendar?view=week", phone: true},
	{name: "calendar-day", path: "/calendar?view=day"},
	{name: "calendar-agenda", path: "/calendar?view=agenda", phone: true},
	{name: "date", path: "", link: "/dates/", phone: true},
	{name: "date-move", path: "/calendar?view=agenda", link: "/dates/", more: "/move"},
	{name: "walkins", path: "/walkins", phone: true},
	{name: "bookings", path: "/bookings", phone: true},
	{name: "booking", path: "/bookings", link: "/bookings/", phone: true},
	{name: "booking-cancel", path: "/bookings", link: "/bookings/", more: "/cancel"},
	{name: "book", path: "/bookings/new", phone: true},
	{name: "customers", path: "/customers"},
	{name: "customer", path: "/customers", link: "/customers/", phone: true},
	{name: "catalog", path: "/catalog", phone: true},
	{name: "offering", path: "/catalog", link: "/catalog/"},
	{name: "templates", path: "/catalog/new"},
	{name: "new-class", path: "/catalog/new?from=yoga&place={place}"},
	{name: "series", path: "/catalog", link: "/catalog/", more: "/series"},
	{name: "explain", path: "/catalog/explain"},
	{name: "opening", path: "/welcome", phone: true},
	{name: "settings", path: "/settings", phone: true},
	{name: "business", path: "/settings/business"},
	{name: "locations", path: "/settings/places"},
	{name: "location-hours", path: "/settings/places", link: "/settings/places/", more: "/hours"},
	{name: "location-closures", path: "/settings/places", link: "/settings/places/", more: "/closures"},
	{name: "location-rooms", path: "/settings/places", link: "/settings/places/", more: "/rooms"},
	{name: "location-branding", path: "/settings/places", link: "/settings/places/", more: "/look"},
	{name: "location-website", path: "/settings/places", link: "/settings/places/", more: "/website"},
	{name: "team", path: "/settings/team"},
	{name: "member", path: "/settings/team", link: "/settings/team/"},
	{name: "roles", path: "/settings/team/roles"},
	{name: "policies", path: "/settings/policies"},
	{name: "taxes", path: "/settings/taxes"},
	{name: "payments", path: "/settings/payments"},
	{name: "keys", path: "/settings/keys"},
	{name: "changes", path: "/settings/changes"},
	{name: "integrity", path: "/settings/integrity"},
	{name: "search", path: "/search?q=a"},
}

// most is how many bytes all pictures may have together.
const most = 2 << 20

// pictures writes one picture of every screen at a desk, and one more of the main ones on a phone. A picture that the document does not
// show, or the other way round, is an error.
func pictures(d demo, w *window, into, shown string) error {
	if err := d.day(w); err != nil {
		return err
	}
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(into, "*.webp"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	sum, made := 0, map[string]bool{}
	for _, s := range screens {
		n, err := s.picture(d, w, into, made)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		sum += n
	}
	fmt.Fprintf(os.Stderr, "%d pictures, %d KB\n", len(made), sum>>10)
	if sum > most {
		return fmt.Errorf("the pictures have %d bytes, at most %d", sum, most)
	}
	return compare(shown, made)
}

// picture makes the pictures of one screen, and returns their bytes.
func (s screen) picture(d demo, w *window, into string, made map[string]bool) (bytes int, err error) {
	address, err := s.address(d, w)
	if err != nil {
		return 0, err
	}
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		if size[0] == 390 && !s.phone {
			continue
		}
		if err := w.resize(size[0], size[1]); err != nil {
			return bytes, err
		}
		if err := w.open(address); err != nil {
			return bytes, err
		}
		shot, err := w.picture()
		if err != nil {
			return bytes, err
		}
		name := s.name + ".webp"
		if size[0] == 390 {
			name = s.name + "-phone.webp"
		}
		if err := os.WriteFile(filepath.Join(into, name), shot, 0o644); err != nil { //nolint:gosec // it is for everybody
			return bytes, err
		}
		made[name], bytes = true, bytes+len(shot)
	}
	return bytes, nil
}

// address is where the screen is.
func (s screen) address(d demo, w *window) (string, error) {
	if s.link == "" {
		return d.page(s.path), nil
	}
	if err := w.resize(1280, 800); err != nil {
		return "", err
	}
	if err := w.open(d.page(s.path)); err != nil {
		return "", err
	}
	found, err := eval[string](w, fmt.Sprintf(
		`[...document.querySelectorAll("main a[href*='%s']")].map((a) => a.href.split("?")[0]).find((h) => /[0-9a-f-]{36}$/.test(h)) ?? ""`, s.link))
	if err == nil && found == "" {
		err = fmt.Errorf("%s has no link to %s", s.path, s.link)
	}
	return found + s.more, err
}

// compare holds the document against the pictures.
func compare(shown string, made map[string]bool) error {
	text, err := os.ReadFile(shown) //nolint:gosec // the caller's own
	if err != nil {
		return err
	}
	var wrong []string
	for name := range made {
		if !strings.Contains(string(text), "pictures/"+name) {
			wrong = append(wrong, "it does not show "+name)
		}
	}
	for _, part := range strings.Split(string(text), "pictures/")[1:] {
		if name, _, ok := strings.Cut(part, ".webp"); ok && !made[name+".webp"] {
			wrong = append(wrong, "there is no picture "+name+".webp")
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s: %s", shown, strings.Join(wrong, "; "))
	}
	return nil
}
