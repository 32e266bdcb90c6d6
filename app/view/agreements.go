package view

import (
	"bytes"
	"html"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"foyer/app/agreement"
)

// Agreements are what a cart asks its customer to agree to before it is booked.
type Agreements struct {
	Title   string // "Before you book"
	Form    Form   // takes the boxes, and "read": the document that is to be read on its own page
	Asks    []Agreement
	Agreed  []Agreed
	Order   *Order
	Trouble *Trouble
}

// ticks tells whether something is asked with a box to tick.
func (v Agreements) ticks() bool {
	return slices.ContainsFunc(v.Asks, func(a Agreement) bool { return a.Show == agreement.ShowList })
}

// Agreement is a document that is asked.
type Agreement struct {
	Name   string
	Copy   string // its id
	Box    string // the name of its box
	Show   agreement.Show
	Ticked bool            // it was before the page came back
	For    []AgreeFor      // each for whom it is asked, when somebody comes with the reader; else empty
	Href   string          // its words, of one that is asked with a box
	Words  templ.Component // nil where they are not shown, and of a PDF
	PDF    *PDF            // nil of a text
	// On its own page:
	Form    Form   // takes that it is agreed to; its Action is empty where the words are only shown
	Back    string // address of what else is asked
	Order   *Order
	Trouble *Trouble
}

// AgreeFor is a box with which a reader agrees for themselves, or for somebody who comes with them.
type AgreeFor struct {
	Who    string // empty: themselves
	Box    string // the name of the box
	Ticked bool
}

// label is what the box says. A child does not agree for themselves, and a friend does but is not here: both are said in one sentence, as a
// studio does not know how old somebody is.
func (f AgreeFor) label(w Words, document string) string {
	if f.Who == "" {
		return w.T("I agree to {name}", "name", document)
	}
	return w.T("I agree to {name} for {who}, as their parent or guardian or with their permission", "name", document, "who", f.Who)
}

// others are those who come with the reader.
func (a Agreement) others() []AgreeFor {
	return slices.DeleteFunc(slices.Clone(a.For), func(f AgreeFor) bool { return f.Who == "" })
}

// full tells whether it is to be read to its end.
func (a Agreement) full() bool { return a.Show == agreement.ShowFull && a.Form.Action != "" }

// PDF is the file of a document.
type PDF struct {
	Show  string // where a browser shows it
	Save  string // where it saves it
	Pages *int   // nil when nobody could tell
}

// Agreed is what a customer has agreed to.
type Agreed struct {
	Name string
	At   time.Time
	Href string // the words that it said then
}

// PlainWords are the words of a plain text: paragraphs, and lines where it has them.
func PlainWords(text string) templ.Component {
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph != "" {
			b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(paragraph), "\n", "<br>") + "</p>")
		}
	}
	return templ.Raw(b.String())
}

// MarkdownWords are the words of a text in Markdown. HTML in it is shown as it was typed; links lead to https and mail addresses only,
// and any other is its text; an image is its description. security.md 28.
func MarkdownWords(text string) templ.Component {
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil {
		return PlainWords(text) // what cannot be read as Markdown is read as it is
	}
	return templ.Raw(b.String())
}

var markdown = goldmark.New(goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(careful{}, 100))))

// careful writes what goldmark would write as it stands.
type careful struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (careful) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, anchor(w, string(n.(*ast.Link).Destination), entering)
	})
	r.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		link := n.(*ast.AutoLink)
		to := string(link.URL(source))
		if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
			to = "mailto:" + to
		}
		err := anchor(w, to, entering)
		if entering && err == nil {
			_, err = w.WriteString(html.EscapeString(string(link.Label(source))))
		}
		return ast.WalkContinue, err
	})
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "h" + strconv.Itoa(min(n.(*ast.Heading).Level+1, 6)) // the page's own name is the first
		_, err := w.WriteString(map[bool]string{true: "<", false: "</"}[entering] + tag + ">")
		return ast.WalkContinue, err
	})
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := w.WriteString(html.EscapeString(string(n.(*ast.RawHTML).Segments.Value(source))))
		return ast.WalkSkipChildren, err
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		typed := string(block.Lines().Value(source))
		if block.HasClosure() {
			typed += string(block.ClosureLine.Value(source))
		}
		_, err := io.WriteString(w, "<p>"+html.EscapeString(strings.TrimSpace(typed))+"</p>\n")
		return ast.WalkSkipChildren, err
	})
}

// anchor opens or closes a link that may be one; nothing is written of any other.
func anchor(w io.Writer, to string, entering bool) error {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "https" && u.Scheme != "mailto" {
		return nil
	}
	tag := "</a>"
	if entering {
		tag = `<a href="` + html.EscapeString(u.String()) + `" rel="noopener noreferrer" target="_blank">`
	}
	_, err = io.WriteString(w, tag)
	return err
}
