package walkin_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/walkin"
	"foyer/policy"
)

// bath is a studio that takes walk-ins: a pool for ten, open around the clock, an hour for 15.00.
type bath struct {
	desk
	pool business.Space
	swim apptest.ServiceRow
}

func openBath(t *testing.T) bath {
	t.Helper()
	b := bath{desk: open(t)}
	b.AddHours(t, apptest.Daily(0, 1440)...)
	b.pool = b.space(t, "Pool", 10)
	b.swim = b.shared(t, "swim", b.pool.ID)
	return b
}

func (b bath) space(t *testing.T, name string, capacity int, changes ...func(*business.SpaceInput)) business.Space {
	t.Helper()
	return b.AddSpace(t, name, append(changes, func(in *business.SpaceInput) { in.Capacity = capacity })...)
}

// shared is a published offering of an hour for 15.00 that takes walk-ins in these spaces, unless changed.
func (b bath) shared(t *testing.T, slug string, spaces ...uuid.UUID) apptest.ServiceRow {
	t.Helper()
	return b.AddRental(t, spaces, walkins(slug))
}

func walkins(slug string) func(*apptest.ServiceRow) {
	return func(r *apptest.ServiceRow) {
		price := int64(1500)
		r.Slug, r.Name, r.SoldAs, r.Walkins, r.Price, r.Capacity, r.Online = slug, "Offering "+slug, "person", true, &price, 1000, 1000
	}
}

