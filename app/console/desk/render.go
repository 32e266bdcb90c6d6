package desk

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/app/web"
)

// show renders a screen: in the shell, or alone for the side sheet. A screen that returns a refusal (a failed quote)
// is shown as an error page.
func (c *Call) show(page Page) error {
	if c.UI.Sheet && !c.Posts() && c.Desk.web.Cookies.Get(c.Ctx, saidCookie) != "" { // the page below shows the notice
		return send(c.Ctx, ui.Leave())
	}
	s, err := page(c)
	if err != nil {
		return err
	}
	if err := c.lead(s.Step); err != nil {
		return err
	}
	if s.Part != nil && c.Get("Turbo-Frame") == s.Frame {
		return send(c.Ctx, ui.Frame(s.Frame, s.Part))
	}
	if c.UI.Sheet && !s.Sheet { // not made for the sheet: the browser shows it as a page
		return send(c.Ctx, ui.Leave())
	}
	if !c.UI.Sheet {
		c.UI.Said = c.Desk.said(c.Ctx)
	}
	return send(c.Ctx, ui.ScreenPage(c.UI, s))
}

// ownStyle allows the one style element that Turbo writes: its progress bar's. A test compares.
const ownStyle = "; style-src 'self' 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='"

// send writes a page under the content policy of the booking pages and its own style, without caching.
func send(c *fiber.Ctx, page templ.Component) error {
	if err := page.Render(c.UserContext(), c.Response().BodyWriter()); err != nil { // the server reuses these
		c.Response().ResetBody()
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, view.Policy(false, false)+ownStyle)
	c.Set("Referrer-Policy", "same-origin")
	c.Set(fiber.HeaderVary, "Turbo-Frame")
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return web.CompressPage(c)
}

// saidCookie carries a notice to the page that shows it. A form in the side sheet always sets it: the redirect to the
// page below comes with the sheet's header, and without the cookie a page that can be shown in the sheet would stay
// in it.
const saidCookie = "said"

func (d *Desk) say(c *fiber.Ctx, s ui.Said) {
	if raw, err := json.Marshal(s); err == nil {
		d.web.Cookies.Set(c, saidCookie, base64.RawURLEncoding.EncodeToString(raw), time.Minute)
	}
}

// said returns the notice, if any, and clears it.
func (d *Desk) said(c *fiber.Ctx) *ui.Said {
	given := d.web.Cookies.Get(c, saidCookie)
	if given == "" {
		return nil
	}
	d.web.Cookies.Clear(c, saidCookie)
	raw, err := base64.RawURLEncoding.DecodeString(given)
	var s ui.Said
	if err != nil || json.Unmarshal(raw, &s) != nil || s.Text == "" || s.Undo != nil && !Local(s.Undo.Action) {
		return nil
	}
	return &s
}
