package op

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
)

// envelope is the body of every success: exactly data and v (A13).
type envelope[T any] struct {
	Data T      `json:"data"`
	V    string `json:"v"`
}

// Schema returns the envelope inline, so that the components of the document are records and not wrappers.
func (envelope[T]) Schema(r huma.Registry) *huma.Schema {
	return envelopeSchema(r.Schema(reflect.TypeFor[T](), true, ""))
}

// answer is the output that huma writes.
type answer[T any] struct {
	Status int
	Body   envelope[T]
}

// outcome is data that decides its own status.
type outcome interface{ status(success int) int }

// NoContent is the output of an operation that returns 204 without a body (A21).
type NoContent struct{}

func (*NoContent) status(int) int { return http.StatusNoContent }

// Schema keeps NoContent out of the document's components.
func (NoContent) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: "null"} }

// Raw is the output of an operation that returns bytes of a type other than JSON, for example a calendar. Spec.Media
// names the type. Create it with Download.
type Raw struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition" hidden:"true"`
	Body        []byte
}

// Download returns body as a file that browsers save under filename.
func Download(filename string, body []byte) Raw {
	return Raw{Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": filename}), Body: body}
}

// Page is embedded in the input of a list with cursor pagination. The page sizes are those of package paging. A89.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Cursor string `query:"cursor" maxLength:"2048" doc:"nextCursor of the page before; leave it out for the first page."`
}

// Requested returns the requested page.
func (p *Page) Requested() *Page { return p }

// List is the data of a list with cursor pagination. A91.
type List[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"nextCursor" doc:"Pass it as cursor for the next page; null at the end."`
}

// finish returns a function that normalizes a value of the type for an answer, or nil if there is nothing to
// normalize. A nil slice becomes an empty one, as it would be encoded as null, and no list of the contract is null.
// Times are in UTC, to the millisecond, the precision of a JavaScript Date (A19). The function changes the value in
// place: a handler returns values that it created. A value with its own encoder normalizes itself.
func finish(t reflect.Type) func(reflect.Value) {
	if implements(t, reflect.TypeFor[Writer]()) {
		return nil
	}
	return finisher{}.of(t)
}

// finisher caches the functions of struct types, so that recursive types end.
type finisher map[reflect.Type]func(reflect.Value)

func (l finisher) of(t reflect.Type) func(reflect.Value) {
	switch {
	case t == reflect.TypeFor[*time.Time]():
		return func(v reflect.Value) {
			if at := v.Interface().(*time.Time); at != nil {
				v.Set(reflect.ValueOf(new(stamp(*at)))) // a copy: the handler's pointer may be shared
			}
		}
	case t == reflect.TypeFor[time.Time]():
		return func(v reflect.Value) {
			at := v.Addr().Interface().(*time.Time)
			*at = stamp(*at)
		}
	case t.Kind() == reflect.Pointer:
		if inner := l.of(t.Elem()); inner != nil {
			return func(v reflect.Value) {
				if !v.IsNil() {
					inner(v.Elem())
				}
			}
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8: // bytes are sent as a string
		return l.slice(t)
	case t.Kind() == reflect.Struct && (!opaque(t) || implements(t, reflect.TypeFor[holder]())):
		return l.structure(t)
	}
	return nil
}

func stamp(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }

func (l finisher) slice(t reflect.Type) func(reflect.Value) {
	inner := l.of(t.Elem())
	return func(v reflect.Value) {
		if v.IsNil() {
			v.Set(reflect.MakeSlice(t, 0, 0))
		}
		for i := 0; inner != nil && i < v.Len(); i++ {
			inner(v.Index(i))
		}
	}
}

func (l finisher) structure(t reflect.Type) func(reflect.Value) {
	if known, ok := l[t]; ok {
		return known
	}
	var members []func(reflect.Value)
	all := func(v reflect.Value) {
		for _, fill := range members {
			fill(v)
		}
	}
	l[t] = all
	for i := range t.NumField() {
		if fill := l.of(t.Field(i).Type); fill != nil && t.Field(i).IsExported() {
			members = append(members, func(v reflect.Value) { fill(v.Field(i)) })
		}
	}
	if members == nil {
		l[t] = nil
	}
	return l[t]
}

// holder marks our own types that decide their JSON but send their fields: Nullable and Quoted.
type holder interface{ holdsData() }

// Cursors encodes and decodes list cursors. A cursor is the sort key of the last row of a page, signed together with
// the list, its filters and the business. A cursor of another list or business is refused like a forged one. A96.
type Cursors struct{ key []byte }

// NewCursors derives the signing key from the secret of the deployment.
func NewCursors(secret []byte) Cursors { return Cursors{Derive(secret, "cursor")} }

// Derive returns a key for one purpose, so that a signature for one purpose is never valid for another.
func Derive(secret []byte, purpose string) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte("foyer/web/" + purpose))
	return m.Sum(nil)
}

const cursorMAC = 16 // bytes of the signature

// errCursor refuses a cursor that this list did not issue.
var errCursor = fault.Invalid("query.cursor", "is not a cursor of this list")

// ListKey returns the name of a list with its filters, so that a cursor is valid only with the same filters.
func ListKey(name string, filters ...any) string {
	if len(filters) == 0 {
		return name
	}
	b, err := json.Marshal(filters)
	if err != nil {
		panic(fmt.Sprintf("op: filters of list %s: %v", name, err))
	}
	return name + "?" + string(b)
}

// Encode returns the cursor that continues after a row. The key is the sort key of the row, a value that survives
// JSON.
func (c Cursors) Encode(list string, business uuid.UUID, key any) string {
	body, err := plainJSON(key)
	if err != nil {
		panic(fmt.Sprintf("op: cursor of list %s: %v", list, err))
	}
	return base64.RawURLEncoding.EncodeToString(append(c.sign(list, business, body), body...))
}

// Decode decodes a cursor into the sort key. For an empty cursor, the first page, it leaves into unchanged and
// returns false.
func (c Cursors) Decode(list string, business uuid.UUID, cursor string, into any) (bool, error) {
	if cursor == "" {
		return false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < cursorMAC {
		return false, errCursor
	}
	mac, body := raw[:cursorMAC], raw[cursorMAC:]
	if !hmac.Equal(mac, c.sign(list, business, body)) {
		return false, errCursor
	}
	if err := json.Unmarshal(body, into); err != nil { // signed by us for this list: an older build's shape
		return false, errCursor
	}
	return true, nil
}

func (c Cursors) sign(list string, business uuid.UUID, body []byte) []byte {
	m := hmac.New(sha256.New, c.key)
	m.Write(business[:])
	m.Write([]byte(list))
	m.Write([]byte{0})
	m.Write(body)
	return m.Sum(nil)[:cursorMAC]
}
