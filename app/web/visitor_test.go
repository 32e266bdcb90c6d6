package web_test

import (
	"net/netip"
	"testing"

	"foyer/app/web"
)

// TestVisitor is A83 and A84: the header counts when a trusted proxy sends it once with a single address.
func TestVisitor(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	const cf, h = "162.158.9.9", "CF-Connecting-IP"
	for _, c := range []struct {
		name, remote string
		headers      []string
		want         string
	}{
		{"no header", "198.51.100.1", nil, "198.51.100.1"},
		{"no header from a proxy", cf, nil, cf},
		{"v4", cf, []string{h, "203.0.113.5"}, "203.0.113.5"},
		{"v6", cf, []string{h, "2001:db8::5"}, "2001:db8::5"},
		{"v6, written long", cf, []string{h, "2001:0db8:0:0::0005"}, "2001:db8::5"},
		{"v4 in v6", cf, []string{h, "::ffff:203.0.113.5"}, "203.0.113.5"},
		{"proxy over v6", "2606:4700::1", []string{h, "203.0.113.5"}, "203.0.113.5"},
		{"private proxy", "10.1.2.3", []string{h, "203.0.113.5"}, "203.0.113.5"},
		{"loopback proxy", "127.0.0.1", []string{h, "203.0.113.5"}, "203.0.113.5"},
		{"not a proxy", "198.51.100.1", []string{h, "203.0.113.5"}, "198.51.100.1"},
		{"list", cf, []string{h, "203.0.113.5, 203.0.113.6"}, cf},
		{"twice", cf, []string{h, "203.0.113.5", h, "203.0.113.6"}, cf},
		{"twice the same", cf, []string{h, "203.0.113.5", h, "203.0.113.5"}, cf},
		{"port", cf, []string{h, "203.0.113.5:80"}, cf},
		{"v6 with a port", cf, []string{h, "[2001:db8::5]:80"}, cf},
		{"zone", cf, []string{h, "fe80::1%eth0"}, cf},
		{"network", cf, []string{h, "203.0.113.0/24"}, cf},
		{"empty", cf, []string{h, ""}, cf},
		{"name", cf, []string{h, "localhost"}, cf},
		{"octal", cf, []string{h, "0203.0.113.5"}, cf},
		{"X-Forwarded-For", cf, []string{"X-Forwarded-For", "203.0.113.5", "X-Real-IP", "203.0.113.5"}, cf},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got seen
			w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", remote: c.remote, headers: c.headers}).data(t, 200, &got)
			if got.Visitor != c.want {
				t.Errorf("visitor %s, want %s", got.Visitor, c.want)
			}
		})
	}
}

// TestParseProxies reads the setting.
func TestParseProxies(t *testing.T) {
	p, err := web.ParseProxies("loopback, 203.0.113.7 ,2001:db8::/32")
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[string]bool{
		"127.9.9.9": true, "::1": true, "203.0.113.7": true, "203.0.113.8": false, "2001:db8::1": true, "10.0.0.1": false,
	} {
		if got := p.Contains(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
	if none, err := web.ParseProxies("none"); err != nil || none == nil || len(none) != 0 {
		t.Errorf("none: %v %v", none, err)
	}
	for _, bad := range []string{"cloudfare", "1.2.3", "1.2.3.4/33", "loopback,x"} {
		if _, err := web.ParseProxies(bad); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
	w := newWorld(t, func(o *web.Options) { o.Proxies = web.Proxies{} })
	accessWorld(w)
	var got seen
	w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", remote: "127.0.0.1", headers: []string{"Cf-Connecting-Ip", "203.0.113.5"}}).data(t, 200, &got)
	if got.Visitor != "127.0.0.1" {
		t.Errorf("with no proxies the header counts: %s", got.Visitor)
	}
}
