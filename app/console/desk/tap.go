package desk

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
)

// tapHeader marks a form that waited in the browser for the connection (console/queue.ts). No page is shown then: the
// response is a status and one sentence.
const tapHeader = "Foyer-Tap"

// saidHeader has the notice.
const saidHeader = "Foyer-Said"

// tapped responds to one: 204 when it was done, 409 with the reason when it was not.
func (c *Call) tapped(d Done) error {
	if !d.Bad {
		c.Set(saidHeader, url.QueryEscape(d.Said))
		return c.SendStatus(fiber.StatusNoContent)
	}
	return tapRefused(c.Ctx, fiber.StatusConflict, d.Said)
}

func tapRefused(c *fiber.Ctx, status int, why string) error {
	c.Response().Header.SetContentType(fiber.MIMETextPlainCharsetUTF8)
	return c.Status(status).SendString(strings.TrimSpace(why))
}

// refuseTap responds to one that failed before its verb. A status reports that a sign-in is needed: the tap waits.
func (d *Desk) refuseTap(c *fiber.Ctx, f *fault.Error, title string) error {
	if f.Kind == fault.Unauthorized {
		return tapRefused(c, fiber.StatusUnauthorized, "")
	}
	return tapRefused(c, fiber.StatusConflict, title)
}
