package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// customer is somebody who is signed in and does one thing at a time.
type customer struct {
	session string
	turn    int // counts what they booked, so that it is another date each time
}

// lookOf is one of the reads that pages and embeds of a studio make; n chooses which.
func (t *town) lookOf(n int) ask {
	s := t.studios[n*7%len(t.studios)]
	path := []string{
		"/storefront/locations/" + s.location + "/schedule",
		"/embed/v1/" + s.slug + "/schedule",
		"/storefront/locations/" + s.location + "/offerings",
		"/embed/v1/" + s.slug + "/classes",
	}[n%4]
	return ask{method: http.MethodGet, path: path}
}

// look sends one read and notes what became of it.
func (t *town) look(ctx context.Context, at *wire, seen *tally, n int, due time.Time) {
	q := t.lookOf(n)
	seen.answered(ctx, at, q, due)
}

// answered sends a request and notes what became of it.
func (t *tally) answered(ctx context.Context, at *wire, q ask, due time.Time) (answer, error) {
	a, err := at.do(ctx, q)
	return a, t.say(due, q, a, err)
}

// say notes what became of a request. What is neither a success nor told to come later is an error, and kept in words.
func (t *tally) say(due time.Time, q ask, a answer, err error) error {
	switch {
	case err != nil:
		err = fmt.Errorf("%s %s: %w", q.method, q.path, err)
		t.note(due, 0, false, err)
	case a.status >= http.StatusBadRequest:
		err = a.tells(q)
		t.note(due, a.status, a.comeBack(), err)
	default:
		t.note(due, a.status, false, nil)
	}
	return err
}

// date is a date that can be booked, and whose.
type date struct {
	*studio
	occurrence string
}

// date is the n-th date of the first so many studios.
func (t *town) date(n, studios int) date {
	s := t.studios[n%studios]
	return date{s, s.dates[n/studios%len(s.dates)]}
}

// sender sends one request of a booking.
type sender func(ctx context.Context, q ask) (answer, error)

// cart is one booking on its way: its requests have keys, so that each may be sent again.
type cart struct {
	*customer
	date
	key, token string
	total      int // in cents, as the cart says
	send       sender
}

func (c *customer) cart(d date, send sender) *cart {
	c.turn++
	return &cart{customer: c, date: d, key: rand.Text(), send: send}
}

// do sends a request of the cart that must be answered with this status.
func (c *cart) do(ctx context.Context, status int, what, path, body string, into any) error {
	q := ask{method: http.MethodPost, path: path, session: c.session, key: c.key + what, body: body}
	a, err := c.send(ctx, q)
	if err != nil {
		return err
	}
	if a.status != status {
		return a.tells(q)
	}
	if into == nil {
		return nil
	}
	return a.data(into)
}

// fill makes the cart and puts the date into it.
func (c *cart) fill(ctx context.Context) error {
	var made struct{ Token string }
	if err := c.do(ctx, http.StatusCreated, "cart", "/storefront/carts", fmt.Sprintf(`{"locationId":%q}`, c.location), &made); err != nil {
		return err
	}
	c.token = made.Token
	var filled struct{ Totals struct{ Total int } }
	err := c.do(ctx, http.StatusCreated, "items", "/storefront/carts/"+c.token+"/items", fmt.Sprintf(`{"occurrenceId":%q}`, c.occurrence), &filled)
	c.total = filled.Totals.Total
	return err
}

// hold puts the seat under a hold.
func (c *cart) hold(ctx context.Context) error {
	return c.do(ctx, http.StatusOK, "hold", "/storefront/carts/"+c.token+"/hold", "", nil)
}

// confirm books it and returns the booking's id, which from then on is acknowledged.
func (c *cart) confirm(ctx context.Context) (booking string, err error) {
	var out struct {
		Receipt struct {
			Lines []struct{ BookingID string }
		}
	}
	if err := c.do(ctx, http.StatusOK, "confirm", "/storefront/carts/"+c.token+"/confirm", "", &out); err != nil {
		return "", err
	}
	if len(out.Receipt.Lines) != 1 {
		return "", fmt.Errorf("the receipt has %d lines", len(out.Receipt.Lines))
	}
	return out.Receipt.Lines[0].BookingID, nil
}

