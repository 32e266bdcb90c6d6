package apptest

import (
	"errors"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/pg"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/fault"
)

// Instant reads an instant as RFC 3339 writes it.
func Instant(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// Wrong is the sorted list of fields of the body that a refusal names.
func Wrong(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Validation {
		return "no validation fault"
	}
	var names []string
	for _, field := range f.Fields {
		names = append(names, strings.TrimPrefix(field.Field, "body."))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Refused holds an error against the kind of fault it has to be.
func Refused(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if !fault.IsKind(err, kind) {
		t.Errorf("%v, want %s", err, kind)
	}
}

// Is holds an error against the one it has to be.
func Is(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// Times is the service of availability, wired as the program wires it.
func Times(db *pg.DB) *availability.Service {
	return availability.New(availability.Options{DB: db, HitsTx: booking.HitsTx})
}
