package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A text is parsed in two steps: its lines into blocks, then the lines of each block. The first step reads each line
// once for each block that is open there, counted by metered. The second may read all of a block for each mark in it,
// so that its cost is at most its length times its marks, and those are bounded. Both steps then cost at most a
// constant times the length of the text.

// fits refuses a text that would take longer to parse than its length allows. It parses the blocks, and counts their
// marks.
func fits(source []byte) (err error) {
	defer func() {
		switch spent := recover(); spent {
		case nil:
		case error(ErrTooComplex):
			err = ErrTooComplex
		default:
			panic(spent)
		}
	}()
	root := blocks.Parse(&metered{text.NewReader(source), stepsBase + stepsPerByte*len(source)})
	if !shallow(root, source, 0) {
		return ErrTooComplex
	}
	return nil
}

// blocks parses the blocks of a text as full does, and nothing in them.
var blocks = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(util.Prioritized(counted{}, 100)),
)

// Limits of the cost of reading blocks, in bytes read: a plain text needs about 15 for each of its own.
const (
	stepsPerByte = 100
	stepsBase    = 1 << 16 // of a short text
	stepsPerLook = 16      // of each read of a line, for any remaining length
)

// metered is a reader that stops the parser, by a panic with ErrTooComplex, after too many reads.
type metered struct {
	text.Reader
	left int
}

func (m *metered) spend(n int) {
	if m.left -= stepsPerLook + n; m.left < 0 {
		panic(ErrTooComplex)
	}
}

// PeekLine implements text.Reader. Reading a line counts its remaining length.
func (m *metered) PeekLine() ([]byte, text.Segment) {
	line, at := m.Reader.PeekLine()
	m.spend(len(line))
	return line, at
}

// LineOffset implements text.Reader. It counts the columns from the beginning of the line.
func (m *metered) LineOffset() int {
	columns := m.Reader.LineOffset()
	m.spend(columns)
	return columns
}

// counted reads the definitions of links at the beginning of a paragraph, as full does, when the paragraph does not
// have too many marks.
type counted struct{}

// Transform implements parser.ParagraphTransformer.
func (counted) Transform(p *ast.Paragraph, r text.Reader, pc parser.Context) {
	if marks(p.Lines(), r.Source()) > MarksMax {
		panic(ErrTooComplex)
	}
	parser.LinkReferenceParagraphTransformer.Transform(p, r, pc)
}

// shallow reports whether no block below n is too deep, or has too many marks.
func shallow(n ast.Node, source []byte, depth int) bool {
	if k := n.Kind(); k == ast.KindList || k == ast.KindBlockquote {
		depth++
	}
	if depth > DepthMax || !n.IsRaw() && n.Type() == ast.TypeBlock && marks(n.Lines(), source) > MarksMax {
		return false
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock && !shallow(c, source, depth) {
			return false
		}
	}
	return true
}

// marks counts the marks of formatting in some lines.
func marks(lines *text.Segments, source []byte) (n int) {
	if lines == nil {
		return 0
	}
	for i := range lines.Len() {
		at := lines.At(i)
		var before byte
		for _, c := range source[at.Start:at.Stop] {
			switch c {
			case '[', ']', '<':
				n++
			case '*', '_', '`':
				if c != before {
					n++
				}
			}
			before = c
		}
	}
	return n
}
