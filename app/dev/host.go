package dev

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
)

// errHost refuses a request that was sent to another name.
var errHost = fault.New(fault.Forbidden, "foreign_host",
	"The pages of development answer to localhost, to a loopback address, and to the host of BASE_URL.")

// atHome serves only requests to a name of this machine: a loopback one, or the host of the base address. Otherwise a
// website that points its name at 127.0.0.1 after it was loaded could read mails and codes, as its own origin (DNS
// rebinding). The connection is closed. security.md 55.
func atHome(own string, next fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if host := hostname(string(c.Request().Header.Host())); !loopback(host) && !strings.EqualFold(host, own) {
			c.Context().SetConnectionClose()
			return errHost
		}
		return next(c)
	}
}

// hostname is a Host header without the port and the dot at the end; "" when it is none.
func hostname(header string) string {
	u, err := url.Parse("//" + header)
	if err != nil || u.Host != header {
		return ""
	}
	return strings.TrimSuffix(u.Hostname(), ".")
}

func loopback(host string) bool {
	name := strings.ToLower(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") { // RFC 6761: resolvers answer loopback for all of them
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && at.Unmap().IsLoopback()
}
