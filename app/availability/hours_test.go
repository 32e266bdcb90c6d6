package availability_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

var (
	mornings = business.Interval{Weekday: time.Monday, Opens: 9 * 60, Closes: 12 * 60}
	evenings = business.Interval{Weekday: time.Monday, Opens: 17 * 60, Closes: 24 * 60}
	sundays  = business.Interval{Weekday: time.Sunday, Opens: 0, Closes: 60}
)

func hoursAt(location uuid.UUID, week ...business.Interval) availability.LocationHours {
	return availability.LocationHours{LocationID: location, Intervals: week}
}

func (s *studio) memberOf(t *testing.T, sc tenancy.Scope) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.w, "select id from members where person_id = $1", sc.ID)
}

func TestMemberHours(t *testing.T) {
	s := open(t)
	kim, uptown := s.AddInstructor(t, "Kim").ID, s.AddLocation(t, "Uptown").ID
	put := func(places ...availability.LocationHours) availability.MemberHours {
		t.Helper()
		h, err := s.PutMemberHours(t.Context(), s.System(), availability.MemberHours{MemberID: kim, Locations: places})
		if err != nil {
			t.Fatal(err)
		}
		read, err := s.MemberHours(t.Context(), s.System(), kim)
		if err != nil || !reflect.DeepEqual(h, read) {
			t.Errorf("%+v, read %+v, %v", h, read, err)
		}
		return read
	}
	h := put(hoursAt(uptown, evenings), hoursAt(s.Location.ID, evenings, sundays, mornings))
	if len(h.Locations) != 2 || h.Locations[0].LocationID != s.Location.ID ||
		!slices.Equal(h.Locations[0].Intervals, []business.Interval{sundays, mornings, evenings}) {
		t.Errorf("%+v", h)
	}
	// A member with grants at one location sees the hours there.
	here := s.Holding(s.Location.ID, policy.LocationView)
	if h, err := s.MemberHours(t.Context(), here, kim); err != nil || len(h.Locations) != 1 || h.Locations[0].LocationID != s.Location.ID {
		t.Errorf("%+v, %v", h, err)
	}
	if h := put(hoursAt(uptown, mornings), hoursAt(s.Location.ID)); len(h.Locations) != 1 || h.Locations[0].LocationID != uptown {
		t.Errorf("a location without hours is left out: %+v", h)
	}
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", uptown)
	if h, err := s.MemberHours(t.Context(), s.System(), kim); err != nil || len(h.Locations) != 0 {
		t.Errorf("an archived location: %+v, %v", h, err)
	}
}

func TestMemberHoursRefused(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	kim, closed := s.AddInstructor(t, "Kim").ID, s.AddLocation(t, "Closed").ID
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", closed)
	put := func(member uuid.UUID, places ...availability.LocationHours) error {
		_, err := s.PutMemberHours(t.Context(), s.System(), availability.MemberHours{MemberID: member, Locations: places})
		return err
	}
	over := business.Interval{Weekday: time.Monday, Opens: 11 * 60, Closes: 13 * 60}
	for want, err := range map[string]error{
		"locations[0].locationId locations[2].locationId locations[3].locationId": put(kim,
			hoursAt(pg.NewID()), hoursAt(s.Location.ID), hoursAt(theirs.Location.ID), hoursAt(closed)),
		"locations[1].hours[1].opens":   put(kim, hoursAt(pg.NewID()), hoursAt(s.Location.ID, mornings, over)),
		"locations[0].hours[0].closes":  put(kim, hoursAt(s.Location.ID, business.Interval{Opens: 60, Closes: 60})),
		"locations[1].locationId":       put(kim, hoursAt(s.Location.ID, mornings), hoursAt(s.Location.ID, evenings)),
		"locations[0].hours":            put(kim, hoursAt(s.Location.ID, make([]business.Interval, 71)...)),
		"locations[0].hours[0].weekday": put(kim, hoursAt(s.Location.ID, business.Interval{Weekday: 7, Closes: 60})),
	} {
		if got := apptest.Wrong(err); got != want && want != "locations[0].hours" {
			t.Errorf("named %q, want %q", got, want)
		} else if want == "locations[0].hours" {
			apptest.Refused(t, err, fault.Validation)
		}
	}
	for _, id := range []uuid.UUID{pg.NewID(), theirs.AddInstructor(t, "Max").ID} {
		apptest.Refused(t, put(id), fault.NotFound)
		_, err := s.MemberHours(t.Context(), s.System(), id)
		apptest.Refused(t, err, fault.NotFound)
	}
}

