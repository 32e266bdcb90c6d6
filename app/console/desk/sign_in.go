package desk

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/page"
	"foyer/app/signin"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/app/words"
)

// lockCookie holds the person of a locked device.
const lockCookie = "locked"

// keeper returns the sign-in sessions of the console.
func (d *Desk) keeper() signin.Sessions {
	return signin.Sessions{Identity: d.Identity, Cookies: d.web.Cookies, Clock: d.Clock}
}

// doorStep is a step of the sign-in, with the destination of the browser.
type doorStep struct {
	To     string     // the address after it
	Kept   url.Values // fields of a form at To that was not run
	Email  string
	Status int
}

// SignInPages mounts the sign-in by a mailed code, the lock of a shared device, and signing out.
func (d *Desk) SignInPages() {
	d.Plain(fiber.MethodGet, "/sign-in", func(c *fiber.Ctx) error {
		if p, err := d.keeper().Person(c); err != nil || p.Person() != uuid.Nil {
			if err != nil {
				return err
			}
			return c.Redirect(onward(c.Query("to")), fiber.StatusSeeOther)
		}
		return d.showDoor(c, doorStep{To: c.Query("to"), Email: d.web.Cookies.Get(c, lockCookie)})
	})
	d.Plain(fiber.MethodPost, "/sign-in", d.sendCode)
	d.Plain(fiber.MethodPost, "/sign-in/code", d.takeCode)
	d.Plain(fiber.MethodPost, "/sign-out", d.signOut)
	d.Plain(fiber.MethodPost, "/lock", d.lock)
	d.Plain(fiber.MethodPost, "/preferences", d.choosePreference)
}

// onward returns the destination after the sign-in.
func onward(to string) string {
	if Local(to) {
		return to
	}
	return Root
}

// house returns the shell of a page without a business.
func (d *Desk) house(c *fiber.Ctx) ui.Shell {
	sh := ui.Shell{
		Words: view.Words{Locale: d.language(c), Zone: time.UTC, Now: d.now()}, Base: Root, Practice: d.Practice,
		CSRF: func() string { return d.token(c) }, Sheet: c.Get("Turbo-Frame") == ui.SheetFrame,
	}
	d.prefer(c, &sh)
	return sh
}

func (d *Desk) showDoor(c *fiber.Ctx, s doorStep) error { return d.doorPage(c, s, nil) }

func (d *Desk) doorPage(c *fiber.Ctx, s doorStep, tr *view.Trouble) error {
	sh := d.house(c)
	sh.Trouble = tr
	if s.Status != 0 {
		c.Status(s.Status)
	}
	if sh.Sheet { // a sheet is too small for it, and its content would be lost
		return send(c, ui.Leave())
	}
	return send(c, ui.SignInPage(sh, ui.SignInStep{
		Action: Root + "/sign-in", Email: s.Email, Locked: d.web.Cookies.Get(c, lockCookie) != "", Hidden: s.hidden(),
	}))
}

func (s doorStep) hidden() []view.Param {
	list := []view.Param{{Name: "_to", Value: s.To}}
	for name, values := range s.Kept {
		for _, v := range values {
			list = append(list, view.Param{Name: keptPrefix + name, Value: v})
		}
	}
	return list
}

// stepOf reads the step from a form of the sign-in.
func stepOf(c *fiber.Ctx) doorStep {
	s := doorStep{To: c.FormValue("_to"), Email: strings.TrimSpace(c.FormValue("email"))}
	if !Local(s.To) {
		s.To = ""
	}
	for key, value := range c.Request().PostArgs().All() {
		if name, ok := strings.CutPrefix(string(key), keptPrefix); ok {
			if s.Kept == nil {
				s.Kept = url.Values{}
			}
			s.Kept.Add(name, string(value))
		}
	}
	return s
}

func (d *Desk) asker(c *fiber.Ctx) identity.Origin {
	return identity.Origin{Visitor: d.web.Visitor(c), Language: words.Best(c.Get(fiber.HeaderAcceptLanguage)), Device: d.keeper().Device(c)}
}

