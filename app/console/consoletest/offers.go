package consoletest

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Offers returns all forms of the page, each once for every button that sends it, with its empty fields filled in:
// the first choice of a list, and plausible words (see plausible).
func (p *Page) Offers(words map[string]string) (found []*Form) {
	walk(p.doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.Data != "form" || strings.EqualFold(attribute(n, "method"), "dialog") {
			return true
		}
		for _, b := range p.buttonsOf(n) {
			f := &Form{Action: attribute(n, "action"), Method: http.MethodGet, Values: url.Values{}, page: p.URL.String()}
			if strings.EqualFold(attribute(n, "method"), "post") {
				f.Method = http.MethodPost
			}
			fields(n, f.Values)
			fill(n, f.Values, words)
			if b != nil {
				if to := attribute(b, "formaction"); to != "" {
					f.Action = to
				}
				if name := attribute(b, "name"); name != "" {
					f.Values.Add(name, attribute(b, "value"))
				}
			}
			if f.Action == "" {
				f.Action = p.URL.RequestURI()
			}
			if f.Method == http.MethodGet { // its fields are the whole query
				f.Action, _, _ = strings.Cut(f.Action, "?")
			}
			found = append(found, f)
		}
		return false
	})
	return found
}

// Page returns the address of the form's page.
func (f *Form) Page() string { return f.page }

// buttonsOf returns the buttons that send a form; a nil one for a form that only a script or Enter sends.
func (p *Page) buttonsOf(form *html.Node) (found []*html.Node) {
	id := attribute(form, "id")
	walk(p.doc, func(n *html.Node) bool {
		sends := n.Data == "button" && attribute(n, "type") != "button" || n.Data == "input" && attribute(n, "type") == "submit"
		if n.Type == html.ElementNode && sends && !has(n, "disabled") && (inside(n, form) || id != "" && attribute(n, "form") == id) {
			found = append(found, n)
		}
		return true
	})
	if len(found) == 0 {
		found = append(found, nil)
	}
	return found
}

func inside(n, form *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == form {
			return true
		}
	}
	return false
}

// fill writes plausible words into the empty fields of a form, ticks the first box of its rows, and selects the first
// choice where none is selected.
func fill(form *html.Node, values url.Values, words map[string]string) {
	walk(form, func(n *html.Node) bool {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" || has(n, "disabled") {
			return true
		}
		kind := attribute(n, "type")
		switch {
		case n.Data == "input" && (kind == "radio" || kind == "checkbox" && has(n, "required") || kind == "checkbox" && name == "id"):
			if !values.Has(name) {
				values.Set(name, attribute(n, "value"))
			}
		case n.Data == "select" && values.Get(name) == "":
			if has(n, "required") {
				values.Set(name, firstChoice(n))
			}
		case values.Get(name) == "" && (n.Data == "textarea" || n.Data == "input" && kind != "hidden" && kind != "checkbox" && kind != "search"):
			values.Set(name, plausible(n, name, words))
		}
		return true
	})
}

func firstChoice(list *html.Node) (value string) {
	walk(list, func(n *html.Node) bool {
		if value == "" && n.Data == "option" && !has(n, "disabled") {
			value = attribute(n, "value")
		}
		return true
	})
	return value
}

// plausible returns a value for a field: the word for its name, else for its kind.
func plausible(n *html.Node, name string, words map[string]string) string {
	if w, ok := words[name]; ok {
		return w
	}
	kind := attribute(n, "type")
	if w, ok := words["type="+kind]; ok {
		return w
	}
	if kind == "number" {
		if least := attribute(n, "min"); least != "" {
			return least
		}
		return "1"
	}
	return words[""]
}
