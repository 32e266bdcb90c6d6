package op

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"foyer/app/fault"
)

// keepBody keeps the schema of an operation's body for refuseHazards. It refuses to declare a list of objects or
// lists that takes each value once: huma cannot compare those.
func (d *declared) keepBody(op *huma.Operation) {
	if op.RequestBody != nil {
		d.body = op.RequestBody.Content[JSONType].Schema
		d.unique = d.hasUnique(d.body, map[*huma.Schema]bool{})
	}
}

func (d *declared) hasUnique(s *huma.Schema, seen map[*huma.Schema]bool) bool {
	s = d.registry.resolved(s)
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if s.UniqueItems {
		if items := d.registry.resolved(s.Items); items.Type == huma.TypeObject || items.Type == huma.TypeArray || items.Type == "" {
			panic(fmt.Sprintf("op: operation %q: uniqueItems is for lists of plain values", d.ID))
		}
		return true
	}
	found := d.hasUnique(s.Items, seen)
	for _, name := range sortedKeys(s.Properties) {
		found = d.hasUnique(s.Properties[name], seen) || found
	}
	for _, option := range s.AnyOf {
		found = d.hasUnique(option, seen) || found
	}
	return found
}

// resolved is the schema that a reference names, or the schema itself.
func (r *Registry) resolved(s *huma.Schema) *huma.Schema {
	if s != nil && s.Ref != "" {
		return r.api.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref)
	}
	return s
}

// refuseHazards refuses, with its position, input that huma does not keep from the verbs, or on which huma panics:
//
//   - An object or a list in a list of unique values. huma looks for repetitions before it looks at types, with the
//     values as keys of a map, and a key that cannot be hashed ends in a panic: handleArray in validate.go of huma
//     v2.37.2, as in every version before it. The message about the expected type is huma's.
//   - A time that is a day or more off UTC. time.Parse accepts an offset of 24 hours ("as some people do write
//     them"), and encoding/json refuses to write the result.
func refuseHazards(body []byte, d *declared) error {
	if d.body == nil || !d.unique && !oddOffset(body) {
		return nil
	}
	var v any
	if json.Unmarshal(body, &v) != nil { // reported by another check
		return nil
	}
	if at, message := d.registry.findHazard(v, d.body, "body"); at != "" {
		return fault.Invalid(at, message)
	}
	return nil
}

// oddOffset reports whether a text may contain a time that is a day or more off UTC.
func oddOffset(text []byte) bool {
	return bytes.Contains(text, []byte("24:")) || bytes.Contains(text, []byte(":60"))
}

const outlandish = "is not a time: it is a day or more off UTC"

// isOutlandish reports whether a text is a time that is a day or more off UTC.
func isOutlandish(text string) bool {
	at, err := time.Parse(time.RFC3339Nano, text)
	_, offset := at.Zone()
	return err == nil && (offset <= -daySeconds || offset >= daySeconds)
}

const daySeconds = 24 * 60 * 60

func (r *Registry) findHazard(v any, s *huma.Schema, path string) (at, message string) {
	if s = r.resolved(s); s == nil {
		return "", ""
	}
	switch x := v.(type) {
	case string:
		if s.Format == "date-time" && isOutlandish(x) {
			return path, outlandish
		}
	case []any:
		for i, item := range x {
			at := path + "[" + strconv.Itoa(i) + "]"
			if s.UniqueItems && compound(item) {
				return at, "must be " + typeWords[r.resolved(s.Items).Type] + ", and is " + kindOfJSON(item)
			}
			if at, message := r.findHazard(item, s.Items, at); at != "" {
				return at, message
			}
		}
	case map[string]any:
		for name, value := range x {
			if at, message := r.findHazard(value, s.Properties[name], path+"."+name); at != "" {
				return at, message
			}
		}
	}
	for _, option := range s.AnyOf {
		if at, message := r.findHazard(v, option, path); at != "" {
			return at, message
		}
	}
	return "", ""
}

// typeWords are the types of plain values, in the words of a refusal.
var typeWords = map[string]string{
	huma.TypeString: "a string", huma.TypeInteger: "a whole number", huma.TypeNumber: "a number", huma.TypeBoolean: "true or false",
}

func compound(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}
