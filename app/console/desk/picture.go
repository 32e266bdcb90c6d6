package desk

import (
	"bytes"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/view"
)

// Shopfront returns the shell of a location's booking page for a preview frame: without header and footer, in the
// location's language and time zone. look is the address of its stylesheet.
func (c *Call) Shopfront(l business.Location, look string) view.Shell {
	return view.Shell{
		Words:    view.WordsAt(l.Language, l.Address.Country, civil.ZoneOrUTC(l.Zone), c.UI.Now),
		Studio:   view.Studio{Name: c.Workspace.Business.Name, Home: "/" + l.Slug, Address: view.AddressLine(l.Address)},
		Branding: view.Branding(l.Branding), BrandingHref: look, Embed: true,
	}
}

// Picture sends a page for a frame on a screen: a preview that no other site may embed.
func (c *Call) Picture(page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(c.UserContext(), &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, view.PolicyInside())
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}

// Alone sends a self-contained page without any permissions.
func (c *Call) Alone(page []byte) error {
	c.Set(fiber.HeaderContentSecurityPolicy, view.PolicyAlone)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(page)
}

// Sheet sends a stylesheet for such a page.
func (c *Call) Sheet(css string) error {
	c.Response().Header.SetContentType("text/css; charset=utf-8")
	return c.SendString(css)
}
