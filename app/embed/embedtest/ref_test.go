package embedtest_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinksSayWhereTheCustomerComesFrom: the page without its fragment, on links to the service and no others, and
// never in the address of a fragment. E113, E140.
func TestLinksSayWhereTheCustomerComesFrom(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	look := strings.Replace(o.URL, "127.0.0.1", "127.0.0.1.evil.example", 1)
	o.say(v1("harbour/classes"), html(`<div data-pf="list" data-pf-v="1"><a href="{base}/harbour/sunrise">1</a><a href="{base}/harbour?week=2#top">2</a>`+
		`<a href="https://elsewhere.example/">3</a><a href="`+look+`/harbour">4</a><a href="/harbour">5</a><a href="mailto:hello@harbour.example">6</a><a href="{base}">7</a></div>`))
	v := open(t, o, `{v1}<main></main>`)
	v.print("/our classes", `{v1}`+tag("svc-classes", `location="harbour"`))
	long := strings.Repeat("x", 2100)
	for path, ref := range map[string]string{
		"/our%20classes":                      "/our%20classes",
		"/our%20classes?page=2&tab=a%26b":     "/our%20classes?page=2&tab=a%26b",
		"/our%20classes?page=2#row":           "/our%20classes?page=2",
		"/our%20classes?utm=" + long + "#row": "/our%20classes",
	} {
		v.Goto(v.site + path)
		v.shows("body", "list")
		want := []string{
			o.URL + "/harbour/sunrise?ref={ref}", o.URL + "/harbour?week=2&ref={ref}#top",
			"https://elsewhere.example/", look + "/harbour", "/harbour", "mailto:hello@harbour.example", o.URL,
		}
		got := eval[[]string](v, `[...document.querySelectorAll("svc-classes a")].map(a => a.getAttribute("href"))`)
		for i, link := range want {
			link = strings.ReplaceAll(link, "{ref}", eval[string](v, fmt.Sprintf("encodeURIComponent(%q)", v.site+ref)))
			if len(got) != len(want) || got[i] != link {
				t.Errorf("on %s a link is %q instead of %q", path, got, link)
			}
		}
	}
	for _, path := range o.fragments() {
		if path != "harbour/classes" {
			t.Errorf("a fragment's address is %s: it is not the same for all", path)
		}
	}
}

// TestPageWithoutAnAddress has no ref, and no error. E140.
func TestPageWithoutAnAddress(t *testing.T) {
	t.Parallel()
	v := open(t, newOrigin(t).usual(), `<iframe referrerpolicy="no-referrer" srcdoc='<script src="{base}/embed/v1.js"></script><svc-classes location="harbour"></svc-classes>'></iframe>`)
	v.becomes(`!!frames[0].document.querySelector("[data-pf=link]")`)
	if got := eval[string](v, `frames[0].document.querySelector("[data-pf=link]").getAttribute("href")`); got != v.o.URL+"/harbour/sunrise" {
		t.Errorf("the link is %s", got)
	}
}
