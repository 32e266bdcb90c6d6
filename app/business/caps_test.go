package business_test

import (
	"slices"
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/patch"
)

func most(n int) patch.Field[int] { return patch.Some(n) }

// Caps can be set, stay when omitted, and are removed by null.
func TestCaps(t *testing.T) {
	w := apptest.Open(t)
	h, s := w.Businesses(t), w.Studio(t)
	kim := s.AddInstructor(t, "Kim")
	same := func(got *int, want int) bool { return got == nil && want == 0 || got != nil && *got == want }
	for _, c := range []struct {
		in            business.UpdateMemberInput
		daily, weekly int
	}{
		{business.UpdateMemberInput{DailyCap: most(6), WeeklyCap: most(1000)}, 6, 1000},
		{business.UpdateMemberInput{Name: ptr("Kim B")}, 6, 1000},
		{business.UpdateMemberInput{DailyCap: patch.None[int]()}, 0, 1000},
		{business.UpdateMemberInput{WeeklyCap: patch.None[int](), DailyCap: most(1)}, 1, 0},
	} {
		c.in.MemberID, c.in.Version = kim.ID, kim.Version
		got, err := h.UpdateMember(t.Context(), s.Owner, c.in)
		if err != nil {
			t.Fatal(err)
		}
		kim = got
		read, err := h.Member(t.Context(), s.Owner, kim.ID)
		if err != nil || !same(got.DailyCap, c.daily) || !same(read.DailyCap, c.daily) || !same(got.WeeklyCap, c.weekly) || !same(read.WeeklyCap, c.weekly) {
			t.Errorf("%+v, read %+v, %v", got, read, err)
		}
	}
	_, err := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: kim.ID, Version: kim.Version, DailyCap: most(0), WeeklyCap: most(1001)})
	if got := fields(err); !slices.Equal(got, []string{"dailyCap", "weeklyCap"}) {
		t.Errorf("%v", got)
	}

	place := s.Location
	for _, c := range []struct {
		cap  patch.Field[int]
		want int
	}{{most(10_000), 10_000}, {patch.Field[int]{}, 10_000}, {patch.None[int](), 0}} {
		got, err := h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: place.ID, Version: place.Version, DailyCap: c.cap})
		if err != nil {
			t.Fatal(err)
		}
		place = got
		if read, err := h.Location(t.Context(), s.Owner, place.ID); err != nil || !same(got.DailyCap, c.want) || !same(read.DailyCap, c.want) {
			t.Errorf("%+v, read %+v, %v", got, read, err)
		}
	}
	_, err = h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: place.ID, Version: place.Version, DailyCap: most(10_001)})
	if got := fields(err); !slices.Equal(got, []string{"dailyCap"}) {
		t.Errorf("%v", got)
	}
}
