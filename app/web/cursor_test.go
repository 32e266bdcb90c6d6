package web_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type rowKey struct {
	At int       `json:"at"`
	ID uuid.UUID `json:"id"`
}

// TestCursor is A96: only the list that handed a cursor out takes it back.
func TestCursor(t *testing.T) {
	c := op.NewCursors([]byte("0123456789abcdef0123456789abcdef"))
	list := op.ListKey("bookings", "held", 7)
	key := rowKey{At: 12, ID: uptown}
	cursor := c.Encode(list, studio, key)
	var got rowKey
	if ok, err := c.Decode(list, studio, cursor, &got); !ok || err != nil || got != key {
		t.Fatalf("%v %v %+v", ok, err, got)
	}
	if ok, err := c.Decode(list, studio, "", &got); ok || err != nil {
		t.Errorf("first page: %v %v", ok, err)
	}
	refused := func(name string, c op.Cursors, list string, business uuid.UUID, cursor string) {
		t.Helper()
		got := rowKey{}
		ok, err := c.Decode(list, business, cursor, &got)
		f := fault.From(err)
		if ok || f == nil || f.Kind != fault.Validation || f.Fields[0].Field != "query.cursor" || got != (rowKey{}) {
			t.Errorf("%s: %v %v %+v", name, ok, err, got)
		}
	}
	refused("another business", c, list, other, cursor)
	refused("another list", c, "customers", studio, cursor)
	refused("other filters", c, op.ListKey("bookings", "held", 8), studio, cursor)
	refused("another deployment", op.NewCursors([]byte("another-secret-of-thirty-two-byte")), list, studio, cursor)
	refused("not base64", c, list, studio, "!!!")
	refused("short", c, list, studio, "AAAA")
	refused("unsigned", c, list, studio, base64.RawURLEncoding.EncodeToString([]byte(`0000000000000000{"at":1}`)))
	refused("another shape", c, "numbers", studio, c.Encode("numbers", studio, []int{1}))
	raw, _ := base64.RawURLEncoding.DecodeString(cursor)
	for i := range raw {
		raw[i] ^= 1
		refused(fmt.Sprintf("byte %d changed", i), c, list, studio, base64.RawURLEncoding.EncodeToString(raw))
		raw[i] ^= 1
	}
}

// nextCursor is the cursor behind the last row of a page; nil at the end.
func nextCursor[K any](c op.Cursors, list string, tenant uuid.UUID, last *K) *string {
	if last == nil {
		return nil
	}
	cursor := c.Encode(list, tenant, *last)
	return &cursor
}

type numbersIn struct{ op.Page }

type number struct {
	N int `json:"n"`
}

// numbersWorld pages through the numbers below size.
func numbersWorld(t testing.TB, size int) *world {
	w := newWorld(t)
	op.Declare(w.srv.Operations, spec("listNumbers", "GET", "/businesses/{businessId}/numbers", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
	}), func(_ context.Context, sc tenancy.Scope, in *numbersIn) (op.List[number], error) {
		after := -1
		if _, err := w.srv.Cursors.Decode("numbers", sc.Tenant, in.Cursor, &after); err != nil {
			return op.List[number]{}, err
		}
		var rows []int
		for n := after + 1; n < size && len(rows) <= in.Limit; n++ {
			rows = append(rows, n)
		}
		page := paging.Of(rows, in.Limit, func(n int) int { return n })
		out := op.List[number]{NextCursor: nextCursor(w.srv.Cursors, "numbers", sc.Tenant, page.Next)}
		for _, n := range page.Items {
			out.Items = append(out.Items, number{n})
		}
		return out, nil
	})
	return w
}

// TestPagesOfAList is A94 and A95: every row once, and null exactly on the last page, also when the count is a
// multiple.
func TestPagesOfAList(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		size, limit := rapid.IntRange(0, 30).Draw(rt, "size"), rapid.IntRange(1, 11).Draw(rt, "limit")
		w := numbersWorld(t, size)
		cursor, pages, next := "", 0, 0
		for {
			var page op.List[number]
			at := fmt.Sprintf("/businesses/%s/numbers?limit=%d&cursor=%s", studio, limit, url.QueryEscape(cursor))
			w.do(req{path: at, token: ownerToken}).data(t, 200, &page)
			pages++
			for _, n := range page.Items {
				if n.N != next {
					rt.Fatalf("row %d, want %d", n.N, next)
				}
				next++
			}
			if page.NextCursor == nil {
				break
			}
			cursor = *page.NextCursor
		}
		if want := max(1, (size+limit-1)/limit); next != size || pages != want {
			rt.Fatalf("%d rows on %d pages, want %d on %d", next, pages, size, want)
		}
	})
}

// TestLimitParameter is A86 and A89: 1 to 200, 50 when left out.
func TestLimitParameter(t *testing.T) {
	w := numbersWorld(t, 500)
	at := "/businesses/" + studio.String() + "/numbers"
	for query, rows := range map[string]int{"": 50, "?limit=": 50, "?limit=1": 1, "?limit=200": 200} {
		var page op.List[number]
		w.do(req{path: at + query, token: ownerToken}).data(t, 200, &page)
		if len(page.Items) != rows {
			t.Errorf("%q: %d rows", query, len(page.Items))
		}
	}
	for _, query := range []string{"?limit=0", "?limit=201", "?limit=-1", "?limit=ten", "?limit=1.5", "?limit=99999999999999999999"} {
		e := w.do(req{path: at + query, token: ownerToken}).refused(t, 400)
		if f := e.fields(); len(f) != 1 || f[0] != "query.limit" {
			t.Errorf("%s: %v", query, f)
		}
	}
	e := w.do(req{path: at + "?cursor=forged", token: ownerToken}).refused(t, 400)
	if f := e.fields(); len(f) != 1 || f[0] != "query.cursor" {
		t.Errorf("%v", f)
	}
}
