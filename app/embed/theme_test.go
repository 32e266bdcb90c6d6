package embed_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/app/business"
)

// v1Variables of contract v1, as its table has them (E83, E136).
var v1Variables = []string{
	"--pf-accent", "--pf-accent-text", "--pf-card", "--pf-font", "--pf-gap", "--pf-line", "--pf-muted", "--pf-radius",
	"--pf-status-busy", "--pf-status-full", "--pf-status-open", "--pf-text",
}

// sheets are the three that are shipped, by theme.
func (w *world) sheets() map[string]string {
	w.t.Helper()
	return map[string]string{
		"clean":  w.ask(http.MethodGet, "/embed/v1/themes/clean.css").want(200).body,
		"card":   w.ask(http.MethodGet, "/embed/v1/themes/card.css").want(200).body,
		"studio": w.get("theme.css").want(200).body,
	}
}

// TestThemeSheets are served to everyone, for a minute, with an ETag. E98, E99, E104, E112.
func TestThemeSheets(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, path := range []string{"/embed/v1/themes/clean.css", "/embed/v1/themes/card.css", w.at("theme.css")} {
		a := w.ask(http.MethodGet, path).want(200, "data-pf=item")
		a.headers("Content-Type", "text/css; charset=utf-8", "Access-Control-Allow-Origin", "*", "X-Content-Type-Options", "nosniff",
			"Cache-Control", "public, max-age=60", "Vary", "Accept-Encoding", "Set-Cookie", "", "Cross-Origin-Resource-Policy", "cross-origin")
		again := w.ask(http.MethodGet, path, "If-None-Match", a.header.Get("ETag"), "Cookie", "a=b", "Authorization", "Bearer x")
		again.want(304).headers("Access-Control-Allow-Origin", "*", "ETag", a.header.Get("ETag"))
		if head := w.ask(http.MethodHead, path).want(200); head.body != "" || head.header.Get("Content-Type") != a.header.Get("Content-Type") {
			t.Errorf("HEAD %s: %v %q", path, head.header, head.body)
		}
	}
	for _, path := range []string{"/embed/v1/nowhere/theme.css", "/embed/v1/themes/theme.css", "/embed/v1/" + w.Business.Slug + "/theme.css", "/embed/v1/themes/none.css"} {
		w.ask(http.MethodGet, path).want(404).headers("Access-Control-Allow-Origin", "*")
	}
}

// TestThemeSheetsFit: the size of the files that a page loads before it shows a time.
func TestThemeSheetsFit(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.theme(func(l *business.Branding) { l.Background, l.Corners, l.Type = "dark", "square", "system" })
	for path, most := range map[string]int{"/embed/v1/themes/clean.css": 1 << 10, "/embed/v1/themes/card.css": 1600, w.at("theme.css"): 2 << 10} {
		gz, br := w.ask(http.MethodGet, path, "Accept-Encoding", "gzip"), w.ask(http.MethodGet, path, "Accept-Encoding", "br")
		gz.headers("Content-Encoding", "gzip")
		br.headers("Content-Encoding", "br")
		t.Logf("%s: %d bytes gzip, %d brotli", path, len(gz.body), len(br.body))
		if len(gz.body) > most || len(br.body) > most {
			t.Errorf("%s: %d bytes gzip, %d brotli; %d are allowed", path, len(gz.body), len(br.body), most)
		}
	}
}

