package markdown

import (
	"html"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// careful replaces parts of goldmark's output.
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
	if len(to) > hrefMax {
		return nil
	}
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
