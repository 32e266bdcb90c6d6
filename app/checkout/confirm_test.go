package checkout_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// The result of Confirm for a cart that it has just sold for nothing equals the later receipt.
func TestConfirmTellsTheReceipt(t *testing.T) {
	s := open(t)
	s.w.SQL(t, "update locations set website = 'https://example.com', street = 'Main St 1'")
	s.AddHours(t)
	rate, policy := s.AddTaxRate(t, "Sales tax", 88750), s.AddPolicy(t, func(r *catalog.Rules) { r.NoticeMinutes = 7 })
	space, mia := s.AddSpace(t, "Room 1"), s.AddMember(t, "Mia")
	taught := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.TaxRate = new(int64), &rate.ID }),
		s.w.Clock.Now().Add(48*time.Hour), func(o *apptest.OccurrenceRow) { o.Space, o.Member = &space.ID, &mia.ID })
	ruled := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = new(int64) })
	s.w.SQL(t, "update offerings set policy_id = $1 where id = $2", policy, ruled.ID)
	plain := s.AddOccurrence(t, ruled, s.w.Clock.Now().Add(48*time.Hour))
	free := int64(0)
	massage := s.AddAppointment(t, []uuid.UUID{mia.ID}, func(r *apptest.ServiceRow) { r.Price = &free })
	course, _ := s.course(t, 3, 0, 3)
	approved := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = new(int64) })
	s.w.SQL(t, "update offerings set approval = true where id = $1", approved.ID)
	asked := s.AddOccurrence(t, approved, s.w.Clock.Now().Add(48*time.Hour))

	slot := checkout.AddItemInput{Slot: &checkout.Slot{OfferingID: massage.ID, StartsAt: time.Date(2026, 6, 12, 14, 0, 0, 0, time.UTC)}}
	seat := func(o apptest.OccurrenceRow, attendee string) checkout.AddItemInput {
		return checkout.AddItemInput{OccurrenceID: o.ID, Attendee: attendee}
	}
	for what, items := range map[string][]checkout.AddItemInput{
		"one class":            {seat(plain, "")},
		"taught, taxed, twice": {seat(taught, ""), seat(taught, "Bo")},
		"everything":           {seat(plain, ""), slot, seat(taught, "")},
		"a course":             {{CourseID: course.ID}, seat(plain, "")},
		"the studio is asked":  {seat(asked, ""), seat(plain, "")},
	} {
		ada := s.Customer(t, "Ada")
		ada.Name = "Ada of " + what
		token := s.fillWith(t, ada, items...)
		s.hold(t, ada, token)
		got := s.confirm(t, ada, token)
		read, err := s.Orders.Receipt(t.Context(), s.Visitor(), got.Token)
		if err != nil || !reflect.DeepEqual(got.Receipt, read) {
			t.Errorf("%s: told\n%+v\nand read\n%+v (%v)", what, got.Receipt, read, err)
		}
		if len(read.Lines) != len(items) || read.CustomerName != "Ada of "+what {
			t.Errorf("%s: %+v", what, read)
		}
		s.w.Clock.Advance(time.Minute)
	}
	s.jobs(t)
}

func (s shop) fillWith(t *testing.T, who tenancy.Scope, items ...checkout.AddItemInput) string {
	t.Helper()
	c, err := s.Checkout.Create(t.Context(), who, checkout.CreateInput{LocationID: s.Location.ID, Ref: "https://example.com/yoga"})
	must(t, c, err)
	for _, in := range items {
		cart, err := s.Checkout.AddItem(t.Context(), who, c.Token, in)
		must(t, cart, err)
	}
	return c.Token
}

// A cart that changes between the look at it and the hold, or the confirmation, is looked at again under its lock:
// the answer is about the cart as it is.
func TestTheCartMovesOn(t *testing.T) {
	s := open(t)
	first, second := s.class(t, 0, 5), s.class(t, 0, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, first)
	meanwhile := s.between(t, func() {
		_, err := s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{OccurrenceID: second.ID})
		must(t, 0, err)
	})
	h, err := meanwhile.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	if err != nil || len(h.Seats) != 2 || s.taken(t, first) != 1 || s.taken(t, second) != 1 {
		t.Errorf("held %+v (%v)", h, err)
	}
	meanwhile = s.between(t, func() {
		if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
			t.Error(err)
		}
	})
	_, err = meanwhile.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirmed after a release", err, booking.ErrHoldExpired)
	if n := apptest.Value[int](t, s.w, "select count(*) from orders"); n != 0 || s.taken(t, first) != 0 {
		t.Errorf("%d orders, %d seats", n, s.taken(t, first))
	}
	s.check(t)
}

// interrupter does something once: before the second call that is made to the database, or before the first statement
// with a text.
type interrupter struct {
	calls int
	text  string // empty: the second call
	do    func()
}

func (i *interrupter) call(ctx context.Context, sql string) context.Context {
	if i.do == nil {
		return ctx
	}
	i.calls++
	if i.text == "" && i.calls == 2 || i.text != "" && strings.Contains(sql, i.text) {
		do := i.do
		i.do = nil
		do()
	}
	return ctx
}

func (i *interrupter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	return i.call(ctx, q.SQL)
}
func (i *interrupter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (i *interrupter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return i.call(ctx, "")
}
func (i *interrupter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (i *interrupter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// between is the shop on a connection of its own, where do happens once, after the first thing that is read.
func (s shop) between(t *testing.T, do func()) shop { return s.interrupted(t, "", do) }

// interrupted is between, where do happens before the first statement with a text.
func (s shop) interrupted(t *testing.T, text string, do func()) shop {
	t.Helper()
	i := &interrupter{text: text}
	db, err := pg.Open(t.Context(), pg.Config{URL: s.w.URL("foyer_app"), MaxConns: 4, Clock: s.w.Clock, Strict: true, Tracer: i})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	i.do = do
	return shop{s.On(t, db), s.w}
}
