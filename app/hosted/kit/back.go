package kit

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"foyer/app/view"
)

// maxRef is the maximum length of a ref, in bytes.
const maxRef = 2048

// wayBack is the only check of the address to send a customer back to: an https address on one of the studio's own
// sites, with or without www., or nil. A site is a host and a port. Any page of it will do, and a sub-domain is
// another site, allowed only if it is listed. It returns an address assembled from the parsed parts, never the text
// passed in. E141 to E144.
func wayBack(ref string, sites ...string) *view.Back {
	from, ok := parseSite(ref)
	if !ok || from.Scheme != "https" {
		return nil
	}
	for _, site := range sites {
		own, ok := parseSite(site)
		if !ok || bare(from.Host) != bare(own.Host) {
			continue
		}
		clean := url.URL{
			Scheme: from.Scheme, Host: from.Host, Path: from.Path, RawPath: from.RawPath, RawQuery: from.RawQuery,
			Fragment: from.Fragment, RawFragment: from.RawFragment,
		}
		return &view.Back{Host: said(bare(own.Host)), Href: clean.String()}
	}
	return nil
}

// parseSite parses an address that a browser and this program read alike: a scheme of the web, a plain host, no user,
// and no character that one of the two might read differently. The host is in the browsers' form: lower case, an
// international name in its xn-- form, and without the default port of the scheme.
func parseSite(raw string) (*url.URL, bool) {
	if len(raw) > maxRef || !utf8.ValidString(raw) || strings.ContainsFunc(raw, ambiguous) {
		return nil, false
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" {
		return nil, false
	}
	port := u.Port()
	host, err := registered.ToASCII(strings.ToLower(u.Hostname()))
	if err != nil || !strings.Contains(host, ".") {
		return nil, false
	}
	u.Host = host
	if port != "" && port != map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		u.Host += ":" + port
	}
	return u, true
}

// registered accepts the names of hosts as they can be registered. It maps nothing: a letter that resembles another
// one, or that a browser would replace, makes another name or none.
var registered = idna.Registration

func ambiguous(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}

// bare is a host without its www., if the remainder is the name of a site.
func bare(host string) string {
	if rest, www := strings.CutPrefix(host, "www."); www && strings.Contains(rest, ".") {
		return rest
	}
	return host
}

// said is the host of the studio's own site in the form for readers.
func said(host string) string {
	if name, err := idna.Display.ToUnicode(host); err == nil {
		return name
	}
	return host
}
