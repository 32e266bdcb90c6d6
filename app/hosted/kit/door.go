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

// SignInFlow is a place where people sign in by a mailed code: on the way to a booking, to My bookings, to a new studio. Each
// has its own pages and its own way on; the steps are the same:
//
//	base (e-mail) ── POST ─▶ a code is mailed ─▶ base/code (code) ── POST ─▶ session ─▶ next
//	                                                  └─ POST base/resend ─▶ another code
//
// What is known between the steps is in a cookie of this browser, so that no address and no code is in a URL that can be read.
type SignInFlow struct {
	*Site
	// base is the address of the first step of this request.
	Base func(c *fiber.Ctx) string
	// around finds what surrounds the pages of this request, with the order beside them, and has one shown in it.
	Shell func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error
	// why is the line under the title of the first step; empty for that of a checkout.
	Reason words.Text
	// first renders a first step that is another page than the common one; nil without.
	First func(c *fiber.Ctx, v SignIn) error
	// next goes on with whoever has just signed in.
	Next func(c *fiber.Ctx) error
}

// Hang mounts the steps, each through only. path is the route of base. The first GET is the caller's: it knows who need not
// come in here.
func (d *SignInFlow) Hang(path string, only func(run fiber.Handler) fiber.Handler) {
	d.App().Post(path, only(d.Form(op.RateChallenge, d.send)))
	d.Get(path+"/code", only(d.sent(func(c *fiber.Ctx, p signin.Pending) error { return d.showCode(c, p, nil) })))
	d.App().Post(path+"/code", only(d.Form(op.RateStorefrontWrite, d.sent(d.verify))))
	d.App().Post(path+"/resend", only(d.Form(op.RateChallenge, d.sent(d.resend))))
}

// sent runs a step for a browser that has asked for a code. Any other goes to the first step.
func (d *SignInFlow) sent(run func(c *fiber.Ctx, p signin.Pending) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p, ok := d.keeper().Pending(c)
		if !ok {
			return d.onwards(c, "")
		}
		return run(c, p)
	}
}

// Always lets everybody in, at an address that is nobody else's.
func Always(run fiber.Handler) fiber.Handler { return run }

// Enter is the first step for whoever is not signed in; who is goes on.
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

// words are those of the pages of this request: what surrounds them has a say in their language.
func (d *SignInFlow) words(c *fiber.Ctx) view.Words {
	w := d.PlatformShell(c).Words
	// What cannot be surrounded is not shown either: the page itself then says why.
	_ = d.Shell(c, func(sh view.Shell, _ *view.Order) error {
		w = sh.Words
		return nil
	})
	return w
}

// send mails a code to the address of the form. Mailing twice for one click is what the form's key prevents.
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

// at is the location whose pages this door is in: its code comes from there.
func (d *SignInFlow) at(c *fiber.Ctx) (at identity.Location) {
	// What cannot be surrounded, or is not there any more, gets the product's mail.
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

// verify exchanges the code for a session and goes on. The form's key lets a double click come to the same session.
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

// wrongCode says the same whatever is wrong with a code.
func wrongCode(w view.Words) *view.Trouble {
	return FieldTrouble("code", w.T("This code does not work. Check the six digits, or ask for a new code: each works once, for ten minutes."))
}

// resend mails another code to the same address, when the visitor has waited.
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

// onwards goes to a step of this door and keeps what the customer carries.
func (d *SignInFlow) onwards(c *fiber.Ctx, step string) error {
	return See(c, CarriedOnly(c), d.Base(c)+step)
}
