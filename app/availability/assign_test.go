package availability_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// place places requests in a transaction that is rolled back, so that the next one has the same facts.
func (s *studio) place(t *testing.T, who availability.Audience, asks ...availability.SlotRequestAt) (placed []availability.Placement, err error) {
	t.Helper()
	undone := errors.New("undone")
	_, err = pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		var err error
		if placed, err = availability.AssignTx(t.Context(), tx, asks, who); err == nil {
			err = undone
		}
		return struct{}{}, err
	})
	if errors.Is(err, undone) {
		err = nil
	}
	return placed, err
}

// keep places and claims.
func (s *studio) keep(t *testing.T, who availability.Audience, asks ...availability.SlotRequestAt) ([]uuid.UUID, error) {
	t.Helper()
	return pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) ([]uuid.UUID, error) {
		placed, err := availability.AssignTx(t.Context(), tx, asks, who)
		if err != nil {
			return nil, err
		}
		return availability.OpenTx(t.Context(), tx, placed)
	})
}

// reasonOf is details.reason of a refusal.
func reasonOf(err error) string {
	if f := fault.From(err); f != nil {
		return f.Reason
	}
	return ""
}

func alternatives(err error) []availability.Alternative {
	list, _ := fault.From(err).Details["alternatives"].([]availability.Alternative)
	return list
}

func ask(of apptest.ServiceRow, at time.Time) availability.SlotRequestAt {
	return availability.SlotRequestAt{OfferingID: of.ID, StartsAt: at}
}

func ids(list ...uuid.UUID) []uuid.UUID { return list }

func TestPlaceAppointment(t *testing.T) {
	s := open(t)
	mia, ben := s.AddMember(t, "Mia"), s.AddMember(t, "Ben")
	o := s.AddAppointment(t, ids(ben.ID, mia.ID), func(o *apptest.ServiceRow) { o.Before, o.After = 5, 10 })
	ten := apptest.Instant("2026-06-11T14:00:00Z") // 10:00 in New York
	placed, err := s.place(t, availability.Storefront, ask(o, ten))
	if err != nil {
		t.Fatal(err)
	}
	p := placed[0]
	if *p.MemberID != ben.ID || p.SpaceID != nil || p.OfferingID != o.ID || p.LocationID != s.Location.ID || !p.StartsAt.Equal(ten) ||
		p.EndsAt.Sub(ten) != time.Hour || ten.Sub(p.BlockedFrom) != 5*time.Minute || p.BlockedTo.Sub(p.EndsAt) != 10*time.Minute ||
		p.PriceAmount != 6000 || p.Party != 1 || p.Shared {
		t.Errorf("%+v", p)
	}
	s.AddBusy(t, o, ten) // Ben
	if placed, err = s.place(t, availability.Storefront, ask(o, ten)); err != nil || *placed[0].MemberID != mia.ID {
		t.Errorf("%+v %v", placed, err)
	}
	named := ask(o, ten)
	named.MemberID = &ben.ID
	_, err = s.place(t, availability.Storefront, named)
	apptest.Is(t, err, claim.ErrStaffBusy)
	if list := alternatives(err); len(list) != 3 || !list[0].StartsAt.Equal(apptest.Instant("2026-06-11T15:15:00Z")) || *list[0].MemberID != ben.ID ||
		!list[1].StartsAt.Equal(apptest.Instant("2026-06-11T15:30:00Z")) || fault.From(err).Details["ask"] != 0 {
		t.Errorf("%+v", list)
	}
	busy := s.AddBusy(t, o, ten, func(b *apptest.BusyRow) { b.Members = ids(mia.ID) })
	_, err = s.place(t, availability.Staff, ask(o, ten.Add(30*time.Minute)))
	apptest.Is(t, err, claim.ErrStaffBusy)
	moved := ask(o, ten.Add(30*time.Minute))
	moved.ExcludeOccurrence = busy.ID
	if placed, err = s.place(t, availability.Storefront, moved); err != nil || *placed[0].MemberID != mia.ID {
		t.Errorf("moving: %+v %v", placed, err)
	}
}

