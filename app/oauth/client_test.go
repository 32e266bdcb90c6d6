package oauth

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// FuzzRedirects: an address that is allowed is one of the client's, to the byte but for a port on this computer, and
// leads where a browser takes it.
func FuzzRedirects(f *testing.F) {
	c := Client{RedirectURIs: []string{
		"https://assistant.example/callback", "http://127.0.0.1/callback", "http://localhost:3000/cb?x=1", "cursor://app/cb",
	}}
	for _, seed := range append(c.RedirectURIs, "http://127.0.0.1:1/callback", "http://127.0.0.1:99999/callback",
		"http://[::1]/callback",
		"https://assistant.example/callback?", "https://assistant.example/callback\\", "javascript:alert(1)",
		"//evil.example",
		"https://assistant.example:443/callback", "http://localhost:1/cb?x=1", "http://localhost:1/cb?x=2",
		"http://127.0.0.1:/callback") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if !c.Allows(uri) {
			return
		}
		u, err := url.Parse(uri)
		if err != nil || u.User != nil || strings.ContainsAny(uri, "#\\*\r\n\t ") {
			t.Fatalf("%q is allowed", uri)
		}
		same := false
		for _, known := range c.RedirectURIs {
			k, _ := url.Parse(known)
			local := k.Scheme == "http" && k.Hostname() == u.Hostname() && k.Path == u.Path && k.RawQuery == u.RawQuery
			same = same || known == uri || u.Scheme == "http" && local
		}
		if !same {
			t.Fatalf("%q is none of the client's", uri)
		}
		if RedirectHost(uri) == "" {
			t.Fatalf("%q has no host to show", uri)
		}
	})
}

// FuzzDocumentURL: an address that is fetched is https, of a host, with one path.
func FuzzDocumentURL(f *testing.F) {
	for _, seed := range []string{
		"https://assistant.example/client.json", "https://a/..", "https://a/%2e%2e/b", "https://a:443/b", "https://a:0443/b",
		"https://@a/b",
		"https://a//b", "https://a/b?c#", "https://a/b;c", "https://[::1]/b", "HTTPS://a/b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if documentURL(id) != nil {
			return
		}
		u, err := url.Parse(id)
		if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(u.Path) < 2 ||
			strings.Contains(id, "#") ||
			strings.Contains(u.Path, "/../") || strings.Contains(u.Path, "/./") || u.Port() != "" && u.Port() != "443" {
			t.Fatalf("%q would be fetched", id)
		}
	})
}

// A document is used for as long as its headers say, between a minute and a day.
func TestFreshness(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": time.Hour, "max-age=600": 10 * time.Minute, "public, max-age=\"7200\"": 2 * time.Hour, "no-store": time.Minute,
		"max-age=600, no-cache": time.Minute, "max-age=0": time.Minute, "max-age=99999999": 24 * time.Hour,
		"max-age=-5": time.Minute,
		"max-age=x":  time.Hour, "max-age=99999999999999999999": time.Hour,
	} {
		if got := freshness(header); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// A secret names its business; text in any other form costs no query.
func TestParseSecrets(t *testing.T) {
	s := accessKind.random([16]byte{1})
	if at, hash, ok := accessKind.parse(s); !ok || at != [16]byte{1} || len(hash) != 32 {
		t.Errorf("%v %v", at, ok)
	}
	for _, text := range []string{
		"", "fat_", s[:len(s)-1], s + "A", s + "=", strings.Replace(s, "fat_", "frt_", 1), strings.ToUpper(s), "bk_x",
		accessKind.random([16]byte{}),
	} {
		if _, _, ok := accessKind.parse(text); ok {
			t.Errorf("%q is taken for an access token", text)
		}
	}
}
