package waitlist_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// Conditions of joining. A74.
func TestWaitlistJoinRefused(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	who := l.Customer(t, "ana")
	full, room := l.full(2), l.date(3)
	over := l.full(1, func(o *apptest.OccurrenceRow) { o.StartsAt = apptest.Start.Add(-time.Hour) })
	gone := l.full(1, func(o *apptest.OccurrenceRow) { o.State = "cancelled" })
	soon := l.full(1, func(o *apptest.OccurrenceRow) { o.StartsAt = apptest.Start.Add(time.Hour) })
	desk := l.full(1, func(o *apptest.OccurrenceRow) { o.Online = 1 })
	l.w.SQL(t, "update occurrences set online_capacity = 0, taken_online = 0 where id = $1", desk.ID)
	course := l.full(1)
	l.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", l.offering(course))
	for _, c := range []struct {
		name, reason string
		o            apptest.OccurrenceRow
		party        int
	}{
		{"room", "seats_free", room, 2}, {"begun", "started", over, 1}, {"cancelled", "cancelled", gone, 1},
		{"an hour before", "waitlist_closed", soon, 1}, {"not sold online", "waitlist_off", desk, 1}, {"a course", "waitlist_off", course, 1},
	} {
		_, err := l.tryJoin(who, c.o, func(in *waitlist.JoinInput) { in.Party = c.party })
		if f := fault.From(err); f == nil || f.Reason != c.reason {
			t.Errorf("%s: want %s, got %v", c.name, c.reason, err)
		}
	}
	l.book(room)
	if w := l.joinAs(who, room, func(in *waitlist.JoinInput) { in.Party = 3 }); w.State != waitlist.Waiting {
		t.Errorf("a party of three is %s where two seats are free", w.State)
	}
	for field, change := range map[string]func(*waitlist.JoinInput){
		"party": func(in *waitlist.JoinInput) { in.Party = 101 }, "paymentChoice": func(in *waitlist.JoinInput) { in.PaymentChoice = "barter" },
		"attendee": func(in *waitlist.JoinInput) { in.Attendee = strings.Repeat("a", 121) }, "consent": func(in *waitlist.JoinInput) { in.PaymentChoice = "card" },
	} {
		_, err := l.tryJoin(who, full, change)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := l.tryJoin(who, full, func(in *waitlist.JoinInput) { in.Party = 3 }); !fault.IsKind(err, fault.Validation) {
		t.Errorf("more than there are seats: %v", err)
	}
	if _, err := l.tryJoin(who, full, func(in *waitlist.JoinInput) { in.OfferingID = l.offering(room) }); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another offering's date: %v", err)
	}
	if _, err := l.tryJoin(l.Visitor(), full); !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("a visitor: %v", err)
	}
	single := l.full(1) // an appointment has a date of its own, without a list
	l.w.SQL(t, "update offerings set kind = 'appointment' where id = $1", l.offering(single))
	l.w.SQL(t, "update occurrences set series_id = null, rule_date = null where id = $1", single.ID)
	_, err := l.tryJoin(who, single)
	wantReason(t, err, "not_bookable")
	off := l.rules
	off.Waitlist.Mode = catalog.WaitlistOff
	l.setRules(off)
	_, err = l.tryJoin(who, full)
	wantReason(t, err, "waitlist_off")
}

// One entry per person, date and attendee: joining again returns it as it is, and a customer with a booking does not
// wait.
func TestWaitlistJoinAgain(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a := l.join(o)
	b := l.join(o)
	if again := l.joinAs(a.sc, o); again.ID != a.ID || *again.Position != 1 {
		t.Errorf("again: %s at %d", again.ID, *again.Position)
	}
	if other := l.joinAs(a.sc, o, func(in *waitlist.JoinInput) { in.Attendee = "Her daughter" }); other.ID == a.ID || *other.Position != 3 {
		t.Errorf("somebody else: %+v", other.Position)
	}
	if again := l.joinAs(a.sc, o, func(in *waitlist.JoinInput) { in.Attendee = "HER  daughter\u200b" }); *again.Position != 3 {
		t.Errorf("somebody else in another spelling: %+v", again.Position)
	}
	l.cancelOne(o)
	l.pass(10 * time.Minute) // a's offer expires and it gets another only after all entries; joining puts a at the end
	l.want(waitlist.Expired, a)
	if again := l.joinAs(a.sc, o); again.ID != a.ID || *again.Position != 3 {
		t.Errorf("after an offer: %s at %d", again.ID, *again.Position)
	}
	l.mustAccept(b)
	_, err := l.tryJoin(b.sc, o)
	wantReason(t, err, "duplicate")
	l.check()
}

