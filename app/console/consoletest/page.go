package consoletest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Form is a form of a page, with the values of its fields.
type Form struct {
	Action, Method string
	Values         url.Values
	page           string
}

// Text returns the text of the page, with one blank between words.
func (p *Page) Text() string {
	var b strings.Builder
	walk(p.doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "head") {
			return false
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
		return true
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// Shows fails when one of the texts is not on the page.
func (p *Page) Shows(t testing.TB, texts ...string) *Page {
	t.Helper()
	all := p.Text()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("%s (%d) does not say %q:\n%s", p.URL.Path, p.Status, text, all)
		}
	}
	return p
}

// Silent fails when one of the texts is on the page.
func (p *Page) Silent(t testing.TB, texts ...string) *Page {
	t.Helper()
	all := p.Text()
	for _, text := range texts {
		if strings.Contains(all, text) {
			t.Errorf("%s says %q", p.URL.Path, text)
		}
	}
	return p
}

// Is fails when the page has another status.
func (p *Page) Is(t testing.TB, status int) *Page {
	t.Helper()
	if p.Status != status {
		t.Fatalf("%s answers %d, want %d: %s", p.URL.Path, p.Status, status, p.Text())
	}
	return p
}

// Has reports whether a form or a link leads to an address with this suffix, before its parameters.
func (p *Page) Has(suffix string) bool { return p.find(suffix) != nil || p.Link(suffix) != "" }

// Link returns the first link to an address with this suffix, before its parameters; empty when there is none.
func (p *Page) Link(suffix string) string {
	found := ""
	walk(p.doc, func(n *html.Node) bool {
		if found == "" && n.Type == html.ElementNode && n.Data == "a" {
			if path, _, _ := strings.Cut(attribute(n, "href"), "?"); strings.HasSuffix(path, suffix) {
				found = attribute(n, "href")
			}
		}
		return true
	})
	return found
}

// Form returns the first form with this suffix of its address; the test fails when there is none.
func (p *Page) Form(suffix string) *Form {
	p.t.Helper()
	f := p.find(suffix)
	if f == nil {
		p.t.Fatalf("%s (%d) has no form to %q: %s", p.URL.Path, p.Status, suffix, p.Text())
	}
	return f
}

func (p *Page) find(suffix string) *Form {
	if all := p.Forms(suffix); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Forms returns all forms with this suffix of their address, in the order of the page.
func (p *Page) Forms(suffix string) (found []*Form) {
	walk(p.doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.Data != "form" {
			return true
		}
		action := attribute(n, "action")
		if path, _, _ := strings.Cut(action, "?"); action != "" && strings.HasSuffix(path, suffix) {
			f := &Form{Action: action, Method: http.MethodGet, Values: url.Values{}, page: p.URL.String()}
			if strings.EqualFold(attribute(n, "method"), "post") {
				f.Method = http.MethodPost
			}
			fields(n, f.Values)
			found = append(found, f)
		}
		return true
	})
	return found
}

// fields reads the values that a browser would send.
func fields(form *html.Node, into url.Values) {
	walk(form, func(n *html.Node) bool {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" || has(n, "disabled") {
			return true
		}
		switch n.Data {
		case "input":
			kind := attribute(n, "type")
			if (kind == "checkbox" || kind == "radio") && !has(n, "checked") || kind == "submit" {
				return true
			}
			into.Add(name, attribute(n, "value"))
		case "textarea":
			if n.FirstChild != nil {
				into.Add(name, strings.TrimPrefix(n.FirstChild.Data, "\n"))
			} else {
				into.Add(name, "")
			}
		case "select":
			into.Add(name, selected(n))
		}
		return true
	})
}

func selected(list *html.Node) string {
	value, first := "", true
	walk(list, func(n *html.Node) bool {
		if n.Type == html.ElementNode && n.Data == "option" && (first && !has(n, "disabled") || has(n, "selected")) {
			value, first = attribute(n, "value"), false
		}
		return true
	})
	return value
}

func walk(n *html.Node, each func(*html.Node) bool) {
	if !each(n) {
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		walk(child, each)
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// Links returns the addresses of the page's links.
func (p *Page) Links() []string {
	var out []string
	walk(p.doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && n.Data == "a" {
			if href := attribute(n, "href"); strings.HasPrefix(href, "/") {
				out = append(out, href)
			}
		}
		return true
	})
	return out
}
