package op

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// The shapes of answers: records in records, nullable values, lists and maps, numbers and times.
type jsonBase struct {
	ID uuid.UUID  `json:"id"`
	At *time.Time `json:"at,omitempty"`
}

type jsonLeaf struct {
	Text  string    `json:"text"`
	Count int64     `json:"count"`
	Share float64   `json:"share"`
	Flag  bool      `json:"flag,omitempty"`
	Begin time.Time `json:"begin,omitzero"`
}

type jsonRecord struct {
	jsonBase
	Name   string              `json:"name"`
	Leaf   jsonLeaf            `json:"leaf"`
	Ref    *jsonLeaf           `json:"ref"`
	Leaves []jsonLeaf          `json:"leaves"`
	Maybe  Nullable[string]    `json:"maybe"`
	Inner  *Nullable[jsonLeaf] `json:"inner,omitempty"`
	Named  map[string]int      `json:"named,omitempty"`
	Any    any                 `json:"any"`
	Hidden int                 `json:"-"`
	Bytes  []byte              `json:"bytes"`
}

func drawLeaf(t *rapid.T) jsonLeaf {
	return jsonLeaf{
		Text: rapid.String().Draw(t, "text"), Count: rapid.Int64().Draw(t, "count"),
		Share: rapid.Float64().Draw(t, "share"), Flag: rapid.Bool().Draw(t, "flag"), Begin: drawTime(t),
	}
}

func drawTime(t *rapid.T) time.Time {
	if rapid.Bool().Draw(t, "no time") {
		return time.Time{}
	}
	at := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "at")).UTC()
	if rapid.Bool().Draw(t, "elsewhere") {
		return at.In(time.FixedZone("", rapid.IntRange(-12, 14).Draw(t, "zone")*3600))
	}
	return at
}

func drawRecord(t *rapid.T) jsonRecord {
	r := jsonRecord{
		jsonBase: jsonBase{ID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))},
		Name:     string(rapid.SliceOf(rapid.Byte()).Draw(t, "name")), // not always UTF-8
		Leaf:     drawLeaf(t),
		Leaves:   rapid.SliceOfN(rapid.Custom(drawLeaf), 0, 3).Draw(t, "leaves"),
		Named:    rapid.MapOfN(rapid.String(), rapid.Int(), 0, 3).Draw(t, "named"),
		Bytes:    rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"),
	}
	leaf := drawLeaf(t)
	if rapid.Bool().Draw(t, "set") {
		at := drawTime(t)
		inner := Some(leaf)
		r.At, r.Ref, r.Maybe, r.Inner = &at, &leaf, Some(leaf.Text), &inner
		r.Any = map[string]any{"b": leaf, "a": []any{nil, leaf.Share, &leaf}}
	} else {
		r.Any = leaf.Text
	}
	return r
}

// TestAnswersAreStandardJSON: the output equals that of encoding/json, byte for byte.
func TestAnswersAreStandardJSON(t *testing.T) {
	same := func(t rapid.TB, v any) {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		if err := writeJSON(&got, v); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("wrote %s\nwant  %s", got.Bytes(), want.Bytes())
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord(t)
		same(t, envelope[jsonRecord]{Data: r, V: "1"})
		same(t, &answer[*jsonRecord]{Status: 200, Body: envelope[*jsonRecord]{Data: &r}})
	})
	for _, v := range []any{
		envelope[[]string]{}, envelope[*jsonRecord]{}, envelope[map[string]any]{Data: map[string]any{}}, Refuse(ErrInternal),
		envelope[string]{Data: "<a href='x'>&</a> \u2028\u2029 \x00\x1f\x7f \xff \U0001F600"},
		[]float64{0, 1, -1, 0.1, 1e20, 1e21, 1e-6, 1e-7, 123456789.125},
	} {
		same(t, v)
	}
}

// TestUnwritableAnswer: a value without a JSON form is an error and writes nothing.
func TestUnwritableAnswer(t *testing.T) {
	for _, v := range []any{make(chan int), map[string]any{"f": func() {}}} {
		var out bytes.Buffer
		if err := writeJSON(&out, v); err == nil || out.Len() > 0 {
			t.Errorf("%T: wrote %q, error %v", v, out.Bytes(), err)
		}
		if _, err := plainJSON(v); err == nil {
			t.Errorf("%T: no error", v)
		}
	}
}
