package op

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// ownRecord writes itself.
type ownRecord struct {
	ID    uuid.UUID  `json:"id"`
	Text  string     `json:"text"`
	Count int64      `json:"count"`
	Flag  bool       `json:"flag"`
	Begin time.Time  `json:"begin"`
	Maybe *int       `json:"maybe"`
	Note  *string    `json:"note"`
	Texts []string   `json:"texts"`
	Ints  []int      `json:"ints"`
	Inner []ownInner `json:"inner"`
}

type ownInner struct {
	Gone *int `json:"gone"`
}

func (r ownRecord) WriteJSON(j *JSON) {
	j.Object(func() {
		j.Name("id").ID(r.ID)
		j.Name("text").Text(r.Text)
		j.Name("count").Int(r.Count)
		j.Name("flag").Bool(r.Flag)
		j.Name("begin").Time(r.Begin)
		j.Name("maybe").IntOrNull(r.Maybe)
		j.Name("note").TextOrNull(r.Note)
		j.Name("texts").Texts(r.Texts)
		j.Name("ints").Ints(r.Ints)
		j.Name("inner").Array(func() {
			for _, in := range r.Inner {
				j.Object(func() { j.Name("gone").IntOrNull(in.Gone) })
			}
		})
	})
}

// TestWhatWritesItselfIsStandardJSON: the output equals that of encoding/json on the fields, byte for byte, in the
// form of answers.
func TestWhatWritesItselfIsStandardJSON(t *testing.T) {
	if finish(reflect.TypeFor[ownRecord]()) != nil {
		t.Error("it is walked all the same")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "Ana & Ben", `say "hi"`, `a\b`, "<b>", "tab\t", "\x7f", "\u2028", "é", "\xff"}))
		r := ownRecord{
			ID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")), Text: text.Draw(t, "text"), Count: rapid.Int64().Draw(t, "count"),
			Flag: rapid.Bool().Draw(t, "flag"), Begin: drawTime(t).Add(123456 * time.Nanosecond),
			Texts: rapid.SliceOf(text).Draw(t, "texts"), Ints: rapid.SliceOf(rapid.Int()).Draw(t, "ints"),
			Inner: make([]ownInner, rapid.IntRange(0, 2).Draw(t, "inner")),
		}
		if rapid.Bool().Draw(t, "given") {
			r.Maybe, r.Note = new(int(r.Count)), &r.Text
		}
		var got, want bytes.Buffer
		if err := writeJSON(&got, envelope[ownRecord]{Data: r, V: "1"}); err != nil {
			t.Fatal(err)
		}
		r.Begin = stamp(r.Begin)
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(struct {
			Data *ownRecord `json:"data"`
			V    string     `json:"v"`
		}{&r, "1"}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("wrote %s\nwant  %s", got.Bytes(), want.Bytes())
		}
	})
}
