package op

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/fault"
)

// TestStrictJSON is a table of attacks.
func TestStrictJSON(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	many := func(last string) string {
		var b strings.Builder
		b.WriteString("{")
		for i := range 100 {
			b.WriteString(`"k` + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + `":1,`)
		}
		return b.String() + last + ":1}"
	}
	for _, c := range []struct{ in, field, message string }{
		{`{"a":1}`, "", ""},
		{" \t\r\n[1, -0.5e+3, true, false, null, \"x\", {}] ", "", ""},
		{`{"a":{"b":[{"c":1},{"c":2}]}}`, "", ""},
		{`{"a":1,"A":2}`, "", ""},
		{`"\ud83d\ude00\u00e4\/\b"`, "", ""},
		{deep(64), "", ""},
		{many(`"new"`), "", ""},

		{`{"a":1,"a":2}`, "body.a", "appears twice"},
		{`{"a":1,"\u0061":2}`, "body.a", "appears twice"},
		{`{"x":[{"a":1},{"a":1,"a":1}]}`, "body.x[1].a", "appears twice"},
		{many(`"kc"`), "body.kc", "appears twice"},
		{many(`"k\u0063xx"`), "body.kcxx", "appears twice"},
		{"{\"a\":\"x\x00y\"}", "body.a", hasNUL},
		{`{"a":"x\u0000y"}`, "body.a", hasNUL},
		{`{"a\u0000":1}`, "body", hasNUL},
		{`{"a":"\ud800"}`, "body.a", "contains half of a surrogate pair"},
		{`{"a":"\ud800\u0041"}`, "body.a", "contains half of a surrogate pair"},
		{`{"a":"\udc00\ud800"}`, "body.a", "contains half of a surrogate pair"},
		{"{\"a\":\"\xff\"}", "body", "is not valid UTF-8"},
		{"\xef\xbb\xbf{}", "body", notJSON}, // a byte order mark
		{deep(65), "body" + strings.Repeat("[0]", 64), "nests deeper than 64 levels"},
		{strings.Repeat("[", 1_000_000), "body" + strings.Repeat("[0]", 64), "nests deeper than 64 levels"},
		{strings.Repeat(`{"a":`, 1_000_000), "body" + strings.Repeat(".a", 64), "nests deeper than 64 levels"},
		{`{}{}`, "body", "has data after the JSON value"},
		{`{} x`, "body", "has data after the JSON value"},
		{`[1,]`, "body[1]", notJSON},
		{`{"a":1,}`, "body", notJSON},
		{`{a:1}`, "body", notJSON},
		{`{'a':1}`, "body", notJSON},
		{`[01]`, "body[0]", notJSON},
		{`[+1]`, "body[0]", notJSON},
		{`[.5]`, "body[0]", notJSON},
		{`[1.]`, "body[0]", notJSON},
		{`[1e]`, "body[0]", notJSON},
		{`[-]`, "body[0]", notJSON},
		{`[NaN]`, "body[0]", notJSON},
		{`[Infinity]`, "body[0]", notJSON},
		{`[0x10]`, "body", notJSON},
		{"[\"a\nb\"]", "body[0]", notJSON},
		{`["\x41"]`, "body[0]", notJSON},
		{`["\u12"]`, "body[0]", notJSON},
		{`["a`, "body[0]", notJSON},
		{`["a\`, "body[0]", notJSON},
		{`// no comments`, "body", notJSON},
		{``, "body", notJSON},
		{`nul`, "body", notJSON},
		{`truefalse`, "body", "has data after the JSON value"},
	} {
		err := strictJSON([]byte(c.in))
		switch f := fault.From(err); {
		case c.field == "" && err != nil:
			t.Errorf("%.60q: %v", c.in, f.Fields)
		case c.field != "" && f == nil:
			t.Errorf("%.60q passed", c.in)
		case c.field != "" && (f.Fields[0].Field != c.field || f.Fields[0].Message != c.message):
			t.Errorf("%.60q: %.200v, want %.60s %s", c.in, f.Fields[0], c.field, c.message)
		}
	}
}

// TestStrictJSONAccepts takes everything that encoding/json writes.
func TestStrictJSONAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") })
		v := rapid.MapOf(text, rapid.SliceOf(rapid.OneOf(
			rapid.Map(text, func(s string) any { return s }),
			rapid.Map(rapid.Float64Range(-1e300, 1e300), func(f float64) any { return f }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		))).Draw(t, "value")
		body, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := strictJSON(body); err != nil {
			t.Fatalf("%s: %v", body, fault.From(err).Fields)
		}
	})
}

// FuzzStrictJSON never accepts input that encoding/json refuses, and never crashes.
func FuzzStrictJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"\ud83d\ude00",null]}`, `{"a":1,"a":2}`, `[[[[`, "\x00", `"\u0000"`, `-`, `{"":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if err := strictJSON(in); err == nil && !json.Valid(in) {
			t.Errorf("%q is not JSON", in)
		}
	})
}
