package checkout_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

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

func (k *walker) date() (uuid.UUID, error) { return k.dateOf(k.class) }

func (k *walker) dateOf(offering uuid.UUID) (uuid.UUID, error) {
	ahead := 2 * 24 * time.Hour
	if offering == k.course {
		ahead *= 5
	}
	return k.some("select id from occurrences where offering_id = $1 and starts_at between $2 and $3", offering,
		k.w.Clock.Now().Add(-time.Hour), k.w.Clock.Now().Add(ahead))
}

// categorize has an offering change its revenue category. What is sold keeps its own: the data checks compare the
// accounts of income with the lines.
func (k *walker) categorize() error {
	id := append([]uuid.UUID{k.class, k.course}, k.services...)[k.r.IntN(2+len(k.services))]
	k.w.SQL(k.t, "update offerings set revenue_category_id = $2 where id = $1", id, k.incomes[k.r.IntN(len(k.incomes))])
	return nil
}

// either is the class, or now and then the course.
func (k *walker) either() uuid.UUID {
	if k.r.IntN(4) == 0 {
		return k.course
	}
	return k.class
}

// fill puts a date of the class into a customer's cart, fillTime a time, fillCourse the course.
func (k *walker) fill() error       { return k.intoCart(k.addDate) }
func (k *walker) fillTime() error   { return k.intoCart(k.addTime) }
func (k *walker) fillCourse() error { return k.intoCart(k.addCourse) }

func (k *walker) intoCart(add func(tenancy.Scope, string) error) error {
	i, who := k.somebody()
	token, err := k.cart(i, who)
	if err != nil {
		return err
	}
	return add(who, token)
}

func (k *walker) addDate(who tenancy.Scope, token string) error {
	date, err := k.date()
	if err == nil {
		_, err = k.Checkout.AddItem(k.t.Context(), who, token, checkout.AddItemInput{OccurrenceID: date})
	}
	return err
}

func (k *walker) addTime(who tenancy.Scope, token string) error {
	_, err := k.Checkout.AddItem(k.t.Context(), who, token, checkout.AddItemInput{Slot: &checkout.Slot{
		OfferingID: k.services[k.r.IntN(len(k.services))], StartsAt: k.slot(), Party: 1,
	}})
	return err
}

func (k *walker) addCourse(who tenancy.Scope, token string) error {
	_, err := k.Checkout.AddItem(k.t.Context(), who, token, checkout.AddItemInput{CourseID: k.course})
	return err
}

func (k *walker) enrolAtDesk() error {
	_, err := k.Booking.Book(k.t.Context(), k.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: fmt.Sprintf("desk%d@example.com", k.r.IntN(6)), Name: "Desk"}, OfferingID: k.course,
		Override: k.r.IntN(4) == 0, Reason: "a friend of the house",
	})
	return err
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

