package kit

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/signin"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/app/words"
)

// SignInFlow is one place for signing in with a mailed code: on the way to a booking, to My bookings, to a new
// studio. Each has its own pages and its own next step; the steps are the same:
//
//	base (e-mail) ── POST ─▶ a code is mailed ─▶ base/code (code) ── POST ─▶ session ─▶ next
//	                                                  └─ POST base/resend ─▶ another code
//
// The state between the steps is in a cookie of this browser, so that no e-mail address and no code is in a URL.
type SignInFlow struct {
	*Site
	// Base returns the address of the first step of this request.
	Base func(c *fiber.Ctx) string
	// Shell calls page with the shell of this request's pages and the order beside them.
	Shell func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error
	// Reason is the line under the title of the first step; empty for that of a checkout.
	Reason words.Text
	// First renders a first step other than the common one; nil without.
	First func(c *fiber.Ctx, v SignIn) error
	// Next continues with the person who has just signed in.
	Next func(c *fiber.Ctx) error
}

// Hang mounts the steps, each wrapped in only. path is the route of Base. The first GET is the caller's, because it
// decides about visitors without need to sign in.
func (d *SignInFlow) Hang(path string, only func(run fiber.Handler) fiber.Handler) {
	d.App().Post(path, only(d.Form(op.RateChallenge, d.send)))
	d.Get(path+"/code", only(d.sent(func(c *fiber.Ctx, p signin.Pending) error { return d.showCode(c, p, nil) })))
	d.App().Post(path+"/code", only(d.Form(op.RateStorefrontWrite, d.sent(d.verify))))
	d.App().Post(path+"/resend", only(d.Form(op.RateChallenge, d.sent(d.resend))))
}

// sent runs a step for a browser with a pending code. Any other goes to the first step.
func (d *SignInFlow) sent(run func(c *fiber.Ctx, p signin.Pending) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p, ok := d.keeper().Pending(c)
		if !ok {
			return d.onwards(c, "")
		}
		return run(c, p)
	}
}

// Always runs a step without a condition, at an address of its own.
func Always(run fiber.Handler) fiber.Handler { return run }

// Enter runs the first step. A signed-in person goes on to Next.
func (d *SignInFlow) Enter(c *fiber.Ctx) error {
	p, err := d.Person(c)
	if err != nil {
		return err
	}
	if p.Person() != uuid.Nil {
		return d.Next(c)
	}
	return d.Show(c, "", nil)
}

// Show renders the first step.
func (d *SignInFlow) Show(c *fiber.Ctx, email string, tr *view.Trouble) error {
	Troubled(c, tr)
	v := SignIn{Form: FormTo(d.Base(c)), Email: email, Trouble: tr}
	if d.First != nil {
		return d.First(c, v)
	}
	return d.Shell(c, func(sh view.Shell, o *view.Order) error {
		v.Order, v.Why = o, sh.T(d.Reason)
		return Show(c, sh, SignInPage(sh, v))
	})
}

// words returns the language of this request's pages, as determined by their shell.
func (d *SignInFlow) words(c *fiber.Ctx) view.Words {
	w := d.PlatformShell(c).Words
	// Without a shell there is no page either: the handler reports the reason.
	_ = d.Shell(c, func(sh view.Shell, _ *view.Order) error {
		w = sh.Words
		return nil
	})
	return w
}

// send mails a code to the address of the form. The form's key prevents a second mail for a double click.
func (d *SignInFlow) send(c *fiber.Ctx) error {
	email := strings.TrimSpace(c.FormValue("email"))
	err := d.challenge(c, email)
	if err != nil {
		if tr, ok := TroubleOf(d.words(c), err, "email"); ok {
			return d.Show(c, email, tr)
		}
		return err
	}
	return d.onwards(c, "/code")
}

func (d *SignInFlow) challenge(c *fiber.Ctx, email string) error {
	by, err := d.asker(c)
	if err != nil {
		return err
	}
	by.At = d.at(c)
	return d.Once(c, func(ctx context.Context) error {
		_, err := d.keeper().Challenge(ctx, c, email, by)
		return err
	})
}

// at is the location of this flow's pages: the code is sent in its name.
func (d *SignInFlow) at(c *fiber.Ctx) (at identity.Location) {
	// Without a shell, or for a location that no longer exists, the product sends the mail.
	_ = d.Shell(c, func(sh view.Shell, _ *view.Order) error {
		slug := strings.TrimPrefix(sh.Studio.Home, "/")
		if slug == "" {
			return nil
		}
		f, err := d.Business.FindSlug(c.UserContext(), slug)
		if err == nil && f.Location != uuid.Nil {
			at = identity.Location{Business: f.Business, Location: f.Location}
		}
		return err
	})
	return at
}

func (d *SignInFlow) showCode(c *fiber.Ctx, p signin.Pending, tr *view.Trouble) error {
	return d.Shell(Troubled(c, tr), func(sh view.Shell, o *view.Order) error {
		return Show(c, sh, CodePage(sh, Code{
			Form: FormTo(d.Base(c) + "/code"), Email: p.Email, Resend: FormTo(d.Base(c) + "/resend"), Wait: d.keeper().Wait(p),
			Change: d.Base(c), Order: o, Trouble: tr,
		}))
	})
}

// verify exchanges the code for a session and goes on. With the form's key a double click yields the same session.
func (d *SignInFlow) verify(c *fiber.Ctx, p signin.Pending) error {
	by, err := d.asker(c)
	if err != nil {
		return err
	}
	var in identity.SignIn
	err = d.Once(c, func(ctx context.Context) (err error) {
		in, err = d.keeper().Verify(ctx, c, p, c.FormValue("code"), by)
		return err
	})
	if fault.IsKind(err, fault.Unauthorized) {
		return d.showCode(c, p, wrongCode(d.words(c)))
	}
	if err != nil {
		return err
	}
	if err := d.signIn(c, in); err != nil {
		return err
	}
	return d.Next(c)
}

// wrongCode is the same message for every problem with a code.
func wrongCode(w view.Words) *view.Trouble {
	return FieldTrouble("code", w.T("This code is not valid. Check the six digits, or request a new code: each works once, for ten minutes."))
}

// resend mails another code to the same address, after the waiting time.
func (d *SignInFlow) resend(c *fiber.Ctx, p signin.Pending) error {
	if n := d.keeper().Wait(p); n > 0 {
		w := d.words(c)
		return d.showCode(c, p, &view.Trouble{Title: w.T("A code is on its way"), Text: w.N(n,
			"It can take a moment to arrive. You can ask for another one in {n} second.",
			"It can take a moment to arrive. You can ask for another one in {n} seconds.")})
	}
	if err := d.challenge(c, p.Email); err != nil {
		return err
	}
	return d.onwards(c, "/code")
}

// onwards goes to a step of this flow and keeps the carried parameters.
func (d *SignInFlow) onwards(c *fiber.Ctx, step string) error {
	return See(c, CarriedOnly(c), d.Base(c)+step)
}
