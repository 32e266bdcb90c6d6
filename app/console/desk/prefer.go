package desk

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/console/ui"
)

// What somebody has chosen for this browser. The server reads it, so that a page is in its colours from the first one it paints.
const (
	schemeCookie = "scheme" // light or dark; none: as the system is
	keysCookie   = "keys"   // off: single keys do nothing (WCAG 2.1.4)
	preferred    = 365 * 24 * time.Hour
)

// prefer fills in what was chosen.
func (d *Desk) prefer(c *fiber.Ctx, sh *ui.Shell) {
	if s := d.web.Cookies.Get(c, schemeCookie); s == ui.Light || s == ui.Dark {
		sh.Scheme = s
	}
	sh.KeysOff = d.web.Cookies.Get(c, keysCookie) == "off"
}

// choosePreference keeps what a button of the person menu or of the page of keys says, and goes back to it.
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
