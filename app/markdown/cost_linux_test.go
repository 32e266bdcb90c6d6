package markdown_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/growth"
	"foyer/app/markdown"
)

// TestCostGrowsAsTheText renders texts of one piece many times over, and of as many pieces as make a paragraph: those
// are rendered, and the others refused.
func TestCostGrowsAsTheText(t *testing.T) {
	var rows []growth.Row
	for _, piece := range []string{
		"**a_", "*a_ ", "*a ", "_a", "a* ", "***a ", "[a](", "[", "![", "[a]", "[a][", "](", "[a]: b\n", "[a]: b (c\n", "`a``b", "` ",
		"<a ", "<a b='", "<!--", "<?", "<x@", "<http:", "> ", ">", "1) ", "- ", "* a\n", "- a\n", "> a\n", "  - a\n", "\t", "    a\n", "a  \n", "\\",
		"&amp;", "# a\n", "a\n=\n", "=\n", "---\n", "```\n", "<div>\n", "- - \n", "a ", "\n",
	} {
		for name, unit := range map[string]string{"": piece, " in paragraphs": strings.Repeat(piece, 20) + "\n\n"} {
			rows = append(rows, growth.Row{Name: strconv.Quote(piece) + name, Most: 100_000, Read: func(size int) func() {
				text := strings.Repeat(unit, size/len(unit))
				return func() { _, _ = markdown.HTML(text) }
			}})
		}
	}
	growth.Check(t, rows...)
}

func TestCostOfTheIssue(t *testing.T) {
	for _, piece := range []string{"**a_", "*a_ ", "[a](", "> ", "1) "} {
		text := strings.Repeat(piece, 100_000/len(piece))
		took := time.Hour
		for range 3 {
			took = min(took, growth.CPU(func() { _, _ = markdown.HTML(text) }))
		}
		if took > 50*time.Millisecond {
			t.Errorf("%q to the allowed size took %v of CPU", piece, took)
		}
		if _, err := markdown.HTML(text); !errors.Is(err, markdown.ErrTooComplex) {
			t.Errorf("%q to the allowed size: %v", piece, err)
		}
	}
}
