package consoletest

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Posts is Form for a page with two forms to one address, one for the quote and one that redeems it: it returns the
// latter.
func (p *Page) Posts(suffix string) (found *Form) {
	p.t.Helper()
	walk(p.doc, func(n *html.Node) bool {
		if found != nil || n.Type != html.ElementNode || n.Data != "form" || !strings.EqualFold(attribute(n, "method"), "post") {
			return true
		}
		action := attribute(n, "action")
		if path, _, _ := strings.Cut(action, "?"); strings.HasSuffix(path, suffix) {
			found = &Form{Action: action, Method: http.MethodPost, Values: url.Values{}, page: p.URL.String()}
			fields(n, found.Values)
		}
		return true
	})
	if found == nil {
		p.t.Fatalf("%s (%d) has no form that posts to %q: %s", p.URL.Path, p.Status, suffix, p.Text())
	}
	return found
}
