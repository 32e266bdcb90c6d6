package availability_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// booked writes a booking of an occurrence, in a state.
func (s *studio) booked(t *testing.T, occurrence uuid.UUID, name, state string) uuid.UUID {
	t.Helper()
	id, customer := pg.NewID(), pg.NewID()
	s.w.SQL(t, `insert into customers (id, business_id, name, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
		customer, s.Business.ID, name, s.w.Clock.Now())
	s.w.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at,
			ends_at, price_amount, currency, created_at, updated_at)
		select $1, business_id, location_id, offering_id, id, $2, $3, true, starts_at, ends_at, 0, 'USD', $4, $4
		from occurrences where id = $5`, id, customer, state, s.w.Clock.Now(), occurrence)
	return id
}

func hitNames(h availability.Hits) string {
	var names []string
	for _, b := range h.First {
		names = append(names, b.Customer)
	}
	return fmt.Sprintf("%d of %d: %s", h.Dates, h.Count, strings.Join(names, " "))
}

func TestTimeOffHits(t *testing.T) {
	s := open(t)
	kim, lee := s.AddInstructor(t, "Kim").ID, s.AddInstructor(t, "Lee").ID
	massage := s.AddAppointment(t, []uuid.UUID{kim})
	noon := apptest.Instant("2026-06-20T12:00:00Z")
	for name, start := range map[string]time.Time{"before": noon.Add(-time.Hour), "across": noon.Add(-30 * time.Minute), "inside": noon.Add(90 * time.Minute), "after": noon.Add(4 * time.Hour)} {
		s.booked(t, s.AddBusy(t, massage, start, func(b *apptest.BusyRow) { b.Forced = true }).ID, name, "confirmed")
	}
	class := s.AddOccurrence(t, s.AddOffering(t), noon.Add(time.Hour), func(o *apptest.OccurrenceRow) { o.Member = &kim })
	for name, state := range map[string]string{"asked": "requested", "held": "held", "left": "cancelled"} {
		s.booked(t, class.ID, name, state)
	}
	s.AddOccurrence(t, s.AddOffering(t), noon.Add(time.Hour), func(o *apptest.OccurrenceRow) { o.Member, o.State = &kim, "cancelled" })
	s.booked(t, s.AddBusy(t, s.AddAppointment(t, []uuid.UUID{lee}), noon).ID, "somebody else's", "confirmed")
	added, err := s.RecordTimeOff(t.Context(), s.System(), availability.TimeOffInput{MemberID: kim, StartsAt: noon, EndsAt: noon.Add(4 * time.Hour)})
	if err != nil || hitNames(added.Hits) != "1 of 3: across asked inside" || added.Hits.First[0].StartsAt != noon.Add(-30*time.Minute) {
		t.Errorf("%s, %v", hitNames(added.Hits), err)
	}
	// Ended bookings are not affected any more, and at most 50 are named.
	for n := range 60 {
		s.booked(t, class.ID, fmt.Sprint("Guest ", n), "confirmed")
	}
	s.w.Clock.Set(noon.Add(45 * time.Minute))
	added, err = s.RecordTimeOff(t.Context(), s.System(), availability.TimeOffInput{MemberID: kim, StartsAt: noon, EndsAt: noon.Add(4 * time.Hour)})
	if err != nil || added.Hits.Count != 62 || len(added.Hits.First) != availability.HitsShown {
		t.Errorf("%d, %d shown, %v", added.Hits.Count, len(added.Hits.First), err)
	}
}

