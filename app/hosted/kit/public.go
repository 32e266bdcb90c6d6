package kit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web"
)

// Shared is the Cache-Control of a page with only public data and this browser's own cart: the browser keeps it for
// the back button, and otherwise revalidates it.
const Shared = "private, no-cache"

// Public is a page that looks the same to all visitors with the same language and the same way back, apart from their
// cart. Name distinguishes it from other pages of the location. Its bytes come from a cache; the bar of the cart is
// read and inserted for each visitor.
type Public struct {
	At   Location
	Slug string // has to be the location's current address, else the answer is ErrFormer; empty: it is not checked
	Name []string
	Make func(ctx context.Context) (Made, error)
}

// Made is a page that was made for a request.
type Made struct {
	Studio  *Studio
	Shell   view.Shell
	Content templ.Component
	ForOne  bool // it has a form, or this visitor's cart: no other visitor may see it
	body    []byte
}

// ShowPublic answers with a public page, from the cache if this browser may see a page that is up to a minute old.
func (h *Site) ShowPublic(c *fiber.Ctx, p Public) error {
	if !h.shares(c) {
		return h.ShowAnew(c, p)
	}
	s, err := h.keptStudio(c, p.At)
	if err == nil {
		err = p.check(s)
	}
	if err != nil {
		return err
	}
	sh := h.ShellOf(c, s, Carried(c, view.FieldRef))
	key, ok := pageKey(c, sh, p)
	if !ok {
		return h.ShowAnew(c, p)
	}
	made, page, err := h.kept(c, p, key)
	switch {
	case made != nil:
		return h.showMade(c, made)
	case errors.Is(err, errOtherPage), err == nil && page.Note == forOne:
		return h.ShowAnew(c, p)
	case err != nil:
		return err
	}
	return h.showKept(c, s, sh, page)
}

// ErrFormer is the error of a page under a former address.
var ErrFormer = errors.New("hosted: a former address")

func (p Public) check(s *Studio) error {
	if p.Slug != "" && p.Slug != s.Location.Slug {
		return ErrFormer
	}
	return nil
}

// shares reports whether a request may be answered with what another visitor was shown.
func (h *Site) shares(c *fiber.Ctx) bool {
	return h.Cache != nil && (c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead) && !h.Cookies.Fresh(c)
}

// forOne is the note of a page that is made for each visitor. It is cached so that its visitors do not wait for each
// other.
const forOne = "for one"

// errOtherPage is the error of a page that belongs under another key: the studio has changed meanwhile. It is not
// cached.
var errOtherPage = errors.New("hosted: the studio changed while its page was made")

// kept returns a page of the cache, or the page itself if this request had to make it. Make reads the studio again:
// the one of the key may be from before a change that has dropped the page.
func (h *Site) kept(c *fiber.Ctx, p Public, key string) (made *Made, page *web.Cached, err error) {
	page, err = h.Cache.Get(c.UserContext(), p.At.Tenant, key, func(ctx context.Context) (web.PageBody, error) {
		m, err := render(ctx, p)
		if err != nil {
			return web.PageBody{}, err
		}
		made = m
		if m.ForOne || m.Shell.CSRF != "" || m.Shell.Bar != nil {
			return web.PageBody{Note: forOne, OnDemand: true}, nil
		}
		if own, ok := pageKey(c, m.Shell, p); !ok || own != key {
			return web.PageBody{}, errOtherPage
		}
		policy := web.Header{Name: fiber.HeaderContentSecurityPolicy, Value: view.Policy(m.Shell.Embed, false)}
		return web.PageBody{
			Type: fiber.MIMETextHTMLCharsetUTF8, Body: m.body, Header: []web.Header{policy}, OnDemand: true,
		}, nil
	})
	return made, page, err
}

