package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// raw is a piece of a body that is sent as it stands, whether or not it is JSON.
type raw string

// encode writes a value with its members in order, so that a seed always makes the same bytes.
func encode(v any) string {
	switch x := v.(type) {
	case raw:
		return string(x)
	case object:
		parts := []string{}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			parts = append(parts, js(name)+":"+encode(x[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		parts := make([]string, len(x))
		for i, item := range x {
			parts[i] = encode(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return js(v)
}

// wildTexts are texts that programs stumble over: days and times that do not exist, or exist twice, or at the limits
// of storage; names of records that look nearly right; code of other languages.
var wildTexts = []string{
	"", " ", "text", "null", "0", "-1", "true", "a\x00b", "\x00", "\xff\xfe", "\xed\xa0\x80", "\u202e\u200d\ufeff", "é\u0301", "👩‍👩‍👧‍👦",
	"'; drop table bookings; --", "<script>alert(1)</script>", "%s%d%n", "{{.}}", "../../etc/passwd", "line\r\nX-Injected: 1", "\\", "\"", "_%", "*",
	"0001-01-01", "0000-00-00", "-0001-01-01", "9999-12-31", "10000-01-01", "2026-02-29", "2024-02-29", "2026-02-30", "2026-13-01", "2026-6-1",
	"2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01", "2026-06-01", "1582-10-10", "infinity", "-infinity", "now", "today",
	"0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "10000-01-01T00:00:00Z", "294277-01-01T00:00:00Z",
	"2026-03-08T02:30:00-05:00", "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00", "2026-10-25T02:30:00+02:00", "2026-03-29T01:30:00Z",
	"2016-12-31T23:59:60Z", "2026-06-01T00:00:00+23:59", "2026-06-01T00:00:00+24:00", "2026-06-01T00:00:00", "2026-06-01T24:00:00Z",
	"2026-06-02T12:00:00Z", "2026-06-02T16:00:00.0000000000001Z", "-9999-01-01T00:00:00Z",
	"00:00", "09:00", "24:00", "24:01", "25:00", "23:59:60", "9:00", "٠٩:٠٠", "02:30",
	"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "{0190a1b2-0000-7000-8000-0000000000ff}",
	"0190a1b2000070008000000000000000", "urn:uuid:0190a1b2-0000-7000-8000-0000000000ff", "0190a1b2-0000-7000-8000-00000000000g",
	"a@b", "a@example.com", "A@EXAMPLE.COM", "a@xn--.com", "@", strings.Repeat("a", 300) + "@example.com", "a\u0000@example.com",
	"America/New_York", "Europe/Lisbon", "Local", "../UTC", "posixrules", "USD", "XTS", "usd", "JPY", "https://", "https://[::1", "javascript:alert(1)",
	"99999999999999999999", "9223372036854775807", "9223372036854775808", "2147483648", "1e9", "NaN", "0x10", "1_000", "+1", "००१",
	"svc-times p { color: red }", "a{b:url(//x)}", "@import 'x';", strings.Repeat("{", 500),
}

// wildNumbers are numbers at the limits of storage, and past them.
var wildNumbers = []raw{
	"0", "-0", "-1", "1", "2", "7", "1.5", "1.0", "1e2", "1e400", "-1e400", "1e-400", "2147483647", "2147483648", "-2147483649", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "99999999999999999999999999999999",
	"0." + raw(strings.Repeat("0", 400)) + "1", raw(strings.Repeat("9", 5000)), "01", "+1", "NaN", "Infinity", "0x1", ".5", "1.",
}

// wildJSON are values of unexpected shapes, and some that are no JSON.
var wildJSON = []raw{
	"null", "true", "false", "{}", "[]", "[[]]", "[{}]", `[{"a":1},{"a":1}]`, `{"a":1}`, `{"a":1,"a":2}`, `{"":{}}`, `{"__proto__":{}}`,
	`"\u0000"`, `"\ud800"`, `"\udc00\ud800"`, "\"\xff\"", "\"\x00\"", "\"\n\"", `"\x41"`, `"unended`, "undefined", "[1,]", `{"a":1,}`, "[,1]", "/*x*/1", "'x'",
	"[null]", "[null,null]", "[[],{}]", "[1,\"1\",1.0]", "[true,true]", raw(strings.Repeat("[", 60) + strings.Repeat("]", 60)),
	raw(strings.Repeat("[", 66) + strings.Repeat("]", 66)), raw(strings.Repeat(`{"a":`, 63) + "1" + strings.Repeat("}", 63)),
	raw(strings.Repeat("[", 5000)), raw("[" + strings.TrimSuffix(strings.Repeat("1,", 2000), ",") + "]"),
	raw("[" + strings.TrimSuffix(strings.Repeat(`"0190a1b2-0000-7000-8000-0000000000ff",`, 201), ",") + "]"),
}

// luck draws hostile values. They depend on its seed alone, and on the number of ids.
type luck struct {
	*rand.Rand
	ids []string // of records of every kind, own ones and foreign ones
}

func pick[T any](l *luck, from []T) T { return from[l.IntN(len(from))] }

// chance is true so many times in a hundred.
func (l *luck) chance(percent int) bool { return l.IntN(100) < percent }

// text is any text, of any length.
func (l *luck) text() string {
	switch l.IntN(10) {
	case 0:
		return strings.Repeat(pick(l, []string{"x", "ä", "👍", "\x01", " "}), pick(l, []int{1, 50, 201, 2049, 70_000}))
	case 1, 2, 3:
		return pick(l, l.ids)
	case 4:
		id := []byte(pick(l, l.ids))
		if len(id) > 0 {
			id[l.IntN(len(id))] = byte(l.IntN(256))
		}
		return string(id)
	}
	return pick(l, wildTexts)
}

// value is anything.
func (l *luck) value() any {
	switch l.IntN(4) {
	case 0:
		return pick(l, wildNumbers)
	case 1:
		return pick(l, wildJSON)
	}
	return raw(quote(l.text()))
}

// quote writes a JSON string; bytes that are no UTF-8 stay what they are.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// fitting returns a value that satisfies a schema, preferably one at its bounds.
func (l *luck) fitting(h *house, s object, depth int) any {
	s = h.resolve(s)
	if options, ok := s["anyOf"].([]any); ok {
		return l.fitting(h, pick(l, options).(object), depth)
	}
	if list, ok := s["enum"].([]any); ok {
		return pick(l, list)
	}
	kind, _ := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok {
		kind = pick(l, kinds).(string)
	}
	switch kind {
	case "object":
		return l.object(h, s, depth)
	case "array":
		out := []any{}
		items, _ := s["items"].(object)
		for n := l.IntN(4); n > 0 && depth < 8; n-- {
			out = append(out, l.fitting(h, items, depth+1))
		}
		return out
	case "integer", "number":
		return l.number(s)
	case "boolean":
		return l.chance(50)
	case "string":
		return l.string(s)
	}
	return nil
}

func (l *luck) object(h *house, s object, depth int) any {
	out, required := object{}, dig[[]any](s, "required")
	members := dig[object](s, "properties")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if depth < 8 && (slices.Contains(required, any(name)) || l.chance(50)) && name != "quoteId" {
			out[name] = l.fitting(h, members[name].(object), depth+1)
		}
	}
	return out
}

func (l *luck) number(s object) any {
	least, most := int64(0), int64(1000)
	if n, ok := s["minimum"].(json.Number); ok {
		least, _ = n.Int64()
	}
	if n, ok := s["maximum"].(json.Number); ok {
		most, _ = n.Int64()
	}
	return pick(l, []int64{least, most, least + l.Int64N(max(most-least, 1)), min(least+1, most)})
}

func (l *luck) string(s object) string {
	switch dig[string](s, "format") {
	case "uuid":
		return pick(l, l.ids)
	case "date":
		return pick(l, []string{"2026-06-02", "2026-03-08", "2026-10-25", "2024-02-29", "9999-12-31", "0001-01-01"})
	case "date-time":
		return pick(l, []string{"2026-06-02T16:00:00Z", "2026-03-08T02:30:00-05:00", "2026-10-25T01:30:00+01:00", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"})
	}
	if strings.Contains(dig[string](s, "pattern"), ":") {
		return pick(l, []string{"00:00", "02:30", "23:59", "24:00"})
	}
	text := []rune(pick(l, []string{"Kim", "en", "Europe/Lisbon", "EUR", "kim@example.com", "äöü ß", "x"}))
	if n, ok := s["maxLength"].(json.Number); ok {
		most, _ := strconv.Atoi(n.String())
		if l.chance(20) {
			return strings.Repeat("y", most)
		}
		text = text[:min(len(text), most)]
	}
	return string(text)
}
