package web_test

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
)

// framedWorld serves a page that stores its input: in the frame below /f, and in cookies below /c. It returns the
// previous value, a space, the ticket, a space and a pass for /f/back.
func framedWorld(t *testing.T, secret string) *world {
	w := newWorld(t, func(o *web.Options) { o.Secret = []byte(secret) })
	page := func(c *fiber.Ctx) error {
		knew := w.srv.Cookies.Get(c, "name")
		switch said := c.FormValue("say"); said {
		case "":
		case "-":
			w.srv.Cookies.Clear(c, "name")
		default:
			w.srv.Cookies.Set(c, "name", said, time.Duration(len(c.Query("age")))*time.Minute)
		}
		for _, name := range strings.Split(c.Query("also"), ",") {
			if name != "" {
				w.srv.Cookies.Set(c, name, "1", 0)
			}
		}
		if c.Query("names") != "" {
			return c.SendString(strings.Join(w.srv.Cookies.Names(c, c.Query("names")), ","))
		}
		ticket, pass := "", ""
		if j := web.JarOf(c); j != nil {
			ticket, pass = j.Text(), j.Pass("/f/back", time.Hour)
		}
		return c.SendString(knew + " " + ticket + " " + pass)
	}
	w.srv.App().All("/c", page)
	w.srv.App().All("/f/back", func(c *fiber.Ctx) error {
		w.srv.Frames.Enter(c)
		if c.Query("pass") != "" {
			c.Set("X-Entered", map[bool]string{true: "yes", false: "no"}[w.srv.Frames.EnterBy(c, c.Query("pass"))])
		}
		return page(c)
	})
	w.srv.App().All("/f", func(c *fiber.Ctx) error { w.srv.Frames.Enter(c); return page(c) })
	return w
}

const framedSecret = "a secret of at least thirty-two bytes"

