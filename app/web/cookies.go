package web

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Cookies writes the cookies of pages. On https they are Secure and bound to the host by the __Host- prefix; on http,
// which only dev serves, browsers would refuse that, so the name is plain. HttpOnly and SameSite=Lax always. The API does
// not read cookies, and inside a frame (Frames) nobody does: there the page's ticket stands in for them.
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

// Clear makes the browser forget a cookie.
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

// Names are the cookies whose names begin with prefix.
func (k Cookies) Names(c *fiber.Ctx, prefix string) []string {
	if j := JarOf(c); j != nil {
		return j.names(prefix)
	}
	var out []string
	c.Request().Header.VisitAllCookie(func(key, _ []byte) {
		if name, ours := strings.CutPrefix(string(key), k.prefix); ours && strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	})
	return out
}
