package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// Cursors makes and reads list cursors: the sort key of the last row of a page, signed together with the list, its
// filters and the business. A cursor of another list or business is refused like a forged one. A96.
type Cursors struct{ key []byte }

// NewCursors derives the signing key from the deployment's secret.
func NewCursors(secret []byte) Cursors { return Cursors{derive(secret, "cursor")} }

// derive makes a key for one purpose, so that a signature for one thing is never valid for another.
func derive(secret []byte, purpose string) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte("foyer/web/" + purpose))
	return m.Sum(nil)
}

const cursorMAC = 16 // bytes of the signature

// errCursor refuses a cursor that this list did not hand out.
var errCursor = fault.Invalid("query.cursor", "is not a cursor of this list")

// ListKey names a list together with its filters, so that a cursor is not continued under other filters.
func ListKey(name string, filters ...any) string {
	if len(filters) == 0 {
		return name
	}
	b, err := json.Marshal(filters)
	if err != nil {
		panic(fmt.Sprintf("web: filters of list %s: %v", name, err))
	}
	return name + "?" + string(b)
}

// Encode makes the cursor that continues after a row. key is the row's sort key, a value that survives JSON.
func (c Cursors) Encode(list string, business uuid.UUID, key any) string {
	body, err := plainJSON(key)
	if err != nil {
		panic(fmt.Sprintf("web: cursor of list %s: %v", list, err))
	}
	return base64.RawURLEncoding.EncodeToString(append(c.sign(list, business, body), body...))
}

// Decode reads a cursor into the sort key. An empty cursor, the first page, leaves into alone and returns false.
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
