package desk

import (
	"bytes"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/view"
)

// Shopfront is the shell of a booking page of a place as customers have it, in a frame: without header and foot, in the place's
// language and on its clock. look is the address of the stylesheet that it wears.
func (c *Call) Shopfront(l business.Location, look string) view.Shell {
	return view.Shell{
		Words:    view.WordsAt(l.Language, l.Address.Country, civil.ZoneOrUTC(l.Zone), c.UI.Now),
		Studio:   view.Studio{Name: c.Workspace.Business.Name, Home: "/" + l.Slug, Address: view.AddressLine(l.Address)},
		Branding: view.Branding(l.Branding), BrandingHref: look, Embed: true,
	}
}

// Picture sends a page for a frame on a screen: a preview, which no other site may show.
func (c *Call) Picture(page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(c.UserContext(), &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, view.PolicyInside())
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}

// Alone sends a page that needs nothing but itself, and may do nothing.
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
