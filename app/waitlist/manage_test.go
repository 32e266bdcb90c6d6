package waitlist_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/waitlist"
	"foyer/policy"
)

func (l *list) entry(w entrant, o apptest.OccurrenceRow, changes ...func(*waitlist.EntryInput)) waitlist.EntryInput {
	in := waitlist.EntryInput{OfferingID: l.offering(o), OccurrenceID: o.ID, EntryID: w.ID}
	for _, change := range changes {
		change(&in)
	}
	return in
}

func override(in *waitlist.EntryInput) { in.Override, in.Reason = true, "a friend of the house" }

// The studio books an entry out of turn: with the seat on offer to it, with one of the storefront, with one of the
// front desk, and beyond the capacity with a reason and the grant.
func TestWaitlistPromoteByStudio(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(2)
	a, b, c, d := l.join(o), l.join(o), l.join(o), l.join(o)
	_, err := l.Waitlist.Promote(t.Context(), l.Owner, l.entry(b, o))
	wantReason(t, err, "full")
	l.cancelOne(o)
	l.want(waitlist.Offered, a)
	if _, err := l.Waitlist.Promote(t.Context(), l.Owner, l.entry(a, o)); err != nil {
		t.Fatal(err)
	}
	desk := l.Holding(l.Location.ID, policy.BookingManage, policy.BookingView)
	if _, err := l.Waitlist.Promote(t.Context(), desk, l.entry(b, o, override)); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("over capacity without the right to: %v", err)
	}
	if _, err := l.Waitlist.Promote(t.Context(), l.Owner, l.entry(b, o, func(in *waitlist.EntryInput) { in.Override = true })); !fault.IsKind(err, fault.Validation) {
		t.Errorf("over capacity without words: %v", err)
	}
	got, err := l.Waitlist.Promote(t.Context(), l.Owner, l.entry(b, o, override))
	if err != nil || got.State != waitlist.Promoted || got.Log[len(got.Log)-1].Reason != "booked by the studio: a friend of the house" {
		t.Fatalf("%v: %+v", err, got)
	}
	l.w.SQL(t, "update occurrences set capacity = capacity + 1 where id = $1", o.ID) // a seat of the front desk's own
	if _, err := l.Waitlist.Promote(t.Context(), desk, l.entry(c, o)); err != nil {
		t.Fatal(err)
	}
	if online := read[bool](l, "select b.online from bookings b join waitlist_entries e on e.booking_id = b.id where e.id = $1", c.ID); online[0] {
		t.Error("a seat of the front desk counts as sold online")
	}
	if _, err := l.Waitlist.Offer(t.Context(), l.Owner, l.entry(d, o, override)); err != nil {
		t.Fatal(err)
	}
	l.jobs()
	l.want(waitlist.Promoted, a, b, c)
	l.want(waitlist.Offered, d)
	l.mustAccept(d)
	l.check()
	if got := l.mails(b); got[len(got)-1] != "waitlist promoted" {
		t.Errorf("mails %q", got)
	}
}

// The studio skips, reorders, removes and adds entries.
func TestWaitlistByStudio(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b, c := l.join(o), l.join(o), l.join(o)
	owner := l.Owner
	order := func() (out []uuid.UUID) {
		t.Helper()
		w, err := l.Waitlist.List(t.Context(), owner, waitlist.ListInput{OfferingID: l.offering(o), OccurrenceID: o.ID})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range w.Entries.Items {
			out = append(out, e.ID)
		}
		return out
	}
	for _, m := range []struct {
		who  entrant
		to   int
		want []uuid.UUID
	}{
		{c, 1, []uuid.UUID{c.ID, a.ID, b.ID}}, {c, 2, []uuid.UUID{a.ID, c.ID, b.ID}}, {a, 99, []uuid.UUID{c.ID, b.ID, a.ID}},
		{a, 1, []uuid.UUID{a.ID, c.ID, b.ID}}, {c, 3, []uuid.UUID{a.ID, b.ID, c.ID}}, {c, 3, []uuid.UUID{a.ID, b.ID, c.ID}},
	} {
		if _, err := l.Waitlist.Reorder(t.Context(), owner, l.entry(m.who, o), m.to); err != nil {
			t.Fatal(err)
		}
		if got := order(); !slices.Equal(got, m.want) {
			t.Errorf("moved to %d: %v, want %v", m.to, got, m.want)
		}
	}
	if _, err := l.Waitlist.Reorder(t.Context(), owner, l.entry(a, o), 0); !fault.IsKind(err, fault.Validation) {
		t.Errorf("place 0: %v", err)
	}
	l.cancelOne(o)
	l.want(waitlist.Offered, a)
	_, err := l.Waitlist.Reorder(t.Context(), owner, l.entry(a, o), 2)
	wantReason(t, err, "not_waiting")
	if _, err := l.Waitlist.Skip(t.Context(), owner, l.entry(a, o, func(in *waitlist.EntryInput) { in.Reason = "owes us money" })); err != nil {
		t.Fatal(err)
	}
	l.want(waitlist.Skipped, a)
	l.want(waitlist.Offered, b)
	if err := l.Waitlist.Remove(t.Context(), owner, l.entry(b, o)); err != nil {
		t.Fatal(err)
	}
	l.want(waitlist.Offered, c)
	l.mustAccept(c)
	l.want(waitlist.Waiting, a) // all entries had an offer
	err = l.Waitlist.Remove(t.Context(), owner, l.entry(c, o))
	wantReason(t, err, "promoted")
	e, err := l.Waitlist.Add(t.Context(), owner, waitlist.AddInput{
		CustomerID: l.customer(), Reason: "rang up", JoinInput: waitlist.JoinInput{OfferingID: l.offering(o), OccurrenceID: o.ID},
	})
	if err != nil || e.Position != 2 || e.Log[0].Reason != "added by the studio: rang up" {
		t.Errorf("%v: %+v", err, e)
	}
	if got, want := l.log(a), []string{" > waiting: joined", "waiting > waiting: moved from place 3 to 1 by the studio",
		"waiting > offered: first in line for whom there was room", "offered > skipped_payment: passed over by the studio: owes us money",
		"skipped_payment > waiting: everybody was asked: the list starts again from the top"}; !slices.Equal(got[len(got)-3:], want[2:]) || got[0] != want[0] {
		t.Errorf("log %q", got)
	}
	l.check()
}