// Every refusal has its reason, and rules for some of the audiences bind only those.
func TestPlaceRefuses(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia")
	s.AddTimeOff(t, mia.ID, apptest.Instant("2026-06-15T00:00:00Z"), apptest.Instant("2026-06-16T00:00:00Z"))
	s.addClosure(t, "2026-06-16", "[]")
	last := 15 * 60
	o := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) {
		policy := s.AddPolicy(t, func(r *catalog.Rules) { r.NoticeMinutes, r.WindowDays, r.PartyMax = 24*60, 30, 2 })
		o.Policy, o.Capacity, o.LastStart = &policy, 3, &last
	})
	for name, x := range map[string]struct {
		at                 string
		party              int
		public, staff, any string // reasons for the storefront, for staff, for staff with an override
	}{
		"fine":             {at: "2026-06-12T14:00:00Z"},
		"off the grid":     {at: "2026-06-12T14:05:00Z", public: "closed"},
		"too late":         {at: "2026-06-11T11:45:00Z", public: "closed", staff: "closed", any: "closed"},
		"within notice":    {at: "2026-06-10T14:00:00Z", public: "too_late", staff: "too_late"},
		"beyond window":    {at: "2026-07-13T14:00:00Z", public: "too_early", staff: "too_early"},
		"before opening":   {at: "2026-06-12T12:45:00Z", public: "closed", staff: "closed", any: "closed"},
		"past closing":     {at: "2026-06-12T20:15:00Z", public: "closed", staff: "closed", any: "closed"},
		"past last start":  {at: "2026-06-12T19:30:00Z", public: "closed"},
		"time off":         {at: "2026-06-15T14:00:00Z", public: "staff_busy", staff: "staff_busy", any: "staff_busy"},
		"closure":          {at: "2026-06-16T14:00:00Z", public: "closed", staff: "closed", any: "closed"},
		"party too large":  {at: "2026-06-12T14:00:00Z", party: 3, public: "party_size", staff: "party_size"},
		"party over seats": {at: "2026-06-12T14:00:00Z", party: 4, public: "party_size", staff: "party_size", any: "full"},
	} {
		a := ask(o, apptest.Instant(x.at))
		a.Party = x.party
		for who, want := range map[availability.Audience]string{availability.Storefront: x.public, availability.Staff: x.staff, availability.StaffOverride: x.any} {
			if _, err := s.place(t, who, a); reasonOf(err) != want || want == "" && err != nil {
				t.Errorf("%s, %+v: %v, want %q", name, who, err, want)
			}
		}
	}
	s.Pause(t)
	_, err := s.place(t, availability.Storefront, ask(o, apptest.Instant("2026-06-12T14:00:00Z")))
	apptest.Is(t, err, availability.ErrPaused)
	if len(alternatives(err)) != 0 {
		t.Errorf("%+v", alternatives(err))
	}
}

func TestPlaceRefusesWhatCannotBe(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia")
	theirs := openIn(t, s.w)
	fine := apptest.Instant("2026-06-12T14:00:00Z")
	o := s.AddAppointment(t, ids(mia.ID))
	draft := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.State = "draft" })
	class := s.AddOffering(t)
	foreign := theirs.AddAppointment(t, ids(theirs.AddMember(t, "Zoe").ID))
	for name, a := range map[string]availability.SlotRequestAt{
		"draft": ask(draft, fine), "foreign": ask(foreign, fine), "class": {OfferingID: class.ID, StartsAt: fine}, "unknown": {OfferingID: pg.NewID(), StartsAt: fine},
	} {
		if _, err := s.place(t, availability.Storefront, a); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.place(t, availability.Staff, ask(draft, fine)); err != nil {
		t.Errorf("staff book drafts: %v", err)
	}
	for field, a := range map[string]availability.SlotRequestAt{
		"minutes":  {OfferingID: o.ID, StartsAt: fine, Minutes: 45},
		"party":    {OfferingID: o.ID, StartsAt: fine, Party: 1001},
		"startsAt": {OfferingID: o.ID, StartsAt: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := s.place(t, availability.Storefront, a); apptest.Wrong(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := s.place(t, availability.Storefront)
	apptest.Refused(t, err, fault.Validation)
	long := ask(o, fine)
	long.Minutes = 45
	if placed, err := s.place(t, availability.Staff, long); err != nil || placed[0].PriceAmount != 6000 {
		t.Errorf("staff choose any length: %+v %v", placed, err)
	}
	zoe := theirs.AddMember(t, "Zoe").ID
	long.MemberID = &zoe
	_, err = s.place(t, availability.Staff, long)
	apptest.Refused(t, err, fault.Conflict)
}

// A booking of a whole space occupies its parts, and the other way round; people sharing one are counted.
func TestPlaceRental(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	hall := s.AddSpace(t, "Hall", holds(10))
	left := s.AddSpace(t, "Left half", holds(5), func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	whole := s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) {
		o.Durations = []apptest.Duration{{Minutes: 60, PriceAmount: 3000}, {Minutes: 120, PriceAmount: 5000}}
	})
	half := s.AddRental(t, ids(left.ID))
	open := s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) { o.SoldAs, o.Capacity, o.Online = "person", 8, 8 })
	ten := apptest.Instant("2026-06-11T14:00:00Z")
	long := ask(whole, ten)
	long.Minutes, long.Party = 120, 10
	placed, err := s.place(t, availability.Storefront, long)
	if err != nil || *placed[0].SpaceID != hall.ID || placed[0].PriceAmount != 5000 || placed[0].Shared || placed[0].MemberID != nil {
		t.Fatalf("%+v %v", placed, err)
	}
	five := ask(open, ten)
	five.Party = 5
	if placed, err = s.place(t, availability.Storefront, five); err != nil || placed[0].PriceAmount != 15000 || !placed[0].Shared || placed[0].Party != 5 {
		t.Fatalf("%+v %v", placed, err)
	}
	if _, err = s.keep(t, availability.Storefront, five); err != nil {
		t.Fatal(err)
	}
	_, err = s.place(t, availability.Storefront, five)
	apptest.Is(t, err, availability.ErrFull)
	five.Party = 3
	if _, err = s.place(t, availability.Storefront, five); err != nil {
		t.Error(err)
	}
	for name, o := range map[string]apptest.ServiceRow{"whole": whole, "half": half} {
		_, err = s.place(t, availability.Storefront, ask(o, ten))
		if !errors.Is(err, claim.ErrSpaceBusy) {
			t.Errorf("%s of a hall with people in it: %v", name, err)
		}
	}
	noon := ten.Add(2 * time.Hour)
	if _, err = s.keep(t, availability.Storefront, ask(half, noon)); err != nil {
		t.Fatal(err)
	}
	_, err = s.place(t, availability.Storefront, ask(whole, noon))
	apptest.Is(t, err, claim.ErrSpaceBusy)
	_, err = s.place(t, availability.Storefront, ask(open, noon))
	apptest.Is(t, err, claim.ErrSpaceBusy)
	s.AddBlock(t, left, noon.Add(time.Hour), noon.Add(2*time.Hour))
	_, err = s.place(t, availability.Storefront, ask(whole, noon.Add(time.Hour)))
	apptest.Is(t, err, claim.ErrSpaceBusy)
}

