package cssguard_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/cssguard"
)

// verdict is the result of a sheet, in one line; lines reports whether the line counts.
func verdict(sheet string, lines bool) string {
	warnings, refused := cssguard.Check(sheet)
	if refused != nil && !lines {
		return refused.Rule
	}
	if refused != nil {
		return fmt.Sprint(refused.Rule, " in line ", refused.Line)
	}
	return fmt.Sprint("accepted with warnings ", len(warnings))
}

// anySheet draws from the tables and from the grammar.
func anySheet() *rapid.Generator[string] {
	var known []string
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		known = append(known, accepted[name]...)
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		for _, s := range refused[name] {
			known = append(known, s.sheet)
		}
	}
	return rapid.OneOf(rapid.SampledFrom(known), sheets())
}

// TestComments: comments between its tokens do not change the meaning of a sheet. E92c, E92k.
func TestComments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sheet := anySheet().Draw(t, "sheet")
		comment := rapid.SampledFrom([]string{"/**/", "/* a:b{} */", "/*'*/", "/*\"{*/", "/*url(http://x)*/"}).Draw(t, "comment")
		var b strings.Builder
		pieces := cssguard.Cut(sheet)
		inURL := false // until the quote: a comment there would be part of the address
		for i, piece := range pieces {
			b.WriteString(piece)
			inURL = isURL(piece) || inURL && strings.TrimSpace(piece) == ""
			if i < len(pieces)-1 && !inURL && piece != "\\" && rapid.Bool().Draw(t, "here") {
				b.WriteString(comment)
			}
		}
		if other := b.String(); pieces != nil && len(other) <= cssguard.MaxBytes && verdict(other, true) != verdict(sheet, true) {
			t.Errorf("%q: %s\n%q: %s", sheet, verdict(sheet, true), other, verdict(other, true))
		}
	})
}

// isURL reports whether a piece is url(, or some other function of as many letters or more.
func isURL(piece string) bool { return strings.HasSuffix(piece, "(") && len(piece) > 3 }

// TestSpaces: nor when there is more white space around the punctuation that may have it, and where there was some.
func TestSpaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sheet := anySheet().Draw(t, "sheet")
		var b strings.Builder
		pieces := cssguard.Cut(sheet)
		for _, piece := range pieces {
			space := rapid.SampledFrom([]string{"", " ", "\n", "\t\r\n", "\f  "}).Draw(t, "space")
			switch {
			case strings.Contains("{};,", piece):
				piece = space + piece + space
			case strings.TrimSpace(piece) == "":
				piece += space
			}
			b.WriteString(piece)
		}
		if other := b.String(); pieces != nil && verdict(other, false) != verdict(sheet, false) {
			t.Errorf("%q: %s\n%q: %s", sheet, verdict(sheet, false), other, verdict(other, false))
		}
	})
}

// TestAnything: no text makes the check panic, every finding has a line of the sheet, and an accepted sheet names no
// foreign address to a much simpler reader.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sheet := rapid.OneOf(anySheet(), rapid.StringOf(rapid.RuneFrom([]rune("svc-times{}()[];:,'\"\\/*@&+~>!#.<- \n\r\fpul\x00é1"))), rapid.String()).Draw(t, "sheet")
		if problem := examine(sheet); problem != "" {
			t.Error(problem)
		}
	})
}

// examine checks the invariants of every sheet, and returns a violation.
func examine(sheet string) string {
	warnings, refused := cssguard.Check(sheet)
	most := 1 + strings.Count(sheet, "\n") + strings.Count(sheet, "\r") + strings.Count(sheet, "\f")
	for _, f := range warnings {
		if f.Line < 1 || f.Line > most || f.Rule != cssguard.Important {
			return fmt.Sprintf("%q: %+v", sheet, f)
		}
	}
	if refused != nil {
		if refused.Line < 1 || refused.Line > most || refused.Message == "" || len(refused.Message) > 400 {
			return fmt.Sprintf("%q: %+v", sheet, refused)
		}
		return ""
	}
	if address := foreign(sheet); address != "" {
		return fmt.Sprintf("%q is accepted and names %q", sheet, address)
	}
	return ""
}

