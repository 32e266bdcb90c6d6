package bookings_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestSavedViews: a filter becomes a tab of its member only; it is renamed, deleted, and restored by its undo.
func TestSavedViews(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c, other := s.As(t, consoletest.Owner), s.As(t, policy.Manager)
	if page := c.Get("/bookings").Is(t, 200).Silent(t, "Save view"); page.Has("/bookings/views") {
		t.Error("a list of everything can be saved")
	}
	at := "/bookings?offering=" + f.Massage.ID.String() + "&span=week&state="
	page := c.Get(at).Is(t, 200).Shows(t, "Save view", "Filters 2", "Cleo Marin").Silent(t, "Li Wei")
	page = c.Send(page.Form("/bookings/views"), "name", " Massages ahead ").Is(t, 200).
		Shows(t, "Saved the view “Massages ahead”.", "This view", "Cleo Marin")
	if q := page.URL.Query(); q.Get("span") != "week" || q.Has("state") || q.Get("offering") != f.Massage.ID.String() {
		t.Errorf("it leads to %s", page.URL)
	}
	c.Get("/bookings").Shows(t, "Massages ahead")
	other.Get("/bookings").Is(t, 200).Silent(t, "Massages ahead")
	theirs := strings.TrimSuffix(page.Form("/delete").Action, "/delete")
	token := other.Token()
	for _, path := range []string{theirs, theirs + "/delete"} {
		other.Post(path, url.Values{"_form": {token}, "_csrf": {token}, "name": {"Mine"}})
	}
	c.Get("/bookings").Shows(t, "Massages ahead")

	page = c.Send(page.Form(theirs[strings.LastIndex(theirs, "/"):]), "name", "Massages").Is(t, 200).Shows(t, "Renamed the view to “Massages”.")
	page = c.Send(page.Form("/delete")).Is(t, 200).Shows(t, "Deleted the view “Massages”.")
	if n := apptest.Value[int](t, s.World, "select count(*) from saved_views"); n != 0 {
		t.Fatalf("%d views are left", n)
	}
	c.Send(page.Form("/bookings/views")).Is(t, 200).Shows(t, "Saved the view “Massages”.", "This view")
	for _, wrong := range []string{"", strings.Repeat("x", 100_000)} {
		c.Send(c.Get("/bookings?state=no_show").Form("/bookings/views"), "name", wrong).Is(t, 200).Shows(t, "view")
	}
	if n := apptest.Value[int](t, s.World, "select count(*) from saved_views"); n != 1 {
		t.Errorf("%d views", n)
	}
}

// TestFilters: days are relative to today, so that a view stays current; invalid days are errors at their field; an
// empty result links to all.
func TestFilters(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/bookings?span=today").Is(t, 200).Shows(t, "Li Wei").Silent(t, "Massage Cleo")
	c.Get("/bookings?span=tomorrow").Is(t, 200).Shows(t, "Cleo Marin").Silent(t, "Li Wei")
	c.Get("/bookings?from=2030-01-01").Is(t, 200).Shows(t, "No bookings match.", "Clear filters")
	page := c.Get("/bookings?from=2026-07-02&to=2026-07-01").Is(t, 400).Shows(t, "The end must be after the beginning.")
	if got := page.Form("/bookings").Values.Get("from"); got != "2026-07-02" {
		t.Errorf("the first day is %q", got)
	}
	who := apptest.Value[string](t, s.World, "select customer_id::text from bookings where id = $1", f.Alone)
	c.Get("/bookings?customer="+who).Is(t, 200).Shows(t, "Customer: Cleo Marin", "Massage").Silent(t, "Li Wei")
	s.As(t, policy.Viewer).Get("/bookings").Is(t, 200).Silent(t, "New booking", "Recurring booking")
}
