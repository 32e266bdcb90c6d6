package consoletest

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Items returns the texts of the items of the first list of a class.
func (p *Page) Items(class string) (out []string) {
	list := p.first(func(n *html.Node) bool {
		return n.Data == "ul" && slices.Contains(strings.Fields(attribute(n, "class")), class)
	})
	if list == nil {
		return nil
	}
	for n := range list.ChildNodes() {
		if n.Data == "li" {
			out = append(out, textOf(n))
		}
	}
	return out
}

// TextOf returns the text of the element with an id; empty if there is none.
func (p *Page) TextOf(id string) string {
	if n := p.first(func(n *html.Node) bool { return attribute(n, "id") == id }); n != nil {
		return textOf(n)
	}
	return ""
}

// Box returns what a box with a name sends if it is ticked; empty if there is none.
func (p *Page) Box(name string) string {
	box := p.first(func(n *html.Node) bool { return n.Data == "input" && attribute(n, "name") == name })
	if box == nil {
		return ""
	}
	return attribute(box, "value")
}

// first returns the first element that is so; nil if there is none.
func (p *Page) first(is func(*html.Node) bool) (found *html.Node) {
	walk(p.doc, func(n *html.Node) bool {
		if found == nil && n.Type == html.ElementNode && is(n) {
			found = n
		}
		return found == nil
	})
	return found
}

// textOf returns the text of a node and those in it, with one blank between words.
func textOf(of *html.Node) string {
	var b strings.Builder
	walk(of, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		return true
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
