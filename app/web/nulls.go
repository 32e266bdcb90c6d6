package web

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"foyer/app/fault"
)

// refuseNulls refuses null for a member that is not nullable. huma takes it for "left out", so that somebody who means
// "take it away" would be told that it was. Nullable is what is declared as Nullable, and a required pointer.
func refuseNulls(body []byte, t reflect.Type) error {
	if !bytes.Contains(body, []byte("null")) {
		return nil
	}
	var v any
	if json.Unmarshal(body, &v) != nil { // what is wrong with it is said elsewhere
		return nil
	}
	if path, found := findNull(v, deref(t), "body"); found {
		return fault.Invalid(path, "is null: leave it out, or send a value")
	}
	return nil
}

func findNull(v any, t reflect.Type, path string) (string, bool) {
	switch x := v.(type) {
	case nil:
		return path, true
	case []any:
		if t.Kind() != reflect.Slice {
			return "", false
		}
		for i, item := range x {
			if at, found := findNull(item, deref(t.Elem()), path+"["+strconv.Itoa(i)+"]"); found {
				return at, true
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return "", false
		}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			value, sent := x[name]
			if !sent || name == "" || nullable(f.Type, options) {
				continue
			}
			if at, found := findNull(value, deref(f.Type), path+"."+name); found {
				return at, true
			}
		}
	}
	return "", false
}

// nullable tells whether a member of that type, with those options of its json tag, takes null.
func nullable(t reflect.Type, options string) bool {
	if t.Kind() == reflect.Pointer {
		return !strings.Contains(options, "omit")
	}
	return t.Kind() == reflect.Interface || implements(t, schemaProvider)
}