// theme changes the location's look as its owner.
func (w *world) theme(change func(*business.Branding)) {
	w.t.Helper()
	now, err := w.Businesses(w.t).Theme(w.t.Context(), w.Owner, w.Location.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	change(&now.Branding)
	if _, err := w.Businesses(w.t).PutTheme(w.t.Context(), w.Owner, now); err != nil {
		w.t.Fatal(err)
	}
}

// TestThemeFollowsTheBranding: other branding is another sheet with another ETag, also under a former slug, for the
// tags with that slug. E77, E99.
func TestThemeFollowsTheBranding(t *testing.T) {
	t.Parallel()
	w := open(t)
	first := w.get("theme.css").want(200, "--_pf-accent:light-dark(#a4472b,", `[location~="harbour" i]`)
	w.theme(func(l *business.Branding) {
		l.Accent, l.Background, l.Corners, l.Type = "#1f5f4a", "dark", "pill", "system"
	})
	second := w.get("theme.css").want(200, "--_pf-round:999px", "color-scheme:dark").lacks("light-dark(", "Figtree")
	// The face comes from here, whatever page links the sheet; other themes bring none.
	faces := regexp.MustCompile(`url\("([^"]*)"\)`).FindAllStringSubmatch(first.body, -1)
	if len(faces) != 2 {
		t.Errorf("the sheet names %q", faces)
	}
	for _, face := range faces {
		w.ask(http.MethodGet, face[1]).want(200).headers("Content-Type", "font/woff2", "Access-Control-Allow-Origin", "*", "Cross-Origin-Resource-Policy", "cross-origin")
	}
	for _, css := range []string{second.body, w.sheets()["clean"], w.sheets()["card"]} {
		if strings.Contains(css, "@font-face") || strings.Contains(css, "url(") {
			t.Errorf("a sheet brings what it does not need: %.200s", css)
		}
	}
	if first.header.Get("ETag") == second.header.Get("ETag") {
		t.Error("two looks have one tag")
	}
	w.get("theme.css", "If-None-Match", first.header.Get("ETag")).want(200)
	w.ask(http.MethodGet, "/embed/v1/HARBOUR/theme.css").want(200, `[location~="harbour" i]`)
	w.SQL(t, "update slugs set slug = 'quay' where slug = 'harbour'")
	w.ask(http.MethodGet, "/embed/v1/quay/theme.css").want(200, `[location~="quay" i]`)
}

// A rule of a sheet, without those around it.
type cssRule struct{ selector, body string }

// cssRules reads a sheet: blocks in blocks are at-rules.
func cssRules(css string) []cssRule {
	var all []cssRule
	for css != "" {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return all
		}
		depth, end := 1, open+1
		for ; depth > 0; end++ {
			switch css[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		selector, body := strings.TrimSpace(css[:open]), css[open+1:end-1]
		if strings.HasPrefix(selector, "@") {
			all = append(all, cssRules(body)...)
		} else {
			all = append(all, cssRule{selector, body})
		}
		css = css[end:]
	}
	return all
}

// withoutWhere removes :where() with its contents from a selector: it has no weight.
func withoutWhere(selector string) string {
	for {
		from := strings.Index(selector, ":where(")
		if from < 0 {
			return selector
		}
		depth, end := 1, from+len(":where(")
		for ; depth > 0; end++ {
			switch selector[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		selector = selector[:from] + selector[end:]
	}
}

var (
	weightless       = regexp.MustCompile(`^:not\(x( x)*\)(::(before|after))?$`)
	declaredVariable = regexp.MustCompile(`(^|;)\s*--pf-`)
	readVariable     = regexp.MustCompile(`var\((--pf-[a-z-]+)`)
	painting         = regexp.MustCompile(`^(color|background|border|font|outline|box-shadow|text-shadow|text-decoration|text-transform|letter-spacing|line-height|fill|opacity)`)
)

// TestShippedRulesHaveNoWeight: every selector counts as type selectors only, none of them by position, and no rule
// outranks by importance or layer. E82: no sheet declares a public variable. E84, E136, E139.
func TestShippedRulesHaveNoWeight(t *testing.T) {
	t.Parallel()
	w := open(t)
	for theme, css := range w.sheets() {
		for _, r := range cssRules(css) {
			if rest := withoutWhere(r.selector); !weightless.MatchString(rest) {
				t.Errorf("%s: %s weighs %q", theme, r.selector, rest)
			}
			if strings.ContainsAny(r.selector, ">+#.*") || strings.ReplaceAll(r.selector, "~=", "") != r.selector && theme != "studio" || strings.Contains(r.selector, ":nth") {
				t.Errorf("%s: %s is written against position, class or id", theme, r.selector)
			}
			if declaredVariable.MatchString(r.body) {
				t.Errorf("%s: %s declares a variable of the site's", theme, r.selector)
			}
		}
		for _, word := range []string{"!important", "@layer", "@import", "transition", "animation", "svc-tag", ":not(x)"} {
			if strings.Contains(css, word) {
				t.Errorf("%s has %s", theme, word)
			}
		}
		var used []string
		for _, m := range readVariable.FindAllStringSubmatch(css, -1) {
			used = append(used, m[1])
		}
		slices.Sort(used)
		used = slices.Compact(used)
		if want := v1Variables; theme != "clean" && !slices.Equal(used, want) {
			t.Errorf("%s reads %q", theme, used)
		} else if theme == "clean" && !isSubset(used, want) {
			t.Errorf("clean reads %q", used)
		}
	}
}

func isSubset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// TestCleanIsLayout: it paints only through the site's variables. E75.
func TestCleanIsLayout(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, r := range cssRules(w.sheets()["clean"]) {
		for _, d := range strings.Split(r.body, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(d), ":")
			if painting.MatchString(name) && !strings.HasPrefix(strings.TrimSpace(value), "var(--pf-") {
				t.Errorf("clean: %s { %s }", r.selector, d)
			}
		}
	}
}
