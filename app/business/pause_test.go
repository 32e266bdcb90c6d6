package business_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Pausing and resuming: each once, even if repeated, and logged. E48.
func TestPauseAndResume(t *testing.T) {
	w := apptest.Open(t)
	h, s := w.Businesses(t), w.Studio(t)
	admin := s.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	for i, c := range []struct {
		name    string
		do      func(context.Context, tenancy.Scope) (business.Business, error)
		status  business.Status
		version int64
	}{
		{"nothing to resume", h.Resume, business.Active, 1},
		{"paused", h.Pause, business.Paused, 2},
		{"paused again", h.Pause, business.Paused, 2},
		{"resumed", h.Resume, business.Active, 3},
		{"resumed again", h.Resume, business.Active, 3},
	} {
		got, err := c.do(t.Context(), admin)
		if err != nil || got.Status != c.status || got.Version != c.version || got.ClosedAt != nil || got.ReturnUntil() != nil {
			t.Errorf("%d, %s: %+v, %v", i, c.name, got, err)
		}
	}
	told := apptest.Values[string](t, w, `select after->>'status' from audit_events
		where business_id = $1 and record = 'businesses' and action = 'update' and after ? 'status' order by seq`, s.Business.ID)
	if !slices.Equal(told, []string{"paused", "active"}) {
		t.Errorf("the log says %v", told)
	}
}

// Permissions: settings are for owners, admins and keys with the feature; closing is for owners only.
func TestWhoPausesAndCloses(t *testing.T) {
	w := apptest.Open(t)
	h, s := w.Businesses(t), w.Studio(t)
	_, key := s.Key(t)
	desk := s.Join(t, "desk@example.com", apptest.Everywhere(policy.FrontDesk))
	admin := s.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	for name, c := range map[string]struct {
		sc           tenancy.Scope
		pause, close error
	}{
		"front desk": {desk, policy.ErrMissingFeature, policy.ErrMissingFeature},
		"admin":      {admin, nil, policy.ErrOwnerOnly},
		"key":        {key, nil, policy.ErrOwnerOnly},
	} {
		_, paused := h.Pause(t.Context(), c.sc)
		_, resumed := h.Resume(t.Context(), c.sc)
		_, closed := h.Close(t.Context(), c.sc, business.CloseInput{})
		if !errors.Is(paused, c.pause) || !errors.Is(resumed, c.pause) || !errors.Is(closed, c.close) {
			t.Errorf("%s: pause %v, resume %v, close %v", name, paused, resumed, closed)
		}
	}
	s.Close(t)
	if _, err := h.Resume(t.Context(), admin); !errors.Is(err, policy.ErrOwnerOnly) {
		t.Errorf("an admin takes the owner's closing back: %v", err)
	}
	if _, err := h.Pause(t.Context(), admin); !errors.Is(err, business.ErrClosed) {
		t.Errorf("a closed business is paused: %v", err)
	}
}

// A closed business can be reopened for thirty days to the second, and shows until when.
func TestCloseAndReturn(t *testing.T) {
	w := apptest.Open(t)
	asked := 0
	h := w.Businesses(t, func(o *business.Options) {
		o.EndAheadTx = func(_ context.Context, _ *pg.Tx, _ tenancy.Scope, in business.CloseInput) (business.Ended, error) {
			asked++
			return business.Ended{Bookings: 3}, fault.When(!in.CancelBookings, business.ErrFutureBookings.With("bookings", 3), nil)
		}
	})
	s := w.Studio(t)
	if _, err := h.Close(t.Context(), s.Owner, business.CloseInput{}); fault.From(err).Details["bookings"] != 3 || !errors.Is(err, business.ErrFutureBookings) {
		t.Errorf("somebody is booked: %v", err)
	}
	if _, err := h.Close(t.Context(), s.Owner, business.CloseInput{Reason: "a\nb"}); len(fields(err)) != 1 {
		t.Errorf("two lines: %v", err)
	}
	for _, c := range []struct {
		after  time.Duration
		closed bool // for good
	}{{0, false}, {business.ReturnLife - time.Second, false}, {business.ReturnLife, true}} {
		at := w.Clock.Now()
		done, err := h.Close(t.Context(), s.Owner, business.CloseInput{CancelBookings: true})
		if err != nil || done.Status != business.Closed || !done.ClosedAt.Equal(at) || !done.ReturnUntil().Equal(at.Add(30*24*time.Hour)) || done.Ended.Bookings != 3 {
			t.Fatalf("%+v, %v", done, err)
		}
		w.Clock.Advance(c.after)
		before := asked
		again, err := h.Close(t.Context(), s.Owner, business.CloseInput{})
		if err != nil || again.Version != done.Version || !again.ClosedAt.Equal(at) || asked != before {
			t.Errorf("closed twice: %+v, %v, asked %d times", again, err, asked-before)
		}
		back, err := h.Resume(t.Context(), s.Owner)
		if c.closed {
			apptest.Is(t, err, business.ErrClosedForGood)
		} else if err != nil || back.Status != business.Active || back.ClosedAt != nil {
			t.Errorf("after %s: %+v, %v", c.after, back, err)
		}
	}
}

