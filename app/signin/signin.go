// Package signin keeps a person signed in to a browser: the steps of a mailed code, and the cookies between and after
// them. The booking pages and the console share it, so a person signs in once for both; each shows its own pages.
//
//	Challenge ── a code is mailed, Pending stores the address ──▶ Verify ── Keep ──▶ Person ── End
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

// Cookies. In the booking frame they are values of its ticket.
const (
	sessionCookie = "session"   // the token of a sign-in
	deviceCookie  = "device"    // marks a browser with an earlier sign-in
	codeCookie    = "challenge" // a code that is on its way
)

const (
	deviceAge  = 365 * 24 * time.Hour // it stays after signing out
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

// Device returns the id of a browser with an earlier sign-in; otherwise it is empty.
func (k Sessions) Device(c *fiber.Ctx) string { return k.Cookies.Get(c, deviceCookie) }

// Person returns the signed-in person, or the zero Principal. It deletes the cookie of an invalid token.
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

// Pending is a code that is on its way to an address. It is in a cookie, so that no address and no code is in a URL
// that can be read.
type Pending struct {
	Challenge uuid.UUID `json:"c"`
	Email     string    `json:"e"`
	Sent      time.Time `json:"s"`
}

// Pending returns the sign-in in progress; ok is false if there is none.
func (k Sessions) Pending(c *fiber.Ctx) (p Pending, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(k.Cookies.Get(c, codeCookie))
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return Pending{}, false
	}
	address, ok := identity.ParseEmail(p.Email)
	return p, ok && address == p.Email && p.Challenge != uuid.Nil
}

// Challenge mails a code to an address. The context carries the form's key: two presses of its button mail one.
// Errors: as identity.Service.Challenge.
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

// Wait returns the number of seconds until another code may be sent.
func (k Sessions) Wait(p Pending) int {
	left := p.Sent.Add(resendWait).Sub(k.Clock.Now())
	return max(0, min(int((left+time.Second-1)/time.Second), int(resendWait/time.Second)))
}

// Verify exchanges a code for a session. The context carries the form's key: a double click comes to the same one.
// Errors: as identity.Service.Verify.
func (k Sessions) Verify(ctx context.Context, c *fiber.Ctx, p Pending, code string, by identity.Origin) (identity.SignIn, error) {
	return k.Identity.Verify(ctx, identity.VerifyInput{Challenge: p.Challenge, Code: code, Agent: c.Get(fiber.HeaderUserAgent), By: by})
}

// Set stores a session in the browser for its longest lifetime; the server decides when it ends. In a frame it ends
// with the visit.
func (k Sessions) Set(c *fiber.Ctx, in identity.SignIn) {
	k.Cookies.Set(c, sessionCookie, in.Token, identity.SessionLife)
	if web.JarOf(c) == nil {
		k.Cookies.Set(c, deviceCookie, in.Device, deviceAge)
	}
	k.Cookies.Clear(c, codeCookie)
}

// End ends the session of a person, and deletes its cookie.
func (k Sessions) End(c *fiber.Ctx, p tenancy.Principal) (err error) {
	if p.Person() != uuid.Nil {
		err = k.Identity.Logout(c.UserContext(), p)
	}
	k.Clear(c)
	return err
}

// Clear deletes the cookie of a session, and does not end it.
func (k Sessions) Clear(c *fiber.Ctx) { k.Cookies.Clear(c, sessionCookie) }
