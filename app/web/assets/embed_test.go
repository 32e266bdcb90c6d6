package assets_test

import (
	"regexp"
	"strings"
	"testing"

	"foyer/app/web/assets"
)

// TestEmbedScriptsFit: the scripts for other sites are small over the wire, as a page loads them before it shows a
// time.
func TestEmbedScriptsFit(t *testing.T) {
	for name, budget := range map[string]int{"v1.js": 4 << 10, "embed.js": 1 << 10} {
		f := assets.Content(name)
		if n := len(f.Gzip); n == 0 || n > budget {
			t.Errorf("%s: %d bytes gzip, its budget is %d", name, n, budget)
		}
		if len(f.Brotli) == 0 || len(f.Brotli) > len(f.Gzip) {
			t.Errorf("%s: %d bytes brotli beside %d gzip", name, len(f.Brotli), len(f.Gzip))
		}
	}
}

// TestEmbedScriptsKeepToThemselves checks the shipped scripts. E7: nothing needs unsafe-eval. E8: no global, no
// browser storage, and no other host. E9: no credentials. E10: exactly seven tags. E150: no shadow root. Only a
// template takes HTML.
func TestEmbedScriptsKeepToThemselves(t *testing.T) {
	banned := regexp.MustCompile(`\beval\b|\bFunction\(|new Function|localStorage|sessionStorage|indexedDB|\bcookie\b|https?://|` +
		`attachShadow|outerHTML|insertAdjacentHTML|document\.write|window\.|globalThis|import\(|postMessage|\.style\.(?:cssText|setProperty)`)
	for _, name := range []string{"v1.js", "embed.js"} {
		body := string(assets.Content(name).Body)
		if !strings.HasPrefix(body, `"use strict";(()=>{`) || !strings.HasSuffix(strings.TrimSpace(body), "})();") {
			t.Errorf("%s is not one function", name)
		}
		if found := banned.FindAllString(body, -1); len(found) > 0 {
			t.Errorf("%s uses %q", name, found)
		}
	}
	body := string(assets.Content("v1.js").Body)
	if n := strings.Count(body, "fetch("); n != 1 || !strings.Contains(body, `credentials:"omit"`) {
		t.Errorf("v1.js fetches in %d places", n)
	}
	if n := strings.Count(body, "innerHTML"); n != 1 || !strings.Contains(body, `createElement("template")`) {
		t.Errorf("v1.js writes HTML in %d places", n)
	}
	if strings.Contains(string(assets.Content("embed.js").Body), "fetch") {
		t.Error("embed.js fetches")
	}
}

func TestContentIsTheHashedFile(t *testing.T) {
	for _, name := range []string{"v1.js", "embed.js", "app.js"} {
		f := assets.Content(name)
		if f.Type != "text/javascript; charset=utf-8" || string(f.Body) != string(assets.Files()[strings.TrimPrefix(assets.Path(name), assets.Prefix)].Body) {
			t.Errorf("%s is %s", name, f.Type)
		}
	}
}