// worst are pieces that fill a sheet up to its limit.
var worst = []string{
	"(", "{", "[", "}", ")", "\\", "/*", "/**/", "'", "\"", "@", "@media{", "#", "<!--", "-->", ",", ";", ":", "+", "~", "&", "!", "1", "1e", ".", "-", "--", "é", "\u00a0", "a", " ", "\r\n",
	"image-set(", "url(", "url(\"", "src(", "var(", ":is(", ":has(", ":nth-child(1 of ", "svc-times{", "svc-times:is(", "svc-times,", "svc-times ", "svc-times{}", "svc-times{a{}}", "a:b;", "a:b{}", "--x:{}", "!important ", "\\41 ", "url(https://x)",
	"svc-times p>", "image-set('https://x' 1x)", "{}", "()", "[]",
}

// TestLinear is E92n: for any 32 KB the check ends in less than 50 ms, and all of them together take about four times
// as long as a quarter of them. The machine may be busy, so slow ones are tried again.
func TestLinear(t *testing.T) {
	const limit = 50 * time.Millisecond
	clocked := func(sheet string) time.Duration {
		took := time.Hour
		for n := 0; n < 20 && took > limit; n++ {
			start := time.Now()
			cssguard.Check(sheet)
			took = min(took, time.Since(start))
		}
		return took
	}
	var whole, quarter, slowest time.Duration
	which := ""
	for _, frame := range []string{"", "svc-times{", "svc-times p:is(", "svc-times{--x:", "svc-times{background:image-set(", "@media print{"} {
		for _, piece := range worst {
			sheet := frame + strings.Repeat(piece, (cssguard.MaxBytes-len(frame)-3)/len(piece))
			for _, end := range []string{"", "}", ");}"} {
				took := clocked(sheet + end)
				if whole, quarter = whole+took, quarter+clocked(sheet[:len(sheet)/4]+end); took > slowest {
					slowest, which = took, frame+piece
				}
			}
		}
	}
	if slowest > limit {
		t.Errorf("%q again and again: %s", which, slowest)
	}
	if whole > 10*quarter {
		t.Errorf("32 KB take %s, 8 KB %s", whole, quarter)
	}
	t.Logf("slowest: %q again and again, %s; 32 KB %s, 8 KB %s", which, slowest, whole, quarter)
	for _, piece := range []string{"(", "{", "image-set(", "svc-times{"} {
		if _, refused := cssguard.Check(strings.Repeat(piece, cssguard.MaxBytes/len(piece))); refused == nil || refused.Rule != cssguard.TooDeep {
			t.Errorf("%q: %+v", piece, refused)
		}
	}
	nest := func(n int) string {
		return "svc-times{" + strings.Repeat("p{", n-1) + strings.Repeat("}", n)
	}
	if _, refused := cssguard.Check(nest(64)); refused != nil {
		t.Errorf("64 deep: %+v", refused)
	}
	if _, refused := cssguard.Check(nest(65)); refused == nil || refused.Rule != cssguard.TooDeep {
		t.Errorf("65 deep: %+v", refused)
	}
}

// BenchmarkCheck reads an ordinary sheet of 32 KB.
func BenchmarkCheck(b *testing.B) {
	rule := "svc-times [data-pf=item]:hover > a, svc-schedule[location=harbour] [data-pf=day] p + p {\n  color: rgb(10 20 30 / 50%); background: url(\"https://studio.example/a.png\");\n  &:focus { outline: 2px solid }\n}\n"
	sheet := strings.Repeat(rule, cssguard.MaxBytes/len(rule))
	b.SetBytes(int64(len(sheet)))
	for b.Loop() {
		if _, refused := cssguard.Check(sheet); refused != nil {
			b.Fatal(refused)
		}
	}
}
