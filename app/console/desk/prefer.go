package desk

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/console/ui"
)

// Preferences of this browser. The server reads them, so that a page has its colours from the first paint.
const (
	schemeCookie = "scheme" // light or dark; none: as the system is
	keysCookie   = "keys"   // off: single keys do nothing (WCAG 2.1.4)
	preferred    = 365 * 24 * time.Hour
)

// prefer fills in the preferences.
func (d *Desk) prefer(c *fiber.Ctx, sh *ui.Shell) {
	if s := d.web.Cookies.Get(c, schemeCookie); s == ui.Light || s == ui.Dark {
		sh.Scheme = s
	}
	sh.KeysOff = d.web.Cookies.Get(c, keysCookie) == "off"
}

// choosePreference saves the preference of a button in the person menu or on the page of keys, and redirects back.
func (d *Desk) choosePreference(c *fiber.Ctx) error {
	keep := func(cookie, value string, known ...string) {
		for _, k := range known {
			if value == k {
				d.web.Cookies.Set(c, cookie, value, preferred)
				return
			}
		}
		d.web.Cookies.Clear(c, cookie)
	}
	if c.Request().PostArgs().Has(schemeCookie) {
		keep(schemeCookie, c.FormValue(schemeCookie), ui.Light, ui.Dark)
	}
	if c.Request().PostArgs().Has(keysCookie) {
		keep(keysCookie, c.FormValue(keysCookie), "off")
	}
	return c.Redirect(onward(c.FormValue(fieldBack)), fiber.StatusSeeOther)
}