// An offer is for the one it was made to, once, in time, and not after leaving. A74.
func TestWaitlistAnswersRefused(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	_, err := l.accept(b)
	wantReason(t, err, "no_offer")
	wantReason(t, l.decline(b), "no_offer")
	l.cancelOne(o)
	_, err = l.accept(entrant{sc: b.sc, token: a.token})
	wantReason(t, err, "offered_to_another")
	if _, err := l.accept(entrant{sc: l.Visitor(), token: a.token}); !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("a visitor: %v", err)
	}
	for _, token := range []string{"", "nonsense", strings.Repeat("A", 43), a.token[:42] + "!"} {
		if _, err := l.accept(entrant{sc: a.sc, token: token}); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("token %q: %v", token, err)
		}
	}
	l.w.Clock.Advance(10 * time.Minute) // and no sweep has been there
	_, err = l.accept(a)
	wantReason(t, err, "offer_expired")
	wantReason(t, l.decline(a), "offer_expired")
	l.sweep()
	l.want(waitlist.Offered, b)
	if err := l.leave(b); err != nil {
		t.Fatal(err)
	}
	if err := l.leave(b); err != nil {
		t.Errorf("leaving again: %v", err)
	}
	_, err = l.accept(b)
	wantReason(t, err, "no_offer")
	l.check()
}

