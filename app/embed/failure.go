package embed

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/walkin"
)

// ErrorPage is web.Options.ErrorPage for a program that has this surface: what was asked of the fragments is refused with
// a short text, which any website may read, and nothing longer is printed into a studio's page (E103, E104). Everything
// else goes to others.
func ErrorPage(others func(c *fiber.Ctx, status int, f *fault.Error) error) func(c *fiber.Ctx, status int, f *fault.Error) error {
	return func(c *fiber.Ctx, status int, f *fault.Error) error {
		if !strings.HasPrefix(c.Path(), prefix) {
			return others(c, status, f)
		}
		openToAll(c)
		c.Response().Header.SetContentType(typeOfFailure(c.Path()))
		text := "This did not work. Try again in a minute.\n"
		if status == fiber.StatusNotFound {
			c.Set(fiber.HeaderCacheControl, aQuarter) // E111
			if f.Reason == walkin.ErrUnknownListing.Reason {
				c.Set(headerWalkins, f.Reason) // E110
			}
			text = "Not found.\n"
		} else {
			c.Set(fiber.HeaderCacheControl, "no-store")
		}
		return c.SendString(text)
	}
}

// typeOfFailure is that of a fragment, and plain text where a fragment was not what was asked for.
func typeOfFailure(path string) string {
	if last := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(last, ".") {
		return "text/plain; charset=utf-8"
	}
	return typeHTML
}
