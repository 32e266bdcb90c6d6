package web

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"pgregory.net/rapid"
)

type encodedLine struct {
	ID       uuid.UUID  `json:"id"`
	Parent   *uuid.UUID `json:"parent"`
	Name     string     `json:"name"`
	Kind     encodedKind
	Price    int64            `json:"price"`
	Small    int8             `json:"small"`
	Done     bool             `json:"done"`
	StartsAt time.Time        `json:"startsAt"`
	EndsAt   *time.Time       `json:"endsAt"`
	Note     Nullable[string] `json:"note"`
	Tags     []string         `json:"tags"`
	Rate     float64          `json:"rate"`
	Extra    map[string]any   `json:"extra"`
	Any      any              `json:"any"`
	Hidden   string           `json:"-"`
	private  string
}

type encodedKind string

type encodedPage struct {
	Lines []encodedLine  `json:"lines"`
	Next  *encodedLine   `json:"next"`
	More  []*encodedLine `json:"more"`
}

// These are left to encoding/json.
type (
	encodedEmbedding struct {
		encodedKinds
		Own string `json:"own"`
	}
	encodedKinds   struct{ Kind encodedKind }
	encodedOptions struct {
		Name string `json:"name,omitempty"`
	}
	encodedTree struct {
		Children []encodedTree `json:"children"`
	}
	encodedByPointer struct{ N int }
	encodedHolder    struct{ By []encodedByPointer }
	encodedUnsigned  struct{ N uint }
	encodedEmpty     struct{}
	encodedOdd       struct {
		Name string `json:"a b<"`
	}
)

func (*encodedByPointer) MarshalJSON() ([]byte, error) { return []byte(`"by pointer"`), nil }

func sameJSON(t rapid.TB, v any) {
	t.Helper()
	var want, got bytes.Buffer
	wantErr, gotErr := huma.DefaultJSONFormat.Marshal(&want, v), writeJSON(&got, v)
	if (wantErr == nil) != (gotErr == nil) {
		t.Fatalf("%T: encoding/json says %v, the plan says %v", v, wantErr, gotErr)
	}
	if wantErr == nil && got.String() != want.String() {
		t.Fatalf("%T:\n%s\nwant\n%s", v, got.String(), want.String())
	}
}

// TestEncodesLikeTheStandard compares every byte with encoding/json.
func TestEncodesLikeTheStandard(t *testing.T) {
	maybe := func(t *rapid.T) bool { return rapid.Bool().Draw(t, "maybe") }
	instant := func(t *rapid.T) time.Time {
		zone := time.FixedZone("", rapid.IntRange(-23*60, 23*60).Draw(t, "zone")*60)
		return time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "s"), rapid.Int64Range(0, 999999999).Draw(t, "ns")).In(zone)
	}
	id := func(t *rapid.T) uuid.UUID {
		return uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
	}
	text := rapid.OneOf(rapid.StringMatching(`[ -~]*`), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	line := func(t *rapid.T) encodedLine {
		l := encodedLine{
			ID: id(t), Name: text.Draw(t, "name"), Kind: encodedKind(text.Draw(t, "kind")), Price: rapid.Int64().Draw(t, "price"),
			Small: rapid.Int8().Draw(t, "small"), Done: maybe(t), StartsAt: instant(t), Rate: rapid.Float64().Draw(t, "rate"),
			Hidden: "h", private: "p",
		}
		if maybe(t) {
			parent, end := id(t), instant(t)
			l.Parent, l.EndsAt, l.Note, l.Tags = &parent, &end, Some(text.Draw(t, "note")), rapid.SliceOf(text).Draw(t, "tags")
			l.Extra, l.Any = map[string]any{"b": 1, text.Draw(t, "key"): []int{1}}, &encodedByPointer{}
		}
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		p := encodedPage{}
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			l := line(t)
			p.Lines, p.More, p.Next = append(p.Lines, l), append(p.More, nil, &l), &l
		}
		sameJSON(t, p)
		sameJSON(t, &p)
		sameJSON(t, envelope[encodedPage]{p, "1"})
	})
	for _, v := range []any{
		nil, 1, "text", []string{}, []string(nil), map[string]int{"b": 1, "a": 2}, (*encodedPage)(nil), []byte("bytes"), [2]int{1, 2},
		encodedEmbedding{encodedKinds{"k"}, "o"}, encodedOptions{}, encodedTree{Children: []encodedTree{{}}},
		encodedByPointer{1}, &encodedByPointer{1}, encodedHolder{By: make([]encodedByPointer, 2)}, encodedUnsigned{7}, encodedEmpty{},
		encodedOdd{"x"}, envelope[encodedEmpty]{}, envelope[*int]{}, json.RawMessage(`{"a": 1}`), "</script>&\u2028",
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("", 24*3600)),
		envelope[any]{func() {}, ""},
	} {
		sameJSON(t, v)
	}
}

// TestEncodesFast: the usual shape of an answer is not left to encoding/json.
func TestEncodesFast(t *testing.T) {
	page := envelope[encodedPage]{encodedPage{Lines: []encodedLine{{Name: strings.Repeat("x", 40)}}}, "1"}
	if encoderOf(reflect.TypeOf(page), nil) == nil {
		t.Error("a page has no plan")
	}
	for _, v := range []any{encodedEmbedding{}, encodedOptions{}, encodedTree{}, encodedHolder{}, encodedUnsigned{}, encodedOdd{}} {
		if encoderOf(reflect.TypeOf(v), nil) != nil {
			t.Errorf("%T has a plan", v)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	type date struct {
		ID, OfferingID   uuid.UUID
		Name, Instructor string
		StartsAt, EndsAt time.Time
		Price            int64
		Full             bool
	}
	page := envelope[[]date]{Data: make([]date, 140)}
	for i := range page.Data {
		page.Data[i] = date{Name: "Class number", Instructor: "Teacher", StartsAt: time.Date(2026, 6, 10, 12, i, 0, 0, time.UTC)}
	}
	for name, f := range map[string]huma.Format{"plan": jsonFormat, "standard": huma.DefaultJSONFormat} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var w bytes.Buffer
			for b.Loop() {
				w.Reset()
				if err := f.Marshal(&w, page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