// The studio's customer has an address and no login: a person with that verified address accepts, and the record
// becomes theirs.
func TestWaitlistAcceptByAddress(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	person := l.Customer(t, "imported")
	customer := pg.NewID()
	l.w.SQL(t, "insert into customers (id, business_id, email, created_at, updated_at) values ($1, $2, $3, $4, $4)",
		customer, l.Business.ID, person.Email, l.w.Clock.Now())
	e, err := l.Waitlist.Add(t.Context(), l.Owner, waitlist.AddInput{
		CustomerID: customer, JoinInput: waitlist.JoinInput{OfferingID: l.offering(o), OccurrenceID: o.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	l.cancelOne(o)
	token := l.Waitlist.Token(e.ID)
	_, err = l.accept(entrant{sc: l.Customer(t, "stranger"), token: token})
	wantReason(t, err, "offered_to_another")
	l.mustAccept(entrant{sc: person, token: token})
	if got := read[uuid.UUID](l, "select person_id from customers where id = $1", customer); len(got) != 1 || got[0] != person.Person() {
		t.Errorf("the record is %v's", got)
	}
	l.check()
}

// From the cut-off on no entries are added and no offers made: offers end there, the list closes, and the seat is
// public.
func TestWaitlistCutoff(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(2)
	a, b := l.join(o), l.join(o)
	l.pass(47*time.Hour - 5*time.Minute)
	l.cancelOne(o)
	if until := l.see(a).OfferUntil; until == nil || !until.Equal(o.StartsAt.Add(-time.Hour)) {
		t.Errorf("the offer stands until %v", until)
	}
	l.pass(5 * time.Minute)
	l.want(waitlist.Closed, a, b)
	l.cancelOne(o)
	l.want(waitlist.Closed, b)
	if taken, offered := l.seats(o); taken != 0 || offered != 0 {
		t.Errorf("%d taken and %d offered", taken, offered)
	}
	if _, err := l.Checkout.Hold(t.Context(), b.sc, l.Fill(t, o), holdAny); err != nil {
		t.Errorf("a entrant cannot take the seat that is public: %v", err)
	}
	l.check()
	if log := l.log(a); !slices.Equal(log[2:], []string{"offered > offer_expired: nobody answered in time",
		"offer_expired > closed: the time for asking is over"}) {
		t.Errorf("log %q", log)
	}
}

// A cancelled date has no list any more: all its customers are notified, and no offer stays open.
func TestWaitlistOfCancelledDate(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	l.cancelOne(o)
	_, err := pg.InTx(t.Context(), l.w.DB, l.Business.ID, func(tx *pg.Tx) (int, error) {
		if _, err := tx.Exec(t.Context(), "update occurrences set state = 'cancelled' where id = $1", o.ID); err != nil {
			return 0, err
		}
		return 0, waitlist.CloseTx(t.Context(), tx, l.Owner, []uuid.UUID{o.ID}, "the instructor is ill")
	})
	if err != nil {
		t.Fatal(err)
	}
	l.jobs()
	l.want(waitlist.Closed, a, b)
	if log := l.log(b); log[len(log)-1] != "waiting > closed: the date was cancelled: the instructor is ill" {
		t.Errorf("log %q", log)
	}
	_, err = l.accept(a)
	wantReason(t, err, "cancelled")
	for _, w := range []entrant{a, b} {
		if got := l.mails(w); got[len(got)-1] != "waitlist cancelled" {
			t.Errorf("mails %q", got)
		}
	}
	if n := len(read[uuid.UUID](l, "select occurrence_id from waitlist_rounds")); n != 0 {
		t.Errorf("%d rounds are left", n)
	}
	l.check()
}

// Archiving an offering closes its lists: all their customers are notified, and offered seats are released.
func TestWaitlistOfArchivedOffering(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	offering := apptest.Value[uuid.UUID](t, l.w, "select offering_id from occurrences where id = $1", o.ID)
	away := func() catalog.Ahead {
		t.Helper()
		got, err := pg.InTx(t.Context(), l.w.DB, l.Business.ID, func(tx *pg.Tx) (catalog.Ahead, error) {
			ahead, err := waitlist.ArchiveOfferingTx(t.Context(), tx, l.Owner, offering)
			if err == nil && ahead.Bookings == 0 {
				_, err = tx.Exec(t.Context(), "update offerings set state = 'archived' where id = $1", offering)
			}
			return ahead, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := away(); got != (catalog.Ahead{Bookings: 1, Dates: 1, Waiting: 2}) {
		t.Errorf("while somebody is booked: %+v", got)
	}
	l.want(waitlist.Waiting, a, b)
	l.cancelOne(o)
	l.want(waitlist.Offered, a)
	if got := away(); got != (catalog.Ahead{Dates: 1, Waiting: 2}) {
		t.Errorf("afterwards: %+v", got)
	}
	l.jobs()
	l.want(waitlist.Closed, a, b)
	for _, w := range []entrant{a, b} {
		if got := l.mails(w); got[len(got)-1] != "waitlist cancelled" {
			t.Errorf("mails %q", got)
		}
	}
	if taken, offered := l.seats(o); taken != 0 || offered != 0 {
		t.Errorf("%d taken and %d offered", taken, offered)
	}
	l.check()
}

// A mail is dropped when it is outdated before it is sent.
func TestWaitlistMailsDrop(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a := l.join(o)
	if err := l.leave(a); err != nil {
		t.Fatal(err)
	}
	l.jobs()
	if got := l.mails(a); len(got) != 0 {
		t.Errorf("mails %q to somebody who has left", got)
	}
	for _, letter := range []waitlist.LetterKind{waitlist.LetterOffered, waitlist.LetterFree, waitlist.LetterPromoted, waitlist.LetterExpired, waitlist.LetterCancelled, "unknown"} {
		if err := l.Waitlist.MailLetter(t.Context(), waitlist.LetterJob{Business: l.Business.ID, Entry: a.ID, Letter: letter}); err != nil {
			t.Error(err)
		}
	}
	if err := l.Waitlist.MailLetter(t.Context(), waitlist.LetterJob{Business: l.Business.ID, Entry: uuid.New(), Letter: waitlist.LetterJoined}); err != nil {
		t.Error(err)
	}
	if got := l.mails(a); len(got) != 0 {
		t.Errorf("mails %q", got)
	}
}

// A person's own entries, in all businesses, page by page; another person's entry is not found.
func TestMyWaitlist(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o, other := l.full(1), l.full(1)
	a := l.join(o)
	l.w.Clock.Advance(time.Second)
	b := l.joinAs(a.sc, other)
	stranger := l.join(o)
	page, err := l.Waitlist.Mine(t.Context(), a.sc.Principal, paging.In[paging.Moment]{Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Items[0].ID != b.ID || page.Next == nil {
		t.Fatalf("%v: %+v", err, page)
	}
	page, err = l.Waitlist.Mine(t.Context(), a.sc.Principal, paging.In[paging.Moment]{Limit: 1, After: page.Next})
	if err != nil || len(page.Items) != 1 || page.Items[0].ID != a.ID || page.Next != nil {
		t.Fatalf("%v: %+v", err, page)
	}
	if err := l.Waitlist.LeaveMine(t.Context(), a.sc.Principal, stranger.ID, tenancy.SurfaceAPI); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := l.Waitlist.LeaveMine(t.Context(), a.sc.Principal, a.ID, tenancy.SurfaceAPI); err != nil {
		t.Error(err)
	}
	if err := l.Waitlist.Leave(t.Context(), b.sc, l.offering(other), other.ID, ""); err != nil {
		t.Error(err)
	}
	l.want(waitlist.Left, a, b)
	if _, err := l.Waitlist.Mine(t.Context(), l.Visitor().Principal, paging.In[paging.Moment]{}); !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("a visitor: %v", err)
	}
}
