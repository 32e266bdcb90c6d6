package console_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/app/console/consoletest"
	"foyer/app/web"
)

// TestColoursAndKeysAreChosen: the server renders this browser's preferences, so no page is in other colours first.
func TestColoursAndKeysAreChosen(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	has := func(texts ...string) {
		t.Helper()
		body := c.Get("").Is(t, 200).Body
		for _, text := range texts {
			if !strings.Contains(body, text) {
				t.Errorf("Today has no %s", text)
			}
		}
	}
	choose := func(name, value string) {
		t.Helper()
		c.Post("/manage/preferences", url.Values{web.FieldToken: {c.Token()}, web.FieldKey: {"0123456789012345678901"}, name: {value}})
	}
	has(`content="light dark"`)
	choose("scheme", "dark")
	has(`data-scheme="dark"`, `<meta name="color-scheme" content="dark">`)
	choose("keys", "off")
	has(`data-keys="off"`, `data-scheme="dark"`)
	c.Get("/keys").Is(t, 200).Shows(t, "Keyboard shortcuts", "Single-key shortcuts are off")
	choose("scheme", "purple")
	has(`content="light dark"`)
	choose("keys", "on")
	c.Get("/keys").Shows(t, "Turn off single-key shortcuts", "Customers", "Reschedule the selected item")
}
