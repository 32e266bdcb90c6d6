package cssguard

import "strings"

type kind uint8

// The kinds of token. Brackets, colon, semicolon, comma and delimiters are of kind delim, with the character in ch; a
// percentage and a dimension are numbers.
const (
	delim kind = iota
	space
	comment // dropped by tokenize: two tokens with a comment between them are neighbours
	ident
	function // the name with its (
	atWord
	hash
	quoted
	address // url(…) without quotes
	number
	htmlMark // <!-- or -->
)

// token is a piece of the sheet.
type token struct {
	kind  kind
	ch    byte   // of delim; '(' of a function
	at    int    // where it starts in the text
	mate  int    // of a bracket or function: the token that is its other half, after pair
	value string // of a word, string or address: escapes decoded; of a number: its unit
}

// is reports whether the token is this punctuation. A function is not its bracket.
func (t token) is(ch byte) bool { return t.kind == delim && t.ch == ch }

// opens reports whether the token begins a block: a bracket or a function.
func (t token) opens() bool {
	return t.kind == function || t.kind == delim && (t.ch == '(' || t.ch == '[' || t.ch == '{')
}

// word is the value in lower case. Letters outside ASCII have no case in the words of CSS.
func (t token) word() string { return lower(t.value) }

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// problem is why the text cannot be cut into tokens.
type problem struct{ rule, message string }

var (
	openComment  = &problem{Unmatched, "This comment is never closed with */."}
	openString   = &problem{Unmatched, "This string is not closed on its line."}
	openAddress  = &problem{Unmatched, "This url( is never closed."}
	wrongAddress = &problem{Address, "This url() cannot be read: write url(\"https://…\") with the address itself in quotes."}
)

// tokenize cuts the text into tokens. It returns false, with the refusal recorded, if a string, comment or url() does
// not end, or if a url() contains an invalid character.
func (c *checker) tokenize() bool {
	l := &lexer{in: c.text}
	c.tokens = make([]token, 0, len(c.text)+1) // one for each byte at most
	for l.at < len(l.in) {
		start := l.at
		t, wrong := l.next()
		if wrong != nil {
			c.refuse(start, wrong.rule, wrong.message)
			return false
		}
		if t.kind != comment {
			t.at = start
			c.tokens = append(c.tokens, t)
		}
	}
	return true
}

// lexer reads preprocessed text, after CSS Syntax 3, section 4.3.
type lexer struct {
	in string
	at int
}

// peek is the byte n further on; 0, which no text holds, past the end. Bytes of 0x80 on are parts of letters.
func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.in) {
		return l.in[l.at+n]
	}
	return 0
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.in[l.at:], prefix) }

// next reads one token. There is at least one byte left.
func (l *lexer) next() (token, *problem) {
	switch c := l.in[l.at]; {
	case l.has("/*"):
		end := strings.Index(l.in[l.at+2:], "*/")
		if end < 0 {
			return token{}, openComment
		}
		l.at += end + 4
		return token{kind: comment}, nil
	case isSpace(c):
		l.spaces()
		return token{kind: space}, nil
	case c == '"' || c == '\'':
		return l.text(c)
	case c == '#' && l.nameAt(1):
		l.at++
		return token{kind: hash, value: l.name()}, nil
	case c == '@' && l.identAt(1):
		l.at++
		return token{kind: atWord, value: l.name()}, nil
	case l.numberAt():
		return l.number(), nil
	case l.has("<!--"):
		l.at += 4
		return token{kind: htmlMark}, nil
	case l.has("-->"):
		l.at += 3
		return token{kind: htmlMark}, nil
	case l.identAt(0):
		return l.word()
	default:
		l.at++
		return token{kind: delim, ch: c}, nil
	}
}

func (l *lexer) spaces() {
	for isSpace(l.peek(0)) {
		l.at++
	}
}

// text reads a string; a line feed in it must be escaped.
func (l *lexer) text(quote byte) (token, *problem) {
	var plain strings.Builder
	for l.at++; l.at < len(l.in); {
		switch c := l.in[l.at]; {
		case c == quote:
			l.at++
			return token{kind: quoted, value: plain.String()}, nil
		case c == '\n':
			return token{}, openString
		case c == '\\' && l.peek(1) == '\n':
			l.at += 2
		case c == '\\':
			plain.WriteRune(l.escape())
		default:
			plain.WriteByte(c)
			l.at++
		}
	}
	return token{}, openString
}

// number reads a number with its unit, which is the token's value.
func (l *lexer) number() token {
	if c := l.peek(0); c == '+' || c == '-' {
		l.at++
	}
	l.digits()
	if l.peek(0) == '.' && isDigit(l.peek(1)) {
		l.at++
		l.digits()
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		sign := 0
		if s := l.peek(1); s == '+' || s == '-' {
			sign = 1
		}
		if isDigit(l.peek(1 + sign)) {
			l.at += 1 + sign
			l.digits()
		}
	}
	switch {
	case l.identAt(0):
		return token{kind: number, value: l.name()}
	case l.peek(0) == '%':
		l.at++
	}
	return token{kind: number}
}

func (l *lexer) digits() {
	for isDigit(l.peek(0)) {
		l.at++
	}
}

// word reads a name, a function, or an address without quotes.
func (l *lexer) word() (token, *problem) {
	name := l.name()
	if l.peek(0) != '(' {
		return token{kind: ident, value: name}, nil
	}
	l.at++
	if lower(name) == "url" {
		start := l.at
		l.spaces()
		if c := l.peek(0); c != '"' && c != '\'' {
			return l.address()
		}
		l.at = start
	}
	return token{kind: function, ch: '(', value: name}, nil
}

// address reads the remaining part of a url( without quotes. It contains no comments.
func (l *lexer) address() (token, *problem) {
	var plain strings.Builder
	for l.at < len(l.in) {
		c := l.in[l.at]
		switch {
		case c == ')':
			l.at++
			return token{kind: address, value: plain.String()}, nil
		case isSpace(c):
			l.spaces()
			if l.at < len(l.in) && l.peek(0) != ')' {
				return token{}, wrongAddress
			}
		case c == '\\' && l.peek(1) != '\n':
			plain.WriteRune(l.escape())
		case c == '"' || c == '\'' || c == '(' || c == '\\' || !printable(c):
			return token{}, wrongAddress
		default:
			plain.WriteByte(c)
			l.at++
		}
	}
	return token{}, openAddress
}
