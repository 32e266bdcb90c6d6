package markdown_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/markdown"
)

func TestHTML(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a heading is below the page's own", "# Rules", "<h2>Rules</h2>"},
		{"HTML is shown as it was typed", "a <b>c</b>\n", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"},
		{"a block of HTML too", "<script>alert(1)</script>\n", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"a link to https", "[a](https://x.test)", `<p><a href="https://x.test" rel="noopener noreferrer" target="_blank">a</a></p>` + "\n"},
		{"no other link", "[a](javascript:alert(1))", "<p>a</p>\n"},
		{"no link that is too long", "[a](https://x.test/" + strings.Repeat("a", 2048) + ")", "<p>a</p>\n"},
		{"an image is its description", "![a](https://x.test/a.png)", "<p>a</p>\n"},
		{"an address of mail", "<a@x.test>", `<p><a href="mailto:a@x.test" rel="noopener noreferrer" target="_blank">a@x.test</a></p>` + "\n"},
	} {
		if got, err := markdown.HTML(tt.text); err != nil || got != tt.want {
			t.Errorf("%s: HTML(%q) = %q, %v; want %q", tt.name, tt.text, got, err, tt.want)
		}
	}
}

// long is a text of an agreement as long as one may be, with all that a person uses.
var long = strings.Repeat(`## Assumption of risk

I, **the participant**, know that *physical* exercise can hurt. I ask a doctor first ([advice](https://x.test/advice)).

1. I tell the instructor about ___injuries___ and `+"`conditions`"+`.
   - Knees
     - left [ ] right [ ]
   - Back

> Keep a copy of this.
> > It was sent by mail, too.

Name: ______________________ Date: ______________

`, 220)

func TestBounds(t *testing.T) {
	if _, err := markdown.HTML(long[:min(len(long), 100_000)]); err != nil {
		t.Errorf("a long text: %v", err)
	}
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"as many marks as there may be", strings.Repeat("*a ", markdown.MarksMax), nil},
		{"one more", strings.Repeat("*a ", markdown.MarksMax+1), markdown.ErrTooComplex},
		{"the same in two paragraphs", strings.Repeat("*a ", markdown.MarksMax) + "\n\n" + strings.Repeat("*a ", markdown.MarksMax), nil},
		{"the same in two items", "- " + strings.Repeat("*a ", markdown.MarksMax) + "\n- " + strings.Repeat("*a ", markdown.MarksMax), nil},
		{"in a heading", "# " + strings.Repeat("*a ", markdown.MarksMax+1), markdown.ErrTooComplex},
		{"in a heading with a line below", strings.Repeat("*a ", markdown.MarksMax+1) + "\n===", markdown.ErrTooComplex},
		{"in code there are none", "```\n" + strings.Repeat("*a ", markdown.MarksMax+1) + "\n```", nil},
		{"a line to sign on is one", strings.Repeat("_", 1000), nil},
		{"as deep as there may be", strings.Repeat("> ", markdown.DepthMax) + "a", nil},
		{"one deeper", strings.Repeat("> ", markdown.DepthMax+1) + "a", markdown.ErrTooComplex},
		{"lists one deeper", strings.Repeat("- ", markdown.DepthMax+1) + "a", markdown.ErrTooComplex},
		{"definitions of links", strings.Repeat("[a]: b\n", 1000), markdown.ErrTooComplex},
		{"more HTML than is kept", "[a]: https://x.test/" + strings.Repeat("a", 2000) + "\n\n" + strings.Repeat("[a]\n\n", 1000), markdown.ErrTooComplex},
	} {
		if got, err := markdown.HTML(tt.text); !errors.Is(err, tt.want) || err == nil && got == "" {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestAnything renders combinations of all marks: it ends, and the output has only tags that we write.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			"*", "_", "[", "]", "(", ")", "<", ">", "`", "!", "#", "-", "1)", "\n", "\n\n", "    ", "a", "https://x.test", "javascript:x", "<script>", "\"", "&",
		}), 0, 200).Draw(t, "pieces")
		got, err := markdown.HTML(strings.Join(pieces, ""))
		if err == nil && (strings.Contains(got, "<script") || strings.Contains(got, `href="j`)) {
			t.Fatalf("%q", got)
		}
	})
}
