package api_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
)

var keptFiles = regexp.MustCompile(`<a download="([^"]+)" href="data:[^,"]+;base64,([^"]+)">[^<]+</a><br><code>([0-9a-f]{64})</code>`)

// keptIn returns the files of a page of evidence, whose hashes it lists.
func keptIn(t *testing.T, page string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range keptFiles.FindAllStringSubmatch(page, -1) {
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[2], "&#43;", "+"))
		if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != m[3] {
			t.Errorf("%s: its SHA-256 is %x, and %s is written (%v)", m[1], sum, m[3], err)
		}
		out[m[1]] = string(data)
	}
	return out
}

// TestAgreementEvidence: A159, A186: one page proves the acceptance of a customer, to callers with access to the
// customer and no others.
func TestAgreementEvidence(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	s.class("", 0, 8)
	waiver := h.post(s.at("/locations/{location}/agreements"), s.owner, object{"name": "Waiver", "body": "I take care <of> myself.\n"})
	file := h.expect(201, form(t, "POST", s.at("/locations/{location}/agreements"), s.owner, map[string]string{"name": "Terms"}, sheet))
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/hold", rosa, nil)
	h.post(cart+"/agreements", rosa, object{"accept": []object{{"contentId": waiver.text("contentId"), "shown": "full"}, {"contentId": file.text("contentId"), "shown": "checkbox"}}})
	h.post(cart+"/confirm", rosa, nil)
	customer := h.expect(200, call{path: s.at("/businesses/{business}/customers"), token: s.owner}).list("customers")[0]["id"].(string)
	of := func(document string) string {
		return s.at("/businesses/{business}/customers/") + customer + "/agreements/" + document + "/evidence"
	}
	at := "?locationId=" + s.ids["location"]
	before := h.expect(200, call{path: of(waiver.text("id")) + at, token: s.owner})
	if got := before.header("Content-Type"); got != "text/html; charset=utf-8" {
		t.Error(got)
	}
	h.expect(200, call{method: "PATCH", path: s.at("/locations/{location}/agreements/") + waiver.text("id"), token: s.owner, body: js(object{"body": "Other words.", "reask": true})})
	h.expect(200, call{method: "POST", path: s.at("/locations/{location}/agreements/") + waiver.text("id") + "/archive", token: s.owner})
	page := string(h.expect(200, call{path: of(waiver.text("id")) + at, token: s.owner}).body)
	if page != string(before.body) {
		t.Error("it is another page after the words have changed")
	}
	kept := keptIn(t, page)
	if kept["words.txt"] != "I take care <of> myself.\n" {
		t.Errorf("the words are %q", kept["words.txt"])
	}
	record := decode([]byte(kept["record.json"]))
	sum := sha256.Sum256([]byte(kept["words.txt"]))
	for _, want := range []struct{ got, want any }{
		{dig[string](record, "document", "sha256"), hex.EncodeToString(sum[:])}, {dig[string](record, "document", "copy"), waiver.text("contentId")},
		{dig[string](record, "customer", "id"), customer}, {dig[string](record, "customer", "email"), "rosa@example.com"},
		{record["source"], "checkout"}, {record["shown"], "full"}, {dig[string](record, "location", "id"), s.ids["location"]},
		{len(dig[[]any](record, "bookings")), 1}, {record["ip"] != "", true},
	} {
		if want.got != want.want {
			t.Errorf("%v, want %v in %s", want.got, want.want, kept["record.json"])
		}
	}
	if got := keptIn(t, string(h.expect(200, call{path: of(file.text("id")) + at, token: s.owner}).body)); got["document.pdf"] != sheet {
		t.Errorf("the file is %q", got["document.pdf"])
	}
	viewer, _ := s.key("crm.view")
	h.expect(200, call{path: of(waiver.text("id")) + at, token: viewer})
	h.expect(200, call{path: of(waiver.text("id")) + at + "&acceptanceId=" + record["acceptance"].(string), token: viewer})
	narrow, _ := s.key("location.view")
	for name, c := range map[string]struct {
		status      int
		path, token string
	}{
		"nobody":                       {401, of(waiver.text("id")) + at, ""},
		"the customer":                 {403, of(waiver.text("id")) + at, rosa},
		"without crm.view":             {403, of(waiver.text("id")) + at, narrow},
		"another studio's owner":       {403, of(waiver.text("id")) + at, elsewhere.owner},
		"no location":                  {400, of(waiver.text("id")), s.owner},
		"another location":             {404, of(waiver.text("id")) + "?locationId=" + s.ids["location2"], s.owner},
		"another business's location":  {404, of(waiver.text("id")) + "?locationId=" + elsewhere.ids["location"], s.owner},
		"an unknown document":          {404, of(ghost("x")) + at, s.owner},
		"an acceptance of another":     {404, of(file.text("id")) + at + "&acceptanceId=" + record["acceptance"].(string), s.owner},
		"a customer of another studio": {404, strings.Replace(of(waiver.text("id")), s.ids["business"], elsewhere.ids["business"], 1) + at, elsewhere.owner},
	} {
		if got := h.do(call{path: c.path, token: c.token}); got.status != c.status {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestAgreementTranslations: A158, A159, A184: a copy has the same text in further languages. The signer of a
// translation sees it ever after, and a changed text discards the old translations.
func TestAgreementTranslations(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	at := s.at("/locations/{location}/agreements")
	spanish := []object{{"language": "es", "body": "Me cuido."}}
	d := h.post(at, s.owner, object{"name": "Waiver", "body": "I take care.", "translations": spanish})
	copies := func() []object {
		return h.expect(200, call{path: at + "/" + d.text("id") + "/copies", token: s.owner}).elements()
	}
	if got := copies(); len(got) != 1 || got[0]["language"] != "en" || js(got[0]["translations"]) != js(spanish) {
		t.Fatalf("%v", got)
	}
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/hold", rosa, nil)
	h.post(cart+"/agreements", rosa, object{"accept": []object{{"contentId": d.text("contentId"), "shown": "checkbox", "language": "es"}}})
	h.post(cart+"/confirm", rosa, nil)
	if mine := h.expect(200, call{path: "/me/agreements", token: rosa}).list("items"); len(mine) != 1 || mine[0]["viewPath"] != d.text("path")+"?words=es" || mine[0]["contentId"] != d.text("contentId") {
		t.Errorf("%v", mine)
	}
	h.expect(400, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(object{"accept": []object{{"contentId": d.text("contentId"), "shown": "checkbox", "language": "tlh"}}})})
	one := at + "/" + d.text("id")
	h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(object{"translations": []object{{"language": "es", "body": "Me cuido mucho."}, {"language": "de", "body": "Ich gebe acht."}}})})
	h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(object{"name": "Waivers"})})
	if got := copies(); len(got) != 2 || len(got[0]["translations"].([]any)) != 2 || got[0]["body"] != "I take care." {
		t.Errorf("%v", got)
	}
	h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(object{"body": "I take great care."})})
	if got := copies(); len(got) != 3 || js(got[0]["translations"]) != "[]" {
		t.Errorf("%v", got)
	}
	for _, wrong := range []object{
		{"translations": []object{{"language": "en", "body": "x"}}}, {"translations": []object{{"language": "es", "body": "x"}, {"language": "es", "body": "y"}}},
		{"translations": []object{{"language": "es", "body": ""}}}, {"translations": []object{{"language": "tlh", "body": "x"}}},
	} {
		h.expect(400, call{method: "PATCH", path: one, token: s.owner, body: js(wrong)})
	}
}
