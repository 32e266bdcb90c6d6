package kit

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWayBack is E141 to E144: valid addresses, and the table of attacks.
func TestWayBack(t *testing.T) {
	t.Parallel()
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
		{"saved in its own letters", "https://café.example", "https://xn--caf-dma.example/a", "https://xn--caf-dma.example/a"},
		{"saved with its letters escaped", "https://caf%C3%A9.example", "https://xn--caf-dma.example/a", "https://xn--caf-dma.example/a"},
		{"saved in capitals", "https://CAFÉ.example", "https://xn--caf-dma.example/a", "https://xn--caf-dma.example/a"},
		{"in its own letters", "https://xn--caf-dma.example", "https://café.example/ü?ü#ü", "https://xn--caf-dma.example/%C3%BC?ü#%C3%BC"},
		{"empty port", site, "https://harbouryoga.com:/a", "https://harbouryoga.com/a"},

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
		{"sub-domain of another", site, "https://harbouryoga.com.shop.com/", ""},
		{"the site is a sub-domain", "https://shop.harbouryoga.com", "https://harbouryoga.com/", ""},
		{"a site whose name is www", "https://www.com", "https://com/", ""},
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
		{"port that looks implied", site, "https://harbouryoga.com:0443/", ""},
		{"port with a sign", site, "https://harbouryoga.com:+443/", ""},
		{"site has a port", "https://harbouryoga.com:8443", "https://harbouryoga.com/", ""},
		{"http port in an https address", "http://harbouryoga.com:80", "https://harbouryoga.com:80/", ""},
		{"file", site, "file://harbouryoga.com/", ""},
		{"blob", site, "blob:https://harbouryoga.com/1", ""},
		{"ftp", site, "ftp://harbouryoga.com/", ""},
		{"web socket", site, "wss://harbouryoga.com/", ""},
		{"data with a host", site, "data://harbouryoga.com/,x", ""},
		{"broken punycode", site, "https://xn--a.harbouryoga.com/", ""},
		{"punycode of plain letters", site, "https://xn--harbouryoga-.com/", ""},
		{"underscore", site, "https://harbour_yoga.com/", ""},
		{"IPv4", "https://192.0.2.1.", "https://192.0.2.1/", ""},
		{"IPv4 as one number", site, "https://3232235521/", ""},
		{"IPv6 zone", site, "https://[fe80::1%25eth0]/", ""},
		{"sharp s", "https://strasse.example", "https://straße.example/", ""},
		{"zero-width joiner", site, "https://harbour\u200dyoga.com/", ""},
		{"two addresses", site, "https://harbouryoga.com https://evil.com", ""},
		{"non-breaking space", site, "https://harbouryoga.com\u00a0.evil.com/", ""},
		{"question mark for a slash", site, "https://evil.com?@harbouryoga.com/", ""},
		{"hash for a slash", site, "https://evil.com#@harbouryoga.com/", ""},
		{"semicolon", site, "https://harbouryoga.com;.evil.com/", ""},
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
			if b.Host != "harbouryoga.com" && b.Host != "café.example" && b.Host != "harbouryoga.com:8443" {
				t.Errorf("%s: the link says %q", c.name, b.Host)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.ref, got, c.want)
		}
	}
}

// TestWayBackToEverySite is E143: sub-domains and other names count when they are listed, and each only as itself.
func TestWayBackToEverySite(t *testing.T) {
	t.Parallel()
	sites := []string{"https://harbouryoga.com", "", "https://shop.harbouryoga.com/en", "https://café.example", "not a site", "https://staging.example:8443"}
	for ref, want := range map[string]string{
		"https://www.harbouryoga.com/a":       "https://www.harbouryoga.com/a",
		"https://shop.harbouryoga.com/a":      "https://shop.harbouryoga.com/a",
		"https://www.shop.harbouryoga.com/":   "https://www.shop.harbouryoga.com/",
		"https://xn--caf-dma.example/":        "https://xn--caf-dma.example/",
		"https://staging.example:8443/":       "https://staging.example:8443/",
		"https://staging.example/":            "",
		"https://harbouryoga.com:8443/":       "",
		"https://blog.harbouryoga.com/":       "",
		"https://a.shop.harbouryoga.com/":     "",
		"https://shop.harbouryoga.com.evil/":  "",
		"https://harbouryoga.com@evil.com/":   "",
		"https://not a site/":                 "",
		"https://shop.harbouryoga.com@evil.x": "",
	} {
		got := ""
		if b := wayBack(ref, sites...); b != nil {
			got = b.Href
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", ref, got, want)
		}
	}
	if b := wayBack("https://harbouryoga.com/"); b != nil {
		t.Errorf("no site at all gives %v", b)
	}
}

// plainAddress reads an https address without net/url: the part between the slashes and the remainder.
var plainAddress = regexp.MustCompile(`^https://([a-z0-9][a-z0-9.-]*)(:[0-9]+)?(?:[/?#][!-~\x{80}-\x{10FFFF}]*)?$`)

// FuzzWayBack: for every ref and every saved site, it does not panic; and an accepted address is https, has no user,
// and has the host of a listed site however it is parsed.
func FuzzWayBack(f *testing.F) {
	for _, ref := range []string{"https://harbouryoga.com/a?b=c#d", "https://www.harbouryoga.com:443", "https://harbouryoga.com@evil.com/", `https:\\evil.com`,
		"https://café.example/ü", "https://xn--caf-dma.example", "javascript:alert(1)", "https://[::1]", "https://harbouryoga.com%2f.evil.com/", "//x", "https://a:b@c.d:1/%zz"} {
		f.Add(ref, "https://harbouryoga.com", "https://café.example")
		f.Add(ref, ref, "shop.harbouryoga.com")
	}
	f.Fuzz(func(t *testing.T, ref, site, other string) {
		b := wayBack(ref, site, other)
		if b == nil {
			return
		}
		u, err := url.Parse(b.Href)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" {
			t.Fatalf("%q leads to %q (%v)", ref, b.Href, err)
		}
		second := plainAddress.FindStringSubmatch(b.Href)
		if second == nil || second[1]+second[2] != u.Host {
			t.Fatalf("%q leads to %q, which reads as %q and as %q", ref, b.Href, u.Host, second)
		}
		listed := false
		for _, s := range []string{site, other} {
			if own, ok := parseSite(s); ok {
				listed = listed || u.Host == own.Host || u.Host == "www."+own.Host || "www."+u.Host == own.Host
			}
		}
		if !listed {
			t.Fatalf("%q leads to %q, and the sites are %q and %q", ref, b.Href, site, other)
		}
		if again := wayBack(b.Href, site, other); again == nil || again.Href != b.Href {
			t.Fatalf("%q is not its own answer", b.Href)
		}
	})
}

// TestWayBackStaysOnTheSite puts random signs around the studio's host: whatever comes out leads to that host, over
// TLS.
func TestWayBackStaysOnTheSite(t *testing.T) {
	t.Parallel()
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
