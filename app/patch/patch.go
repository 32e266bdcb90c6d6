// Package patch is a change of some fields of a record: what the change does not name stays as it is.
package patch

// Set gives a field its new value, unless the change has none: from is nil.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Field is the new value of something that may be taken away: a Value of nil takes it away, and a Field that is not Set
// leaves it.
type Field[T any] struct {
	Set   bool
	Value *T
}

// Some is a Field that gives a value.
func Some[T any](v T) Field[T] { return Field[T]{Set: true, Value: &v} }

// None is a Field that takes the value away.
func None[T any]() Field[T] { return Field[T]{Set: true} }

// To gives a field its new value, or takes it away.
func (f Field[T]) To(to **T) {
	if f.Set {
		*to = f.Value
	}
}