// A dry run returns the affected bookings and changes nothing; the quote is carried out as long as the same bookings
// are affected.
func TestTimeOffQuote(t *testing.T) {
	s := open(t)
	kim := s.AddInstructor(t, "Kim").ID
	massage := s.AddAppointment(t, []uuid.UUID{kim})
	noon := apptest.Instant("2026-06-20T12:00:00Z")
	s.booked(t, s.AddBusy(t, massage, noon).ID, "Ann", "confirmed")
	verb := func(ctx context.Context) (availability.AddedAbsence, error) {
		return s.RecordTimeOff(ctx, s.System(), availability.TimeOffInput{MemberID: kim, StartsAt: noon, EndsAt: noon.Add(6 * time.Hour)})
	}
	count := func() int { return apptest.Value[int](t, s.w, "select count(*) from time_off") }
	ask := pg.QuoteKey{Credential: [32]byte{1}, Request: [32]byte{2}}
	got, quote, err := pg.DryRun(t.Context(), ask, verb)
	if err != nil || hitNames(got.Hits) != "0 of 1: Ann" || count() != 0 {
		t.Fatalf("%s, %v", hitNames(got.Hits), err)
	}
	s.booked(t, s.AddBusy(t, massage, noon.Add(2*time.Hour)).ID, "Ben", "confirmed")
	if got, err = pg.Redeem(t.Context(), ask, quote.ID, verb); hitNames(got.Hits) != "0 of 2: Ann Ben" || count() != 0 {
		t.Errorf("%s, %v", hitNames(got.Hits), err)
	}
	apptest.Is(t, err, pg.ErrQuoteChanged)
	if _, quote, err = pg.DryRun(t.Context(), ask, verb); err != nil {
		t.Fatal(err)
	}
	if _, err = pg.Redeem(t.Context(), ask, quote.ID, verb); err != nil || count() != 1 {
		t.Errorf("%v", err)
	}
}

func TestTimeOffList(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	kim, lee := s.AddInstructor(t, "Kim").ID, s.AddInstructor(t, "Lee").ID
	add := func(member uuid.UUID, from, to string) uuid.UUID {
		t.Helper()
		return s.Studio.AddTimeOff(t, member, apptest.Instant(from), apptest.Instant(to))
	}
	add(kim, "2026-06-01T00:00:00Z", "2026-06-10T12:00:00Z") // ended this moment
	late := add(kim, "2026-06-10T00:00:00Z", "2026-07-10T00:00:00Z")
	soon := add(kim, "2026-06-12T00:00:00Z", "2026-06-13T00:00:00Z")
	same := add(kim, "2026-06-12T12:00:00Z", "2026-06-13T00:00:00Z")
	add(lee, "2026-06-12T00:00:00Z", "2026-06-13T00:00:00Z")
	walk := func(in availability.AbsencesInput) (ids []uuid.UUID) {
		t.Helper()
		for {
			page, err := s.TimeOff(t.Context(), s.System(), kim, in)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Items {
				ids = append(ids, o.ID)
			}
			if in.Page.After = page.Next; in.Page.After == nil {
				return ids
			}
		}
	}
	want := fmt.Sprint([]uuid.UUID{soon, same, late})
	for limit := range 4 {
		if got := fmt.Sprint(walk(availability.AbsencesInput{Page: paging.In[paging.Moment]{Limit: limit}})); got != want {
			t.Errorf("by %d: %s, want %s", limit, got, want)
		}
	}
	if got := walk(availability.AbsencesInput{From: apptest.Instant("2026-06-13T00:00:00Z")}); fmt.Sprint(got) != fmt.Sprint([]uuid.UUID{late}) {
		t.Errorf("%v", got)
	}
	if got := walk(availability.AbsencesInput{From: apptest.Instant("2026-06-01T00:00:00Z"), Page: paging.In[paging.Moment]{Limit: 1}}); len(got) != 4 {
		t.Errorf("%v", got)
	}
	for _, c := range [][2]uuid.UUID{{lee, late}, {kim, pg.NewID()}, {pg.NewID(), late}, {theirs.AddInstructor(t, "Max").ID, late}} {
		apptest.Refused(t, s.RemoveTimeOff(t.Context(), s.System(), c[0], c[1]), fault.NotFound)
	}
	if err := s.RemoveTimeOff(t.Context(), s.System(), kim, late); err != nil {
		t.Error(err)
	}
	apptest.Refused(t, s.RemoveTimeOff(t.Context(), s.System(), kim, late), fault.NotFound)
}

