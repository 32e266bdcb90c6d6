package hosted

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWayBack is E141 to E144: what leads back to the studio, and the table of attacks.
func TestWayBack(t *testing.T) {
	const site = "https://harbouryoga.com/en"
	for _, c := range []struct{ name, website, ref, want string }{
		{"front page", site, "https://harbouryoga.com", "https://harbouryoga.com"},
		{"referrer's origin", site, "https://harbouryoga.com/", "https://harbouryoga.com/"},
		{"any page", site, "https://harbouryoga.com/timetable?week=2#mon", "https://harbouryoga.com/timetable?week=2#mon"},
		{"with www", site, "https://www.harbouryoga.com/a", "https://www.harbouryoga.com/a"},
		{"saved with www", "https://www.harbouryoga.com", "https://harbouryoga.com/a", "https://harbouryoga.com/a"},
		{"capitals", site, "HTTPS://HarbourYoga.COM/A", "https://harbouryoga.com/A"},
		{"implied port", site, "https://harbouryoga.com:443/a", "https://harbouryoga.com/a"},
		{"saved without TLS", "http://harbouryoga.com", "https://harbouryoga.com/a", "https://harbouryoga.com/a"},
		{"own port", "https://harbouryoga.com:8443", "https://harbouryoga.com:8443/a", "https://harbouryoga.com:8443/a"},
		{"signs are escaped", site, `https://harbouryoga.com/"><script>`, "https://harbouryoga.com/%22%3E%3Cscript%3E"},
		{"punycode", "https://xn--caf-dma.example", "https://xn--caf-dma.example/a", "https://xn--caf-dma.example/a"},

		{"nothing", site, "", ""},
		{"no website", "", "https://harbouryoga.com", ""},
		{"no website and no ref", "", "", ""},
		{"not TLS", site, "http://harbouryoga.com/", ""},
		{"another host", site, "https://evil.com/", ""},
		{"the host as a path", site, "https://evil.com/harbouryoga.com", ""},
		{"the host as a query", site, "https://evil.com/?https://harbouryoga.com", ""},
		{"look-alike suffix", site, "https://harbouryoga.com.evil.com/", ""},
		{"look-alike prefix", site, "https://evilharbouryoga.com/", ""},
		{"sub-domain", site, "https://shop.harbouryoga.com/", ""},
		{"www twice", site, "https://www.www.harbouryoga.com/", ""},
		{"user", site, "https://harbouryoga.com@evil.com/", ""},
		{"user of the right host", site, "https://evil@harbouryoga.com/", ""},
		{"empty user", site, "https://@harbouryoga.com/", ""},
		{"user and password", site, "https://harbouryoga.com:443@evil.com/", ""},
		{"backslash host", site, `https://evil.com\@harbouryoga.com/`, ""},
		{"backslash path", site, `https://harbouryoga.com\.evil.com/`, ""},
		{"backslashes", site, `https:\\evil.com/harbouryoga.com`, ""},
		{"no scheme", site, "//harbouryoga.com/", ""},
		{"bare host", site, "harbouryoga.com", ""},
		{"local path", site, "/timetable", ""},
		{"three slashes", site, "https:///harbouryoga.com/", ""},
		{"one slash", site, "https:/harbouryoga.com/", ""},
		{"no slash", site, "https:harbouryoga.com", ""},
		{"javascript", site, "javascript:alert(1)//harbouryoga.com", ""},
		{"javascript in capitals", site, "JavaScript://harbouryoga.com/%0aalert(1)", ""},
		{"data", site, "data:text/html,<script>alert(1)</script>", ""},
		{"view-source", site, "view-source:https://harbouryoga.com/", ""},
		{"leading space", site, " https://harbouryoga.com/", ""},
		{"tab in the scheme", site, "ht\ttps://harbouryoga.com/", ""},
		{"line break", site, "https://harbouryoga.com/\r\nSet-Cookie:a=b", ""},
		{"NUL", site, "https://harbouryoga.com\x00.evil.com/", ""},
		{"another port", site, "https://harbouryoga.com:8443/", ""},
		{"implied port of http", site, "https://harbouryoga.com:80/", ""},
		{"trailing dot", site, "https://harbouryoga.com./", ""},
		{"escaped slash in the host", site, "https://harbouryoga.com%2f.evil.com/", ""},
		{"escaped at", site, "https://harbouryoga.com%40evil.com/", ""},
		{"full-width letters", site, "https://ｈarbouryoga.com/", ""},
		{"ideographic full stop", site, "https://harbouryoga。com/", ""},
		{"Cyrillic o", site, "https://harbоuryoga.com/", ""},
		{"soft hyphen", site, "https://harbour\u00adyoga.com/", ""},
		{"right-to-left mark", site, "https://harbouryoga.com/\u202emoc.live", ""},
		{"invalid UTF-8", site, "https://harbouryoga.com/\xff", ""},
		{"IPv6", site, "https://[::1]/", ""},
		{"too long", site, "https://harbouryoga.com/" + strings.Repeat("a", maxRef), ""},
	} {
		got := ""
		if b := wayBack(c.ref, c.website); b != nil {
			got = b.Href
			if b.Host != "harbouryoga.com" && !strings.HasPrefix(b.Host, "xn--") && !strings.HasSuffix(b.Host, ":8443") {
				t.Errorf("%s: the link says %q", c.name, b.Host)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.ref, got, c.want)
		}
	}
}

// TestWayBackStaysOnTheSite puts random signs around the studio's host: whatever comes out leads to that host, over TLS.
func TestWayBackStaysOnTheSite(t *testing.T) {
	sign := rapid.SampledFrom([]string{"https:", "http:", "//", "/", "\\", "@", ":", "?", "#", ".", "%2f", "%40", " ", "\t",
		"harbouryoga.com", "www.", "evil.com", "443", "[", "]", "é", "javascript:"})
	rapid.Check(t, func(t *rapid.T) {
		ref := strings.Join(rapid.SliceOfN(sign, 1, 8).Draw(t, "ref"), "")
		b := wayBack(ref, "https://harbouryoga.com")
		if b == nil {
			return
		}
		u, err := url.Parse(b.Href)
		if err != nil || u.Scheme != "https" || bare(u.Host) != "harbouryoga.com" || u.User != nil {
			t.Fatalf("%q leads to %q", ref, b.Href)
		}
		if again := wayBack(b.Href, "https://harbouryoga.com"); again == nil || again.Href != b.Href {
			t.Fatalf("%q is not its own answer", b.Href)
		}
	})
}
