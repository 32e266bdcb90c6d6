package dev

import (
	"bytes"
	"embed"
	"html/template"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/web/assets"
)

//go:embed pages
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"asset": assets.Path,
	"stamp": func(t time.Time) string { return t.Format("Mon 2 Jan 2006, 15:04:05 UTC") },
}).ParseFS(files, "pages/*.html"))

// page is the data of the templates.
type page struct {
	Title   string
	Now     time.Time
	To      string
	Code    string // the newest one
	CodeTo  string
	Mails   []letter
	Mail    *letter
	Wrong   string // error of the form
	Advance string // submitted value
	Steps   []step
	Invite  string // path
	Ledger  bool   // the accounting provider is simulated
	Studios []studio
}

// policy allows our own style sheet and script.
const policy = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"

func (d *site) show(c *fiber.Ctx, name string, p page) error {
	p.Now = d.Clock.Now()
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, p); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}

// errForeign refuses a form that another website sent. Scripts send neither of the two headers.
var errForeign = fault.New(fault.Forbidden, "foreign_form", "This form was sent by another website.")

func sameSite(c *fiber.Ctx) error {
	if site := c.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return errForeign
	}
	if origin := c.Get(fiber.HeaderOrigin); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, string(c.Request().URI().Host())) {
			return errForeign
		}
	}
	return nil
}