// book is all of it.
func (c *cart) book(ctx context.Context) (booking string, err error) {
	for _, step := range []func(context.Context) error{c.fill, c.hold} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return c.confirm(ctx)
}

// once sends each request of a booking once.
func once(at *wire, seen *tally) sender {
	return func(ctx context.Context, q ask) (answer, error) { return seen.answered(ctx, at, q, time.Now()) } // real time: it is sent now
}

// patiently sends a request again, under its key, while it gets no answer or is told to retry, as the API's answers ask for. Nobody
// does that for ever.
func patiently(at *wire, seen *tally) sender {
	const between, most = 200 * time.Millisecond, 2 * time.Minute
	return func(ctx context.Context, q ask) (answer, error) {
		for began := time.Now(); ; { // real time: somebody waits
			a, err := seen.answered(ctx, at, q, time.Now()) // real time: it is sent now
			if err == nil || a.status >= 400 && a.status < 500 {
				return a, nil
			}
			if time.Since(began) > most || !pause(ctx, between) {
				return a, errors.Join(err, ctx.Err())
			}
		}
	}
}

// bookOnce has whoever is at leisure book the date that is next for them, at one of the first studios.
func (t *town) bookOnce(ctx context.Context, at *wire, seen *tally, done *ledger) {
	t.book(ctx, once(at, seen), sharedStudios, done)
}

// book has whoever is at leisure book with a sender, who notes what became of it.
func (t *town) book(ctx context.Context, send sender, studios int, done *ledger) {
	c := <-t.customers
	defer func() { t.customers <- c }()
	d := t.date(c.turn, studios)
	if booking, err := c.cart(d, send).book(ctx); err == nil {
		done.add(booking, d.studio)
	}
}

// ledger is what the product has acknowledged.
type ledger struct {
	mu     sync.Mutex
	booked map[string]*studio // by booking
}

func (l *ledger) add(booking string, at *studio) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.booked == nil {
		l.booked = map[string]*studio{}
	}
	l.booked[booking] = at
}

func (l *ledger) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.booked)
}

// account is what a comparison of a ledger with the studios' own lists found.
type account struct {
	lost  int // acknowledged, and not in the studio's list
	extra int // in the list of a studio that began without any, and never acknowledged
	wrong int // found by the product's own look over seats, holds, money
}

// compare reads the bookings of the first so many studios as their owner.
func (l *ledger) compare(ctx context.Context, at *wire, t *town, studios int) (account, error) {
	var a account
	f := founder{at: at}
	for _, s := range t.studios[:studios] {
		there, err := f.bookings(ctx, t.owner, s)
		if err != nil {
			return a, err
		}
		for booking, where := range l.booked {
			if where == s && !there[booking] {
				a.lost++
			}
		}
		for booking := range there {
			if l.booked[booking] != s {
				a.extra++
			}
		}
		var found struct{ Differences []any }
		if err := f.want(ctx, http.StatusOK, ask{method: http.MethodGet, path: "/businesses/" + s.business + "/integrity", session: t.owner}, &found); err != nil {
			return a, err
		}
		a.wrong += len(found.Differences)
	}
	return a, nil
}

// bookings lists what is booked at a studio.
func (f founder) bookings(ctx context.Context, session string, s *studio) (map[string]bool, error) {
	there := map[string]bool{}
	for next := ""; ; {
		var page struct {
			Items      []struct{ ID, State string }
			NextCursor *string
		}
		q := ask{method: http.MethodGet, path: "/businesses/" + s.business + "/bookings?state=confirmed&limit=100" + next, session: session}
		if err := f.want(ctx, http.StatusOK, q, &page); err != nil {
			return nil, err
		}
		for _, b := range page.Items {
			there[b.ID] = true
		}
		if page.NextCursor == nil {
			return there, nil
		}
		next = "&cursor=" + *page.NextCursor
	}
}
