package waitlist_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// list is a studio with full classes and waitlists: booking and checkout wired as in the program.
type list struct {
	*apptest.Sales
	t     *testing.T
	w     *apptest.World
	rules catalog.Rules
	free  bool // classes cost nothing
}

// openList opens a studio with waitlists in that mode: ten minutes an offer, an hour's cut-off, half an hour's grace,
// unless changed.
func openList(t *testing.T, mode catalog.WaitlistMode, changes ...func(*catalog.Rules)) *list {
	t.Helper()
	w := apptest.Open(t)
	l := &list{Sales: w.Sales(t), t: t, w: w, rules: catalog.StandardRules()}
	l.rules.Waitlist.Mode = mode
	for _, change := range changes {
		change(&l.rules)
	}
	l.setRules(l.rules)
	return l
}

// setRules makes rules the location's.
func (l *list) setRules(r catalog.Rules) {
	l.t.Helper()
	body, err := json.Marshal(r)
	if err != nil {
		l.t.Fatal(err)
	}
	l.rules = r
	l.w.SQL(l.t, `with p as (
			insert into policies (id, business_id, name, rules, created_at, updated_at) values ($1, $2, gen_random_uuid()::text, $3, $4, $4) returning id
		) update locations set policy_id = p.id from p where locations.id = $5`,
		pg.NewID(), l.Business.ID, body, l.w.Clock.Now(), l.Location.ID)
}

// full is a date two days ahead with so many seats, all of them booked.
func (l *list) full(capacity int, changes ...func(*apptest.OccurrenceRow)) apptest.OccurrenceRow {
	l.t.Helper()
	o := l.date(capacity, changes...)
	for range capacity {
		l.book(o)
	}
	return o
}

// date is a date two days ahead with so many seats.
func (l *list) date(capacity int, changes ...func(*apptest.OccurrenceRow)) apptest.OccurrenceRow {
	l.t.Helper()
	price := int64(2200)
	if l.free {
		price = 0
	}
	of := l.AddOffering(l.t, func(o *apptest.OfferingRow) { o.Capacity, o.Online, o.Price = capacity, capacity, &price })
	at := apptest.OccurrenceRow{StartsAt: apptest.Start.Add(48 * time.Hour)}
	for _, change := range changes {
		change(&at)
	}
	return l.AddOccurrence(l.t, of, at.StartsAt, changes...)
}

// book books a seat for a new customer, and returns the booking.
func (l *list) book(o apptest.OccurrenceRow) uuid.UUID {
	l.t.Helper()
	id, customer := pg.NewID(), l.customer()
	l.w.SQL(l.t, `with seat as (
			update occurrences set taken = taken + 1, taken_online = taken_online + 1 where id = $2
			returning business_id, location_id, offering_id, starts_at, ends_at
		), booked as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at,
				ends_at, price_amount, currency, created_at, updated_at)
			select $1, business_id, location_id, offering_id, $2, $3, 'confirmed', true, starts_at, ends_at, 2200, 'USD', $4, $4 from seat
		) insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
			select $5, business_id, $1, '', 'confirmed', 'system', 'job', $4 from seat`,
		id, o.ID, customer, l.w.Clock.Now(), pg.NewID())
	return id
}

// customer makes a new customer.
func (l *list) customer() uuid.UUID {
	l.t.Helper()
	id := pg.NewID()
	l.w.SQL(l.t, `insert into customers (id, business_id, name, email, created_at, updated_at)
		values ($1, $2, 'Somebody', gen_random_uuid()::text || '@example.com', $3, $3)`, id, l.Business.ID, l.w.Clock.Now())
	return id
}

// cancel cancels a booking as the studio does, and runs the jobs.
func (l *list) cancel(id uuid.UUID) {
	l.t.Helper()
	l.freeSeat(id)
	l.jobs()
}

// freeSeat cancels a booking. The job of the round has yet to run.
func (l *list) freeSeat(id uuid.UUID) {
	l.t.Helper()
	if _, err := l.Booking.Cancel(context.Background(), l.Owner, booking.CancelInput{BookingID: id, By: booking.ByStudio}); err != nil {
		l.t.Errorf("cancel: %v", err)
	}
}

// cancelOne cancels the first booking of a date.
func (l *list) cancelOne(o apptest.OccurrenceRow) {
	l.t.Helper()
	l.cancel(read[uuid.UUID](l, `select id from bookings where occurrence_id = $1 and state = 'confirmed' and customer_id not in (
		select customer_id from waitlist_entries) order by created_at, id limit 1`, o.ID)[0])
}

// jobs runs the jobs in the outbox.
func (l *list) jobs() {
	l.t.Helper()
	if _, err := l.RunJobs(l.t); err != nil {
		l.t.Fatal(err)
	}
}

