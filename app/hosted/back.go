package hosted

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/app/view"
)

// maxRef is the longest address a customer may say they came from, in bytes.
const maxRef = 2048

// wayBack is the one judge of where a page may send a customer back to: an https address on the studio's own website,
// with or without www., or nil. It answers an address put together from the parts it understood, never the text it was
// given. Host names are compared as browsers write them in an address, so an international one is saved in its xn-- form.
// E141 to E143, security.md 35.
func wayBack(ref, website string) *view.Back {
	site, ok := parseSite(website)
	if !ok {
		return nil
	}
	from, ok := parseSite(ref)
	if !ok || from.Scheme != "https" || bare(from.Host) != bare(site.Host) {
		return nil
	}
	clean := url.URL{
		Scheme: from.Scheme, Host: from.Host, Path: from.Path, RawPath: from.RawPath, RawQuery: from.RawQuery,
		Fragment: from.Fragment, RawFragment: from.RawFragment,
	}
	return &view.Back{Host: bare(site.Host), Href: clean.String()}
}

// parseSite reads an address that a browser and this program understand alike: a scheme of the web, a plain host, no user,
// and no sign that one of the two would read in another way than it looks. The host is lower case, without the port that
// the scheme implies.
func parseSite(raw string) (*url.URL, bool) {
	if len(raw) > maxRef || !utf8.ValidString(raw) || strings.ContainsFunc(raw, ambiguous) {
		return nil, false
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" {
		return nil, false
	}
	u.Host = strings.ToLower(u.Host)
	implied := map[string]string{"https": "443", "http": "80"}[u.Scheme]
	if u.Port() == implied || strings.HasSuffix(u.Host, ":") {
		u.Host = u.Hostname()
	}
	return u, plainHost(u.Host)
}

func ambiguous(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}

// plainHost allows letters, digits, dots and hyphens, and a port.
func plainHost(host string) bool {
	for i := range len(host) {
		c := host[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != ':' {
			return false
		}
	}
	return host != "" && host[0] != '.' && host[0] != ':'
}

func bare(host string) string { return strings.TrimPrefix(host, "www.") }
