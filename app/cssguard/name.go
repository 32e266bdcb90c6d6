package cssguard

import (
	"strings"
	"unicode/utf8"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// startsName reports whether a name may begin with this byte, which may be the first of a letter outside ASCII.
func startsName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func inName(c byte) bool { return startsName(c) || isDigit(c) || c == '-' }

// printable is false for what may not stand in an address without quotes.
func printable(c byte) bool { return c >= 0x20 && c != 0x7f || c == '\t' || c == '\n' }

// escapeAt reports whether an escape begins n bytes on.
func (l *lexer) escapeAt(n int) bool { return l.peek(n) == '\\' && l.peek(n+1) != '\n' }

// nameAt reports whether a name goes on n bytes further.
func (l *lexer) nameAt(n int) bool { return inName(l.peek(n)) || l.escapeAt(n) }

// identAt reports whether a name that is an identifier begins n bytes on.
func (l *lexer) identAt(n int) bool {
	if l.peek(n) == '-' {
		return l.peek(n+1) == '-' || startsName(l.peek(n+1)) || l.escapeAt(n+1)
	}
	return startsName(l.peek(n)) || l.escapeAt(n)
}

// numberAt reports whether a number begins here.
func (l *lexer) numberAt() bool {
	n := 0
	if c := l.peek(0); c == '+' || c == '-' {
		n = 1
	}
	return isDigit(l.peek(n)) || l.peek(n) == '.' && isDigit(l.peek(n+1))
}

// name reads a name and decodes its escapes.
func (l *lexer) name() string {
	start, plain := l.at, decoded{}
	for {
		switch {
		case inName(l.peek(0)):
			l.at++
		case l.escapeAt(0):
			plain.add(l.in[start:l.at])
			l.at++
			plain.addRune(l.escape())
			start = l.at
		default:
			return plain.since(l.in, start, l.at)
		}
	}
}

// escape reads what follows a backslash: up to six hexadecimal digits and one space, or any character.
func (l *lexer) escape() rune {
	if l.at == len(l.in) {
		return utf8.RuneError
	}
	value, n := rune(0), 0
	for ; n < 6 && hexValue(l.peek(0)) >= 0; n++ {
		value = value<<4 | hexValue(l.peek(0))
		l.at++
	}
	if n == 0 {
		r, size := utf8.DecodeRuneInString(l.in[l.at:])
		l.at += size
		return r
	}
	if isSpace(l.peek(0)) {
		l.at++
	}
	if value == 0 || !utf8.ValidRune(value) {
		return utf8.RuneError
	}
	return value
}

func hexValue(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

// doubtful reports whether a name holds a character that later drafts of CSS Syntax took out of names. Where the name ends
// there, what follows it may be read in another way.
func doubtful(name string) bool {
	for _, r := range name {
		if r >= utf8.RuneSelf && !certain(r) {
			return true
		}
	}
	return false
}

// certain reports whether a character outside ASCII is part of a name by every draft.
func certain(r rune) bool {
	switch {
	case r == 0xb7, r == 0x200c, r == 0x200d, r == 0x203f, r == 0x2040, r >= 0x10000:
		return true
	case r == 0xd7, r == 0xf7, r == 0x37e:
		return false
	}
	for _, in := range [...][2]rune{{0xc0, 0x1fff}, {0x2070, 0x218f}, {0x2c00, 0x2fef}, {0x3001, 0xd7ff}, {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}} {
		if r >= in[0] && r <= in[1] {
			return true
		}
	}
	return false
}

// decoded builds a value whose escapes are decoded. Without an escape the value is a piece of the text itself.
type decoded struct {
	b     strings.Builder
	began bool
}

func (d *decoded) add(plain string) {
	d.began = true
	d.b.WriteString(plain)
}

func (d *decoded) addRune(r rune) { d.b.WriteRune(r) }

// since is the value when the rest of it is text[start:end].
func (d *decoded) since(text string, start, end int) string {
	if !d.began {
		return text[start:end]
	}
	d.b.WriteString(text[start:end])
	return d.b.String()
}
