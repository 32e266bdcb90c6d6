package embed_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fragments reads the goldens, every one as the elements that a browser makes of it.
func fragments(t *testing.T) map[string]*html.Node {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	out := map[string]*html.Node{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = parse(t, string(text))
	}
	return out
}

// parse puts a fragment into a body, where it may be anything.
func parse(t testing.TB, text string) *html.Node {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body
}

// each visits every element below n.
func each(n *html.Node, visit func(n *html.Node)) {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode {
			visit(c)
		}
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// hooked finds the elements with a hook.
func hooked(n *html.Node, hook string) []*html.Node {
	var out []*html.Node
	each(n, func(c *html.Node) {
		if attr(c, "data-pf") == hook {
			out = append(out, c)
		}
	})
	return out
}

// text is all text below n.
func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// TestE136_ContractOnlyGrows: testdata/contract.txt lists every path from a root to an element, with the names of its
// attributes. CSS and scripts written against v1 rely on every line of it. A line may be added, for a part that a
// page requests by a new attribute or tag (E137); a removed line breaks pages that are never edited.
func TestE136_ContractOnlyGrows(t *testing.T) {
	t.Parallel()
	var now []string
	for _, root := range fragments(t) {
		each(root, func(n *html.Node) { now = append(now, wayTo(n)) })
	}
	slices.Sort(now)
	now = slices.Compact(now)
	const file = "testdata/contract.txt"
	old, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	frozen := strings.Fields(strings.ReplaceAll(string(old), " > ", ">"))
	for i := range now {
		now[i] = strings.ReplaceAll(now[i], " > ", ">")
	}
	for _, line := range frozen {
		if !slices.Contains(now, line) {
			t.Errorf("%s is gone: that is a /embed/v2", line)
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		frozen = now
	}
	for _, line := range now {
		if !slices.Contains(frozen, line) {
			t.Errorf("%s is new: -update keeps it, for the life of v1", line)
		}
	}
}

// wayTo is where an element stands: "div[schedule]>div[day]>h3[day-name]>time(datetime)".
func wayTo(n *html.Node) string {
	step := n.Data
	var names []string
	for _, a := range n.Attr {
		if a.Key == "data-pf" {
			step += "[" + a.Val + "]"
		} else {
			names = append(names, a.Key)
		}
	}
	slices.Sort(names)
	if len(names) > 0 {
		step += "(" + strings.Join(names, ",") + ")"
	}
	if n.Parent == nil || n.Parent.DataAtom == atom.Body {
		return step
	}
	above := wayTo(n.Parent)
	if i := strings.LastIndexByte(above, '('); i > strings.LastIndexByte(above, '>') {
		above = above[:i]
	}
	return above + ">" + step
}

// The elements of fragments, and everything that they may carry (E25 to E27, E31). None of them loads or runs anything.
var (
	elements   = strings.Fields("div h3 h4 ul li p span time a form input button")
	attributes = strings.Fields(`data-pf data-pf-v data-pf-kind data-pf-full data-pf-state data-pf-level data-pf-spots datetime
		href rel target method action type name min value aria-label aria-live dir lang`)
)

// E24 to E28, E30, E31, E150: hooks and nothing else, and every way out leads to the pages.
func TestE31_NothingButMarkup(t *testing.T) {
	t.Parallel()
	for file, root := range fragments(t) {
		each(root, func(n *html.Node) {
			if !slices.Contains(elements, n.Data) {
				t.Errorf("%s: an element %s", file, n.Data)
			}
			for _, a := range n.Attr {
				if !slices.Contains(attributes, a.Key) {
					t.Errorf("%s: an attribute %s of %s", file, a.Key, n.Data)
				}
				if (a.Key == "href" || a.Key == "action") && a.Val != base+"/harbour" && !strings.HasPrefix(a.Val, base+"/harbour/") {
					t.Errorf("%s: leads to %s", file, a.Val)
				}
			}
			if n.Data == "div" && attr(n, "data-pf") == "" {
				t.Errorf("%s: a wrapper without a hook", file)
			}
			if has(n, "href") != (n.Data == "a") || has(n, "datetime") != (n.Data == "time") {
				t.Errorf("%s: %s with %v", file, n.Data, n.Attr)
			}
		})
		first := root.FirstChild
		if first == nil || first.NextSibling != nil || first.Data != "div" || attr(first, "data-pf-v") != "1" { // E28
			t.Errorf("%s has another root", file)
		}
	}
}

// Every golden has a scene that makes it.
func TestGoldensAreMade(t *testing.T) {
	t.Parallel()
	made := map[string]bool{"contract.txt": true}
	for _, s := range scenes {
		for file := range s.asks {
			made[file] = true
		}
	}
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !made[filepath.Base(file)] {
			t.Errorf("nothing makes %s any more", file)
		}
	}
}
