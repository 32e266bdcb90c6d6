package booking_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// One person in three studios: their bookings in the order of time, in every studio.
func TestMine(t *testing.T) {
	first := open(t)
	studios := []desk{first, first, first}
	for i := range studios[1:] {
		studios[i+1].Studio = first.w.Studio(t)
	}
	me := first.cart(t)
	other := first.cart(t)
	var want []uuid.UUID
	for day := range 6 {
		d := studios[day%3]
		o := d.AddOccurrence(t, d.AddOffering(t), apptest.Start.Add(time.Duration(day+1)*24*time.Hour))
		c := d.again(t, me)
		h := d.mustHold(t, c, seat(o))
		if day == 5 {
			break // only held: no booking yet
		}
		d.confirm(t, c, h, d.order(t, h, "fulfilled"))
		want = append(want, h.Seats[0].BookingID)
		c = d.again(t, other)
		h = d.mustHold(t, c, seat(o))
		d.confirm(t, c, h, d.order(t, h, "fulfilled"))
	}
	first.w.Clock.Advance(49*time.Hour + time.Minute) // two are over: the second ended at 49 h
	walk := func(past bool) (got []uuid.UUID, trips int) {
		in := booking.MineInput{Past: past, Page: paging.In[paging.Moment]{Limit: 2}}
		for {
			var page paging.Page[booking.CustomerBooking, paging.Moment]
			trips += first.w.Statements(func() {
				var err error
				if page, err = first.s.Mine(t.Context(), me.person, in); err != nil {
					t.Fatal(err)
				}
			})
			for _, v := range page.Items {
				got = append(got, v.ID)
				if v.BusinessName != "Harbour Yoga" || v.OfferingName != "Morning Yoga" || v.Zone != "America/New_York" || v.LocationSlug == "" {
					t.Errorf("%+v", v)
				}
			}
			if in.Page.After = page.Next; page.Next == nil {
				return got, trips
			}
		}
	}
	upcoming, trips := walk(false)
	if len(upcoming) != 3 || upcoming[0] != want[2] || upcoming[2] != want[4] {
		t.Errorf("upcoming %v, want %v", upcoming, want[2:])
	}
	if trips > 2+4 { // two pages, and each studio on them or right behind once
		t.Errorf("%d round trips", trips)
	}
	if past, _ := walk(true); len(past) != 2 || past[0] != want[1] || past[1] != want[0] {
		t.Errorf("past %v", past)
	}

	v, err := first.s.MyBooking(t.Context(), me.person, want[1])
	if err != nil || v.ID != want[1] || v.BusinessID != studios[1].Business.ID {
		t.Errorf("%+v (%v)", v, err)
	}
	for name, c := range map[string]struct {
		who tenancy.Principal
		id  uuid.UUID
	}{
		"somebody else's": {other.person, want[1]},
		"unknown":         {me.person, pg.NewID()},
		"only held":       {me.person, apptest.Value[uuid.UUID](t, first.w, "select id from bookings where state = 'held'")},
	} {
		if _, err := first.s.MyBooking(t.Context(), c.who, c.id); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A3, A49: a person's own things need their occurrence.
func TestMineNeedsASession(t *testing.T) {
	d := open(t)
	for want, who := range map[error]tenancy.Principal{
		identity.ErrSignIn:     {},
		identity.ErrKeyRefused: {Actor: tenancy.Actor{Kind: tenancy.ActorKey, ID: pg.NewID()}},
	} {
		if _, err := d.s.Mine(t.Context(), who, booking.MineInput{}); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if _, err := d.s.MyBooking(t.Context(), who, pg.NewID()); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := d.s.Mine(t.Context(), d.cart(t).person, booking.MineInput{Page: paging.In[paging.Moment]{Limit: 201}}); !fault.IsKind(err, fault.Validation) {
		t.Error(err)
	}
}
