package embed

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/walkin"
)

// ErrorPage is web.Options.ErrorPage for a program with this surface. An error of a fragment is a short text that any
// website may read, because a longer one would appear in a studio's page (E103, E104). Other errors go to others.
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

// typeOfFailure is that of a fragment, and plain text for requests other than fragments.
func typeOfFailure(path string) string {
	if last := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(last, ".") {
		return "text/plain; charset=utf-8"
	}
	return typeHTML
}
