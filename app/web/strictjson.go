package web

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/app/fault"
)

// maxDepth is how deep a JSON body may nest.
const maxDepth = 64

const (
	notJSON = "is not valid JSON"
	hasNUL  = "contains a NUL character"
)

// decoders read bodies. Those of Go's next JSON package refuse by themselves what encoding/json lets through: invalid
// UTF-8, half a surrogate pair, and a member that appears twice, which readers resolve differently.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// strictJSON refuses, besides, what is JSON and none of ours: NUL, which Postgres cannot store, deep nesting, and anything
// after the value. It returns nil or a fault on the member at fault, "body.items[0].note".
func strictJSON(body []byte) error {
	if !utf8.Valid(body) {
		return fault.Invalid("body", "is not valid UTF-8")
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(body))
	escapedNUL := bytes.Contains(body, []byte(`\u0000`))
	for {
		token, err := d.ReadToken()
		switch {
		case err != nil:
			return fault.Invalid(unread(d, body, err))
		case d.StackDepth() > maxDepth:
			return fault.Invalid(place(d, d.StackPointer()), "nests deeper than "+strconv.Itoa(maxDepth)+" levels")
		case escapedNUL && token.Kind() == '"' && strings.Contains(token.String(), "\x00"):
			return fault.Invalid(place(d, memberOf(d)), hasNUL)
		case d.StackDepth() > 0:
			continue
		}
		if _, err := d.ReadToken(); err != io.EOF {
			return fault.Invalid("body", "has data after the JSON value")
		}
		return nil
	}
}

// unread says where a body stops to be JSON, and how.
func unread(d *jsontext.Decoder, body []byte, err error) (field, message string) {
	var wrong *jsontext.SyntacticError
	if !errors.As(err, &wrong) { // nothing but space
		return "body", notJSON
	}
	at := int(wrong.ByteOffset)
	rest := body[min(at, len(body)):]
	switch field = place(d, wrong.JSONPointer); {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return field, "appears twice"
	case bytes.HasPrefix(rest, []byte{0}):
		return field, hasNUL
	case strings.Contains(err.Error(), "surrogate"): // the library has no name for it
		return field, "contains half of a surrogate pair"
	case bytes.HasPrefix(rest, []byte(",")): // a comma too many is the fault of the element that is not there
		if kind, n := d.StackIndex(d.StackDepth()); kind == '[' && wrong.JSONPointer == d.StackPointer().Parent() {
			field += "[" + strconv.FormatInt(n, 10) + "]"
		}
	case at > 0 && body[at-1] == '0' && len(rest) > 0 && '0' <= rest[0] && rest[0] <= '9': // a leading zero: one number, not two
		field = place(d, d.StackPointer())
	}
	return field, notJSON
}

// memberOf is what was read last: a value, or the object whose name it was.
func memberOf(d *jsontext.Decoder) jsontext.Pointer {
	if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 {
		return d.StackPointer().Parent()
	}
	return d.StackPointer()
}

// place writes a pointer below the values that the decoder is in: "/items/0/note" is body.items[0].note.
func place(d *jsontext.Decoder, p jsontext.Pointer) string {
	var b strings.Builder
	b.WriteString("body")
	level := 0
	for name := range p.Tokens() {
		level++
		if kind, _ := d.StackIndex(min(level, d.StackDepth())); kind == '[' {
			b.WriteString("[" + name + "]")
		} else {
			b.WriteString("." + name)
		}
	}
	return b.String()
}
