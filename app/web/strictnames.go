package web

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// names are the members of one object so far. Few are compared one by one; many go into a map, so that an object with
// very many members costs no more than its size.
type names struct {
	few  [16][]byte
	n    int
	many map[string]struct{}
}

// add tells whether the name is new.
func (s *names) add(name []byte) bool {
	if s.many == nil {
		for _, other := range s.few[:s.n] {
			if bytes.Equal(other, name) {
				return false
			}
		}
		if s.n < len(s.few) {
			s.few[s.n] = name
			s.n++
			return true
		}
		s.many = make(map[string]struct{}, 4*len(s.few))
		for _, other := range s.few {
			s.many[string(other)] = struct{}{}
		}
	}
	if _, ok := s.many[string(name)]; ok {
		return false
	}
	s.many[string(name)] = struct{}{}
	return true
}

// escaped reads the rest of a string that has escapes, from its first backslash on. A lone surrogate stands for no
// character and is refused; encoding/json would quietly replace it.
func (s *scanner) escaped(start int) (plain []byte, problem string) {
	plain = append(plain, s.in[start:s.at]...)
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == '"':
			s.at++
			return plain, ""
		case c == 0:
			return nil, hasNUL
		case c < 0x20:
			return nil, notJSON
		case c == '\\':
			r, problem := s.escape()
			if problem != "" {
				return nil, problem
			}
			plain = utf8.AppendRune(plain, r)
		default:
			plain = append(plain, c)
			s.at++
		}
	}
	return nil, notJSON
}

var shortEscapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads one escape sequence.
func (s *scanner) escape() (r rune, problem string) {
	if s.at+1 >= len(s.in) {
		return 0, notJSON
	}
	c := s.in[s.at+1]
	if short, ok := shortEscapes[c]; ok {
		s.at += 2
		return short, ""
	}
	r, ok := s.hex()
	switch {
	case !ok:
		return 0, notJSON
	case r == 0:
		return 0, hasNUL
	case !utf16.IsSurrogate(r):
		return r, ""
	}
	low, ok := s.hex()
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, "contains half of a surrogate pair"
	}
	return r, ""
}

// hex reads \uXXXX.
func (s *scanner) hex() (rune, bool) {
	if s.at+6 > len(s.in) || s.in[s.at] != '\\' || s.in[s.at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s.in[s.at+2 : s.at+6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	s.at += 6
	return r, true
}
