package agreement_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
)

// TestAnOfferingsChoiceIsAnotherVersion: A166: the open form of a document is refused after an offering added or
// removed it, and accepted for an unchanged document.
func TestAnOfferingsChoiceIsAnotherVersion(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	chosen := func(in *agreement.CreateInput) { in.EveryListing = false }
	a, b, other := s.asks(t, chosen), s.asks(t, chosen), s.asks(t, chosen)
	at := s.Owner
	at.Location = s.Location.ID
	set := func(documents ...uuid.UUID) {
		t.Helper()
		if _, err := s.a.SetOfDocuments(ctx, at, s.class.ID, documents); err != nil {
			t.Fatal(err)
		}
	}
	version := func(d agreement.Document, want int64) {
		t.Helper()
		if got, err := s.a.Get(ctx, s.Owner, s.Location.ID, d.ID); err != nil || got.Version != want {
			t.Errorf("version %d, want %d (%v)", got.Version, want, err)
		}
	}
	set(a.ID, b.ID)
	version(a, 2)
	version(b, 2)
	version(other, 1)
	set(b.ID)
	set(b.ID)
	version(a, 3)
	version(b, 2)
	for _, d := range []agreement.Document{a, b} {
		_, err := s.a.Update(ctx, s.Owner, agreement.UpdateInput{LocationID: s.Location.ID, ID: d.ID, Version: 1, OfferingIDs: &d.OfferingIDs})
		if !errors.Is(err, fault.ErrStale) {
			t.Errorf("written over what was chosen meanwhile: %v", err)
		}
	}
	if _, err := s.a.Update(ctx, s.Owner, agreement.UpdateInput{LocationID: s.Location.ID, ID: other.ID, Version: 1, Name: new("Rules")}); err != nil {
		t.Error(err)
	}
	var all sync.WaitGroup
	for i := range 8 { // each lists two, in either order, and the last write holds
		all.Go(func() { set([][]uuid.UUID{{a.ID, other.ID}, {other.ID, b.ID}}[i%2]...) })
	}
	all.Wait()
	list, err := s.a.List(ctx, s.Owner, s.Location.ID, false)
	if err != nil || len(list[0].OfferingIDs)+len(list[1].OfferingIDs) != 1 || len(list[2].OfferingIDs) != 1 {
		t.Errorf("%+v (%v)", list, err)
	}
}