// Services in a row: the second is on no grid, and the same person needs no buffer between them. At one time, a named
// person is left for the service that names them.
func TestPlaceVisit(t *testing.T) {
	s := open(t)
	mia, ben := s.AddMember(t, "Mia"), s.AddMember(t, "Ben")
	cut := s.AddAppointment(t, ids(mia.ID, ben.ID), func(o *apptest.ServiceRow) { o.Minutes, o.After = 40, 10 })
	beard := s.AddAppointment(t, ids(mia.ID, ben.ID), func(o *apptest.ServiceRow) { o.Minutes, o.Before = 20, 10 })
	ten := apptest.Instant("2026-06-11T14:00:00Z")
	first, second := ask(cut, ten), ask(beard, ten.Add(40*time.Minute))
	first.Minutes = 40
	placed, err := s.place(t, availability.Storefront, first, second)
	if err != nil || *placed[0].MemberID != mia.ID || *placed[1].MemberID != mia.ID || !placed[0].BlockedTo.Equal(placed[1].BlockedFrom) ||
		!placed[0].BlockedTo.Equal(placed[0].EndsAt) {
		t.Fatalf("%+v %v", placed, err)
	}
	second.MemberID = &ben.ID
	if placed, err = s.place(t, availability.Storefront, first, second); err != nil || *placed[0].MemberID != mia.ID ||
		placed[0].BlockedTo.Sub(placed[0].EndsAt) != 10*time.Minute || placed[1].StartsAt.Sub(placed[1].BlockedFrom) != 10*time.Minute {
		t.Errorf("two people keep their buffers: %+v %v", placed, err)
	}
	same := ask(cut, ten)
	same.MemberID = &mia.ID
	placed, err = s.place(t, availability.Storefront, ask(cut, ten), same)
	if err != nil || *placed[0].MemberID != ben.ID || *placed[1].MemberID != mia.ID {
		t.Errorf("at the same time: %+v %v", placed, err)
	}
	_, err = s.place(t, availability.Storefront, ask(cut, ten), ask(cut, ten), ask(cut, ten))
	apptest.Is(t, err, claim.ErrStaffBusy)
	if fault.From(err).Details["ask"] != 2 {
		t.Errorf("%+v", fault.From(err).Details)
	}
	if _, err = s.place(t, availability.Storefront, ask(cut, ten), ask(beard, ten.Add(41*time.Minute))); reasonOf(err) != "closed" {
		t.Errorf("what does not follow is on the grid: %v", err)
	}
}

