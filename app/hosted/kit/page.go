package kit

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/letters"
	"foyer/app/page"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/words"
)

// See redirects to another page after a POST, and keeps the carried parameters.
func See(c *fiber.Ctx, sh view.Shell, to string) error {
	Discreet(c)
	return c.Redirect(onward(c, sh, to), fiber.StatusSeeOther)
}

// Show renders a page under its content policy. It is not cached, unless the handler set another Cache-Control.
func Show(c *fiber.Ctx, sh view.Shell, page templ.Component) error {
	return ShowUnder(c, view.Policy(sh.Embed, false), page)
}

// ShowUnder renders a page under the given content security policy.
func ShowUnder(c *fiber.Ctx, policy string, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(c.UserContext(), &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	Discreet(c)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}

// Troubled sets the status of a form that is shown again with an error.
func Troubled(c *fiber.Ctx, tr *view.Trouble) *fiber.Ctx {
	if tr != nil {
		c.Status(fiber.StatusBadRequest)
	}
	return c
}

// TroubleOf is page.TroubleOf for a form with these inputs; errors about other fields are part of the text.
func TroubleOf(w view.Words, err error, inputs ...string) (tr *view.Trouble, ok bool) {
	return page.TroubleOf(w, err, append([]string{}, inputs...))
}

// Carried returns a parameter that stays with the customer: in the address of a page, in the hidden field of a form.
func Carried(c *fiber.Ctx, name string) string {
	return cmp.Or(c.Query(name), c.FormValue(name))
}

// PlatformShell returns the shell of a page without a studio.
func (h *Site) PlatformShell(c *fiber.Ctx) view.Shell {
	return InFrame(c, view.Shell{Words: view.Words{Locale: cmp.Or(h.Speech(c), words.English), Zone: time.UTC, Now: h.Clock.Now()}, CSRF: h.TokenOf(c)})
}

// TokenOf returns the CSRF token of a page's forms. Making it can set the visitor cookie, so it is made once a
// request and only on pages with forms.
func (h *Site) TokenOf(c *fiber.Ctx) string {
	if t, ok := c.Locals(tokenLocal).(string); ok {
		return t
	}
	t := h.Forms.Fields(c).Token
	c.Locals(tokenLocal, t)
	return t
}

const tokenLocal = "hosted.token"

// FormTo returns a form with a one-time key of its own.
func FormTo(action string, hidden ...view.Param) view.Form {
	return view.Form{Action: action, Key: web.NewKey(), Hidden: hidden}
}

// Once is page.Once for a verb without a result.
func (h *Site) Once(c *fiber.Ctx, run func(ctx context.Context) error) error {
	_, err := page.Once(c, h.Forms, func(ctx context.Context) (struct{}, error) { return struct{}{}, run(ctx) })
	return err
}

// Query returns an address with parameters, given as alternating names and values; parameters without a value are
// left out.
func Query(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return path + "?" + q.Encode()
}

// CarriedOnly returns a shell that only adds the request's carried parameters to addresses. The rendered page
// validates the customer's source.
func CarriedOnly(c *fiber.Ctx) view.Shell {
	ref := Carried(c, view.FieldRef)
	if len(ref) > maxRef || !utf8.ValidString(ref) {
		ref = ""
	}
	return InFrame(c, view.Shell{Ref: ref})
}

// FieldTrouble returns an error about one input.
func FieldTrouble(input, message string) *view.Trouble {
	return &view.Trouble{Fields: []fault.Field{{Field: input, Message: message}}}
}

// SendCalendar sends events as an iCalendar file.
func (h *Site) SendCalendar(c *fiber.Ctx, events []letters.Event) error {
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(letters.Calendar(h.Host(), events))
}
