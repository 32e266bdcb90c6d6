package desk

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
)

// tapHeader marks a form that waited in the browser for the line to come back (console/queue.ts). Nobody looks at a page then: the
// answer is a status and one sentence.
const tapHeader = "Foyer-Tap"

// saidHeader has the sentence about what was done.
const saidHeader = "Foyer-Said"

// tapped answers one: 204 when it was done, 409 with why it was not.
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

// refuseTap answers one that did not come as far as its verb. Whoever has to sign in first is told so by the status: the tap waits.
func (d *Desk) refuseTap(c *fiber.Ctx, f *fault.Error, title string) error {
	if f.Kind == fault.Unauthorized {
		return tapRefused(c, fiber.StatusUnauthorized, "")
	}
	return tapRefused(c, fiber.StatusConflict, title)
}