// A person's own hours and time off are theirs to change; others' need team.manage in the whole business.
func TestOwnTime(t *testing.T) {
	s := open(t)
	kim := s.Join(t, "kim@example.com", apptest.At(policy.Instructor, s.Location.ID))
	desk := s.Join(t, "desk@example.com", apptest.Everywhere(policy.FrontDesk))
	admin := s.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	former := s.Join(t, "former@example.com")
	member, off := s.memberOf(t, kim), availability.TimeOffInput{StartsAt: apptest.Instant("2026-06-20T00:00:00Z"), EndsAt: apptest.Instant("2026-06-21T00:00:00Z"), Note: " Wedding "}
	off.MemberID = member
	for _, c := range []struct {
		name string
		sc   tenancy.Scope
		of   uuid.UUID
		ok   bool
	}{
		{"own", kim, member, true}, {"an admin", admin, member, true}, {"the desk", desk, member, false},
		{"a colleague's", kim, s.memberOf(t, desk), false}, {"without a role", former, s.memberOf(t, former), false},
	} {
		_, hours := s.PutMemberHours(t.Context(), c.sc, availability.MemberHours{MemberID: c.of, Locations: []availability.LocationHours{hoursAt(s.Location.ID, mornings)}})
		in := off
		in.MemberID = c.of
		added, away := s.RecordTimeOff(t.Context(), c.sc, in)
		if c.ok {
			if hours != nil || away != nil {
				t.Errorf("%s: %v, %v", c.name, hours, away)
			}
			if c.name == "own" {
				apptest.Refused(t, s.RemoveTimeOff(t.Context(), desk, c.of, added.ID), fault.Forbidden)
			}
			if err := s.RemoveTimeOff(t.Context(), c.sc, c.of, added.ID); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		apptest.Refused(t, hours, fault.Forbidden)
		apptest.Refused(t, away, fault.Forbidden)
	}
	if _, err := s.RecordTimeOff(t.Context(), kim, off); err != nil {
		t.Fatal(err)
	}
	for sc, note := range map[*tenancy.Scope]string{&kim: "Wedding", &admin: "Wedding", &desk: ""} {
		list, err := s.TimeOff(t.Context(), *sc, member, availability.AbsencesInput{})
		if err != nil || len(list.Items) != 1 || list.Items[0].Note != note {
			t.Errorf("%s: %+v, %v", sc.Name, list.Items, err)
		}
	}
}

func TestSpaceHours(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	room, uptown := s.AddSpace(t, "Room"), s.AddLocation(t, "Uptown").ID
	put := func(location, space uuid.UUID, week ...business.Interval) error {
		in := availability.SpaceHours{LocationID: location, SpaceID: space, Intervals: week}
		h, err := s.PutSpaceHours(t.Context(), s.System(), in)
		if err != nil {
			return err
		}
		read, err := s.SpaceHours(t.Context(), s.System(), location, space)
		if !reflect.DeepEqual(h, read) || len(h.Intervals) != len(week) {
			t.Errorf("%+v, read %+v", h, read)
		}
		return err
	}
	for _, week := range [][]business.Interval{{evenings, mornings}, {sundays}, {}} {
		if err := put(s.Location.ID, room.ID, week...); err != nil {
			t.Error(err)
		}
	}
	if err := put(s.Location.ID, room.ID, evenings, business.Interval{Weekday: time.Monday, Opens: 1000, Closes: 1021}); apptest.Wrong(err) != "intervals[1].opens" {
		t.Error(err)
	}
	for _, c := range [][2]uuid.UUID{{uptown, room.ID}, {s.Location.ID, pg.NewID()}, {s.Location.ID, theirs.AddSpace(t, "Room").ID}, {theirs.Location.ID, room.ID}} {
		apptest.Refused(t, put(c[0], c[1]), fault.NotFound)
		_, err := s.SpaceHours(t.Context(), s.System(), c[0], c[1])
		apptest.Refused(t, err, fault.NotFound)
	}
	for _, sc := range []tenancy.Scope{s.Holding(uptown, policy.LocationManage, policy.LocationView), s.Holding(s.Location.ID, policy.LocationView)} {
		_, err := s.PutSpaceHours(t.Context(), sc, availability.SpaceHours{LocationID: s.Location.ID, SpaceID: room.ID})
		apptest.Refused(t, err, fault.Forbidden)
	}
	s.w.SQL(t, "update spaces set archived_at = now() where id = $1", room.ID)
	apptest.Is(t, put(s.Location.ID, room.ID), business.ErrSpaceArchived)
}
