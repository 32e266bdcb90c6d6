package web_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/web/op"
)

type uniqueBody struct {
	IDs    []uuid.UUID   `json:"ids,omitempty" maxItems:"3" uniqueItems:"true"`
	Days   []int         `json:"days,omitempty" minimum:"0" uniqueItems:"true"`
	Deeper []uniqueInner `json:"deeper,omitempty"`
	At     *time.Time    `json:"at,omitempty"`
	Note   string        `json:"note,omitempty"`
}
type uniqueInner struct {
	Words []string `json:"words,omitempty" uniqueItems:"true"`
}
type uniqueIn struct {
	From time.Time `query:"from"`
	Body uniqueBody
}

type uniqueObjects struct {
	Rows []uniqueInner `json:"rows" uniqueItems:"true"`
}
type uniqueObjectsIn struct{ Body uniqueObjects }

// TestHazards: a non-scalar value is refused with its position in a list of unique values, in any list; huma's panic
// would return 500. So is a time that encoding/json cannot write.
func TestHazards(t *testing.T) {
	w := newWorld(t)
	post := spec("postThing", "POST", "/businesses/{businessId}/things", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
	})
	declareWith[uniqueIn, seen](post)(w.srv.Operations)
	send := func(body string) resp {
		return w.do(req{method: "POST", path: "/businesses/" + studio.String() + "/things", token: ownerToken, body: body})
	}
	for body, field := range map[string]string{
		`{"ids":[{}]}`:    "body.ids[0]",
		`{"ids":[[]]}`:    "body.ids[0]",
		`{"days":[1,[]]}`: "body.days[1]",
		`{"days":[1,1]}`:  "body.days",
		`{"days":["1"]}`:  "body.days[0]",
		`{"deeper":[{},{"words":["a",{"b":1}]}]}`: "body.deeper[1].words[1]",
	} {
		if got := send(body).refused(t, 400).fields(); !slices.Contains(got, field) {
			t.Errorf("%s: %v", body, got)
		}
	}
	const offDay = "2026-06-01T00:00:00+24:00"
	for _, odd := range []string{offDay, "2026-06-01T00:00:00-24:00", "2026-06-01T00:00:00+24:60", "2026-06-01T00:00:00.5-23:60"} {
		if got := send(`{"at":"`+odd+`"}`).refused(t, 400).fields(); !slices.Contains(got, "body.at") {
			t.Errorf("%s: %v", odd, got)
		}
		in := req{method: "POST", path: "/businesses/" + studio.String() + "/things?from=" + url.QueryEscape(odd), token: ownerToken, body: "{}"}
		if got := w.do(in).refused(t, 400).fields(); !slices.Contains(got, "query.from") {
			t.Errorf("%s: %v", odd, got)
		}
	}
	send(`{"at":"2026-06-01T00:00:00+23:59","note":"`+offDay+`"}`).data(t, 200, nil)
	send(`{"days":[1,2],"deeper":[{"words":["a","b"]}]}`).data(t, 200, nil)
}
