// Package patch has changes of some fields of a record: other fields stay unchanged.
package patch

// Set sets a field to its new value, unless from is nil.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Field is the new value of an optional field. A nil Value removes the value, and a Field that is not Set leaves it
// unchanged.
type Field[T any] struct {
	Set   bool
	Value *T
}

// Some returns a Field that sets a value.
func Some[T any](v T) Field[T] { return Field[T]{Set: true, Value: &v} }

// None returns a Field that removes the value.
func None[T any]() Field[T] { return Field[T]{Set: true} }

// To sets a field to the new value, or removes the value.
func (f Field[T]) To(to **T) {
	if f.Set {
		*to = f.Value
	}
}
