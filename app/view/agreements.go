package view

import (
	"bytes"
	"html"
	"io"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// Agreements are what a cart asks its customer to agree to before it is booked.
type Agreements struct {
	Form    Form        // takes the ticks
	Ticks   []Agreement // with a box each
	Reads   []Agreement // with a page of their own
	Order   *Order
	Trouble *Trouble
}

// Agreement is a document that is asked.
type Agreement struct {
	Name string
	Box  string // the name of its box
	Href string // its words, or its page
	// On its own page:
	Words   templ.Component // nil: it is a PDF, at Href
	Full    bool            // to be read to its end
	Form    Form            // takes that it is agreed to; its Action is empty where the words are only shown
	Order   *Order
	Trouble *Trouble
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
