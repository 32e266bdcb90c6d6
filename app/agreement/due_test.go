package agreement_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/tenancy"
)

// TestSigningBeforeAVisit: A184, A189, A195: a customer booked by the studio signs without a cart, once even if
// repeated; other cases are refused as in a cart.
func TestSigningBeforeAVisit(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	s.book(t, ada, s.at)
	waiver := s.asks(t)
	rules := s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Position, in.Show = 1, agreement.ShowFull })
	chosen := s.asks(t, func(in *agreement.CreateInput) { in.EveryListing = false })
	later := s.bookAtDesk(t, s.customer(t, ada), s.date(t, s.class, 96*time.Hour))
	due := func(sc tenancy.Scope, open ...int) []agreement.Requirement {
		t.Helper()
		asks, err := s.a.MyOutstanding(ctx, sc)
		if err != nil || len(asks) != len(open) {
			t.Fatalf("%+v (%v)", asks, err)
		}
		for i, k := range asks {
			if len(k.Open) != open[i] {
				t.Errorf("%s lacks %v, want %d", k.Name, k.Open, open[i])
			}
		}
		return asks
	}
	due(ada, 2, 2)
	due(bo)
	in := func(shown agreement.Shown, copies ...uuid.UUID) (in agreement.AcceptInput) {
		for _, id := range copies {
			in.Accept = append(in.Accept, agreement.Accepted{ContentID: id, Shown: shown})
		}
		return in
	}
	_, key := s.Key(t)
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		in   agreement.AcceptInput
		want error
	}{
		"nothing":              {ada, agreement.AcceptInput{}, nil},
		"not to its end":       {ada, in(agreement.ShownCheckbox, waiver.Copy.ID, rules.Copy.ID), nil},
		"not asked":            {ada, in(agreement.ShownFull, waiver.Copy.ID, chosen.Copy.ID), fault.Missing()},
		"nothing is booked":    {bo, in(agreement.ShownFull, waiver.Copy.ID), fault.Missing()},
		"nobody":               {s.Visitor(), in(agreement.ShownFull, waiver.Copy.ID), identity.ErrSignIn},
		"a key":                {key, in(agreement.ShownFull, waiver.Copy.ID), identity.ErrKeyRefused},
		"not of this business": {func() tenancy.Scope { sc := ada; sc.Tenant = s.w.Studio(t).Business.ID; return sc }(), in(agreement.ShownFull, waiver.Copy.ID), fault.Missing()},
	} {
		_, err := s.a.Sign(ctx, c.sc, c.in)
		switch {
		case c.want == nil:
			wrong(t, err, "accept")
		case err == nil || err.Error() != c.want.Error():
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if s.count(t) != 0 {
		t.Fatal("something was agreed to")
	}
	now := s.update(t, waiver, func(in *agreement.UpdateInput) { in.Body = new("Other words.") })
	_, err := s.a.Sign(ctx, ada, in(agreement.ShownFull, waiver.Copy.ID, rules.Copy.ID))
	s.refused(t, err, agreement.ErrStale, now)

	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if asks, err := s.a.Sign(ctx, ada, in(agreement.ShownFull, now.Copy.ID, rules.Copy.ID)); err != nil || len(agreement.Open(asks)) != 0 {
				t.Errorf("%+v (%v)", asks, err)
			}
		})
	}
	all.Wait()
	due(ada, 0, 0)
	if n := s.count(t); n != 3 {
		t.Errorf("%d acceptances, want one of the waiver and two of the rules", n)
	}
	given, err := s.a.OfBooking(ctx, s.Owner.Tenant, agreement.StatusInput{CustomerID: s.customer(t, ada), LocationID: s.Location.ID}, later)
	if err != nil || len(given) != 2 || given[0].Outstanding || given[0].Record.CopyID != now.Copy.ID || given[1].Outstanding || *given[1].Record.Shown != agreement.ShownFull {
		t.Errorf("%+v (%v)", given, err)
	}
	if _, err := s.a.OfBooking(ctx, s.Owner.Tenant, agreement.StatusInput{CustomerID: s.customer(t, ada), LocationID: s.Location.ID}, uuid.New()); !errors.Is(err, fault.Missing()) && !fault.IsKind(err, fault.NotFound) {
		t.Errorf("of no booking: %v", err)
	}

	// Archived, and in a new round: acceptances of a booking stay on it.
	s.update(t, now, func(in *agreement.UpdateInput) { in.Reask = true })
	if _, err := s.a.Archive(ctx, s.Owner, s.Location.ID, rules.ID); err != nil {
		t.Fatal(err)
	}
	due(ada, 2)
	given, err = s.a.OfBooking(ctx, s.Owner.Tenant, agreement.StatusInput{CustomerID: s.customer(t, ada), LocationID: s.Location.ID}, later)
	if err != nil || len(given) != 2 || !given[0].Outstanding || given[0].Record != nil || given[1].Outstanding || given[1].Record == nil || given[1].Record.CopyID != rules.Copy.ID {
		t.Errorf("%+v (%v)", given, err)
	}
}
