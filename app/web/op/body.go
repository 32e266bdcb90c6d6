package op

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
	gojson "github.com/goccy/go-json"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
)

// JSONType is the media type of requests and responses.
const JSONType = "application/json"

// checkText refuses identifiers that are none, and text that Postgres could not store, in the parts of path, query and
// headers that the operation takes. One that does not list 400 answers 404 for these: see settle. A20.
func checkText(x *exchange, d *declared) error {
	for _, name := range d.input.ids {
		if !isUUID(x.params.get(name)) {
			return notAnID(name, x.params.get(name))
		}
	}
	for i, name := range x.params.names {
		if !storable(x.params.values[i]) && d.listsWrongPaths() {
			return fault.Invalid("path."+name, "is not valid text")
		}
	}
	for _, name := range d.input.queries {
		for _, v := range x.c.Context().QueryArgs().PeekMulti(name) {
			if !storableBytes(v) {
				return fault.Invalid("query."+name, "is not valid text")
			}
			if oddOffset(v) && slices.Contains(d.input.times, name) && isOutlandish(string(v)) {
				return fault.Invalid("query."+name, outlandish)
			}
		}
	}
	for _, name := range d.input.headers {
		if !storableBytes(x.c.Request().Header.Peek(name)) {
			return fault.Invalid("header."+name, "is not valid text")
		}
	}
	return nil
}

// listsWrongPaths reports whether the operation can refuse a malformed path. Others use it as it is, and find
// nothing.
func (d *declared) listsWrongPaths() bool {
	return d.answers(http.StatusBadRequest) || d.answers(http.StatusNotFound) && !d.AnyTarget
}

// storable reports whether Postgres can store a text: valid UTF-8 without NUL.
func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

func storableBytes(text []byte) bool { return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 }

// isUUID reports whether s is a UUID in the product's form: 36 characters with hyphens. uuid.Validate accepts other
// forms.
func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

// readBody puts the checked body where huma reads it. An operation without a body ignores one.
func readBody(x *exchange, d *declared) error {
	if d.input.body == nil {
		return nil
	}
	raw := x.c.Request().Body()
	if enc := x.c.Request().Header.ContentEncoding(); len(enc) > 0 && string(enc) != "identity" {
		return fault.Invalid("header.Content-Encoding", "send the body as it is")
	}
	switch file := x.call.caller.file; {
	case d.File == nil:
	case file != nil:
		if err := d.take(x, file); err != nil {
			return err
		}
		x.body = raw
	case isForm(x):
		if err := readForm(x, d); err != nil {
			return err
		}
		raw = x.body
	}
	switch {
	case d.File != nil && x.body != nil:
	case d.File != nil && !d.File.OrJSON:
		return fault.Invalid("header.Content-Type", "send "+FormType)
	case len(raw) == 0 && d.input.optional:
		return nil
	case len(raw) == 0:
		return fault.Invalid("body", "a JSON body is required")
	case !isJSONType(x.c.Request().Header.ContentType()):
		return fault.Invalid("header.Content-Type", "send "+JSONType)
	}
	if err := strictJSON(raw); err != nil {
		return err
	}
	if err := refuseNulls(raw, d.input.body); err != nil {
		return err
	}
	if err := refuseHazards(raw, d); err != nil {
		return err
	}
	x.body = raw
	return nil
}

// isJSONType takes application/json, with no other charset than UTF-8.
func isJSONType(contentType []byte) bool {
	if string(contentType) == JSONType {
		return true
	}
	media, params, err := mime.ParseMediaType(string(contentType))
	if err != nil || media != JSONType {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

// bearer is the token of the Authorization header. present is true for any Authorization header; a token is "" when
// it is of another scheme, or when the header came twice and names two callers.
func bearer(c *fiber.Ctx) (token string, present bool) {
	all := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
	if len(all) == 0 {
		return "", false
	}
	const scheme = "bearer "
	v := all[0]
	if len(all) > 1 || len(v) <= len(scheme) || len(v) > maxToken || !bytes.EqualFold(v[:len(scheme)], []byte(scheme)) {
		return "", true
	}
	return string(bytes.TrimSpace(v[len(scheme):])), true
}

// maxToken bounds the Authorization header, far above any token of ours.
const maxToken = 512

// jsonFormat decodes bodies and encodes answers. Encoding is most of the cost of a long answer outside of the
// database, and go-json writes the same bytes as encoding/json in a third of the time (TestAnswersAreStandardJSON).
// Requests are decoded by encoding/json alone: the checks in front of it know its corner cases (strictJSON).
var jsonFormat = huma.Format{Marshal: writeJSON, Unmarshal: json.Unmarshal}

// writeJSON encodes one value and a line feed, without escaping < > and &.
func writeJSON(w io.Writer, v any) error {
	if e, is := v.(interface{ writeTo(io.Writer) (bool, error) }); is {
		if done, err := e.writeTo(w); done {
			return err
		}
	}
	enc := gojson.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// plainJSON encodes like writeJSON, without the line feed.
func plainJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	if err := writeJSON(&buf, v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// maxDepth is how deep a JSON body may nest.
const maxDepth = 64

// maxValues limits the values of a JSON body, not counting member names: far more than any accepted list. A body has
// room for half a million, and the list of their errors would be many times its size.
const maxValues = 20_000

const (
	notJSON = "is not valid JSON"
	hasNUL  = "contains a NUL character"
)

// decoders decode bodies. Those of Go's next JSON package refuse input that encoding/json accepts: invalid UTF-8,
// half a surrogate pair, and a member that appears twice and is resolved differently by different readers.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// strictJSON also refuses valid JSON that is not accepted here: NUL, which Postgres cannot store, deep nesting, and
// anything after the value. It returns nil or a fault on the member, such as "body.items[0].note". security.md 43.
func strictJSON(body []byte) error {
	if !utf8.Valid(body) {
		return fault.Invalid("body", "is not valid UTF-8")
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(body))
	escapedNUL := bytes.Contains(body, []byte(`\u0000`))
	for values := 0; ; {
		token, err := d.ReadToken()
		if err == nil && isValue(d, token) {
			values++
		}
		switch {
		case values > maxValues:
			return fault.Invalid("body", "has more than "+strconv.Itoa(maxValues)+" values")
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

// isValue reports whether a token that was just read begins a value: it ends no list or object, and is no member's
// name.
func isValue(d *jsontext.Decoder, token jsontext.Token) bool {
	if k := token.Kind(); k == '}' || k == ']' {
		return false
	}
	kind, n := d.StackIndex(d.StackDepth())
	return kind != '{' || n%2 == 0
}

// unread returns the position at which a body stops being JSON, and the reason.
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

// memberOf returns the last value read, or the object whose name was read last.
func memberOf(d *jsontext.Decoder) jsontext.Pointer {
	if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 {
		return d.StackPointer().Parent()
	}
	return d.StackPointer()
}

// place writes a pointer relative to the decoder's position: "/items/0/note" is body.items[0].note.
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
