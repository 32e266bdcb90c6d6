package cssguard_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"foyer/app/cssguard"
)

// FuzzCheck: no sheet makes the check panic or take 50 ms, and an accepted sheet has only https addresses, by a
// reader that shares no line with the product.
func FuzzCheck(f *testing.F) {
	for _, list := range accepted {
		for _, sheet := range list {
			f.Add(sheet)
		}
	}
	for _, list := range refused {
		for _, s := range list {
			f.Add(s.sheet)
		}
	}
	for _, piece := range worst {
		f.Add(strings.Repeat(piece, 200))
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		took := time.Hour
		for n := 0; n < 3 && took > 50*time.Millisecond; n++ { // others may be using the machine
			start := time.Now()
			cssguard.Check(sheet)
			took = min(took, time.Since(start))
		}
		if took > 50*time.Millisecond {
			t.Errorf("%d bytes took %s", len(sheet), took)
		}
		if problem := examine(sheet); problem != "" {
			t.Error(problem)
		}
	})
}

// foreign returns an address of the sheet that does not begin with https://, or "". It walks over the text once,
// skips comments, and checks the content of url( and strings in the functions that take them for addresses. It
// ignores rules.
func foreign(sheet string) string {
	r := &reader{in: strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n").Replace(sheet)}
	for r.in != "" && r.found == "" {
		r.step()
	}
	return r.found
}

type reader struct {
	in    string
	word  string // the name that has been read up to here
	open  []bool // brackets around: whether strings in them are addresses
	found string
}

var (
	escaped    = regexp.MustCompile(`^\\([0-9a-fA-F]{1,6})[ \t\n]?`)
	takesText  = regexp.MustCompile(`^(-webkit-)?image-set$|^src$|^image$`)
	httpsFirst = regexp.MustCompile(`(?i)^https://.`)
)

func (r *reader) step() {
	c := r.in[0]
	switch {
	case strings.HasPrefix(r.in, "/*"):
		_, r.in, _ = strings.Cut(r.in[2:], "*/")
		r.word = ""
		return
	case c == '"' || c == '\'':
		text := r.text()
		if len(r.open) > 0 && r.open[len(r.open)-1] {
			r.judge(text)
		}
		r.word = ""
		return
	case c == '\\' && !strings.HasPrefix(r.in, "\\\n"):
		r.word += r.escape()
		return
	case c == '(':
		r.in = r.in[1:]
		r.bracket(strings.ToLower(r.word))
	case c == '[' || c == '{':
		r.open = append(r.open, false)
		r.in = r.in[1:]
	case (c == ')' || c == ']' || c == '}') && len(r.open) > 0:
		r.open = r.open[:len(r.open)-1]
		r.in = r.in[1:]
	default:
		r.in = r.in[1:]
		if c == '#' || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			r.word += string([]byte{c})
			return
		}
	}
	r.word = ""
}

// bracket enters a function, or skips url( with its content.
func (r *reader) bracket(name string) {
	r.open = append(r.open, takesText.MatchString(name))
	if name != "url" {
		return
	}
	r.in = strings.TrimLeft(r.in, " \t\n")
	var text string
	if r.in != "" && (r.in[0] == '"' || r.in[0] == '\'') {
		text = r.text()
	} else {
		for r.in != "" && r.in[0] != ')' {
			if r.in[0] == '\\' {
				text += r.escape()
				continue
			}
			text += r.in[:1]
			r.in = r.in[1:]
		}
	}
	r.judge(text)
}

func (r *reader) judge(text string) {
	if !httpsFirst.MatchString(text) {
		r.found = text + " "
	}
}

// text reads a string.
func (r *reader) text() string {
	quote, out := r.in[0], ""
	r.in = r.in[1:]
	for r.in != "" && r.in[0] != quote {
		switch {
		case strings.HasPrefix(r.in, "\\\n"):
			r.in = r.in[2:]
		case r.in[0] == '\\':
			out += r.escape()
		default:
			out += r.in[:1]
			r.in = r.in[1:]
		}
	}
	r.in = strings.TrimPrefix(r.in, string(quote))
	return out
}

// escape reads the escape after a backslash.
func (r *reader) escape() string {
	m := escaped.FindStringSubmatch(r.in)
	if m == nil {
		_, size := utf8.DecodeRuneInString(r.in[1:])
		out := r.in[1 : 1+size]
		r.in = r.in[1+size:]
		return out
	}
	r.in = r.in[len(m[0]):]
	n, _ := strconv.ParseInt(m[1], 16, 32)
	return string(rune(n))
}
