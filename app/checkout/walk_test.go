package checkout_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/integrity"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// walkSteps is how many steps are taken in all, by walkers in studios of their own.
const (
	walkSteps = 10_000
	walkers   = 5
)

// Ten thousand times somebody does something at random: books, pays nothing, waits, accepts, cancels, moves, comes, edits a
// series, lets time pass. After every step the books are counted again from the rows and nothing may differ. FOYER_SEED
// walks one seed again.
func TestRandomWalk(t *testing.T) {
	if !guarded {
		return // the races say what happens then
	}
	seed := rand.Uint64()
	if s := os.Getenv("FOYER_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	walked := make([]*walker, walkers)
	modes := []catalog.WaitlistMode{catalog.WaitlistAuto, catalog.WaitlistOffer, catalog.WaitlistRace, catalog.WaitlistOffer, catalog.WaitlistOff}
	t.Logf("FOYER_SEED=%d", seed)
	t.Run("walk", func(t *testing.T) {
		for i := range walkers {
			t.Run(fmt.Sprintf("%d_%s", i, modes[i]), func(t *testing.T) {
				t.Parallel()
				walked[i] = newWalker(t, rand.New(rand.NewPCG(seed, uint64(i))), modes[i])
				walked[i].walk(walkSteps / walkers)
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, a := range acts {
		carried := 0
		for _, k := range walked {
			if k != nil { // -run may have picked some
				carried += k.done[a.name]
			}
		}
		t.Logf("%s: %d times", a.name, carried)
		if carried == 0 {
			t.Errorf("%s was refused each time: the walk proves nothing about it", a.name)
		}
	}
}

// walker does things at random in one studio.
type walker struct {
	shop
	t        *testing.T
	r        *rand.Rand
	schedule *schedule.Service
	people   []tenancy.Scope
	class    uuid.UUID
	services []uuid.UUID
	carts    map[int]string // of people, held or not
	done     map[string]int // acts that were not refused
}

func (k *walker) walk(steps int) {
	for n := range steps {
		what := k.step()
		r, err := integrity.Look(k.t.Context(), k.w.DB.View(k.Business.ID))
		if err != nil {
			k.t.Fatal(err)
		}
		for _, d := range r.Differences {
			k.t.Errorf("step %d, %s: %+v", n, what, d)
		}
		if k.t.Failed() {
			k.t.FailNow()
		}
	}
}

func newWalker(t *testing.T, r *rand.Rand, mode catalog.WaitlistMode) *walker {
	k := &walker{shop: open(t), t: t, r: r, carts: map[int]string{}, done: map[string]int{}}
	k.AddHours(t)
	free := int64(0)
	policy := k.AddPolicy(t, func(rules *catalog.Rules) {
		rules.Waitlist.Mode, rules.Waitlist.CutoffMinutes = mode, 0
		rules.Cancel.LateFeeAmount, rules.Forgive.LateCancels = 500, 1
		rules.NoShow.FeeAmount = 1000
	})
	k.SetPolicy(t, policy)
	k.schedule = schedule.New(schedule.Options{DB: k.w.DB, Bookings: k.Booking.Calendar()})
	teacher := k.AddMember(t, "Ana")
	room := k.AddSpace(t, "Studio")
	class := k.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &free, 2, 2 })
	k.class = class.ID
	days := []time.Weekday{0, 1, 2, 3, 4, 5, 6}
	_, err := k.schedule.CreateSeries(t.Context(), k.Owner, schedule.CreateSeriesInput{
		OfferingID: class.ID, MemberID: &teacher.ID, SpaceID: &room.ID,
		Rule: schedule.Rule{Freq: schedule.Weekly, Every: 1, Weekdays: days, Start: schedule.Date{Year: 2026, Month: time.June, Day: 11}, At: schedule.NewClock(12, 0), Minutes: 60},
	})
	if err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Fields)
	}
	anyone := []uuid.UUID{teacher.ID, k.AddMember(t, "Jo").ID}
	k.services = []uuid.UUID{
		k.AddAppointment(t, anyone, func(s *apptest.ServiceRow) { s.Price, s.After = &free, 15 }).ID,
		k.AddRental(t, []uuid.UUID{room.ID}, func(s *apptest.ServiceRow) { s.Price = &free }).ID,
		k.AddRental(t, []uuid.UUID{room.ID}, func(s *apptest.ServiceRow) { s.Price, s.SoldAs, s.Capacity, s.Online = &free, "person", 3, 3 }).ID,
		k.AddAppointment(t, anyone[1:], func(s *apptest.ServiceRow) { s.Price, s.Approval = &free, true }).ID,
	}
	for i := range 5 {
		k.people = append(k.people, k.Customer(t, fmt.Sprintf("walker%d", i)))
	}
	return k
}

type act struct {
	name   string
	weight int
	run    func(*walker) error
}

var acts = []act{
	{"fill", 8, (*walker).fill}, {"time", 6, (*walker).fillTime}, {"hold", 9, (*walker).holdCart}, {"confirm", 9, (*walker).confirmCart},
	{"release", 2, (*walker).releaseCart}, {"book", 4, (*walker).bookAtDesk}, {"cancel", 5, (*walker).cancelBooking},
	{"cancel mine", 4, (*walker).cancelMine}, {"move", 3, (*walker).moveBooking}, {"approve", 3, (*walker).approve},
	{"decline", 2, (*walker).decline}, {"check in", 2, (*walker).checkIn}, {"no show", 2, (*walker).noShow},
	{"join", 6, (*walker).join}, {"leave", 2, (*walker).leave}, {"accept", 5, (*walker).accept}, {"decline offer", 2, (*walker).declineOffer},
	{"promote", 2, (*walker).promote}, {"pass", 4, (*walker).pass}, {"attend", 2, (*walker).attend}, {"jobs", 3, (*walker).work},
	{"edit series", 1, (*walker).editSeries}, {"edit date", 1, (*walker).editDate}, {"cancel date", 1, (*walker).cancelDate},
	{"restore date", 3, (*walker).restoreDate},
}

// step does one thing and says what. A refusal is fine; anything else that fails is not.
func (k *walker) step() string {
	total := 0
	for _, a := range acts {
		total += a.weight
	}
	n := k.r.IntN(total)
	for _, a := range acts {
		if n -= a.weight; n < 0 {
			k.told(a.name, a.run(k))
			return a.name
		}
	}
	panic("no act")
}

func (k *walker) told(what string, err error) {
	if err == nil {
		k.done[what]++
		return
	}
	if f := fault.From(err); f == nil || f.Kind == fault.Internal {
		k.t.Fatalf("%s: %v", what, err)
	}
}

// nothing is the refusal of an act that found nothing to act on.
var nothing = fault.New(fault.Conflict, "nothing", "There is nothing to do this to.")

func (k *walker) somebody() (int, tenancy.Scope) {
	i := k.r.IntN(len(k.people))
	return i, k.people[i]
}

// some is the id of one of the rows of a query at random.
func (k *walker) some(sql string, args ...any) (uuid.UUID, error) {
	ids, err := pg.All[uuid.UUID](k.t.Context(), k.w.DB.View(k.Business.ID), sql+" order by 1", args...)
	if err != nil {
		return uuid.Nil, err
	}
	if len(ids) == 0 {
		return uuid.Nil, nothing
	}
	return ids[k.r.IntN(len(ids))], nil
}

func (k *walker) date() (uuid.UUID, error) {
	return k.some("select id from occurrences where offering_id = $1 and starts_at between $2 and $3", k.class,
		k.w.Clock.Now().Add(-time.Hour), k.w.Clock.Now().Add(2*24*time.Hour))
}

func (k *walker) booked(states ...string) (uuid.UUID, error) {
	return k.some("select id from bookings where state = any($1)", states)
}

func (k *walker) cart(i int, who tenancy.Scope) (string, error) {
	if token := k.carts[i]; token != "" && k.r.IntN(6) > 0 {
		return token, nil
	}
	c, err := k.Checkout.Create(k.t.Context(), who, checkout.CreateInput{LocationID: k.Location.ID})
	k.carts[i] = c.Token
	return c.Token, err
}

func (k *walker) fill() error {
	i, who := k.somebody()
	token, err := k.cart(i, who)
	if err != nil {
		return err
	}
	date, err := k.date()
	if err != nil {
		return err
	}
	_, err = k.Checkout.AddItem(k.t.Context(), who, token, checkout.AddItemInput{OccurrenceID: date})
	return err
}

// slot is a time within the next days, on the grid more often than not.
func (k *walker) slot() time.Time {
	day := k.w.Clock.Now().Truncate(24 * time.Hour).Add(time.Duration(1+k.r.IntN(3)) * 24 * time.Hour)
	return day.Add(time.Duration(13*4+k.r.IntN(32)) * 15 * time.Minute)
}

func (k *walker) fillTime() error {
	i, who := k.somebody()
	token, err := k.cart(i, who)
	if err != nil {
		return err
	}
	_, err = k.Checkout.AddItem(k.t.Context(), who, token, checkout.AddItemInput{Slot: &checkout.Slot{
		OfferingID: k.services[k.r.IntN(len(k.services))], StartsAt: k.slot(), Party: 1,
	}})
	return err
}

func (k *walker) held() (tenancy.Scope, string, error) {
	i, who := k.somebody()
	if k.carts[i] == "" {
		return who, "", nothing
	}
	return who, k.carts[i], nil
}

func (k *walker) holdCart() error {
	who, token, err := k.held()
	if err == nil {
		_, err = k.Checkout.Hold(k.t.Context(), who, token, checkout.HoldInput{})
	}
	return err
}

func (k *walker) confirmCart() error {
	who, token, err := k.held()
	if err == nil {
		_, err = k.Checkout.Confirm(k.t.Context(), who, token)
	}
	return err
}

func (k *walker) releaseCart() error {
	who, token, err := k.held()
	if err != nil {
		return err
	}
	return k.Checkout.Release(k.t.Context(), who, token)
}

func (k *walker) bookAtDesk() error {
	in := booking.BookInput{Who: booking.Who{Email: fmt.Sprintf("desk%d@example.com", k.r.IntN(6)), Name: "Desk"}}
	if k.r.IntN(8) == 0 {
		in.Override, in.Reason = true, "a friend of the house"
	}
	if k.r.IntN(2) == 0 {
		in.Time = &booking.Times{OfferingID: k.services[k.r.IntN(len(k.services))], StartsAt: k.slot()}
	} else {
		date, err := k.date()
		if err != nil {
			return err
		}
		in.OccurrenceID = date
	}
	_, err := k.Booking.Book(k.t.Context(), k.Owner, in)
	return err
}

func (k *walker) cancelBooking() error {
	id, err := k.booked("confirmed", "requested", "checked_in")
	if err == nil {
		by := []booking.By{booking.ByCustomer, booking.ByStudio}[k.r.IntN(2)]
		_, err = k.Booking.Cancel(k.t.Context(), k.Owner, booking.CancelInput{BookingID: id, By: by})
	}
	return err
}

func (k *walker) mine() (tenancy.Scope, uuid.UUID, error) {
	_, who := k.somebody()
	id, err := k.some(`select b.id from bookings b join customers c on c.id = b.customer_id
		where c.person_id = $1 and b.state in ('confirmed', 'requested')`, who.Person())
	return who, id, err
}

func (k *walker) cancelMine() error {
	who, id, err := k.mine()
	if err == nil {
		_, err = k.Booking.CancelMine(k.t.Context(), who, id)
	}
	return err
}

func (k *walker) moveBooking() error {
	id, err := k.booked("confirmed")
	if err != nil {
		return err
	}
	to := booking.Target{StartsAt: k.slot()}
	if series := k.value("select o.series_id is not null from bookings b join occurrences o on o.id = b.occurrence_id where b.id = $1", id); series {
		to = booking.Target{}
		if to.OccurrenceID, err = k.date(); err != nil {
			return err
		}
	}
	_, err = k.Booking.Reschedule(k.t.Context(), k.Owner, booking.RescheduleInput{BookingID: id, Target: to})
	return err
}

func (k *walker) value(sql string, args ...any) bool {
	v, err := pg.One[bool](k.t.Context(), k.w.DB.View(k.Business.ID), sql, args...)
	return must(k.t, v, err)
}

// requested is a booking that waits for the studio's word; if there is none, somebody asks now.
func (k *walker) requested() (uuid.UUID, error) {
	if id, err := k.booked("requested"); err == nil {
		return id, nil
	}
	ctx, who := k.t.Context(), k.people[k.r.IntN(len(k.people))]
	c, err := k.Checkout.Create(ctx, who, checkout.CreateInput{LocationID: k.Location.ID})
	if err == nil {
		_, err = k.Checkout.AddItem(ctx, who, c.Token, checkout.AddItemInput{Slot: &checkout.Slot{
			OfferingID: k.services[3], StartsAt: k.slot(), Party: 1,
		}})
	}
	if err == nil {
		_, err = k.Checkout.Hold(ctx, who, c.Token, checkout.HoldInput{})
	}
	if err == nil {
		_, err = k.Checkout.Confirm(ctx, who, c.Token)
	}
	if err != nil {
		return uuid.Nil, err
	}
	return k.booked("requested")
}

func (k *walker) approve() error {
	id, err := k.requested()
	if err == nil {
		_, err = k.Booking.Approve(k.t.Context(), k.Owner, booking.ApproveInput{BookingID: id})
	}
	return err
}

func (k *walker) decline() error {
	id, err := k.requested()
	if err == nil {
		_, err = k.Booking.Decline(k.t.Context(), k.Owner, booking.DeclineInput{BookingID: id})
	}
	return err
}

func (k *walker) checkIn() error {
	id, err := k.booked("confirmed")
	if err == nil {
		_, err = k.Booking.CheckIn(k.t.Context(), k.Owner, id)
	}
	return err
}

func (k *walker) noShow() error {
	id, err := k.some("select id from bookings where state in ('confirmed', 'no_show') and starts_at < $1", k.w.Clock.Now())
	if err != nil {
		return err
	}
	if k.r.IntN(3) == 0 {
		_, err = k.Booking.UndoNoShow(k.t.Context(), k.Owner, id)
		return err
	}
	_, err = k.Booking.NoShow(k.t.Context(), k.Owner, id)
	return err
}

// join waits for one of the next dates; guests who book at the desk fill it first.
func (k *walker) join() error {
	_, who := k.somebody()
	date, err := k.some("select id from occurrences where offering_id = $1 and state = 'scheduled' and starts_at between $2 and $3",
		k.class, k.w.Clock.Now(), k.w.Clock.Now().Add(48*time.Hour))
	for err == nil && k.value("select taken + offered < capacity from occurrences where id = $1", date) {
		guest := booking.Who{Email: uuid.NewString() + "@example.com", Name: "Guest"}
		_, err = k.Booking.Book(k.t.Context(), k.Owner, booking.BookInput{Who: guest, OccurrenceID: date})
	}
	if err == nil {
		_, err = k.Booking.JoinWaitlist(k.t.Context(), who, booking.JoinInput{OfferingID: k.class, OccurrenceID: date, DropIfPromoted: k.r.IntN(2) == 0})
	}
	return err
}

// waiting is one of the entries in a state, with the person who waits.
func (k *walker) waiting(states ...string) (tenancy.Scope, uuid.UUID, error) {
	id, err := k.some("select id from waitlist_entries where state = any($1)", states)
	if err != nil {
		return tenancy.Scope{}, id, err
	}
	for _, who := range k.people {
		if k.value("select exists (select from waitlist_entries where id = $1 and person_id = $2)", id, who.Person()) {
			return who, id, nil
		}
	}
	return tenancy.Scope{}, id, nothing
}

func (k *walker) leave() error {
	who, id, err := k.waiting("waiting", "offered")
	if err == nil {
		_, err = k.Booking.LeaveWaitlistBy(k.t.Context(), who, k.Booking.WaitlistToken(id))
	}
	return err
}

// asked is an entry that is on offer, or else one that waits: where the first one wins, those are asked.
func (k *walker) asked() (tenancy.Scope, uuid.UUID, error) {
	if who, id, err := k.waiting("offered"); err == nil {
		return who, id, nil
	}
	return k.waiting("waiting")
}

func (k *walker) accept() error {
	who, id, err := k.asked()
	if err == nil {
		_, err = k.Booking.AcceptOffer(k.t.Context(), who, k.Booking.WaitlistToken(id))
	}
	return err
}

// declineOffer declines what the studio offers to one who waits.
func (k *walker) declineOffer() error {
	who, id, err := k.waiting("waiting")
	if err != nil {
		return err
	}
	date, err := k.some("select occurrence_id from waitlist_entries where id = $1", id)
	if err == nil {
		_, err = k.Booking.OfferWaiter(k.t.Context(), k.Owner, booking.EntryInput{
			OfferingID: k.class, OccurrenceID: date, EntryID: id, Override: true, Reason: "a regular",
		})
	}
	if err == nil {
		_, err = k.Booking.DeclineOffer(k.t.Context(), who, k.Booking.WaitlistToken(id))
	}
	return err
}

func (k *walker) promote() error {
	id, err := k.some("select id from waitlist_entries where state = 'waiting'")
	if err != nil {
		return err
	}
	date, err := k.some("select occurrence_id from waitlist_entries where id = $1", id)
	if err == nil {
		_, err = k.Booking.PromoteWaiter(k.t.Context(), k.Owner, booking.EntryInput{
			OfferingID: k.class, OccurrenceID: date, EntryID: id, Override: k.r.IntN(2) == 0, Reason: "a regular",
		})
	}
	return err
}

// pass lets minutes go by, seldom hours, and then runs the sweeps.
func (k *walker) pass() error {
	k.w.Clock.Advance(time.Duration(1+k.r.IntN(8)) * time.Minute)
	return k.sweep()
}

// attend goes to the time at which the next booking begins.
func (k *walker) attend() error {
	id, err := k.some(`select id from bookings where state = 'confirmed' and starts_at = (
		select min(starts_at) from bookings where state = 'confirmed' and starts_at > $1)`, k.w.Clock.Now())
	if err != nil {
		return err
	}
	start, err := pg.One[time.Time](k.t.Context(), k.w.DB.View(k.Business.ID), "select starts_at from bookings where id = $1", id)
	if err != nil {
		return err
	}
	k.w.Clock.Advance(start.Sub(k.w.Clock.Now()) + time.Duration(k.r.IntN(20)-10)*time.Minute)
	if err := k.sweep(); err != nil {
		return err
	}
	k.told("check in", k.checkIn())
	k.told("no show", k.noShow())
	return nil
}

func (k *walker) sweep() error {
	ctx := k.t.Context()
	for _, sweep := range []func() error{
		func() error { return k.Booking.ExpireDue(ctx) }, func() error { return k.Booking.PromoteDue(ctx) },
		func() error { return k.Booking.CompleteDue(ctx) }, func() error { return k.schedule.Materialise(ctx) },
	} {
		if err := sweep(); err != nil {
			return err
		}
	}
	return nil
}

func (k *walker) work() error {
	_, err := k.RunJobs(k.t)
	return err
}

func (k *walker) editSeries() error {
	page, err := k.schedule.SeriesOf(k.t.Context(), k.Owner, schedule.SeriesOfInput{OfferingID: k.class})
	if err != nil {
		return err
	}
	s := page.Items[k.r.IntN(len(page.Items))]
	zone, err := schedule.LoadZone(s.Zone)
	if err != nil {
		return err
	}
	in := schedule.EditSeriesInput{
		OfferingID: k.class, SeriesID: s.ID, Version: s.Version, Scope: schedule.ScopeAll, AllowConflicts: true, Notify: k.r.IntN(2) == 0,
		OnBooked: []schedule.OnBooked{schedule.RefuseBooked, schedule.CancelBooked, schedule.MoveBooked}[k.r.IntN(3)],
	}
	if k.r.IntN(2) == 0 {
		from := schedule.LocalDate(k.w.Clock.Now(), zone).AddDays(1 + k.r.IntN(3))
		in.Scope, in.From = schedule.ScopeFollowing, &from
	}
	if k.r.IntN(2) == 0 {
		at := schedule.NewClock(8+k.r.IntN(10), 15*k.r.IntN(4))
		in.Change.At = &at
	} else {
		in.Change.Weekdays = []time.Weekday{0, 1, 2, 3, 4, 5, 6}[k.r.IntN(3) : 4+k.r.IntN(4)]
	}
	_, err = k.schedule.EditSeries(k.t.Context(), k.Owner, in)
	return err
}

func (k *walker) editDate() error {
	date, err := k.date()
	if err != nil {
		return err
	}
	type row struct {
		Version  int64
		StartsAt time.Time
	}
	o, err := pg.One[row](k.t.Context(), k.w.DB.View(k.Business.ID), "select version, starts_at from occurrences where id = $1", date)
	if err != nil {
		return err
	}
	in := schedule.EditDateInput{OfferingID: k.class, OccurrenceID: date, Version: o.Version, AllowConflicts: true}
	if k.r.IntN(2) == 0 {
		seats := 1 + k.r.IntN(4)
		in.Capacity, in.OnlineCapacity = &seats, &seats
	} else {
		start := o.StartsAt.Add(time.Duration(k.r.IntN(9)-4) * 15 * time.Minute)
		in.StartsAt = &start
	}
	_, err = k.schedule.EditDate(k.t.Context(), k.Owner, in)
	return err
}

func (k *walker) cancelDate() error {
	date, err := k.date()
	if err == nil {
		_, err = k.schedule.CancelDate(k.t.Context(), k.Owner, schedule.CancelDateInput{OfferingID: k.class, OccurrenceID: date, Notify: true})
	}
	return err
}

// restoreDate takes the cancelling of a date back, now and then of one that was cancelled this very moment.
func (k *walker) restoreDate() error {
	if k.r.IntN(2) == 0 {
		if err := k.cancelDate(); err != nil {
			return err
		}
	}
	date, err := k.some("select id from occurrences where offering_id = $1 and state = 'cancelled' and starts_at > $2", k.class, k.w.Clock.Now())
	if err == nil {
		_, err = k.schedule.RestoreDate(k.t.Context(), k.Owner, schedule.RestoreDateInput{OfferingID: k.class, OccurrenceID: date})
	}
	return err
}