func TestAwayRefused(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	kim, room := s.AddInstructor(t, "Kim").ID, s.AddSpace(t, "Room")
	noon := s.w.Clock.Now()
	for _, c := range []struct {
		from, to time.Time
		note     string
		want     string
	}{
		{noon.Add(time.Hour), noon.Add(time.Hour), "", "endsAt"},
		{noon.Add(time.Hour), noon.Add(time.Minute), "", "endsAt"},
		{noon.Add(-time.Hour), noon, "", "endsAt"},
		{noon, noon.AddDate(0, 0, 367), "", "endsAt"},
		{noon.AddDate(2, 0, 1), noon.AddDate(2, 0, 2), strings.Repeat("é", 201), "note startsAt"},
		{noon, noon.Add(time.Hour), "two\nlines", "note"},
		{noon.Add(-time.Hour), noon.AddDate(0, 0, 300), strings.Repeat("é", 200), "no validation fault"},
	} {
		_, off := s.RecordTimeOff(t.Context(), s.System(), availability.TimeOffInput{MemberID: kim, StartsAt: c.from, EndsAt: c.to, Note: c.note})
		_, block := s.BlockSpace(t.Context(), s.System(), availability.BlockInput{LocationID: s.Location.ID, SpaceID: room.ID, StartsAt: c.from, EndsAt: c.to, Note: c.note})
		if apptest.Wrong(off) != c.want || apptest.Wrong(block) != c.want {
			t.Errorf("%v, %v; want %q", off, block, c.want)
		}
	}
	off := availability.TimeOffInput{StartsAt: noon, EndsAt: noon.Add(time.Hour)}
	for _, id := range []uuid.UUID{pg.NewID(), theirs.AddInstructor(t, "Max").ID} {
		off.MemberID = id
		_, err := s.RecordTimeOff(t.Context(), s.System(), off)
		apptest.Refused(t, err, fault.NotFound)
		_, err = s.TimeOff(t.Context(), s.System(), id, availability.AbsencesInput{})
		apptest.Refused(t, err, fault.NotFound)
	}
	_, err := s.TimeOff(t.Context(), s.System(), kim, availability.AbsencesInput{Page: paging.In[paging.Moment]{Limit: 201}})
	apptest.Refused(t, err, fault.Validation)
}

