package api_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestStylesheet: E86 stored byte for byte, E92k with warnings, E92l removed by an empty sheet.
func TestStylesheet(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	path := s.at("/locations/{location}/stylesheet")
	none := h.expect(200, call{path: path, token: s.owner}).data()
	if none["css"] != "" || none["version"] != json.Number("0") || none["updatedAt"] != nil || len(none["warnings"].([]any)) != 0 {
		t.Errorf("%v", none)
	}
	const css = "\uFEFFsvc-times {\r\n\tcolor: red !important;\r} /* été 😀 \" \\ </style> */ \n"
	put := func(status int, css string, version int) answer {
		t.Helper()
		return h.expect(status, call{method: "PUT", path: path, token: s.owner, body: js(object{"css": css, "version": version})})
	}
	saved := put(200, css, 0).data()
	warning := saved["warnings"].([]any)[0].(object)
	if saved["css"] != css || saved["version"] != json.Number("1") || saved["updatedAt"] == nil || warning["line"] != json.Number("2") || warning["rule"] != "important" {
		t.Errorf("%v", saved)
	}
	if read := h.expect(200, call{path: path, token: s.owner}).data(); js(read) != js(saved) {
		t.Errorf("%v is not %v", read, saved)
	}
	if gone := put(200, "", 1).data(); gone["css"] != "" || gone["version"] != json.Number("2") {
		t.Errorf("%v", gone)
	}
}

// TestStylesheetRefused: a refusal is 400 about body.css with its line and rule, however large the body is, and changes
// nothing. E92a, E92j, E92m.
func TestStylesheetRefused(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	path := s.at("/locations/{location}/stylesheet")
	put := func(css string) answer {
		t.Helper()
		return h.do(call{method: "PUT", path: path, token: s.owner, body: js(object{"css": css, "version": 0})})
	}
	for name, c := range map[string]struct{ css, line, rule string }{
		"a bare element":     {"svc-times{}\r\n\r\np{}", "3", "tag"},
		"32,769 bytes":       {"\n" + strings.Repeat("é", 16_384), "2", "too_large"},
		"far more":           {strings.Repeat("\n", 400_000), "32769", "too_large"},
		"an address":         {"svc-times{background:url(http://x)}", "1", "address"},
		"hostile text":       {"svc-times{background:url('\"</script>\u2028')}", "1", "address"},
		"32 KB of brackets":  {strings.Repeat("(", 32_768), "1", "too_deep"},
		"nothing but a word": {"svc-times", "1", "no_block"},
	} {
		a := put(c.css)
		details, _ := dig[object](decode(a.body), "error")["details"].(object)
		if a.status != 400 || len(a.fields()) != 1 || a.fields()[0] != "body.css" || details["line"] != json.Number(c.line) || details["rule"] != c.rule {
			t.Errorf("%s: %s", name, a)
		}
	}
	for name, css := range map[string]string{"NUL": "svc-times{}\x00", "over 1 MiB": strings.Repeat("\n", 2<<20)} {
		if a := put(css); a.status != 400 || len(a.fields()) != 1 {
			t.Errorf("%s: %s", name, a)
		}
	}
	if v := h.expect(200, call{path: path, token: s.owner}).data()["version"]; v != json.Number("0") {
		t.Errorf("version %v", v)
	}
}

// TestOtherSites is the further addresses of a studio's own website. E143.
func TestOtherSites(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	path := s.at("/locations/{location}")
	if got := js(h.expect(200, call{path: path, token: s.owner}).data()["otherSites"]); got != "[]" {
		t.Errorf("at first %s", got)
	}
	patch := func(status int, sites any) answer {
		t.Helper()
		version := h.expect(200, call{path: path, token: s.owner}).data()["version"]
		return h.expect(status, call{method: "PATCH", path: path, token: s.owner, body: js(object{"version": version, "otherSites": sites})})
	}
	if got := js(patch(200, []string{"shop.example.com", "https://SHOP.example.com"}).data()["otherSites"]); got != `["https://shop.example.com"]` {
		t.Errorf("kept %s", got)
	}
	if got := patch(400, []string{"https://good.example", "ftp://x.example"}).fields(); len(got) != 1 || got[0] != "body.otherSites[1]" {
		t.Errorf("wrong fields %v", got)
	}
	if got := js(patch(200, []string{}).data()["otherSites"]); got != "[]" {
		t.Errorf("taken away: %s", got)
	}
	made := h.post(s.at("/businesses/{business}/locations"), s.owner, object{"name": "Uptown", "otherSites": []string{"a.example"}})
	if got := js(made.data()["otherSites"]); got != `["https://a.example"]` {
		t.Errorf("made with %s", got)
	}
}
