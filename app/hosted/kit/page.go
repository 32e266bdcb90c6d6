package kit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/letters"
	"foyer/app/pg"
	"foyer/app/view"
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

// TroubleOf is a refusal as the form shows it: inputs are the form's, named as the verb names its fields, and what has no
// input stands in the text. An error that is no refusal, or one that is about more than this form
// (nobody is signed in, too many calls), is not the form's: ok is false.
func TroubleOf(w view.Words, err error, inputs ...string) (tr *view.Trouble, ok bool) {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Validation && f.Kind != fault.Conflict {
		return nil, false
	}
	tr = &view.Trouble{}
	for _, wrong := range f.Fields {
		if slices.Contains(inputs, wrong.Field) {
			tr.Fields = append(tr.Fields, fault.Field{Field: wrong.Field, Message: w.Told(wrong.Message)})
		} else {
			tr.Text = w.Told(wrong.Message)
		}
	}
	if len(f.Fields) == 0 {
		tr.Text = w.Refusal(f)
	}
	return tr, true
}

// Carried is a value that stays with the customer: in the address of a page, in the hidden field of a form.
func Carried(c *fiber.Ctx, name string) string {
	return cmp.Or(c.Query(name), c.FormValue(name))
}

// House is the shell of a page that is no studio's.
func (h *Site) House(c *fiber.Ctx) view.Shell {
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
	key := make([]byte, 16)
	rand.Read(key)
	return view.Form{Action: action, Key: base64.RawURLEncoding.EncodeToString(key), Hidden: hidden}
}

// Once runs a verb under the form's one-time key: sent twice, the form has one effect and gets one answer. A key that comes
// back with other values is a person who went back and typed something else: that is a new request, and no mistake.
func (h *Site) Once(c *fiber.Ctx, run func(ctx context.Context) error) error {
	ctx, err := h.Forms.Once(c)
	if err != nil {
		return err
	}
	if err = run(ctx); errors.Is(err, pg.ErrKeyReused) {
		return run(c.UserContext())
	}
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

func (h *Site) SendCalendar(c *fiber.Ctx, events []letters.Event) error {
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(letters.Calendar(h.Host(), events))
}