// A block affects the bookings in the space, in the whole it is a part of, and in its parts.
func TestBlockHits(t *testing.T) {
	s := open(t)
	part := func(of business.Space, name string) business.Space {
		return s.AddSpace(t, name, func(in *business.SpaceInput) { in.ParentID = &of.ID })
	}
	house := s.AddSpace(t, "House")
	hall, cellar := part(house, "Hall"), part(house, "Cellar")
	half := part(hall, "Half")
	noon := apptest.Instant("2026-06-20T12:00:00Z")
	for _, room := range []business.Space{house, hall, cellar, half} {
		b := s.AddBusy(t, s.AddRental(t, []uuid.UUID{room.ID}), noon)
		s.booked(t, b.ID, room.Name, "confirmed")
	}
	for _, c := range []struct {
		space business.Space
		want  string
	}{{house, "Cellar Half Hall House"}, {hall, "Half Hall House"}, {half, "Half Hall House"}, {cellar, "Cellar House"}} {
		added, err := s.BlockSpace(t.Context(), s.System(), availability.BlockInput{LocationID: s.Location.ID, SpaceID: c.space.ID, StartsAt: noon, EndsAt: noon.Add(time.Minute)})
		names := map[string]bool{}
		for _, h := range added.Hits.First {
			names[h.Customer] = true
		}
		if err != nil || added.Hits.Count != len(strings.Fields(c.want)) {
			t.Errorf("%s: %s, %v", c.space.Name, hitNames(added.Hits), err)
		}
		for name := range strings.FieldsSeq(c.want) {
			if !names[name] {
				t.Errorf("%s does not hit %s", c.space.Name, name)
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	room, other := s.AddSpace(t, "Room"), s.AddSpace(t, "Other")
	uptown := s.AddLocation(t, "Uptown").ID
	noon := s.w.Clock.Now()
	in := availability.BlockInput{LocationID: s.Location.ID, SpaceID: room.ID, StartsAt: noon, EndsAt: noon.Add(time.Hour), Note: " Paint "}
	added, err := s.BlockSpace(t.Context(), s.System(), in)
	if err != nil || added.Note != "Paint" || added.Hits.Count != 0 {
		t.Fatalf("%+v, %v", added, err)
	}
	list, err := s.Blocks(t.Context(), s.System(), s.Location.ID, room.ID, availability.AbsencesInput{})
	if err != nil || len(list.Items) != 1 || list.Items[0].ID != added.ID || list.Items[0].Note != "Paint" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := s.Blocks(t.Context(), s.System(), s.Location.ID, other.ID, availability.AbsencesInput{}); err != nil || len(list.Items) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	every := func(sc tenancy.Scope, location, space uuid.UUID, kind fault.Kind) {
		t.Helper()
		in := in
		in.LocationID, in.SpaceID = location, space
		_, add := s.BlockSpace(t.Context(), sc, in)
		_, read := s.Blocks(t.Context(), sc, location, space, availability.AbsencesInput{})
		for _, err := range []error{add, read, s.RemoveBlock(t.Context(), sc, location, space, added.ID)} {
			apptest.Refused(t, err, kind)
		}
	}
	for _, c := range [][2]uuid.UUID{{uptown, room.ID}, {s.Location.ID, pg.NewID()}, {theirs.Location.ID, room.ID}, {s.Location.ID, theirs.AddSpace(t, "R").ID}} {
		every(s.System(), c[0], c[1], fault.NotFound)
	}
	every(s.Holding(uptown, policy.BookingManage), s.Location.ID, room.ID, fault.Forbidden)
	every(s.Holding(s.Location.ID, policy.LocationManage), s.Location.ID, room.ID, fault.Forbidden)
	instructor := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Instructor)) // holds booking.manage for own rows only
	every(instructor, s.Location.ID, room.ID, fault.Forbidden)
	apptest.Refused(t, s.RemoveBlock(t.Context(), s.System(), s.Location.ID, other.ID, added.ID), fault.NotFound)
	if err := s.RemoveBlock(t.Context(), s.System(), s.Location.ID, room.ID, added.ID); err != nil {
		t.Error(err)
	}
	s.w.SQL(t, "update spaces set archived_at = now() where id = $1", room.ID)
	_, err = s.BlockSpace(t.Context(), s.System(), in)
	apptest.Is(t, err, business.ErrSpaceArchived)
}

// A booking of a member locks their row: time off waits, and returns the booking that came before.
func TestTimeOffWaits(t *testing.T) {
	s := open(t)
	kim := s.AddInstructor(t, "Kim").ID
	massage := s.AddAppointment(t, []uuid.UUID{kim})
	noon := apptest.Instant("2026-06-20T12:00:00Z")
	locked, done := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(done) })
	defer release()
	var both sync.WaitGroup
	both.Go(func() {
		_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (int64, error) {
			n, err := tx.Exec(t.Context(), "select from members where id = $1 for no key update", kim)
			close(locked)
			<-done
			return n, err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-locked
	result := make(chan availability.AddedAbsence, 1)
	both.Go(func() {
		added, err := s.RecordTimeOff(t.Context(), s.System(), availability.TimeOffInput{MemberID: kim, StartsAt: noon, EndsAt: noon.Add(time.Hour)})
		if err != nil {
			t.Error(err)
		}
		result <- added
	})
	select {
	case <-result:
		t.Error("time off did not wait")
	case <-time.After(200 * time.Millisecond):
	}
	s.booked(t, s.AddBusy(t, massage, noon).ID, "Ann", "confirmed")
	release()
	if added := <-result; added.Hits.Count != 1 {
		t.Errorf("%s", hitNames(added.Hits))
	}
	both.Wait()
}
