package api_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"foyer/app/web/op"
)

// hostile makes a hostile request to an operation: mostly close to a valid one, so that it gets far.
func (l *luck) hostile(h *house, s, elsewhere *studio, spec op.Spec) call {
	c := call{method: spec.Method, path: l.path(s, elsewhere, spec) + l.query(h, spec), keyless: true}
	if l.chance(15) {
		c.headers = append(c.headers, "Idempotency-Key", l.header())
	}
	if l.chance(5) {
		c.headers = append(c.headers, pick(l, []string{"Content-Encoding", "Accept", "If-None-Match", "Cf-Connecting-Ip", "X-Request-Id"}), l.header())
	}
	if schema := h.bodySchema(spec); schema != nil || l.chance(5) {
		c.body = l.body(h, schema, s.bodies(spec.ID))
		if l.chance(3) {
			c.contentType = pick(l, []string{"text/plain", "application/json; charset=latin1", "application/json;", "multipart/form-data", ";", "APPLICATION/JSON"})
		}
	}
	return c
}

// header is a value that a header can have on the wire.
func (l *luck) header() string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(l.text())
}

// path names records: mostly the studio's own, else others', none, or nonsense.
func (l *luck) path(s, elsewhere *studio, spec op.Spec) string {
	names := params(spec.Path)
	switch n := l.IntN(100); {
	case len(names) == 0 || n < 55:
		return s.fill(spec, "")
	case n < 65:
		return s.fill(spec, "2")
	case n < 75:
		return elsewhere.fill(spec, "")
	case n < 80:
		name := pick(l, names)
		return s.fillWith(spec, name, ghost(name))
	case n < 90:
		return s.fillWith(spec, pick(l, names), pick(l, l.ids))
	}
	return s.fillWith(spec, pick(l, names), url.PathEscape(l.text()))
}

// query fills in documented parameters, and one that is not.
func (l *luck) query(h *house, spec op.Spec) string {
	var out []string
	d, _ := h.doc.Operation(spec.Method, spec.Path)
	for _, p := range dig[[]any](d, "parameters") {
		if dig[string](p, "in") != "query" || l.chance(40) {
			continue
		}
		value := l.text()
		if l.chance(60) {
			value = strings.Trim(encode(l.fitting(h, dig[object](p, "schema"), 0)), `"`)
		}
		for n := 1 + l.IntN(8)/7; n > 0; n-- {
			out = append(out, dig[string](p, "name")+"="+url.QueryEscape(value))
		}
	}
	if l.chance(5) {
		out = append(out, url.QueryEscape(l.text())+"="+url.QueryEscape(l.text()))
	}
	if len(out) == 0 {
		return ""
	}
	return "?" + strings.Join(out, "&")
}

// body returns a body: the valid one of the samples, or one made from the schema, with some of its nodes changed, or
// broken as text.
func (l *luck) body(h *house, schema, good object) string {
	var v any
	if good == nil || l.chance(50) {
		v = l.fitting(h, schema, 0)
	} else {
		v = dig[object](decode([]byte(js(good)))) // a copy
	}
	for n := pick(l, []int{0, 1, 1, 1, 1, 2, 3}); n > 0; n-- {
		v = l.spoil(h, schema, v)
	}
	text := encode(v)
	if l.chance(85) {
		return text
	}
	return l.broken(text)
}

// spoil changes one node of a value, at any depth.
func (l *luck) spoil(h *house, s object, v any) any {
	s = h.resolve(s)
	if l.chance(10) {
		return l.value()
	}
	switch x := v.(type) {
	case object:
		return l.spoilObject(h, s, x)
	case []any:
		items := dig[object](s, "items")
		switch {
		case len(x) == 0 || l.chance(30):
			return append(x, l.value())
		case l.chance(30):
			return append(x, x[l.IntN(len(x))])
		}
		i := l.IntN(len(x))
		x[i] = l.spoil(h, items, x[i])
		return x
	}
	return l.value()
}

func (l *luck) spoilObject(h *house, s object, x object) any {
	members := dig[object](s, "properties")
	known := slices.Sorted(maps.Keys(members))
	if len(known) == 0 || l.chance(5) {
		x[pick(l, []string{"surprise", "", "__proto__", "ID", "a\u0000b"})] = l.value()
		return x
	}
	name := pick(l, known)
	switch n := l.IntN(100); {
	case n < 10:
		delete(x, name)
	case n < 15: // twice
		return raw(strings.TrimSuffix(encode(x), "}") + `,"` + name + `":` + encode(l.value()) + "}")
	case n < 20: // in another case
		x[strings.ToUpper(name)] = x[name]
	case n < 40:
		x[name] = l.fitting(h, members[name].(object), 0)
	case n < 55:
		x[name] = l.value()
	default:
		if x[name] == nil {
			x[name] = l.fitting(h, members[name].(object), 0)
		}
		x[name] = l.spoil(h, members[name].(object), x[name])
	}
	return x
}

// broken returns a text that was JSON.
func (l *luck) broken(text string) string {
	switch b := []byte(text); l.IntN(7) {
	case 0:
		return text[:l.IntN(len(text)+1)]
	case 1:
		b[l.IntN(len(b))] = byte(l.IntN(256))
		return string(b)
	case 2:
		return text + text
	case 3:
		return "\ufeff" + text
	case 4:
		return strings.Repeat("[", 100) + text
	case 5:
		return text + strings.Repeat(" ", 70_000) + "x"
	}
	return pick(l, []string{"", " ", "null", "[]", "0", "\x00", "{", "\"", "{\"\":", "\xff\xfe{\x00}\x00"})
}
