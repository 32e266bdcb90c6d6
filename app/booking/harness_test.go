package booking_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// desk is a studio with seats held straight through HoldTx, as checkout does it.
type desk struct {
	apptest.Studio
	w     *apptest.World
	s     *booking.Service
	sales *apptest.Sales
}

func open(t *testing.T) desk {
	t.Helper()
	w := apptest.Open(t)
	sales := w.SalesWithoutCards(t)
	return desk{Studio: sales.Studio, w: w, s: sales.Booking, sales: sales}
}

// class is a date two days ahead of a class with so many seats.
func (d desk) class(t *testing.T, capacity int, changes ...func(*apptest.OccurrenceRow)) apptest.OccurrenceRow {
	t.Helper()
	o := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = capacity, capacity })
	return d.AddOccurrence(t, o, apptest.Start.Add(48*time.Hour), changes...)
}

// cart is a person with an empty cart, all that a hold needs.
type cart struct {
	id     uuid.UUID
	person tenancy.Principal
}

// carts makes n people with a cart each, in one statement.
func (d desk) carts(t *testing.T, n int) []cart {
	t.Helper()
	out := make([]cart, n)
	persons, ids := make([]uuid.UUID, n), make([]uuid.UUID, n)
	for i := range out {
		persons[i], ids[i] = pg.NewID(), pg.NewID()
		out[i] = cart{ids[i], tenancy.Principal{
			Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: persons[i], Name: fmt.Sprintf("Person %d", i)},
			Email: persons[i].String() + "@example.com",
		}}
	}
	d.w.SQL(t, `with p as (
			insert into persons (id, email, created_at, updated_at) select x, x::text || '@example.com', $3, $3 from unnest($1::uuid[]) x
		)
		insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
		select x, $4, $5, decode(replace(x::text, '-', ''), 'hex'), $3, $3 from unnest($2::uuid[]) x`,
		persons, ids, d.w.Clock.Now(), d.Business.ID, d.Location.ID)
	return out
}

func (d desk) cart(t *testing.T) cart { return d.carts(t, 1)[0] }

// again is another cart of the same person.
func (d desk) again(t *testing.T, c cart) cart {
	t.Helper()
	other := d.cart(t)
	other.person = c.person
	return other
}

func (d desk) scope(c cart) tenancy.Scope {
	return tenancy.Visitor(c.person, d.Business.ID, tenancy.SurfaceAPI)
}

// holdTx runs HoldTx as checkout does in its transaction.
func (d desk) holdTx(ctx context.Context, tx *pg.Tx, c cart, current *booking.Hold, seats ...booking.Seat) (booking.Hold, error) {
	if _, err := tx.Exec(ctx, "select id from carts where id = $1 for update", c.id); err != nil {
		return booking.Hold{}, err
	}
	customer, err := crm.EnsureTx(ctx, tx, identity.Person{ID: c.person.ID, Email: c.person.Email, Name: c.person.Name})
	if err != nil {
		return booking.Hold{}, err
	}
	return booking.HoldTx(ctx, tx, d.scope(c), booking.HoldInput{
		CartID: c.id, LocationID: d.Location.ID, PersonID: c.person.ID, CustomerID: customer.ID, Currency: "USD",
		Seats: seats, Current: current,
	})
}

func (d desk) hold(ctx context.Context, c cart, current *booking.Hold, seats ...booking.Seat) (booking.Hold, error) {
	return pg.InTx(ctx, d.w.DB, d.Business.ID, func(tx *pg.Tx) (booking.Hold, error) {
		return d.holdTx(ctx, tx, c, current, seats...)
	})
}

func (d desk) mustHold(t *testing.T, c cart, seats ...booking.Seat) booking.Hold {
	t.Helper()
	h, err := d.hold(t.Context(), c, nil, seats...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// order writes an order of a hold's seats, in a state, for nothing.
func (d desk) order(t *testing.T, h booking.Hold, state string) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	var settled *time.Time
	if now := d.w.Clock.Now(); state == "fulfilled" {
		settled = &now
	}
	d.w.SQL(t, `insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode,
			subtotal_amount, tax_amount, total_amount, created_at, fulfilled_at)
		select $1, business_id, location_id, $3, id, $5, $6, 'USD', 'exclusive', 0, 0, 0, $7, $8 from carts where business_id = $2 and id = $4`,
		id, d.Business.ID, h.CustomerID, h.CartID, id[:], state, d.w.Clock.Now(), settled)
	for i, s := range h.Seats {
		d.w.SQL(t, `insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount,
			tax_amount,
				income_account)
			values ($1, $2, $3, $4, $5, 'class', 'Morning Yoga', 0, 0, 'income.class')`,
			pg.NewID(), d.Business.ID, id, s.BookingID, i+1)
	}
	return id
}

// in runs fn in a transaction of the studio.
func in[T any](t *testing.T, d desk, fn func(tx *pg.Tx) (T, error)) (T, error) {
	t.Helper()
	return pg.InTx(t.Context(), d.w.DB, d.Business.ID, fn)
}

func (d desk) confirm(t *testing.T, c cart, h booking.Hold, order uuid.UUID) bool {
	t.Helper()
	ok, err := in(t, d, func(tx *pg.Tx) (bool, error) {
		return booking.ConfirmTx(t.Context(), tx, d.scope(c), h, order, "", pg.Named{})
	})
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// seat is one seat for the person themselves, at 22.00.
func seat(o apptest.OccurrenceRow) booking.Seat {
	return booking.Seat{OccurrenceID: o.ID, PriceAmount: 2200}
}

func (d desk) taken(t *testing.T, o apptest.OccurrenceRow) int {
	t.Helper()
	return apptest.Value[int](t, d.w, "select taken from occurrences where id = $1", o.ID)
}

// reason is the machine code of a refusal and the occurrence it is about.
func reason(err error) (code, occurrence string) {
	f := fault.From(err)
	if f == nil {
		return "", ""
	}
	occurrence, _ = f.Details["occurrenceId"].(string)
	return f.Reason, occurrence
}

// all runs fn for every item at once and waits for the last.
func all[T any](items []T, fn func(T)) {
	var start, done sync.WaitGroup
	start.Add(1)
	for _, x := range items {
		done.Go(func() {
			start.Wait()
			fn(x)
		})
	}
	start.Done()
	done.Wait()
}