// sendCode mails a code, and shows the page to enter it. The form's key prevents a second mail for one click.
func (d *Desk) sendCode(c *fiber.Ctx) error {
	if err := d.web.Limiter.Allow(c.UserContext(), op.RateChallenge, d.web.Visitor(c)); err != nil {
		return err
	}
	s := stepOf(c)
	ctx, err := d.web.Forms.Once(c)
	if err != nil {
		return err
	}
	p, err := d.keeper().Challenge(ctx, c, s.Email, d.asker(c))
	if tr, ok := page.TroubleOf(d.house(c).Words, err, nil); ok {
		s.Status = fiber.StatusBadRequest
		return d.doorPage(c, s, tr)
	}
	if err != nil {
		return err
	}
	s.Status = fiber.StatusUnprocessableEntity // the typed values are in the page, and in no address
	return d.codePage(c, s, p, nil)
}

func (d *Desk) codePage(c *fiber.Ctx, s doorStep, p signin.Pending, tr *view.Trouble) error {
	sh := d.house(c)
	sh.Trouble = tr
	c.Status(s.Status)
	return send(c, ui.CodePage(sh, ui.SignInStep{
		Action: Root + "/sign-in/code", Resend: Root + "/sign-in", Email: p.Email, Wait: d.keeper().Wait(p), Hidden: s.hidden(),
		Again: Root + "/sign-in?" + url.Values{"to": {s.To}}.Encode(),
	}))
}

// takeCode exchanges the code for a session. Values typed before are posted to their form again, which shows them and
// does nothing: a redirect that keeps the body of the post.
func (d *Desk) takeCode(c *fiber.Ctx) error {
	s := stepOf(c)
	p, ok := d.keeper().Pending(c)
	if !ok {
		return c.Redirect(Root+"/sign-in?"+url.Values{"to": {s.To}}.Encode(), fiber.StatusSeeOther)
	}
	ctx, err := d.web.Forms.Once(c)
	if err != nil {
		return err
	}
	in, err := d.keeper().Verify(ctx, c, p, c.FormValue("code"), d.asker(c))
	if fault.IsKind(err, fault.Unauthorized) {
		s.Status = fiber.StatusBadRequest
		sh := d.house(c)
		return d.codePage(c, s, p, &view.Trouble{Fields: []fault.Field{{Field: "code",
			Message: sh.T("This code is not valid. Check the six digits, or request a new code: each works once, for ten minutes.")}}})
	}
	if err != nil {
		return err
	}
	d.keeper().Set(c, in)
	d.web.Cookies.Clear(c, lockCookie)
	if s.Kept != nil && s.To != "" {
		sep := "?"
		if strings.Contains(s.To, "?") {
			sep = "&"
		}
		return c.Redirect(s.To+sep+"again=1", fiber.StatusTemporaryRedirect)
	}
	return c.Redirect(onward(s.To), fiber.StatusSeeOther)
}

// signOut ends the session of this browser.
func (d *Desk) signOut(c *fiber.Ctx) error {
	p, err := d.keeper().Person(c)
	if err == nil {
		err = d.keeper().End(c, p)
	}
	if err != nil {
		return err
	}
	d.web.Cookies.Clear(c, lockCookie)
	return c.Redirect(Root+"/sign-in", fiber.StatusSeeOther)
}

// lock ends the session of a shared device, and remembers its person and page: a code unlocks it there.
func (d *Desk) lock(c *fiber.Ctx) error {
	p, err := d.keeper().Person(c)
	if err != nil {
		return err
	}
	to := c.FormValue(fieldBack)
	if err := d.keeper().End(c, p); err != nil {
		return err
	}
	if p.Email != "" {
		d.web.Cookies.Set(c, lockCookie, p.Email, 30*24*time.Hour)
	}
	return c.Redirect(Root+"/sign-in?"+url.Values{"to": {onward(to)}}.Encode(), fiber.StatusSeeOther)
}
