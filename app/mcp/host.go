package mcp

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/oauth"
)

// errHost refuses a request that was sent to another name than ours.
var errHost = fault.New(fault.Forbidden, "host",
	"This server has another name. Use the address in its settings (BASE_URL).")

// checkHost refuses a request for another host than that of the base address: a page of a name that was made to lead
// to this machine reads from it without asking (DNS rebinding). The port is not compared, because proxies leave it
// out. All names of this machine are the same if the base address has one of them.
func (m *surface) checkHost(c *fiber.Ctx) error {
	base, err := url.Parse(m.web.Base())
	if err != nil {
		return err
	}
	ours, asked := base.Hostname(), hostname(string(c.Request().Host()))
	if strings.EqualFold(asked, ours) || oauth.IsLocal(asked) && oauth.IsLocal(ours) {
		return nil
	}
	return errHost
}

// hostname is a Host header without its port; empty for what is none.
func hostname(header string) string {
	u, err := url.Parse("//" + header)
	if err != nil || u.Host != header {
		return ""
	}
	return strings.TrimSuffix(u.Hostname(), ".")
}
