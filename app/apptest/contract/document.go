package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Object is a decoded JSON object.
type Object = map[string]any

// Document is an OpenAPI document.
type Document struct {
	Root  Object
	Paths map[string]Object // by template: operations by method, in lower case
	Build string            // v of every answer; any build when empty
}

// Read decodes a document.
func Read(body []byte) (*Document, error) {
	root, err := decode(body)
	if err != nil {
		return nil, fmt.Errorf("contract: openapi.json: %w", err)
	}
	d := &Document{Root: Dig[Object](root), Paths: map[string]Object{}}
	for template := range Dig[Object](root, "paths") {
		d.Paths[template] = Dig[Object](root, "paths", template)
	}
	return d, nil
}

// decode keeps numbers as they are written.
func decode(body []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// Dig walks into decoded JSON; the zero value when something on the way is missing.
func Dig[T any](v any, keys ...string) T {
	for _, k := range keys {
		m, _ := v.(Object)
		v = m[k]
	}
	out, _ := v.(T)
	return out
}

// Operation finds what answers a request: literal segments before parameters. Nil when nothing is described there.
func (d *Document) Operation(method, path string) (op Object, template string) {
	path, _, _ = strings.Cut(path, "?")
	best := -1
	for t, item := range d.Paths {
		if literal := matches(t, path); literal > best && item[strings.ToLower(method)] != nil {
			best, template = literal, t
		}
	}
	if best < 0 {
		return nil, ""
	}
	return Dig[Object](d.Paths[template], strings.ToLower(method)), template
}

// matches counts the literal segments in which a template agrees with a path; -1 when it does not match.
func matches(template, path string) int {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return -1
	}
	literal := 0
	for i, seg := range want {
		switch {
		case seg == got[i]:
			literal++
		case !strings.HasPrefix(seg, "{") || got[i] == "":
			return -1
		}
	}
	return literal
}

// Covers tells whether an address is the API's: below one of the roots of the document.
func (d *Document) Covers(path string) bool {
	for template := range d.Paths {
		if root(template) == root(path) {
			return true
		}
	}
	return false
}

func root(path string) string {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/"), "?")
	first, _, _ := strings.Cut(path, "/")
	return first
}