// sweep runs the sweep and the jobs it enqueues.
func (l *list) sweep() {
	l.t.Helper()
	if err := l.Waitlist.RoundsDue(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	l.jobs()
}

// pass lets time go by, and the sweeps see it.
func (l *list) pass(d time.Duration) {
	l.t.Helper()
	l.w.Clock.Advance(d)
	if err := l.Booking.ExpireDue(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	l.sweep()
}

// entrant is a customer on a list.
type entrant struct {
	waitlist.CustomerEntry
	sc    tenancy.Scope
	token string
}

func (l *list) tryJoin(sc tenancy.Scope, o apptest.OccurrenceRow, changes ...func(*waitlist.JoinInput)) (entrant, error) {
	l.t.Helper()
	in := waitlist.JoinInput{OccurrenceID: o.ID, OfferingID: l.offering(o)}
	for _, change := range changes {
		change(&in)
	}
	w, err := l.Waitlist.Join(l.t.Context(), sc, in)
	return entrant{w, sc, l.Waitlist.Token(w.ID)}, err
}

// join adds a new customer to the list of a date.
func (l *list) join(o apptest.OccurrenceRow, changes ...func(*waitlist.JoinInput)) entrant {
	l.t.Helper()
	return l.joinAs(l.Customer(l.t, "waiter"), o, changes...)
}

func (l *list) joinAs(sc tenancy.Scope, o apptest.OccurrenceRow, changes ...func(*waitlist.JoinInput)) entrant {
	l.t.Helper()
	w, err := l.tryJoin(sc, o, changes...)
	if err != nil {
		l.t.Fatalf("join: %v", err)
	}
	return w
}

func (l *list) offering(o apptest.OccurrenceRow) uuid.UUID {
	l.t.Helper()
	return apptest.Value[uuid.UUID](l.t, l.w, "select offering_id from occurrences where id = $1", o.ID)
}

// state is where an entry stands now.
func (l *list) state(w entrant) waitlist.State {
	l.t.Helper()
	return apptest.Value[waitlist.State](l.t, l.w, "select state from waitlist_entries where id = $1", w.ID)
}

// want fails the test unless the entries stand so.
func (l *list) want(state waitlist.State, who ...entrant) {
	l.t.Helper()
	for i, w := range who {
		if got := l.state(w); got != state {
			l.t.Errorf("entry %d of %d is %s, want %s", i+1, len(who), got, state)
		}
	}
}

// see reads an entry anew.
func (l *list) see(w entrant) waitlist.CustomerEntry {
	l.t.Helper()
	got, err := l.Waitlist.Find(l.t.Context(), l.Visitor(), w.token)
	if err != nil {
		l.t.Fatal(err)
	}
	return got
}

func (l *list) accept(w entrant) (waitlist.Accepted, error) {
	return l.Waitlist.Accept(l.t.Context(), w.sc, w.token)
}

func (l *list) mustAccept(w entrant) waitlist.Accepted {
	l.t.Helper()
	a, err := l.accept(w)
	if err != nil {
		l.t.Fatalf("accept: %v", err)
	}
	return a
}

func (l *list) decline(w entrant) error {
	_, err := l.Waitlist.Decline(l.t.Context(), l.Visitor(), w.token)
	return err
}

func (l *list) leave(w entrant) error {
	_, err := l.Waitlist.LeaveBy(l.t.Context(), l.Visitor(), w.token)
	return err
}

// seats are the counters of a date.
func (l *list) seats(o apptest.OccurrenceRow) (taken, offered int) {
	l.t.Helper()
	return apptest.Value[int](l.t, l.w, "select taken from occurrences where id = $1", o.ID),
		apptest.Value[int](l.t, l.w, "select offered from occurrences where id = $1", o.ID)
}

// check fails the test when the counters do not match the rows, or a log does not lead to its entry's state.
func (l *list) check() {
	l.t.Helper()
	for _, row := range l.broken() {
		l.t.Error(row)
	}
}

func (l *list) broken() []string {
	l.t.Helper()
	return append(read[string](l, `select o.id::text || ': ' || o.taken || ' taken and ' || o.offered || ' offered of '
				|| o.capacity || ', rows say ' || n.taken || ' and ' || n.offered
			from occurrences o, lateral (
				select (select coalesce(sum(b.party), 0) from bookings b where b.occurrence_id = o.id
						and b.state in ('held', 'confirmed', 'checked_in', 'no_show', 'completed')) as taken,
					(select coalesce(sum(b.party), 0) from bookings b where b.occurrence_id = o.id and b.online
						and b.state in ('held', 'confirmed', 'checked_in', 'no_show', 'completed')) as taken_online,
					(select coalesce(sum(e.party), 0) from waitlist_entries e where e.occurrence_id = o.id and e.state = 'offered') as offered) n
			where o.taken <> n.taken or o.taken_online <> n.taken_online or o.offered <> n.offered
				or o.taken + o.offered > o.capacity or o.taken_online + o.offered > o.online_capacity`),
		read[string](l, `select e.id::text || ' is ' || e.state || ', its log says otherwise'
			from waitlist_entries e, unnest(array['', 'waiting', 'offered', 'promoted', 'declined', 'offer_expired', 'skipped_payment',
				'left', 'closed']) s (state)
			where (select count(*) filter (where m.to_state = s.state) - count(*) filter (where m.from_state = s.state)
				from waitlist_transitions m where m.entry_id = e.id) <> case s.state when e.state then 1 when '' then -1 else 0 end`)...)
}

// read reads one column as the studio.
func read[T any](l *list, sql string, args ...any) []T {
	l.t.Helper()
	rows, err := pg.All[T](context.Background(), l.w.DB.View(l.Business.ID), sql, args...)
	if err != nil {
		l.t.Fatal(err)
	}
	return rows
}

// log is why an entry's states changed, in order.
func (l *list) log(w entrant) []string {
	l.t.Helper()
	return apptest.Values[string](l.t, l.w, `select from_state || ' > ' || to_state || ': ' || reason from waitlist_transitions
		where entry_id = $1 order by created_at, id`, w.ID)
}

// mails returns the subjects of mails to a waiting customer, the oldest first.
func (l *list) mails(w entrant) []string {
	l.t.Helper()
	out := []string{}
	for _, m := range l.Mail.List(w.sc.Email) {
		out = append([]string{m.Subject}, out...)
	}
	return out
}

func wantReason(t *testing.T, err error, code string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Reason != code {
		t.Errorf("want the reason %s, got %v", code, err)
	}
}

// holdAny holds a cart at any price.
var holdAny = checkout.HoldInput{}
