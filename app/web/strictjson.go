package web

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"foyer/app/fault"
)

// maxDepth is how deep a JSON body may nest.
const maxDepth = 64

// strictJSON refuses what encoding/json lets through: invalid UTF-8, NUL (which Postgres cannot store), a member that
// appears twice (which readers resolve differently), deep nesting, anything after the value. It returns nil or a fault
// on the member at fault, "body.items[0].note". security.md 43.
func strictJSON(body []byte) error {
	if !utf8.Valid(body) {
		return fault.Invalid("body", "is not valid UTF-8")
	}
	s := &scanner{in: body}
	path, problem := s.value(0)
	if problem == "" {
		if s.space(); s.at < len(s.in) {
			problem = "has data after the JSON value"
		}
	}
	if problem == "" {
		return nil
	}
	return fault.Invalid("body"+path, problem)
}

// scanner walks JSON text once. Its methods return what is wrong, or "", and where below the value they were called for.
type scanner struct {
	in []byte
	at int
}

const notJSON = "is not valid JSON"

func (s *scanner) space() {
	for s.at < len(s.in) {
		switch s.in[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.in) {
		return s.in[s.at]
	}
	return 0
}

func (s *scanner) value(depth int) (path, problem string) {
	s.space()
	switch c := s.peek(); {
	case (c == '{' || c == '[') && depth == maxDepth:
		return "", "nests deeper than " + strconv.Itoa(maxDepth) + " levels"
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, problem = s.text()
		return "", problem
	case c == '-' || (c >= '0' && c <= '9'):
		return "", s.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.in[s.at:], []byte(word)) {
			s.at += len(word)
			return "", ""
		}
	}
	return "", notJSON
}

func (s *scanner) array(depth int) (path, problem string) {
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return "", ""
	}
	for i := 0; ; i++ {
		if path, problem = s.value(depth + 1); problem != "" {
			return "[" + strconv.Itoa(i) + "]" + path, problem
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
		case ']':
			s.at++
			return "", ""
		default:
			return "", notJSON
		}
	}
}

func (s *scanner) object(depth int) (path, problem string) {
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return "", ""
	}
	var seen names
	for {
		s.space()
		name, problem := s.text()
		if problem != "" {
			return "", problem
		}
		if !seen.add(name) {
			return "." + string(name), "appears twice"
		}
		if s.space(); s.peek() != ':' {
			return "", notJSON
		}
		s.at++
		if path, problem = s.value(depth + 1); problem != "" {
			return "." + string(name) + path, problem
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
		case '}':
			s.at++
			return "", ""
		default:
			return "", notJSON
		}
	}
}

// text reads a string and returns what it stands for. Without escapes that is a slice of the input.
func (s *scanner) text() (plain []byte, problem string) {
	if s.peek() != '"' {
		return nil, notJSON
	}
	s.at++
	start := s.at
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == '"':
			plain = s.in[start:s.at]
			s.at++
			return plain, ""
		case c == '\\':
			return s.escaped(start)
		case c == 0:
			return nil, hasNUL
		case c < 0x20:
			return nil, notJSON
		}
		s.at++
	}
	return nil, notJSON
}

const hasNUL = "contains a NUL character"

// number checks the grammar of RFC 8259: no leading zero, no plus sign, digits on both sides of the point.
func (s *scanner) number() string {
	digits := func() int {
		n := 0
		for s.at < len(s.in) && s.in[s.at] >= '0' && s.in[s.at] <= '9' {
			s.at, n = s.at+1, n+1
		}
		return n
	}
	if s.peek() == '-' {
		s.at++
	}
	zero := s.peek() == '0'
	if n := digits(); n == 0 || (zero && n > 1) {
		return notJSON
	}
	if s.peek() == '.' {
		s.at++
		if digits() == 0 {
			return notJSON
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if digits() == 0 {
			return notJSON
		}
	}
	return ""
}
