package pg

// OrNull returns a pointer to v, or nil for its zero value (for a time: IsZero), which is null in a statement.
func OrNull[T comparable](v T) *T {
	var zero T
	if z, ok := any(v).(interface{ IsZero() bool }); v == zero || ok && z.IsZero() {
		return nil
	}
	return &v
}