// Caps: appointments of a person a day and a week, bookings of the location a day.
func TestPlaceCaps(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia")
	o := s.AddAppointment(t, ids(mia.ID))
	s.AddBusy(t, o, apptest.Instant("2026-06-11T14:00:00Z")) // Thursday
	s.AddBusy(t, o, apptest.Instant("2026-06-12T14:00:00Z"))
	for name, x := range map[string]struct {
		daily, weekly, location  int
		thursday, sunday, monday string
	}{
		"none": {}, "daily": {daily: 1, thursday: "staff_busy"}, "weekly": {weekly: 2, thursday: "staff_busy", sunday: "staff_busy"},
		"location": {location: 1, thursday: "full"}, "weekly, not reached": {weekly: 3},
	} {
		s.setCaps(t, mia.ID, x.daily, x.weekly)
		s.setLocationCap(t, x.location)
		for i, a := range []availability.SlotRequestAt{ask(o, apptest.Instant("2026-06-11T18:00:00Z")), ask(o, apptest.Instant("2026-06-14T14:00:00Z")), ask(o, apptest.Instant("2026-06-15T14:00:00Z"))} {
			want := []string{x.thursday, x.sunday, x.monday}[i]
			if _, err := s.place(t, availability.Storefront, a); reasonOf(err) != want || want == "" && err != nil {
				t.Errorf("%s, %s: %v, want %q", name, a.StartsAt, err, want)
			}
			if _, err := s.place(t, availability.StaffOverride, a); err != nil {
				t.Errorf("%s, %s, with an override: %v", name, a.StartsAt, err)
			}
		}
	}
	s.setCaps(t, mia.ID, 2, 0)
	s.setLocationCap(t, 0)
	day := apptest.Instant("2026-06-17T14:00:00Z")
	_, err := s.place(t, availability.Storefront, ask(o, day), ask(o, day.Add(time.Hour)), ask(o, day.Add(2*time.Hour)))
	apptest.Is(t, err, claim.ErrStaffBusy)
}

// Every time that the storefront shows can be placed, and no other: here through the database, with hours, time off,
// closures, buffers, caps and bookings of every kind.
func TestShownIsPlaceableInTheDatabase(t *testing.T) {
	s := open(t)
	s.AddHours(t, apptest.Daily(8*60, 20*60)...)
	hall := s.AddSpace(t, "Hall", holds(6))
	part := s.AddSpace(t, "Part", func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	people := ids(s.AddMember(t, "Mia").ID, s.AddMember(t, "Ben", apptest.Daily(600, 900)...).ID)
	// A slice, not a map: the bookings below are drawn in this order, so every run has the same week.
	services := []struct {
		name string
		apptest.ServiceRow
	}{
		{"appointment", s.AddAppointment(t, people, func(o *apptest.ServiceRow) { o.Before, o.After = 5, 10 })},
		{"in a space", s.AddAppointment(t, people, func(o *apptest.ServiceRow) { o.Spaces, o.Grid = ids(part.ID), 0 })},
		{"shared", s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) { o.SoldAs, o.Capacity, o.Online = "person", 5, 5 })},
		{"whole", s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) { o.After = 30 })},
	}
	s.setCaps(t, people[0], 3, 9)
	s.addClosure(t, "2026-06-13", `[{"opens": 600, "closes": 840}]`)
	s.AddTimeOff(t, people[1], apptest.Instant("2026-06-12T15:00:00Z"), apptest.Instant("2026-06-12T16:30:00Z"))
	luck := rand.New(rand.NewPCG(11, 5))
	for range 30 {
		for _, o := range services {
			a := ask(o.ServiceRow, apptest.Instant("2026-06-11T00:00:00Z").Add(time.Duration(luck.IntN(4*24*60))*time.Minute))
			_, err := s.keep(t, availability.Staff, a)
			if err != nil && !fault.IsKind(err, fault.Conflict) {
				t.Fatal(err)
			}
		}
	}
	for _, o := range services {
		shown := map[time.Time]bool{}
		in := schedule.TimesInput{OfferingID: o.ID, From: apptest.Day("2026-06-11"), Party: 1}
		page := s.times(t, in)
		for _, d := range page.Days {
			for _, x := range d.Occurrences {
				if x.StartsAt.Before(apptest.Instant("2026-06-15T00:00:00Z")) {
					shown[x.StartsAt] = true
				}
			}
		}
		if len(shown) < 5 {
			t.Errorf("%s: only %d times", o.name, len(shown))
		}
		for start := range shown {
			if _, err := s.place(t, availability.Storefront, ask(o.ServiceRow, start)); err != nil {
				t.Errorf("%s: %s is shown and refused: %v", o.name, start, err)
			}
		}
		for range 60 {
			start := apptest.Instant("2026-06-11T12:00:00Z").Add(time.Duration(luck.IntN(3*24*12)) * 5 * time.Minute)
			if _, err := s.place(t, availability.Storefront, ask(o.ServiceRow, start)); (err == nil) != shown[start] {
				t.Errorf("%s: %s is shown: %v, placed: %v", o.name, start, shown[start], err)
			}
		}
	}
}