// Grants: booking.view shows the list and booking.manage changes it, at the location or for one's own session.
func TestWaitlistGrants(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	south := l.AddLocation(t, "South")
	instructor := l.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor))
	member := read[uuid.UUID](l, "select id from members where person_id = $1", instructor.Person())[0]
	taught, o := l.full(1, func(o *apptest.OccurrenceRow) { o.Member = &member }), l.full(1)
	mine, other := l.join(taught), l.join(o)
	see := func(w entrant) error {
		_, err := l.Waitlist.List(t.Context(), instructor, waitlist.ListInput{OfferingID: w.OfferingID, OccurrenceID: w.OccurrenceID})
		return err
	}
	if err := see(mine); err != nil {
		t.Errorf("one's own: %v", err)
	}
	if err := see(other); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("another's: %v", err)
	}
	if _, err := l.Waitlist.Skip(t.Context(), instructor, l.entry(other, o)); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("another's: %v", err)
	}
	if _, err := l.Waitlist.Skip(t.Context(), instructor, l.entry(mine, taught)); err != nil {
		t.Errorf("one's own: %v", err)
	}
	away := l.Holding(south.ID, policy.BookingView, policy.BookingManage)
	if _, err := l.Waitlist.List(t.Context(), away, waitlist.ListInput{OfferingID: other.OfferingID, OccurrenceID: o.ID}); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("another location's: %v", err)
	}
	if _, err := l.Waitlist.Promote(t.Context(), away, l.entry(other, o)); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("another location's: %v", err)
	}
	if _, err := l.Waitlist.Skip(t.Context(), l.Owner, l.entry(other, taught)); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an entry of another date: %v", err)
	}
}

// A promoted customer is removed from the lists of dates at the same time, if one of the two entries has
// DropIfPromoted; a customer with another booking at that time is skipped, with the reason in the log.
func TestWaitlistDropIfPromoted(t *testing.T) {
	l := openList(t, catalog.WaitlistAuto)
	one, two := l.full(1), l.full(1)
	later := l.full(1, func(o *apptest.OccurrenceRow) { o.StartsAt = apptest.Start.Add(60 * time.Hour) })
	a := l.join(one, func(in *waitlist.JoinInput) { in.DropIfPromoted = true })
	aTwo, aLater := l.joinAs(a.sc, two), l.joinAs(a.sc, later)
	b := l.join(two)
	l.cancelOne(one)
	l.want(waitlist.Promoted, a)
	l.want(waitlist.Left, aTwo)
	l.want(waitlist.Waiting, aLater, b)
	c := l.join(one)
	cTwo := l.joinAs(c.sc, two)
	l.cancel(*l.see(a).BookingID)
	l.want(waitlist.Promoted, c)
	l.want(waitlist.Waiting, cTwo) // neither entry has DropIfPromoted
	if err := l.leave(b); err != nil {
		t.Fatal(err)
	}
	l.cancelOne(two)
	l.want(waitlist.Waiting, cTwo)
	if log := l.log(cTwo); log[len(log)-1] != "waiting > waiting: passed over: booked elsewhere at the same time" {
		t.Errorf("log %q", log)
	}
	l.check()
}

// Seats go to the first entry whose party fits; a larger party keeps its position and gets them when there are
// enough. A customer with another booking of the date has no reason to wait.
func TestWaitlistParties(t *testing.T) {
	l := openList(t, catalog.WaitlistAuto)
	o := l.full(3)
	pair := l.join(o, func(in *waitlist.JoinInput) { in.Party = 2 })
	single, booked := l.join(o), l.join(o)
	l.cancelOne(o)
	l.want(waitlist.Waiting, pair, booked)
	l.want(waitlist.Promoted, single)
	l.w.SQL(t, `update bookings set customer_id = $1 where id = (select id from bookings where occurrence_id = $2 and state = 'confirmed'
		and customer_id not in (select customer_id from waitlist_entries) limit 1)`, booked.CustomerID, o.ID)
	l.cancelOne(o)
	l.want(waitlist.Closed, booked)
	l.cancel(*l.see(single).BookingID)
	l.want(waitlist.Promoted, pair)
	if price := read[int64](l, "select price_amount from bookings where id = $1", *l.see(pair).BookingID); price[0] != 4400 {
		t.Errorf("two seats for %d", price[0])
	}
	l.check()
}
