package web

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/web/op"
)

// Proxies are the networks of trusted proxies: their headers about the visitor are used.
type Proxies []netip.Prefix

// proxyNames are networks that TRUSTED_PROXIES can name in a word.
var proxyNames = map[string][]string{
	"loopback": {"127.0.0.0/8", "::1/128"},
	"private":  {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"},
	// As published at https://www.cloudflare.com/ips/.
	"cloudflare": {
		"173.245.48.0/20", "103.21.244.0/22", "103.22.200.0/22", "103.31.4.0/22", "141.101.64.0/18", "108.162.192.0/18",
		"190.93.240.0/20", "188.114.96.0/20", "197.234.240.0/22", "198.41.128.0/17", "162.158.0.0/15", "104.16.0.0/13",
		"104.24.0.0/14", "172.64.0.0/13", "131.0.72.0/22",
		"2400:cb00::/32", "2606:4700::/32", "2803:f800::/32", "2405:b500::/32", "2405:8100::/32", "2a06:98c0::/29",
		"2c0f:f248::/32",
	},
}

// DefaultProxies are loopback, private networks and Cloudflare's. A83.
func DefaultProxies() Proxies {
	p, err := ParseProxies("loopback,private,cloudflare")
	if err != nil {
		panic(err)
	}
	return p
}

// ParseProxies reads a list of networks, single addresses, and the words loopback, private, cloudflare and none, with
// commas between them.
func ParseProxies(list string) (Proxies, error) {
	out := Proxies{}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" || item == "none" {
			continue
		}
		entries, named := proxyNames[item]
		if !named {
			entries = []string{item}
		}
		for _, e := range entries {
			prefix, err := parseNetwork(e)
			if err != nil {
				return nil, fmt.Errorf("trusted proxies: %q is no network: %w", e, err)
			}
			out = append(out, prefix)
		}
	}
	return out, nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		return p.Masked(), err
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return a.Prefix(a.BitLen())
}

// Contains reports whether an address is in one of the networks.
func (p Proxies) Contains(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

func (p Proxies) trusts(c *fiber.Ctx) bool { return p.Contains(peer(c)) }

// visitorHeader is Cloudflare's name of the client.
const visitorHeader = "Cf-Connecting-Ip"

// Visitor is the address a request is rate-limited by: the exact one. It is cf-connecting-ip when a trusted proxy
// sent it once with a single address, else the address of the connection. Other headers change nothing. A83 to A85.
func (s *Server) Visitor(c *fiber.Ctx) string {
	if x := op.CallOf(c); x != nil && x.Visitor != "" {
		return x.Visitor
	}
	if in := op.InsiderOf(c); in != nil {
		return in.Visitor
	}
	from := peer(c)
	if s.opt.Proxies.Contains(from) {
		if given := c.Request().Header.PeekAll(visitorHeader); len(given) == 1 {
			if a, err := netip.ParseAddr(string(given[0])); err == nil && a.Zone() == "" {
				from = a.Unmap()
			}
		}
	}
	visitor := from.String()
	if x := op.CallOf(c); x != nil {
		x.Visitor = visitor
	}
	return visitor
}

// peer is the address of the TCP connection.
func peer(c *fiber.Ctx) netip.Addr {
	tcp, ok := c.Context().RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.IPv4Unspecified()
	}
	return tcp.AddrPort().Addr().Unmap().WithZone("")
}
