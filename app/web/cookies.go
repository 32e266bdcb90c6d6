package web

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/web/op"
)

// Cookies writes the cookies of pages. On https they are Secure and bound to the host by the __Host- prefix; on http,
// which only dev serves, browsers would refuse that, so the name is plain. HttpOnly and SameSite=Lax always. The API
// does not read cookies. Inside a frame (Frames) they are not used: the page's ticket replaces them.
type Cookies struct {
	prefix string
	secure bool
}

// NewCookies makes the cookies of a deployment.
func NewCookies(baseURL string) Cookies {
	if strings.HasPrefix(baseURL, "https://") {
		return Cookies{prefix: "__Host-foyer_", secure: true}
	}
	return Cookies{prefix: "foyer_"}
}

// Set writes a cookie. Without an age it ends with the browser session.
func (k Cookies) Set(c *fiber.Ctx, name, value string, age time.Duration) {
	if j := JarOf(c); j != nil {
		j.set(name, value, age)
		return
	}
	c.Cookie(&fiber.Cookie{
		Name: k.prefix + name, Value: value, Path: "/", MaxAge: int(age / time.Second), SessionOnly: age == 0,
		Secure: k.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// Get reads a cookie, or "".
func (k Cookies) Get(c *fiber.Ctx, name string) string {
	if j := JarOf(c); j != nil {
		return j.get(name)
	}
	return string(c.Request().Header.Cookie(k.prefix + name))
}

// Clear deletes a cookie in the browser.
func (k Cookies) Clear(c *fiber.Ctx, name string) {
	if j := JarOf(c); j != nil {
		j.clear(name)
		return
	}
	c.Cookie(&fiber.Cookie{
		Name: k.prefix + name, Path: "/", MaxAge: -1,
		Secure: k.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// Names returns the names of the request's cookies that begin with prefix.
func (k Cookies) Names(c *fiber.Ctx, prefix string) []string {
	if j := JarOf(c); j != nil {
		return j.names(prefix)
	}
	var out []string
	for key := range c.Request().Header.Cookies() {
		if name, ours := strings.CutPrefix(string(key), k.prefix); ours && strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	}
	return out
}

// The hidden fields of every form, and the cookie they are bound to.
const (
	FieldToken    = "_token"
	FieldKey      = "_key"
	visitorCookie = "visitor"
)

// visitorAge is how long the visitor cookie lasts.
const visitorAge = 180 * 24 * time.Hour

// ErrForm refuses a form that another site sent, or a token of another browser.
var ErrForm = fault.New(fault.Forbidden, "form_expired",
	"This form has expired or was opened on another site. Go back, reload the page and try again.")

// Forms protects the forms of pages: against posts from other sites (a token bound to a cookie, and the browser's own
// word about where the post comes from), and against a double click (a key that a form can use once).
type Forms struct {
	key     []byte
	origin  string
	cookies Cookies
}

// NewForms makes the forms of a deployment.
func NewForms(secret []byte, baseURL string, cookies Cookies) *Forms {
	return &Forms{key: op.Derive(secret, "form"), origin: originOf(baseURL), cookies: cookies}
}

// FormFields are the values of the hidden fields FieldToken and FieldKey of one rendered form.
type FormFields struct{ Token, Key string }

// Fields returns the hidden fields of a form, and sets the visitor cookie if the browser has none. A form that is
// shown again gets new ones.
func (f *Forms) Fields(c *fiber.Ctx) FormFields {
	visitor := f.cookies.Get(c, visitorCookie)
	if len(visitor) != tokenLen {
		visitor = newToken()
		f.cookies.Set(c, visitorCookie, visitor, visitorAge)
	}
	salt := make([]byte, tokenBytes)
	rand.Read(salt)
	return FormFields{
		Token: base64.RawURLEncoding.EncodeToString(append(salt, f.sign(visitor, salt)...)),
		Key:   NewKey(),
	}
}

// freshCookie marks a browser that has posted a form lately.
const freshCookie = "fresh"

// freshAge is longer than any server shows a cached page after a change that it was not told about: a minute
// (PageCache), and what a browser rounds.
const freshAge = time.Minute + 5*time.Second

// Fresh reports whether a browser has posted a form lately. It has to see the result, and another server may not
// have heard of the change yet, so nothing that it is shown may come from a cache.
func (k Cookies) Fresh(c *fiber.Ctx) bool { return k.Get(c, freshCookie) != "" }

// Check refuses a posted form that does not come from a page this browser was shown. After one that does, the browser
// is fresh.
func (f *Forms) Check(c *fiber.Ctx) error {
	h := &c.Request().Header
	if origin := h.Peek(fiber.HeaderOrigin); len(origin) > 0 && string(origin) != f.origin {
		return ErrForm
	}
	if site := h.Peek("Sec-Fetch-Site"); len(site) > 0 && string(site) != "same-origin" {
		return ErrForm
	}
	visitor := f.cookies.Get(c, visitorCookie)
	token, err := base64.RawURLEncoding.DecodeString(c.FormValue(FieldToken))
	if err != nil || len(token) <= tokenBytes || len(visitor) != tokenLen {
		return ErrForm
	}
	if !hmac.Equal(token[tokenBytes:], f.sign(visitor, token[:tokenBytes])) {
		return ErrForm
	}
	f.cookies.Set(c, freshCookie, "1", freshAge)
	return nil
}

// Once returns a context for a posted form that runs every transaction once: a second post of the same form gets the
// result of the first. The same form with other values is pg.ErrKeyReused.
func (f *Forms) Once(c *fiber.Ctx) (context.Context, error) {
	key := c.FormValue(FieldKey)
	if len(key) != tokenLen {
		return nil, ErrForm
	}
	claim := pg.Claim{
		Key:     op.Digest([]byte("form"), []byte(f.cookies.Get(c, visitorCookie)), c.Request().URI().PathOriginal(), []byte(key)),
		Request: op.Digest(c.Request().URI().QueryString(), c.Request().Body()),
		Several: "a page may go through several verbs at one press of a button, and each is kept under its number",
	}
	return pg.WithClaim(c.UserContext(), claim), nil
}

// NewKey is the one-time key of a form that is written.
func NewKey() string { return newToken() }

func (f *Forms) sign(visitor string, salt []byte) []byte {
	m := hmac.New(sha256.New, f.key)
	m.Write(salt)
	m.Write([]byte(visitor))
	return m.Sum(nil)
}

const (
	tokenBytes = 16
	tokenLen   = 22 // of 16 bytes in base64
)

// newToken is 128 random bits as text.
func newToken() string {
	b := make([]byte, tokenBytes)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}
