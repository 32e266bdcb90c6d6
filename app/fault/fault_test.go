package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"foyer/app/fault"
)

var errFull = fault.New(fault.Conflict, "full", "This class is full.")

func TestCopiesAreTheSentinel(t *testing.T) {
	other := fault.New(fault.Conflict, "full", "This class is full.")
	got := errFull.With("occurrenceId", "x").WithMessage("Full.").With("left", 0)
	wrapped := fmt.Errorf("hold: %w", got)
	if !errors.Is(wrapped, errFull) || errors.Is(wrapped, other) {
		t.Error("a copy is its own sentinel, and no other's that reads the same")
	}
	if errFull.Details != nil || errFull.Message != "This class is full." {
		t.Errorf("the sentinel changed: %+v", errFull)
	}
	if f := fault.From(wrapped); f.Details["occurrenceId"] != "x" || f.Details["left"] != 0 || f.Message != "Full." {
		t.Errorf("%+v", f)
	}
	if !fault.IsKind(wrapped, fault.Conflict) || fault.IsKind(errors.New("x"), fault.Conflict) || fault.From(nil) != nil {
		t.Error("kinds")
	}
}

func TestStale(t *testing.T) {
	if err := fault.Stale(3, 3); err != nil {
		t.Errorf("the current version: %v", err)
	}
	for _, from := range []int64{0, 2, 4} {
		err := fault.Stale(from, 3)
		if !errors.Is(err, fault.ErrStale) || !fault.IsKind(err, fault.Conflict) || fault.From(err).Details["version"] != int64(3) {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

func TestChecks(t *testing.T) {
	var c fault.Checks
	c.That(true, "body.name", "never said")
	if c.Err() != nil {
		t.Error("nothing is wrong")
	}
	c.That(false, "body.name", "is empty")
	c.That(false, "body.zone", "is unknown")
	f := fault.From(c.Err())
	if f == nil || f.Kind != fault.Validation || len(f.Fields) != 2 || f.Fields[1] != (fault.Field{Field: "body.zone", Message: "is unknown"}) {
		t.Errorf("%+v", f)
	}
	one := fault.Invalid("query.limit", "is too large")
	if two := one.And("query.q", "is too long"); len(two.Fields) != 2 || len(one.Fields) != 1 {
		t.Errorf("%v and %v", one.Fields, two.Fields)
	}
}
