package view_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/web/assets"
)

var shots = flag.String("shots", "", "write a picture of every page of the gallery to this folder")

// Wire budgets in bytes, gzip.
const (
	htmlBudget     = 14 << 10
	cssBudget      = 8 << 10
	scriptBudget   = 10 << 10
	checkoutBudget = 14 << 10 // scripts of the payment page, without the processor's own
	fontBudget     = 22 << 10
)

func names() []string { return slices.Sorted(maps.Keys(gallery())) }

// inTabs walks through pages side by side, in as many tabs as there are cores and in two at least: n counts them all.
func inTabs(t *testing.T, pages int, walk func(t *testing.T, p *browser.Page, n int)) {
	t.Helper()
	tabs := max(2, runtime.GOMAXPROCS(0))
	for tab := range tabs {
		t.Run(strconv.Itoa(tab), func(t *testing.T) {
			t.Parallel()
			p := browser.New(t, browser.Options{})
			p.Answer(stripeScript, "text/javascript", fakeStripe)
			for n := tab; n < pages; n += tabs {
				walk(t, p, n)
			}
		})
	}
}

// Zero violations on every page, on a phone and a desk, in light and in dark. A short walk sees one page in light on
// a phone and in dark on a desk, and the next one the other way round.
func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	url, all := serve(t).url+"/gallery/", names()
	inTabs(t, len(all), func(t *testing.T, p *browser.Page, page int) {
		name := all[page]
		t.Run(name, func(t *testing.T) {
			for size, width := range []int{390, 1280} {
				p.Resize(width, 844)
				for _, dark := range walks.Schemes(page + size) {
					p.Scheme(dark)
					p.Goto(url + name)
					p.Axe(t)
					picture(p, name, width, dark)
				}
			}
			p.Scheme(false)
			if said := p.Complaints(); len(said) > 0 {
				t.Errorf("the browser complains: %q", said)
			}
		})
	})
}

func picture(p *browser.Page, name string, width int, dark bool) {
	if *shots == "" {
		return
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.FullPage(filepath.Join(*shots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)))
}

func TestPagesKeepTheirBudgets(t *testing.T) {
	t.Parallel()
	for _, name := range names() {
		if size := gzipped(t, render(t, name)); size > htmlBudget {
			t.Errorf("%s is %d bytes of HTML, %d are allowed", name, size, htmlBudget)
		}
	}
	for name, budget := range map[string]int{"app.css": cssBudget, "app.js": scriptBudget, "figtree.woff2": fontBudget} {
		if size := wire(name); size > budget {
			t.Errorf("%s is %d bytes, %d are allowed", name, size, budget)
		}
	}
	if size := wire("app.js") + wire("pay.js"); size > checkoutBudget {
		t.Errorf("the payment page loads %d bytes of script, %d are allowed", size, checkoutBudget)
	}
}

func gzipped(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	if _, err := zw.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func wire(name string) int {
	f := assets.Files()[strings.TrimPrefix(assets.Path(name), assets.Prefix)]
	if f.Gzip != nil {
		return len(f.Gzip)
	}
	return len(f.Body)
}

var (
	inline  = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|="\s*javascript:|<script[^>]*>[^<]`)
	twoIDs  = regexp.MustCompile(`\sid="([^"]*)"`)
	aForm   = regexp.MustCompile(`(?s)<form method="post".*?</form>`)
	withOne = regexp.MustCompile(`name="(_token|_key)" value="[^"]+"`)
)

// Rules for every page from the content policy, for readers and for the server.
func TestPagesAreCleanHTML(t *testing.T) {
	t.Parallel()
	for _, name := range names() {
		page := string(render(t, name))
		if found := inline.FindString(page); found != "" {
			t.Errorf("%s has inline code: %q", name, found)
		}
		if strings.Contains(page, "custom.css") {
			t.Errorf("%s loads a location's embed stylesheet (E90)", name)
		}
		if !strings.HasPrefix(page, "<!doctype html>") {
			t.Errorf("%s has no doctype: in quirks mode a frame never shrinks", name)
		}
		seen := map[string]bool{}
		for _, id := range twoIDs.FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s has the id %q twice", name, id[1])
			}
			seen[id[1]] = true
		}
		if n := strings.Count(page, "<h1"); n != 1 {
			t.Errorf("%s has %d h1", name, n)
		}
		for _, form := range aForm.FindAllString(page, -1) {
			byAddress := strings.Contains(form, `action="/upload/`) // it needs no cookie, and its key is in the token
			if len(withOne.FindAllString(form, -1)) != 2 && !byAddress {
				t.Errorf("%s has a form without token or key: %s", name, form)
			}
		}
	}
}
