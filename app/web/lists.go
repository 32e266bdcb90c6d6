package web

import (
	"reflect"
)

// emptyLists returns a function that replaces nil slices inside a value of that type by empty ones, or nil when the type
// has none. A nil slice would be sent as null, which no list of the contract allows. An output belongs to its answer: a
// handler returns values that it made for it.
func emptyLists(t reflect.Type) func(reflect.Value) {
	return (&listFiller{made: map[reflect.Type]*func(reflect.Value){}}).of(t)
}

// listFiller remembers the functions it made, so that recursive types end.
type listFiller struct {
	made map[reflect.Type]*func(reflect.Value)
}

func (l *listFiller) of(t reflect.Type) func(reflect.Value) {
	switch t.Kind() {
	case reflect.Pointer:
		return l.pointer(t)
	case reflect.Slice:
		return l.slice(t)
	case reflect.Struct:
		return l.structure(t)
	}
	return nil
}

func (l *listFiller) pointer(t reflect.Type) func(reflect.Value) {
	inner := l.of(t.Elem())
	if inner == nil {
		return nil
	}
	return func(v reflect.Value) {
		if !v.IsNil() {
			inner(v.Elem())
		}
	}
}

func (l *listFiller) slice(t reflect.Type) func(reflect.Value) {
	if t.Elem().Kind() == reflect.Uint8 {
		return nil // bytes are sent as a string
	}
	inner := l.of(t.Elem())
	return func(v reflect.Value) {
		if v.IsNil() {
			v.Set(reflect.MakeSlice(t, 0, 0))
			return
		}
		if inner != nil {
			for i := range v.Len() {
				inner(v.Index(i))
			}
		}
	}
}

func (l *listFiller) structure(t reflect.Type) func(reflect.Value) {
	if known, ok := l.made[t]; ok {
		return func(v reflect.Value) { (*known)(v) }
	}
	if opaque(t) && !reflect.PointerTo(t).Implements(reflect.TypeFor[holder]()) {
		return nil
	}
	self := new(func(reflect.Value))
	l.made[t] = self
	var fields []int
	var inner []func(reflect.Value)
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue
		}
		if f := l.of(t.Field(i).Type); f != nil {
			fields, inner = append(fields, i), append(inner, f)
		}
	}
	*self = func(v reflect.Value) {
		for k, i := range fields {
			inner[k](v.Field(i))
		}
	}
	if len(fields) == 0 {
		delete(l.made, t)
		return nil
	}
	return *self
}

// holder marks our own types that decide their JSON but send their fields: Nullable and Quoted.
type holder interface{ holdsData() }
