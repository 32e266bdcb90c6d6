package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// town is studios and those who book there.
type town struct {
	owner     string // session of whoever owns all of them
	studios   []*studio
	customers chan *customer // who is at leisure
	people    int
}

// studio is one business with one location.
type studio struct {
	business, location, slug string
	dates                    []string // of its classes in the coming week
}

// size says how large a town is.
type size struct {
	studios, listings, customers int
	price                        int // of each class, in cents
}

// founder opens towns at a server.
type founder struct {
	at     *wire
	post   *post
	invite func(ctx context.Context, email string) (token string, err error)
}

const owner = "owner@drill.example.com"

// atOnce is how many things are set up at the same time. Who signs in mostly waits for a mail.
const atOnce = 16

// found opens studios by the calls that their owner makes, and signs customers in.
func (f founder) found(ctx context.Context, s size) (*town, error) {
	session, err := f.signIn(ctx, owner)
	if err != nil {
		return nil, fmt.Errorf("the owner: %w", err)
	}
	t := &town{owner: session, studios: make([]*studio, s.studios), customers: make(chan *customer, s.customers), people: s.customers}
	err = many(ctx, s.studios, func(ctx context.Context, n int) (err error) {
		t.studios[n], err = f.open(ctx, session, n, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	return t, many(ctx, s.customers, func(ctx context.Context, n int) error {
		session, err := f.signIn(ctx, fmt.Sprintf("customer%d@drill.example.com", n))
		if err != nil {
			return fmt.Errorf("customer %d: %w", n, err)
		}
		t.customers <- &customer{session: session, turn: n * 7}
		return nil
	})
}

// many does n things, some at a time, and stops at the first that fails.
func many(ctx context.Context, n int, do func(ctx context.Context, n int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range min(atOnce, n) {
		all.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// signIn asks for a code, reads it in the mail, and returns the session.
func (f founder) signIn(ctx context.Context, email string) (session string, err error) {
	var challenge struct{ ChallengeID string }
	q := ask{method: http.MethodPost, path: "/auth/challenges", body: fmt.Sprintf(`{"email":%q,"channel":"email_code"}`, email)}
	if err := f.want(ctx, http.StatusOK, q, &challenge); err != nil {
		return "", err
	}
	code, err := f.post.code(ctx, email)
	if err != nil {
		return "", err
	}
	var in struct{ Token string }
	q = ask{method: http.MethodPost, path: "/auth/verify", body: fmt.Sprintf(`{"challengeId":%q,"code":%q}`, challenge.ChallengeID, code)}
	err = f.want(ctx, http.StatusOK, q, &in)
	return in.Token, err
}

// want sends a request that must be answered with this status, and decodes its data.
func (f founder) want(ctx context.Context, status int, q ask, into any) error {
	a, err := f.at.do(ctx, q)
	if err != nil {
		return fmt.Errorf("%s %s: %w", q.method, q.path, err)
	}
	if a.status != status {
		return a.tells(q)
	}
	if into == nil {
		return nil
	}
	return a.data(into)
}

// open opens one studio with its classes.
func (f founder) open(ctx context.Context, session string, n int, s size) (*studio, error) {
	token, err := f.invite(ctx, owner)
	if err != nil {
		return nil, err
	}
	var made struct {
		ID       string
		Location struct{ ID, Slug string }
	}
	create := ask{method: http.MethodPost, path: "/businesses", session: session, body: fmt.Sprintf(
		`{"inviteToken":%q,"name":"Studio %d","location":{"name":"Studio %d","zone":"UTC","currency":"USD","address":{"country":"US"}}}`, token, n, n)}
	if err := f.want(ctx, http.StatusCreated, create, &made); err != nil {
		return nil, err
	}
	one := &studio{business: made.ID, location: made.Location.ID, slug: made.Location.Slug}
	for i := range s.listings {
		if err := f.list(ctx, session, one, i, s.price); err != nil {
			return nil, err
		}
	}
	one.dates, err = f.dates(ctx, one)
	if err == nil && len(one.dates) < s.listings {
		err = fmt.Errorf("studio %d shows %d dates of %d classes", n, len(one.dates), s.listings)
	}
	return one, err
}

// seatsOfDate is more than are ever booked.
const seatsOfDate = 1000

// list publishes one weekly class.
func (f founder) list(ctx context.Context, session string, at *studio, n, price int) error {
	var class struct{ ID string }
	post := func(status int, path, body string, into any) error {
		return f.want(ctx, status, ask{method: http.MethodPost, path: path, session: session, body: body}, into)
	}
	if err := post(http.StatusCreated, "/locations/"+at.location+"/offerings", fmt.Sprintf(
		`{"kind":"class","name":"Class %d","durationMinutes":60,"capacity":%d,"onlineCapacity":%d,"price":%d}`, n, seatsOfDate, seatsOfDate, price), &class); err != nil {
		return err
	}
	day := time.Now().UTC().AddDate(0, 0, 1+n%6) // real time: the server's
	if err := post(http.StatusCreated, "/offerings/"+class.ID+"/series", fmt.Sprintf(
		`{"weekdays":[%d],"start":%q,"at":"%02d:%02d","count":3}`, day.Weekday(), day.Format(time.DateOnly), 6+n%16, n/16%4*15), nil); err != nil {
		return err
	}
	return post(http.StatusOK, "/offerings/"+class.ID+"/publish", "", nil)
}

// dates reads the dates of the coming week as a visitor.
func (f founder) dates(ctx context.Context, at *studio) (list []string, err error) {
	var shown struct {
		Days []struct {
			Slots []struct{ OccurrenceID string }
		}
	}
	err = f.want(ctx, http.StatusOK, ask{method: http.MethodGet, path: "/storefront/locations/" + at.location + "/schedule?days=7"}, &shown)
	for _, day := range shown.Days {
		for _, slot := range day.Slots {
			list = append(list, slot.OccurrenceID)
		}
	}
	return list, err
}