func (b bath) state(t *testing.T, slugs ...string) walkin.Walkins {
	t.Helper()
	w, err := b.s.Live(t.Context(), b.Business.ID, b.Location.ID, slugs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// party is a swimming party of n people.
func (b bath) party(n int, changes ...func(*walkin.CheckInInput)) walkin.CheckInInput {
	in := walkin.CheckInInput{LocationID: b.Location.ID, OfferingID: b.swim.ID, Party: n}
	for _, change := range changes {
		change(&in)
	}
	return in
}

func (b bath) checkIn(t *testing.T, n int, changes ...func(*walkin.CheckInInput)) walkin.Stay {
	t.Helper()
	s, err := b.s.CheckIn(t.Context(), b.Owner, b.party(n, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b bath) refused(t *testing.T, want error, in walkin.CheckInInput) *fault.Error {
	t.Helper()
	_, err := b.s.CheckIn(t.Context(), b.Owner, in)
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
	if e := fault.From(err); e != nil {
		return e
	}
	return &fault.Error{}
}

func (b bath) checkOut(t *testing.T, s walkin.Stay) walkin.Stay {
	t.Helper()
	out, err := b.s.CheckOut(t.Context(), b.Owner, b.Location.ID, s.BookingID)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// E64, E66. The counted seats: those of published rentals by the person that take walk-ins, in spaces in use, in one
// trip for any number.
func TestE66_WhatCounts(t *testing.T) {
	b := openBath(t)
	hall := b.space(t, "Hall", 40)
	sauna := b.space(t, "Sauna", 6, func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	corner := b.space(t, "Corner", 3, func(in *business.SpaceInput) { in.ParentID = &sauna.ID })
	b.shared(t, "sweat", sauna.ID)
	with := func(slug string, change func(*apptest.ServiceRow)) apptest.ServiceRow {
		return b.AddRental(t, []uuid.UUID{b.space(t, "Room of "+slug, 100).ID}, walkins(slug), change)
	}
	with("whole", func(r *apptest.ServiceRow) { r.SoldAs, r.Walkins = "space", false })
	with("draft", func(r *apptest.ServiceRow) { r.State = "draft" })
	with("archived", func(r *apptest.ServiceRow) { r.State = "archived" })
	with("booked-only", func(r *apptest.ServiceRow) { r.Walkins = false })
	with("attended", func(r *apptest.ServiceRow) { r.NeedsMember = true })
	gone := with("gone", func(*apptest.ServiceRow) {})
	b.w.SQL(t, "update spaces set archived_at = now() where id = $1", gone.Spaces[0])
	far := b.AddLocation(t, "Far")
	b.w.SQL(t, "update spaces set name = 'Elsewhere', location_id = $2 where id = $1", b.space(t, "Moved", 50).ID, far.ID)

	if w := b.state(t); w.Spots != 16 || len(w.Rooms) != 2 || w.Rooms[0].Name != "Pool" || w.Rooms[1].Name != "Sauna" {
		t.Fatalf("state %+v", w)
	}
	b.AddBusy(t, b.swim, apptest.Start.Add(-30*time.Minute), func(r *apptest.BusyRow) { r.Seats = 4 })
	if w := b.state(t); w.Spots != 12 || w.Rooms[0].Inside != 4 {
		t.Errorf("four are in the pool: %+v", w)
	}
	for name, take := range map[string]uuid.UUID{"the sauna": sauna.ID, "the hall around it": hall.ID, "a part of it": corner.ID} {
		busy := b.AddBusy(t, b.swim, apptest.Start, func(r *apptest.BusyRow) { r.Spaces = []uuid.UUID{take} })
		if w := b.state(t, "sweat"); w.Spots != 0 || w.State != walkin.Full {
			t.Errorf("somebody has %s: %+v", name, w)
		}
		b.w.SQL(t, "delete from claims where occurrence_id = $1", busy.ID)
	}
	for name, take := range map[string]business.Space{"the sauna": sauna, "the hall around it": hall, "a part of it": corner} {
		block := b.AddBlock(t, take, apptest.Start.Add(-time.Hour), apptest.Start.Add(time.Minute))
		if w := b.state(t, "sweat"); w.Spots != 0 {
			t.Errorf("%s is out of use: %+v", name, w)
		}
		b.w.SQL(t, "delete from space_blocks where id = $1", block)
	}
	// Seats of the whole are no seats of the part, nor the other way round.
	b.AddBusy(t, b.swim, apptest.Start, func(r *apptest.BusyRow) { r.Seats, r.Spaces = 5, []uuid.UUID{hall.ID} })
	if w := b.state(t, "sweat"); w.Spots != 6 {
		t.Errorf("five are in the hall: %+v", w)
	}
	for n := range 5 {
		b.shared(t, fmt.Sprint("more-", n), b.space(t, fmt.Sprint("More ", n), 10).ID)
		b.AddBusy(t, b.swim, apptest.Start.Add(-time.Minute), func(r *apptest.BusyRow) { r.Seats = 1 })
	}
	if n := b.w.Statements(func() { b.state(t) }); n != 1 {
		t.Errorf("%d round trips", n)
	}
}

// E67, E68, E110. The listings by their slugs, and the hidden ones.
func TestE68_PublicWalkins(t *testing.T) {
	b := openBath(t)
	b.shared(t, "sweat", b.space(t, "Sauna", 6).ID, b.pool.ID)
	if w := b.state(t, "swim", "sweat", "nothing"); w.Spots != 16 || !slices.Equal(w.Slugs, []string{"swim", "sweat"}) {
		t.Errorf("state %+v", w)
	}
	for _, c := range []struct {
		business, location uuid.UUID
		slugs              []string
		want               error
	}{
		{b.Business.ID, b.Location.ID, []string{"nothing"}, walkin.ErrUnknownListing},
		{b.Business.ID, pg.NewID(), nil, fault.Missing()},
		{pg.NewID(), b.Location.ID, nil, fault.Missing()},
	} {
		_, err := b.s.Live(t.Context(), c.business, c.location, c.slugs)
		if e := fault.From(err); e == nil || e.Error() != c.want.Error() {
			t.Errorf("%v: %v", c.slugs, err)
		}
	}
	empty := b.AddLocation(t, "Empty")
	b.AddHoursAt(t, empty.ID, apptest.Daily(0, 1440)...)
	if w, err := b.s.Live(t.Context(), b.Business.ID, empty.ID, nil); err != nil || w.Hidden != walkin.NoCapacity {
		t.Errorf("nothing there: %+v, %v", w, err)
	}
	b.Pause(t)
	if w := b.state(t); w.Hidden != walkin.Paused || w.Until != nil {
		t.Errorf("the business is paused: %+v", w)
	}
	b.w.SQL(t, "update businesses set status = 'active' where business_id = $1", b.Business.ID)
	b.w.SQL(t, "update locations set archived_at = now() where id = $1", b.Location.ID)
	if _, err := b.s.Live(t.Context(), b.Business.ID, b.Location.ID, nil); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("archived: %v", err)
	}
}

// A party comes in: a booking that is there already, with its price due and its seats taken.
func TestCheckInWalkin(t *testing.T) {
	b := openBath(t)
	b.w.Clock.Advance(20 * time.Second)
	var s walkin.Stay
	trips := b.w.Statements(func() {
		s = b.checkIn(t, 3, func(in *walkin.CheckInInput) {
			in.Customer = booking.CustomerRef{Email: " Rosa@Example.com ", Name: "Rosa"}
		})
	})
	if trips > 12 {
		t.Errorf("%d round trips", trips)
	}
	if s.State != booking.CheckedIn || s.Party != 3 || s.PriceAmount != 4500 || s.DueAmount != 4500 || s.Currency != "USD" ||
		s.CustomerName != "Rosa" || s.SpaceID != b.pool.ID || !s.StartsAt.Equal(apptest.Start) || !s.EndsAt.Equal(apptest.Start.Add(time.Hour)) ||
		s.CheckedInAt == nil || s.CheckedOutAt != nil || s.OfferingName != "Offering swim" {
		t.Errorf("stay %+v", s)
	}
	type row struct {
		State, Moves    string
		Online          bool
		Order, Policy   bool
		Taken, Capacity int
		Claims          string
	}
	got, err := pg.One[row](t.Context(), b.w.DB.View(b.Business.ID), `select b.state, b.online, b.order_id is not null as order,
			b.policy is not null as policy, o.taken, o.capacity,
			(select string_agg(m.from_state || '>' || m.to_state, ' ' order by m.from_state) from booking_transitions m where m.booking_id = b.id) as moves,
			(select string_agg(c.seats || ' ' || c.exclusive || ' ' || extract(epoch from c.ends_at - c.starts_at)::int, ',') from claims c
				where c.occurrence_id = o.id) as claims
		from bookings b join occurrences o on o.id = b.occurrence_id where b.id = $1`, s.BookingID)
	if want := (row{"checked_in", ">confirmed confirmed>checked_in", false, false, true, 3, 3, "3 false 3600"}); err != nil || got != want {
		t.Errorf("rows %+v, %v", got, err)
	}
	if w := b.state(t); w.Spots != 7 || w.Rooms[0].Inside != 3 {
		t.Errorf("state %+v", w)
	}
	known := b.checkIn(t, 1, func(in *walkin.CheckInInput) { in.Customer = booking.CustomerRef{CustomerID: s.CustomerID} })
	if known.CustomerID != s.CustomerID {
		t.Errorf("the customer is %s, want %s", known.CustomerID, s.CustomerID)
	}
	first := b.checkIn(t, 1)
	second := b.checkIn(t, 1, func(in *walkin.CheckInInput) { in.Customer.Name = "red cap" })
	if first.CustomerID == second.CustomerID || first.CustomerName != "Walk-in" || second.CustomerName != "red cap" || first.Attendee+second.Attendee != "" {
		t.Errorf("nobody in particular, each by themselves: %+v and %+v", first, second)
	}
	if w := b.state(t); w.Spots != 4 {
		t.Errorf("%d spots", w.Spots)
	}
	b.w.CheckBooks(t)
}

// A room after the other, whole parties only, and the length that was chosen.
func TestCheckInWalkinRooms(t *testing.T) {
	b := openBath(t)
	sauna := b.space(t, "Sauna", 4)
	b.swim = b.AddRental(t, []uuid.UUID{sauna.ID, b.pool.ID}, walkins("both"), func(r *apptest.ServiceRow) {
		r.Durations = []apptest.Duration{{Minutes: 60, PriceAmount: 1500}, {Minutes: 120, PriceAmount: 2500}}
	})
	if s := b.checkIn(t, 3); s.SpaceID != sauna.ID {
		t.Errorf("the first choice is %s", s.Space)
	}
	if s := b.checkIn(t, 2); s.SpaceID != b.pool.ID {
		t.Errorf("two go to %s", s.Space)
	}
	if s := b.checkIn(t, 1, func(in *walkin.CheckInInput) { in.Minutes = 120 }); s.SpaceID != sauna.ID || s.PriceAmount != 2500 ||
		!s.EndsAt.Equal(apptest.Start.Add(2*time.Hour)) {
		t.Errorf("two hours: %+v", s)
	}
	if e := b.refused(t, booking.ErrFull, b.party(9)); e.Details["spots"] != 8 {
		t.Errorf("nine: %+v", e.Details)
	}
	b.checkIn(t, 8)
	if e := b.refused(t, booking.ErrFull, b.party(1)); e.Details["spots"] != 0 {
		t.Errorf("full: %+v", e.Details)
	}
	// A party that is due in an hour leaves room for an hour and not for two.
	b.w.SQL(t, "delete from claims")
	b.AddBusy(t, b.swim, apptest.Start.Add(time.Hour), func(r *apptest.BusyRow) { r.Spaces, r.Seats = []uuid.UUID{sauna.ID}, 4 })
	b.AddBusy(t, b.swim, apptest.Start.Add(time.Hour), func(r *apptest.BusyRow) { r.Spaces = []uuid.UUID{b.pool.ID} })
	long := func(in *walkin.CheckInInput) { in.Minutes = 120 }
	b.refused(t, booking.ErrFull, b.party(1, long))
	b.checkIn(t, 1)
}

// E65 at the desk, and everything else that keeps people out.
func TestCheckInWalkinRefusals(t *testing.T) {
	b := openBath(t)
	night := b.AddRental(t, []uuid.UUID{b.pool.ID}, walkins("night"), func(r *apptest.ServiceRow) { r.Walkins = false })
	class := b.AddOffering(t)
	other := b.w.Studio(t)
	foreign := other.AddRental(t, []uuid.UUID{other.AddSpace(t, "Pool").ID}, walkins("foreign"))
	for name, c := range map[string]struct {
		want error
		in   walkin.CheckInInput
	}{
		"booked only":         {booking.ErrNotBookable, b.party(1, func(in *walkin.CheckInInput) { in.OfferingID = night.ID })},
		"a class":             {booking.ErrNotBookable, b.party(1, func(in *walkin.CheckInInput) { in.OfferingID = class.ID })},
		"a foreign offering":  {nil, b.party(1, func(in *walkin.CheckInInput) { in.OfferingID = foreign.ID })},
		"an unknown offering": {nil, b.party(1, func(in *walkin.CheckInInput) { in.OfferingID = pg.NewID() })},
		"a foreign location":  {nil, b.party(1, func(in *walkin.CheckInInput) { in.LocationID = other.Location.ID })},
		"an unknown customer": {nil, b.party(1, func(in *walkin.CheckInInput) { in.Customer.CustomerID = pg.NewID() })},
	} {
		_, err := b.s.CheckIn(t.Context(), b.Owner, c.in)
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for field, change := range map[string]func(*walkin.CheckInInput){
		"party":          func(in *walkin.CheckInInput) { in.Party = 1001 },
		"minutes":        func(in *walkin.CheckInInput) { in.Minutes = 45 }, // no such length
		"customer.email": func(in *walkin.CheckInInput) { in.Customer.Email = "rosa" },
		"customer.name":  func(in *walkin.CheckInInput) { in.Customer.Name = "a\nb" },
	} {
		_, err := b.s.CheckIn(t.Context(), b.Owner, b.party(1, change))
		if e := fault.From(err); e == nil || e.Kind != fault.Validation || len(e.Fields) != 1 || e.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	b.w.SQL(t, "delete from location_hours")
	b.refused(t, walkin.ErrClosed, b.party(1))
	b.AddHours(t, apptest.Daily(0, 8*60+59)...) // it is 08:00 there
	if e := b.refused(t, walkin.ErrLastEntry, b.party(1)); e.Details["closesAt"] != apptest.Start.Add(59*time.Minute) {
		t.Errorf("last entry: %+v", e.Details)
	}
	b.w.SQL(t, "update location_hours set closes = 540")
	b.checkIn(t, 1)
	b.w.SQL(t, "update offerings set state = 'archived' where id = $1", b.swim.ID)
	b.refused(t, booking.ErrNotBookable, b.party(1))
	if n := apptest.Value[int](t, b.w, "select count(*) from bookings"); n != 1 {
		t.Errorf("%d bookings", n)
	}
}

// Expired holds do not block walk-ins.
func TestCheckInWalkinPastHold(t *testing.T) {
	b := openBath(t)
	busy := b.AddBusy(t, b.swim, apptest.Start.Add(10*time.Minute), func(r *apptest.BusyRow) { r.Seats = 10 })
	hold := b.hold(t, b.class(t))
	b.w.SQL(t, `update bookings set occurrence_id = $2, offering_id = $3, party = 10 where hold_id = $1`, hold.ID, busy.ID, b.swim.ID)
	b.refused(t, booking.ErrFull, b.party(1))
	b.w.SQL(t, `update holds set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`)
	b.w.SQL(t, `update occurrences set taken = 10, taken_online = 10, capacity = 10, online_capacity = 10 where id = $1`, busy.ID)
	b.checkIn(t, 10)
}

// A party leaves: the seats are free at once, and saying so twice changes nothing.
func TestCheckOutWalkin(t *testing.T) {
	b := openBath(t)
	b.checkIn(t, 6)
	s := b.checkIn(t, 4)
	b.w.Clock.Advance(20*time.Minute + time.Second)
	if w := b.state(t); w.Spots != 0 {
		t.Fatalf("state %+v", w)
	}
	out := b.checkOut(t, s)
	if out.CheckedOutAt == nil || !out.CheckedOutAt.Equal(b.w.Clock.Now()) || out.State != booking.CheckedIn || out.Version != s.Version+1 ||
		out.PriceAmount != s.PriceAmount || !out.EndsAt.Equal(s.EndsAt) {
		t.Errorf("out %+v", out)
	}
	if w := b.state(t); w.Spots != 4 || w.Rooms[0].Inside != 6 {
		t.Errorf("state %+v", w)
	}
	next := b.checkIn(t, 4) // in the same minute
	b.w.Clock.Advance(time.Minute)
	if again := b.checkOut(t, s); !again.CheckedOutAt.Equal(*out.CheckedOutAt) || again.Version != out.Version {
		t.Errorf("again %+v", again)
	}
	if w := b.state(t); w.Spots != 0 {
		t.Errorf("whoever came next lost their seats: %+v", w)
	}
	if n := apptest.Value[int](t, b.w, "select count(*) from occurrences where state = 'scheduled' and taken = capacity"); n != 3 {
		t.Errorf("%d occurrences", n)
	}
	b.checkOut(t, next)
	at := b.checkIn(t, 4)
	b.checkOut(t, at) // in the same instant
	if n := apptest.Value[int](t, b.w, "select count(*) from claims where occurrence_id = $1", at.OccurrenceID); n != 0 {
		t.Errorf("%d claims of a stay of no time", n)
	}
	b.checkIn(t, 4)
	b.w.CheckBooks(t)
}

// A party without a check-in cannot check out, and none checks out of another location.
func TestCheckOutWalkinRefusals(t *testing.T) {
	b := openBath(t)
	s := b.checkIn(t, 1)
	far := b.AddLocation(t, "Far")
	other := b.w.Studio(t)
	confirmed := b.hold(t, b.class(t)).Seats[0].BookingID
	for name, c := range map[string]struct {
		sc                tenancy.Scope
		location, booking uuid.UUID
	}{
		"another location": {b.Owner, far.ID, s.BookingID},
		"another business": {other.Owner, other.Location.ID, s.BookingID},
		"nothing":          {b.Owner, b.Location.ID, pg.NewID()},
		"a class":          {b.Owner, b.Location.ID, confirmed},
	} {
		if _, err := b.s.CheckOut(t.Context(), c.sc, c.location, c.booking); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.w.SQL(t, "update bookings set state = 'confirmed', checked_in_at = null where id = $1", s.BookingID)
	if _, err := b.s.CheckOut(t.Context(), b.Owner, b.Location.ID, s.BookingID); !errors.Is(err, booking.ErrState) {
		t.Errorf("not there: %v", err)
	}
}

// The switch of the desk. A74 for a stale copy.
func TestSwitchWalkins(t *testing.T) {
	b := openBath(t)
	see := func() walkin.Desk {
		t.Helper()
		d, err := b.s.Desk(t.Context(), b.Owner, b.Location.ID)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if n := b.w.Statements(func() { see() }); n != 1 {
		t.Errorf("%d round trips", n)
	}
	change := func(in walkin.SwitchInput) (walkin.Desk, error) {
		in.LocationID, in.Version = b.Location.ID, see().Version
		return b.s.Switch(t.Context(), b.Owner, in)
	}
	on, off, soon := true, false, apptest.Start.Add(time.Hour)
	until := func(at *time.Time) patch.Field[time.Time] { return patch.Field[time.Time]{Set: true, Value: at} }

	d, err := change(walkin.SwitchInput{On: &off})
	if err != nil || d.On || d.Hidden != walkin.Off || d.Version != 2 {
		t.Errorf("off: %+v, %v", d, err)
	}
	b.refused(t, walkin.ErrOff, b.party(1))
	d, err = change(walkin.SwitchInput{On: &on, PausedUntil: until(&soon)})
	if err != nil || !d.On || d.PausedUntil == nil || !d.PausedUntil.Equal(soon) || d.Hidden != walkin.Paused || !d.Until.Equal(soon) {
		t.Errorf("paused: %+v, %v", d, err)
	}
	if e := b.refused(t, walkin.ErrPaused, b.party(1)); e.Details["until"] != soon {
		t.Errorf("paused: %+v", e.Details)
	}
	if d, err = change(walkin.SwitchInput{PausedUntil: until(nil)}); err != nil || d.PausedUntil != nil || d.Spots != 10 {
		t.Errorf("the pause is ended: %+v, %v", d, err)
	}
	if _, err = change(walkin.SwitchInput{PausedUntil: until(&soon)}); err != nil {
		t.Fatal(err)
	}
	b.w.Clock.Advance(time.Hour)
	if d := see(); d.PausedUntil != nil || d.Hidden != "" || d.Spots != 10 {
		t.Errorf("the pause is over: %+v", d)
	}
	for _, at := range []time.Time{b.w.Clock.Now(), b.w.Clock.Now().AddDate(1, 0, 2)} {
		if _, err := change(walkin.SwitchInput{PausedUntil: until(&at)}); !fault.IsKind(err, fault.Validation) {
			t.Errorf("a pause until %v: %v", at, err)
		}
	}
	_, err = b.s.Switch(t.Context(), b.Owner, walkin.SwitchInput{LocationID: b.Location.ID, Version: 1, On: &off})
	if e := fault.From(err); !errors.Is(err, fault.ErrStale) || e.Details["version"] != see().Version {
		t.Errorf("stale: %v", err)
	}
	if _, err := b.s.Switch(t.Context(), b.Owner, walkin.SwitchInput{LocationID: pg.NewID(), Version: 1, On: &off}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
}

// All members with location.view see the state; checking walk-ins in takes booking.manage there.
func TestWalkinRoles(t *testing.T) {
	b := openBath(t)
	far := b.AddLocation(t, "Far")
	stay := b.checkIn(t, 1)
	for _, c := range []struct {
		name      string
		sc        tenancy.Scope
		see, sell bool
	}{
		{"the owner", b.Owner, true, true},
		{"the desk here", b.Holding(b.Location.ID, policy.LocationView, policy.BookingManage), true, true},
		{"a viewer here", b.Holding(b.Location.ID, policy.LocationView), true, false},
		{"the desk elsewhere", b.Holding(far.ID, policy.LocationView, policy.BookingManage), false, false},
		{"who only checks in", b.Holding(b.Location.ID, policy.BookingCheckin), false, false},
		{"an instructor", b.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor)), true, false},
		{"nobody", tenancy.Scope{Tenant: b.Business.ID}, false, false},
	} {
		allowed := func(what string, want bool, err error) {
			t.Helper()
			if want != (err == nil) || !want && !errors.Is(err, policy.ErrMissingFeature) {
				t.Errorf("%s %s: %v", c.name, what, err)
			}
		}
		d, err := b.s.Desk(t.Context(), c.sc, b.Location.ID)
		allowed("sees", c.see, err)
		if err != nil {
			d.Version = 1
		}
		_, err = b.s.Switch(t.Context(), c.sc, walkin.SwitchInput{LocationID: b.Location.ID, Version: d.Version})
		allowed("switches", c.sell, err)
		_, err = b.s.CheckIn(t.Context(), c.sc, b.party(1))
		allowed("lets in", c.sell, err)
		_, err = b.s.CheckOut(t.Context(), c.sc, b.Location.ID, stay.BookingID)
		allowed("lets out", c.sell, err)
	}
}