// render makes a page.
func render(ctx context.Context, p Public) (*Made, error) {
	m, err := p.Make(ctx)
	if err == nil {
		err = p.check(m.Studio)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := m.Content.Render(ctx, &b); err != nil {
		return nil, err
	}
	m.body = b.Bytes()
	return &m, nil
}

// pageKey is the name of a page in the cache, of everything in the request that changes its bytes. ok is false for a
// page that has to be made for each visit.
func pageKey(c *fiber.Ctx, sh view.Shell, p Public) (key string, ok bool) {
	if sh.Ticket != nil && sh.Ticket.Text() != "" {
		return "", false // its links carry the visit
	}
	languages := ""
	if len(sh.Languages) > 0 {
		if foreign(c) {
			return "", false // its links carry whatever the address has
		}
		languages = sh.Languages[0].Href
	}
	b := append(make([]byte, 0, 256), "page "...)
	b = append(b, p.At.Location.String()...)
	b = strconv.AppendBool(append(b, ' '), sh.Embed)
	for _, part := range append([]string{sh.Locale, sh.Ref, languages}, p.Name...) {
		b = strconv.AppendQuote(append(b, ' '), part)
	}
	return string(b), true
}

// ownFields are the parameters in the addresses of public pages.
var ownFields = []string{"day", "from", "after", fieldLanguage, view.FieldRef, view.FieldEmbed}

// foreign reports whether an address has other parameters, such as those of a campaign.
func foreign(c *fiber.Ctx) bool {
	for name := range c.Request().URI().QueryArgs().All() {
		if !slices.Contains(ownFields, string(name)) {
			return true
		}
	}
	return false
}

// ShowAnew answers with a page that is made for this request.
func (h *Site) ShowAnew(c *fiber.Ctx, p Public) error {
	m, err := render(c.UserContext(), p)
	if err != nil {
		return err
	}
	return h.showMade(c, m)
}

func (h *Site) showMade(c *fiber.Ctx, m *Made) (err error) {
	if !m.ForOne {
		if m.body, err = h.withBar(c, m.Studio, m.Shell, m.body); err != nil {
			return err
		}
	}
	return sendPublic(c, view.Policy(m.Shell.Embed, false), m.body)
}

// showKept answers with a page of the cache.
func (h *Site) showKept(c *fiber.Ctx, s *Studio, sh view.Shell, page *web.Cached) error {
	body, err := h.withBar(c, s, sh, page.Bytes)
	if err != nil {
		return err
	}
	if len(body) != len(page.Bytes) {
		return sendPublic(c, view.Policy(sh.Embed, false), body)
	}
	err = page.Send(c, Shared)
	Discreet(c)
	return err
}

func sendPublic(c *fiber.Ctx, policy string, body []byte) error {
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderCacheControl, Shared)
	Discreet(c)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(body)
}

// withBar inserts the bar of this browser's cart into a page. Without a cart it returns the page.
func (h *Site) withBar(c *fiber.Ctx, s *Studio, sh view.Shell, page []byte) ([]byte, error) {
	_, bar, err := h.CartBar(c, s, sh.Words)
	if err != nil || bar == nil {
		return page, err
	}
	return view.WithBar(c.UserContext(), sh, bar, page)
}

// keptStudio is StudioOf from the cache.
func (h *Site) keptStudio(c *fiber.Ctx, at Location) (*Studio, error) {
	key := "studio " + at.Location.String()
	page, err := h.Cache.Get(c.UserContext(), at.Tenant, key, func(ctx context.Context) (web.PageBody, error) {
		s, err := h.StudioAt(ctx, at)
		return web.PageBody{Note: s, OnDemand: true}, err
	})
	if err != nil {
		return nil, err
	}
	return page.Note.(*Studio), nil
}

// SlugLocation returns the location of an address, current or former, which takes no read when it was asked for before.
// ok is false for any other address.
func (h *Site) SlugLocation(c *fiber.Ctx) (at Location, ok bool) {
	slug := c.Params("slug")
	if tenancy.CheckSlug(slug) != nil {
		return Location{}, false
	}
	f, ok, err := h.DB.SlugOf(c.UserContext(), slug)
	return Location{f.Business, f.Location}, err == nil && ok && f.Location != uuid.Nil
}
