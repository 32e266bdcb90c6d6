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

// See goes on to another page after a POST, and keeps what a customer carries with them.
func See(c *fiber.Ctx, sh view.Shell, to string) error {
	Discreet(c)
	return c.Redirect(onward(c, sh, to), fiber.StatusSeeOther)
}

// Show renders a page under its content policy. Nobody keeps it, unless the handler said otherwise.
func Show(c *fiber.Ctx, sh view.Shell, page templ.Component) error {
	return ShowUnder(c, view.Policy(sh.Embed, false), page)
}

// ShowUnder renders a page under a content security policy.
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

// Troubled says with its status that a form came back with a problem.
func Troubled(c *fiber.Ctx, tr *view.Trouble) *fiber.Ctx {
	if tr != nil {
		c.Status(fiber.StatusBadRequest)
	}
	return c
}

// TroubleOf is page.TroubleOf for a form with these inputs; what is wrong with anything else stands in the text.
func TroubleOf(w view.Words, err error, inputs ...string) (tr *view.Trouble, ok bool) {
	return page.TroubleOf(w, err, append([]string{}, inputs...))
}

// Carried is a value that stays with the customer: in the address of a page, in the hidden field of a form.
func Carried(c *fiber.Ctx, name string) string {
	return cmp.Or(c.Query(name), c.FormValue(name))
}

// PlatformShell is the shell of a page that is no studio's.
func (h *Site) PlatformShell(c *fiber.Ctx) view.Shell {
	return InFrame(c, view.Shell{Words: view.Words{Locale: cmp.Or(h.Speech(c), words.English), Zone: time.UTC, Now: h.Clock.Now()}, CSRF: h.TokenOf(c)})
}

// TokenOf is the CSRF token of a page's forms. Making it can give the browser its visitor cookie, so it is made once a
// request and on pages with forms only.
func (h *Site) TokenOf(c *fiber.Ctx) string {
	if t, ok := c.Locals(tokenLocal).(string); ok {
		return t
	}
	t := h.Forms.Fields(c).Token
	c.Locals(tokenLocal, t)
	return t
}

const tokenLocal = "hosted.token"

// FormTo is a form with a one-time key of its own.
func FormTo(action string, hidden ...view.Param) view.Form {
	return view.Form{Action: action, Key: web.NewKey(), Hidden: hidden}
}

// Once is page.Once for a verb that answers nothing.
func (h *Site) Once(c *fiber.Ctx, run func(ctx context.Context) error) error {
	_, err := page.Once(c, h.Forms, func(ctx context.Context) (struct{}, error) { return struct{}{}, run(ctx) })
	return err
}

// Query writes an address with parameters, names and values by turns; one without a value is left out.
func Query(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return path + "?" + q.Encode()
}

// CarriedOnly is a shell that does nothing but keep on an address what this request carried. Where the customer came from
// is judged by the page that prints it.
func CarriedOnly(c *fiber.Ctx) view.Shell {
	ref := Carried(c, view.FieldRef)
	if len(ref) > maxRef || !utf8.ValidString(ref) {
		ref = ""
	}
	return InFrame(c, view.Shell{Ref: ref})
}

// FieldTrouble is about one input.
func FieldTrouble(input, message string) *view.Trouble {
	return &view.Trouble{Fields: []fault.Field{{Field: input, Message: message}}}
}

// SendCalendar sends events as an iCalendar file.
func (h *Site) SendCalendar(c *fiber.Ctx, events []letters.Event) error {
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(letters.Calendar(h.Host(), events))
}
