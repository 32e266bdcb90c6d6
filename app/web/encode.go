package web

import (
	"encoding"
	"encoding/hex"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// jsonFormat writes what huma.DefaultJSONFormat writes, byte for byte, for about a third of the time. encoding/json calls
// a method for every id and instant, keeps what it returns and reads it once more; a list of dates is little else.
var jsonFormat = huma.Format{Marshal: writeJSON, Unmarshal: json.Unmarshal}

// encodeFunc appends the JSON of a value that can be addressed.
type encodeFunc func(b []byte, v reflect.Value) ([]byte, error)

var (
	encoders sync.Map // reflect.Type → encodeFunc; nil for a type that is left to encoding/json
	bodies   = sync.Pool{New: func() any { return new([]byte) }}
)

// keptBody is the longest body whose memory is used again.
const keptBody = 256 << 10

func writeJSON(w io.Writer, v any) error {
	t := reflect.TypeOf(v)
	if t == nil {
		return huma.DefaultJSONFormat.Marshal(w, v)
	}
	known, ok := encoders.Load(t)
	if !ok {
		known, _ = encoders.LoadOrStore(t, encoderOf(t, nil))
	}
	encode := known.(encodeFunc)
	if encode == nil {
		return huma.DefaultJSONFormat.Marshal(w, v)
	}
	at := reflect.New(t).Elem()
	at.Set(reflect.ValueOf(v))
	body := bodies.Get().(*[]byte)
	b, err := encode((*body)[:0], at)
	if err == nil {
		b = append(b, '\n')
		_, err = w.Write(b)
	}
	if cap(b) <= keptBody {
		*body = b
		bodies.Put(body)
	}
	return err
}

var (
	timeType = reflect.TypeFor[time.Time]()
	uuidType = reflect.TypeFor[uuid.UUID]()
)

// encoderOf plans a type, or gives nil where to be equal to encoding/json would take more than is written here: embedded
// fields, options of a tag, recursion, methods of the pointer only. above are the types around it.
func encoderOf(t reflect.Type, above []reflect.Type) encodeFunc {
	switch {
	case t == timeType:
		return encodeTime
	case t == uuidType:
		return encodeUUID
	case marshals(t):
		return encodeSlowly
	case marshals(reflect.PointerTo(t)), slices.Contains(above, t):
		return nil
	}
	above = append(above[:len(above):len(above)], t)
	switch t.Kind() {
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.String:
		return encodeString
	case reflect.Map, reflect.Interface, reflect.Float32, reflect.Float64:
		return encodeSlowly
	case reflect.Pointer:
		return pointerEncoder(t, above)
	case reflect.Slice:
		return sliceEncoder(t, above)
	case reflect.Struct:
		return structEncoder(t, above)
	}
	return nil
}

func marshals(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

func encodeSlowly(b []byte, v reflect.Value) ([]byte, error) {
	body, err := plainJSON(v.Interface())
	return append(b, body...), err
}

func encodeTime(b []byte, v reflect.Value) ([]byte, error) {
	b, err := v.Addr().Interface().(*time.Time).AppendText(append(b, '"'))
	return append(b, '"'), err
}

func encodeUUID(b []byte, v reflect.Value) ([]byte, error) {
	id := v.Addr().Interface().(*uuid.UUID)
	b = hex.AppendEncode(append(b, '"'), id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = hex.AppendEncode(append(b, '-'), part)
	}
	return append(b, '"'), nil
}

func encodeString(b []byte, v reflect.Value) ([]byte, error) {
	s := v.String()
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			body, err := plainJSON(s)
			return append(b, body...), err
		}
	}
	return append(append(append(b, '"'), s...), '"'), nil
}

func pointerEncoder(t reflect.Type, above []reflect.Type) encodeFunc {
	elem := encoderOf(t.Elem(), above)
	if elem == nil {
		return nil
	}
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return elem(b, v.Elem())
	}
}

func sliceEncoder(t reflect.Type, above []reflect.Type) encodeFunc {
	elem := encoderOf(t.Elem(), above)
	if elem == nil {
		return nil
	}
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = elem(b, v.Index(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	}
}

// fieldPlan is one field of a struct: what stands before its value, and the value.
type fieldPlan struct {
	index  int
	before string
	encode encodeFunc
}

func structEncoder(t reflect.Type, above []reflect.Type) encodeFunc {
	var fields []fieldPlan
	named := map[string]bool{}
	before := "{"
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		if f.Anonymous || strings.Contains(tag, ",") {
			return nil
		}
		if !f.IsExported() || tag == "-" {
			continue
		}
		name := f.Name
		if tagged && tag != "" {
			name = tag
		}
		quoted, err := plainJSON(name)
		elem := encoderOf(f.Type, above)
		if err != nil || elem == nil || named[name] || strings.Trim(name, nameChars) != "" {
			return nil
		}
		named[name] = true
		fields = append(fields, fieldPlan{i, before + string(quoted) + ":", elem})
		before = ","
	}
	if len(fields) == 0 {
		return encodeSlowly
	}
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		for _, f := range fields {
			if b, err = f.encode(append(b, f.before...), v.Field(f.index)); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	}
}

// nameChars are what names of this API are made of; encoding/json ignores a tag with certain others.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
