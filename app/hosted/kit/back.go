package kit

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"foyer/app/view"
)

// maxRef is the longest address a customer may say they came from, in bytes.
const maxRef = 2048

// wayBack is the one judge of where a page may send a customer back to: an https address on one of the studio's own sites,
// with or without www., or nil. A site is a host and a port: any page of it will do, and a sub-domain is another site, which
// counts when it is one of them. It answers an address put together from the parts it understood, never the text it was
// given. E141 to E144.
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

// parseSite reads an address that a browser and this program understand alike: a scheme of the web, a plain host, no user,
// and no sign that one of the two would read in another way than it looks. The host is as browsers write it in an address:
// lower case, an international name in its xn-- form, and without the port that the scheme implies.
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

// registered takes the names of hosts as they can be registered. It maps nothing: a letter that only looks like another one, or
// that a browser would replace, makes another name or none.
var registered = idna.Registration

func ambiguous(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}

// bare is a host without its www., where that leaves the name of a site.
func bare(host string) string {
	if rest, www := strings.CutPrefix(host, "www."); www && strings.Contains(rest, ".") {
		return rest
	}
	return host
}

// said is the host of the studio's own site as people read it.
func said(host string) string {
	if name, err := idna.Display.ToUnicode(host); err == nil {
		return name
	}
	return host
}
