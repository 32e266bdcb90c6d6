package cssguard

import (
	"slices"
	"strconv"
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

// printable reports whether c may be in an address without quotes.
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
	var plain strings.Builder
	for {
		switch {
		case inName(l.peek(0)):
			plain.WriteByte(l.peek(0))
			l.at++
		case l.escapeAt(0):
			plain.WriteRune(l.escape())
		default:
			return plain.String()
		}
	}
}

const hexDigits = "0123456789abcdefABCDEF"

// escape reads a backslash and the following escape: up to six hexadecimal digits and one space, or any character.
func (l *lexer) escape() rune {
	l.at++
	if l.at == len(l.in) {
		return utf8.RuneError
	}
	start := l.at
	for l.at < start+6 && strings.IndexByte(hexDigits, l.peek(0)) >= 0 {
		l.at++
	}
	if l.at == start {
		r, size := utf8.DecodeRuneInString(l.in[l.at:])
		l.at += size
		return r
	}
	value, _ := strconv.ParseInt(l.in[start:l.at], 16, 32) // it is hexadecimal digits
	if isSpace(l.peek(0)) {
		l.at++
	}
	if r := rune(value); r != 0 && utf8.ValidRune(r) {
		return r
	}
	return utf8.RuneError
}

// certain are the characters outside ASCII that are part of a name by every draft of CSS Syntax, from one to another.
var certain = [...][2]rune{
	{0xb7, 0xb7}, {0xc0, 0xd6}, {0xd8, 0xf6}, {0xf8, 0x37d}, {0x37f, 0x1fff}, {0x200c, 0x200d}, {0x203f, 0x2040}, {0x2070, 0x218f},
	{0x2c00, 0x2fef}, {0x3001, 0xd7ff}, {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, utf8.MaxRune},
}

// doubtful reports whether a name has a character that later drafts removed from names. If the name ends there, the
// text after it may be read in another way.
func doubtful(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return r >= utf8.RuneSelf && !slices.ContainsFunc(certain[:], func(in [2]rune) bool { return in[0] <= r && r <= in[1] })
	})
}