// A27: the studio chooses the customer's share of the fee.
func TestA27_Share(t *testing.T) {
	w := apptest.Open(t)
	h, s := w.Businesses(t), w.Studio(t)
	if s.Business.SplitPPM != 500_000 {
		t.Errorf("a new business splits in %d", s.Business.SplitPPM)
	}
	got, err := h.Update(t.Context(), s.Owner, business.UpdateInput{Version: 1, SplitPPM: ptr(int64(250_000))})
	if read, _ := h.Get(t.Context(), s.Owner); err != nil || got.SplitPPM != 250_000 || read != got {
		t.Errorf("%+v, %+v, %v", got, read, err)
	}
	for _, ppm := range []int64{-1, business.MaxSplitPPM + 1} {
		_, err := h.Update(t.Context(), s.Owner, business.UpdateInput{Version: 2, SplitPPM: &ppm})
		if f := fields(err); len(f) != 1 || f[0] != "splitPpm" {
			t.Errorf("%d: %v", ppm, err)
		}
	}
}

// The offerings of a location are archived with it, once; and not at all if that is refused.
func TestArchiveLocation(t *testing.T) {
	w := apptest.Open(t)
	booked, asked := true, 0
	h := w.Businesses(t, func(o *business.Options) {
		o.ArchiveLocationTx = func(context.Context, *pg.Tx, tenancy.Scope, *business.ArchivePlan) (business.ArchivedContent, error) {
			asked++
			return business.ArchivedContent{Offerings: 2}, fault.When(booked, business.ErrFutureBookings, nil)
		}
	})
	s := w.Studio(t)
	_, err := h.ArchiveLocation(t.Context(), s.Owner, business.ArchiveLocationInput{LocationID: s.Location.ID})
	apptest.Is(t, err, business.ErrFutureBookings)
	manager := s.Join(t, "manager@example.com", apptest.At(policy.Manager, s.Location.ID))
	_, err = h.ArchiveLocation(t.Context(), manager, business.ArchiveLocationInput{LocationID: s.Location.ID})
	apptest.Is(t, err, policy.ErrMissingFeature)
	_, err = h.ArchiveLocation(t.Context(), s.Owner, business.ArchiveLocationInput{LocationID: w.Studio(t).Location.ID})
	apptest.Refused(t, err, fault.NotFound)
	booked = false
	got, err := h.ArchiveLocation(t.Context(), s.Owner, business.ArchiveLocationInput{LocationID: s.Location.ID})
	if err != nil || !got.ArchivedAt.Equal(w.Clock.Now()) || got.Version != 2 || got.Content.Offerings != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	again, err := h.ArchiveLocation(t.Context(), s.Owner, business.ArchiveLocationInput{LocationID: s.Location.ID})
	if err != nil || again.Version != 2 || again.Content != (business.ArchivedContent{}) || asked != 2 {
		t.Errorf("again: %+v, %v, asked %d times", again, err, asked)
	}
	if f, err := h.FindSlug(t.Context(), s.Location.Slug); err != nil || f.Location != s.Location.ID {
		t.Errorf("its address is nobody else's: %+v, %v", f, err)
	}
}