// told requests the framed page with a ticket and returns the previous value, the next ticket, and a pass.
func (w *world) told(t *testing.T, path, ticket, query string, headers ...string) (knew, next, pass string) {
	t.Helper()
	if !slices.Contains(headers, "Sec-Fetch-Site") {
		headers = append(headers, "Sec-Fetch-Site", "same-origin")
	}
	got := w.do(req{path: path + "?" + url.Values{web.FieldTicket: {ticket}}.Encode() + "&" + query, headers: headers})
	if got.status != 200 {
		t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	if strings.HasPrefix(path, "/f") && got.header("Set-Cookie") != "" {
		t.Errorf("%s sets the cookie %q", path, got.header("Set-Cookie"))
	}
	parts := strings.SplitN(got.body, " ", 3)
	return parts[0], parts[1], parts[2]
}

// TestTicketsStandInForCookies is E127: in the frame no cookie is read or set, and the ticket remembers.
func TestTicketsStandInForCookies(t *testing.T) {
	w := framedWorld(t, framedSecret)
	if knew, ticket, _ := w.told(t, "/f", "", "", "Cookie", "__Host-foyer_name=cookie"); knew != "" || ticket != "" {
		t.Errorf("a first page knows %q and carries %q", knew, ticket)
	}
	_, ana, _ := w.told(t, "/f", "", "say=ana")
	if knew, next, _ := w.told(t, "/f", ana, ""); knew != "ana" || next == ana || next == "" {
		t.Errorf("the next page knows %q and carries on %q", knew, next)
	}
	if knew, _, _ := w.told(t, "/f", ana, "", "Cookie", "__Host-foyer_name=cookie"); knew != "ana" {
		t.Errorf("beside a cookie it knows %q", knew)
	}
	posted := w.do(req{method: "POST", path: "/f", headers: []string{"Sec-Fetch-Site", "same-origin"}, contentType: "application/x-www-form-urlencoded", body: url.Values{web.FieldTicket: {ana}}.Encode()})
	if !strings.HasPrefix(posted.body, "ana ") {
		t.Errorf("a form with the ticket knows %q", posted.body)
	}
	_, ben, _ := w.told(t, "/f", ana, "say=ben")
	if knew, _, _ := w.told(t, "/f", ben, ""); knew != "ben" {
		t.Errorf("changed, it knows %q", knew)
	}
	_, gone, _ := w.told(t, "/f", ben, "say=-")
	if knew, _, _ := w.told(t, "/f", gone, ""); knew != "" || gone != "" {
		t.Errorf("cleared, it knows %q and carries %q", knew, gone)
	}
	if raw, _ := base64.RawURLEncoding.DecodeString(ana); strings.Contains(string(raw), "ana") {
		t.Error("a ticket can be read")
	}
}

// TestTicketsWorkInTheFrameOnly: not as a cookie outside, and not from another site.
func TestTicketsWorkInTheFrameOnly(t *testing.T) {
	w := framedWorld(t, framedSecret)
	_, ana, pass := w.told(t, "/f", "", "say=ana")
	if knew, _, _ := w.told(t, "/c", ana, ""); knew != "" {
		t.Errorf("outside the frame it knows %q", knew)
	}
	other := framedWorld(t, "another secret of at least thirty-two")
	foreign := base64.RawURLEncoding.EncodeToString(append([]byte(nil), make([]byte, 80)...))
	_, theirs, _ := other.told(t, "/f", "", "say=ana")
	for name, ticket := range map[string]string{
		"of another deployment": theirs, "changed": letterBut(ana[0]) + ana[1:],
		"changed at the end": ana[:len(ana)-2] + letterBut(ana[len(ana)-2]) + ana[len(ana)-1:], "cut": ana[:30],
		"short": "AAAA", "no base64": "%%%", "zeros": foreign, "long": strings.Repeat("A", 5000), "a pass": pass,
	} {
		if knew, _, _ := w.told(t, "/f", ticket, ""); knew != "" {
			t.Errorf("%s: it knows %q", name, knew)
		}
	}
	for site, want := range map[string]string{"same-origin": "ana", "same-site": "", "cross-site": "", "none": "", "": ""} {
		if knew, _, _ := w.told(t, "/f", ana, "", "Sec-Fetch-Site", site); knew != want {
			t.Errorf("from %s it knows %q", site, knew)
		}
	}
}

// letterBut is a letter of base64 other than c: a ticket that begins with A once in 64 times is not changed by an A.
func letterBut(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}

// TestTicketsEnd: two hours after the last page, twelve after the first, and earlier for values with a shorter
// lifetime.
func TestTicketsEnd(t *testing.T) {
	w := framedWorld(t, framedSecret)
	_, idle, _ := w.told(t, "/f", "", "say=ana")
	_, short, _ := w.told(t, "/f", "", "say=ana&age=1234567890") // ten minutes
	w.clock.Advance(10*time.Minute - time.Second)
	if knew, _, _ := w.told(t, "/f", short, ""); knew != "ana" {
		t.Error("what is kept for ten minutes is gone before")
	}
	w.clock.Advance(2 * time.Second)
	_, slid, _ := w.told(t, "/f", idle, "")
	if knew, _, _ := w.told(t, "/f", short, ""); knew != "" {
		t.Error("what is kept for ten minutes is there after eleven")
	}
	w.clock.Advance(2*time.Hour - time.Second)
	if knew, _, _ := w.told(t, "/f", idle, ""); knew != "" {
		t.Error("a ticket works after two hours")
	}
	for range 5 {
		var knew string
		if knew, slid, _ = w.told(t, "/f", slid, ""); knew != "ana" {
			t.Fatal("a ticket that is used ends early")
		}
		w.clock.Advance(110 * time.Minute)
	}
	w.clock.Advance(time.Hour)
	if knew, _, _ := w.told(t, "/f", slid, ""); knew != "" {
		t.Error("a ticket works after twelve hours")
	}
}

// TestTicketsStayShort: of values with the same prefix the newest three are kept, and all of them can be listed.
func TestTicketsStayShort(t *testing.T) {
	w := framedWorld(t, framedSecret)
	_, ticket, _ := w.told(t, "/f", "", "say=ana&also=cart_1,cart_2,other,cart_3,cart_4,cart_2")
	got := w.do(req{path: "/f?names=cart_&" + url.Values{web.FieldTicket: {ticket}}.Encode(), headers: []string{"Sec-Fetch-Site", "same-origin"}})
	if got.body != "cart_3,cart_4,cart_2" {
		t.Errorf("it keeps %q", got.body)
	}
	if len(ticket) > 600 {
		t.Errorf("a ticket has %d bytes", len(ticket))
	}
	cookies := w.do(req{path: "/c?names=cart_", headers: []string{"Cookie", "__Host-foyer_cart_1=a; __Host-foyer_other=b; __Host-cart_2=c; foyer_cart_2=c; __Host-foyer_cart_3=d"}})
	if cookies.body != "cart_1,cart_3" {
		t.Errorf("the cookies are %q", cookies.body)
	}
}

// TestPassesOpenOnePath: from any site, and no other path.
func TestPassesOpenOnePath(t *testing.T) {
	w := framedWorld(t, framedSecret)
	_, ticket, pass := w.told(t, "/f", "", "say=ana")
	ask := func(path, pass string, headers ...string) resp {
		return w.do(req{path: path + "?" + url.Values{"pass": {pass}}.Encode(), headers: headers})
	}
	if got := ask("/f/back", pass, "Sec-Fetch-Site", "cross-site"); !strings.HasPrefix(got.body, "ana ") || got.header("X-Entered") != "yes" {
		t.Errorf("the pass knows %q", got.body)
	}
	for name, other := range map[string]string{"a ticket": ticket, "changed": pass[:len(pass)-2] + "AA", "nothing": "x"} {
		if got := ask("/f/back", other); strings.HasPrefix(got.body, "ana") || got.header("X-Entered") != "no" {
			t.Errorf("%s lets in: %q", name, got.body)
		}
	}
	for _, secret := range []string{ticket, pass} {
		if strings.Contains(w.log.String(), secret) {
			t.Error("the log has it")
		}
	}
	w.clock.Advance(time.Hour)
	if got := ask("/f/back", pass); strings.HasPrefix(got.body, "ana") {
		t.Error("a pass works after its hour")
	}
}
