// Package signin keeps a person signed in to a browser: the steps of a mailed code, and the cookies between and after them. The
// booking pages and the console share it, so a person signs in once for both; each shows its own pages.
//
//	Challenge ── a code is mailed, Pending knows to whom ──▶ Verify ── Keep ──▶ Person ── End
package signin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// The cookies. In the booking frame they are what its ticket holds.
const (
	sessionCookie = "session"   // the token of a sign-in
	deviceCookie  = "device"    // that somebody signed in here before
	codeCookie    = "challenge" // a code that is on its way
)

const (
	deviceAge  = 365 * 24 * time.Hour // it stays when they sign out
	resendWait = 30 * time.Second     // until another code is sent
)

// Sessions does it for one deployment.
type Sessions struct {
	Identity *identity.Service
	Cookies  web.Cookies
	Clock    clock.Clock
}

// Token is that of the browser's session; empty when it has none.
func (k Sessions) Token(c *fiber.Ctx) string { return k.Cookies.Get(c, sessionCookie) }

// Device says that somebody signed in to this browser before; empty when nobody did.
func (k Sessions) Device(c *fiber.Ctx) string { return k.Cookies.Get(c, deviceCookie) }

// Person is who is signed in; the zero Principal when nobody is. A token that no longer works is taken off the browser.
func (k Sessions) Person(c *fiber.Ctx) (tenancy.Principal, error) {
	token := k.Token(c)
	if token == "" {
		return tenancy.Principal{}, nil
	}
	p, err := k.Identity.Authenticate(c.UserContext(), token)
	if fault.IsKind(err, fault.Unauthorized) {
		k.Cookies.Clear(c, sessionCookie)
		return tenancy.Principal{}, nil
	}
	return p, err
}

// Pending is a code that is on its way to an address. It is in a cookie, so that no address and no code is in a URL that can be
// read.
type Pending struct {
	Challenge uuid.UUID `json:"c"`
	Email     string    `json:"e"`
	Sent      time.Time `json:"s"`
}

// Pending is what the browser waits for; ok is false when that is nothing.
func (k Sessions) Pending(c *fiber.Ctx) (p Pending, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(k.Cookies.Get(c, codeCookie))
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return Pending{}, false
	}
	address, ok := identity.ParseEmail(p.Email)
	return p, ok && address == p.Email && p.Challenge != uuid.Nil
}

// Challenge mails a code to an address. The context carries the form's key: two presses of its button mail one. Errors: as
// identity.Service.Challenge.
func (k Sessions) Challenge(ctx context.Context, c *fiber.Ctx, email string, by identity.Origin) (Pending, error) {
	id, err := k.Identity.Challenge(ctx, email, by)
	if err != nil {
		return Pending{}, err
	}
	address, _ := identity.ParseEmail(email)
	p := Pending{Challenge: id, Email: address, Sent: k.Clock.Now()}
	raw, err := json.Marshal(p)
	if err == nil {
		k.Cookies.Set(c, codeCookie, base64.RawURLEncoding.EncodeToString(raw), identity.CodeLife)
	}
	return p, err
}

// Wait is how many seconds are left until another code may be sent.
func (k Sessions) Wait(p Pending) int {
	left := p.Sent.Add(resendWait).Sub(k.Clock.Now())
	return max(0, min(int((left+time.Second-1)/time.Second), int(resendWait/time.Second)))
}

// Verify exchanges a code for a session. The context carries the form's key: a double click comes to the same one. Errors: as
// identity.Service.Verify.
func (k Sessions) Verify(ctx context.Context, c *fiber.Ctx, p Pending, code string, by identity.Origin) (identity.SignIn, error) {
	return k.Identity.Verify(ctx, identity.VerifyInput{Challenge: p.Challenge, Code: code, Agent: c.Get(fiber.HeaderUserAgent), By: by})
}

// Set puts a session into the browser for as long as it can last: when it ends is the server's word. What a frame remembers ends with
// the visit.
func (k Sessions) Set(c *fiber.Ctx, in identity.SignIn) {
	k.Cookies.Set(c, sessionCookie, in.Token, identity.SessionLife)
	if web.JarOf(c) == nil {
		k.Cookies.Set(c, deviceCookie, in.Device, deviceAge)
	}
	k.Cookies.Clear(c, codeCookie)
}

// End ends the session of somebody, and takes it off the browser.
func (k Sessions) End(c *fiber.Ctx, p tenancy.Principal) (err error) {
	if p.Person() != uuid.Nil {
		err = k.Identity.Logout(c.UserContext(), p)
	}
	k.Clear(c)
	return err
}

// Clear takes a session off the browser, and leaves it as it is.
func (k Sessions) Clear(c *fiber.Ctx) { k.Cookies.Clear(c, sessionCookie) }
