// Package markdown renders untrusted Markdown, in time that grows no faster than the text. It depends on no domain.
//
// The parser cannot be cancelled, and some short texts keep it busy for seconds: "**a_" many times over, brackets
// that are never closed, a hundred nested quotes. So the shape of a text is bounded before it is parsed (shape.go),
// not the time afterwards: a deadline would leave the work going on behind the answer, and refuse by the load of the
// machine.
package markdown

import (
	"bytes"
	"errors"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The bounds of a text.
const (
	MarksMax  = 256     // marks of formatting in one paragraph, heading or item of a list: runs of *, _ or `, and each [, ] and <
	DepthMax  = 32      // lists and quotes inside one another
	OutputMax = 1 << 20 // bytes of HTML
	hrefMax   = 2048    // bytes of an address; a longer one is no link
)

// ErrTooComplex is returned for a text beyond the bounds.
var ErrTooComplex = errors.New("markdown: more formatting than is rendered")

// HTML renders a text as HTML. HTML in it is escaped; links lead to https and mail addresses only, and any other is
// its text; an image is its description; headings begin at the second level. Error: ErrTooComplex. security.md 28.
func HTML(body string) (string, error) {
	source := []byte(body)
	if err := fits(source); err != nil {
		return "", err
	}
	out := limited{most: OutputMax}
	if err := full.Renderer().Render(&out, source, full.Parser().Parse(text.NewReader(source))); err != nil {
		return "", err
	}
	return out.String(), nil
}

var full = goldmark.New(goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(careful{}, 100))))

// limited keeps at most that many bytes, and refuses the others.
type limited struct {
	bytes.Buffer
	most int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.most {
		return 0, ErrTooComplex
	}
	return l.Buffer.Write(p)
}
