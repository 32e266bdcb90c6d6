package studio

import (
	"bytes"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/walkin"
)

// The value of embed for the walk-ins bar, and the time that a browser may cache it.
const (
	embedLive = "live"
	liveKept  = "private, max-age=15"
)

// live is the walk-ins bar that a studio frames on its website: the walk-in status, and a link that leaves the frame.
// When walk-ins are off, paused or have no room, and for an unknown location, it is empty and the frame collapses
// (E122).
//
// It has no personal data: it stores nothing and carries no ticket. The customer's source is read once, from the page
// around the first one, and is a part of the address that the bar's script reloads.
func (h *site) live(c *fiber.Ctx) error {
	at, moved, err := h.LocationOf(c)
	if err == nil && moved != "" {
		return c.Redirect(moved, fiber.StatusMovedPermanently)
	}
	if fault.IsKind(err, fault.NotFound) {
		c.Status(fiber.StatusNotFound)
		return showLive(c, view.Shell{Words: view.Words{Locale: h.Speech(c)}}, nil, "")
	}
	if err != nil {
		return err
	}
	var (
		s  *kit.Studio
		in walkin.Walkins
	)
	err = kit.Together(
		func() (err error) { s, err = h.StudioOf(c, at); return err },
		func() (err error) {
			in, err = h.Walkin.Live(c.UserContext(), at.Tenant, at.Location, nil)
			return err
		},
	)
	if err != nil {
		return err
	}
	sh := h.ShellOf(c, s, c.Query(view.FieldRef))
	self := url.Values{view.FieldEmbed: {embedLive}}
	if sh.Ref != "" {
		self.Set(view.FieldRef, sh.Ref)
	}
	var bar *view.EmbedWalkins
	if in.Hidden == "" {
		v := view.EmbedWalkinsOf(sh.Words, in)
		v.Book = sh.Link(s.Home())
		bar = &v
	}
	return showLive(c, sh, bar, s.Home()+"?"+self.Encode())
}

func showLive(c *fiber.Ctx, sh view.Shell, bar *view.EmbedWalkins, self string) error {
	var b bytes.Buffer
	if err := LivePage(sh, bar, self).Render(c.UserContext(), &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, view.Policy(true, false))
	c.Set(fiber.HeaderCacheControl, liveKept)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}