// slot is a time within the next days, on the grid more often than not.
func (k *walker) slot() time.Time {
	day := k.w.Clock.Now().Truncate(24 * time.Hour).Add(time.Duration(1+k.r.IntN(3)) * 24 * time.Hour)
	return day.Add(time.Duration(13*4+k.r.IntN(32)) * 15 * time.Minute)
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
	in := booking.BookInput{Customer: booking.CustomerRef{Email: fmt.Sprintf("desk%d@example.com", k.r.IntN(6)), Name: "Desk"}}
	if k.r.IntN(8) == 0 {
		in.Override, in.Reason = true, "a friend of the house"
	}
	if k.r.IntN(2) == 0 {
		in.Time = &booking.Times{OfferingID: k.services[k.r.IntN(len(k.services))], StartsAt: k.slot()}
	} else {
		date, err := k.dateOf(k.either())
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
		_, err = k.Booking.Cancel(k.t.Context(), k.Owner, booking.CancelInput{BookingID: id, By: by, ToCredit: k.r.IntN(2) == 0})
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

// requested returns a booking that waits for approval; if there is none, a customer requests one now.
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
	if err == nil && k.price > 0 {
		err = k.payFor(who, c.Token)
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
	if err == nil {
		err = k.fillUp(date)
	}
	if err == nil {
		_, err = k.Waitlist.Join(k.t.Context(), who, waitlist.JoinInput{OfferingID: k.class, OccurrenceID: date, DropIfPromoted: k.r.IntN(2) == 0})
	}
	return err
}

// fillUp has guests book at the desk until a date is full.
func (k *walker) fillUp(date uuid.UUID) (err error) {
	for err == nil && k.value("select taken + offered < capacity from occurrences where id = $1", date) {
		guest := booking.CustomerRef{Email: uuid.NewString() + "@example.com", Name: "Guest"}
		_, err = k.Booking.Book(k.t.Context(), k.Owner, booking.BookInput{Customer: guest, OccurrenceID: date})
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
		_, err = k.Waitlist.LeaveBy(k.t.Context(), who, k.Waitlist.Token(id))
	}
	return err
}

// asked returns an offered entry, or else a waiting one: if the first one wins, those are asked.
func (k *walker) asked() (tenancy.Scope, uuid.UUID, error) {
	if who, id, err := k.waiting("offered"); err == nil {
		return who, id, nil
	}
	return k.waiting("waiting")
}

func (k *walker) accept() error {
	who, id, err := k.asked()
	if err != nil {
		return err
	}
	a, err := k.Waitlist.Accept(k.t.Context(), who, k.Waitlist.Token(id))
	if err == nil && a.OrderID == nil && k.r.IntN(2) == 0 { // the others let it run out
		k.told("pay", k.payFor(who, k.Checkout.CartToken(a.CartID)))
	}
	return err
}

// declineOffer declines the studio's offer to a waiting customer.
func (k *walker) declineOffer() error {
	who, id, err := k.waiting("waiting")
	if err != nil {
		return err
	}
	date, err := k.some("select occurrence_id from waitlist_entries where id = $1", id)
	if err == nil {
		_, err = k.Waitlist.Offer(k.t.Context(), k.Owner, waitlist.EntryInput{
			OfferingID: k.class, OccurrenceID: date, EntryID: id, Override: true, Reason: "a regular",
		})
	}
	if err == nil {
		_, err = k.Waitlist.Decline(k.t.Context(), who, k.Waitlist.Token(id))
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
		_, err = k.Waitlist.Promote(k.t.Context(), k.Owner, waitlist.EntryInput{
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
	// time does not run backwards
	k.w.Clock.Advance(max(0, start.Sub(k.w.Clock.Now())+time.Duration(k.r.IntN(20)-10)*time.Minute))
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
		func() error { return k.Booking.ExpireDue(ctx) }, func() error { return k.Waitlist.RoundsDue(ctx) },
		func() error { return k.Booking.CompleteDue(ctx) }, func() error { return k.schedule.Materialise(ctx) },
		func() error { return k.Billing.Recheck(ctx) }, func() error { return k.Billing.RefundsDue(ctx) },
	} {
		if err := sweep(); err != nil {
			return err
		}
	}
	return nil
}

func (k *walker) work() error {
	k.Sim.Flush(k.t.Context())
	_, err := k.RunJobs(k.t)
	return err
}

func (k *walker) editSeries() error {
	offering := k.either()
	page, err := k.schedule.SeriesOf(k.t.Context(), k.Owner, schedule.SeriesOfInput{OfferingID: offering})
	if err != nil {
		return err
	}
	s := page.Items[k.r.IntN(len(page.Items))]
	zone, err := civil.LoadZone(s.Zone)
	if err != nil {
		return err
	}
	in := schedule.EditSeriesInput{
		OfferingID: offering, SeriesID: s.ID, Version: s.Version, Scope: schedule.ScopeAll, AllowConflicts: true, Silent: k.r.IntN(2) == 0,
		OnBooked: []schedule.OnBooked{schedule.RefuseBooked, schedule.CancelBooked, schedule.RescheduleBooked}[k.r.IntN(3)],
	}
	if k.r.IntN(2) == 0 {
		from := civil.LocalDate(k.w.Clock.Now(), zone).AddDays(1 + k.r.IntN(3))
		in.Scope, in.From = schedule.ScopeFollowing, &from
	}
	if offering == k.course || k.r.IntN(2) == 0 {
		at := civil.NewClock(8+k.r.IntN(10), 15*k.r.IntN(4))
		in.Change.At = &at
	} else {
		in.Change.Weekdays = []time.Weekday{0, 1, 2, 3, 4, 5, 6}[k.r.IntN(3) : 4+k.r.IntN(4)]
	}
	_, err = k.schedule.EditSeries(k.t.Context(), k.Owner, in)
	return err
}

func (k *walker) editDate() error {
	offering := k.either()
	date, err := k.dateOf(offering)
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
	in := schedule.EditDateInput{OfferingID: offering, OccurrenceID: date, Version: o.Version, AllowConflicts: true}
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
	offering := k.either()
	date, err := k.dateOf(offering)
	if err == nil {
		_, err = k.schedule.CancelDate(k.t.Context(), k.Owner, schedule.CancelDateInput{OfferingID: offering, OccurrenceID: date})
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
	offering := k.either()
	date, err := k.some("select id from occurrences where offering_id = $1 and state = 'cancelled' and starts_at > $2", offering, k.w.Clock.Now())
	if err == nil {
		_, err = k.schedule.RestoreDate(k.t.Context(), k.Owner, schedule.CancelDateInput{OfferingID: offering, OccurrenceID: date})
	}
	return err
}
