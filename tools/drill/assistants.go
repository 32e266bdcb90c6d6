package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	assistantsTimes = 5
	assistantsLoad  = 16                      // assistants that ask as fast as they are answered
	assistantsHeld  = 1500 * time.Millisecond // how long calls wait for a locked table after the signal
)

// assistants ends a server whose assistants are busy: they list the tools, a quarter of a megabyte, and call some. A
// table is locked from before the signal until some time after it, so that nearly every assistant has an open call at
// the signal. As in sigterm, a client that is refused a connection goes away. All others must get a whole answer.
func assistants(ctx context.Context, p *place) ([]figure, error) {
	s, t, err := p.shared(ctx)
	if err != nil {
		return nil, err
	}
	s = s.with("BASE_URL=http://" + drillHost) // requests for another host are refused
	var all asked
	var longest highest
	for range assistantsTimes {
		took, err := all.atSigterm(ctx, p, s, t)
		if err != nil {
			return nil, err
		}
		longest.see(int64(took))
	}
	p.say("  %s; %d open at the signal, %d begun after it, %d streams, %d told to retry", &all.seen, all.open, all.after,
		all.streams.Load(), all.later.Load())
	missing := all.seen.count(func(status int) bool { return status != http.StatusOK })
	of := fmt.Sprintf("%d (%d open at the signal, %d begun after it)", all.seen.count(anyStatus), all.open, all.after)
	const least = assistantsTimes * assistantsLoad / 2
	return []figure{
		none(fmt.Sprintf("SIGTERM under the load of %d assistants, %d times: requests without a whole answer",
			assistantsLoad, assistantsTimes), missing, of),
		holds("the same, assistants with an open call at the signal", fmt.Sprintf("≥ %d", least), fmt.Sprint(all.open),
			all.open >= least),
		atMost("the same, time to exit with code 0", endMost, time.Duration(longest.n.Load())),
	}, nil
}

// asked is what became of the requests of assistants.
type asked struct {
	seen    tally
	streams atomic.Int64 // answered in pieces, while the answer was made
	later   atomic.Int64 // results that say: retry
	flying  atomic.Int64 // without an answer so far
	begun   atomic.Int64

	open, after int64 // at the signals; begun after them
}

// atSigterm ends one server under the load of assistants, and returns how long it took.
func (a *asked) atSigterm(ctx context.Context, p *place, s *site, t *town) (took time.Duration, err error) {
	server, err := s.serve(ctx, "assistants")
	if err != nil {
		return 0, err
	}
	at := newWire(server.address)
	defer at.close()
	stop := behind(ctx, func(ctx context.Context) {
		over(ctx, assistantsLoad, func(ctx context.Context, who, n int) { a.once(ctx, at, t, who, n) })
	})
	defer stop()
	super, err := p.postgres.connect(ctx, "town")
	if err != nil {
		return 0, errors.Join(err, ended(server))
	}
	defer super.Close(ctx)
	pause(ctx, time.Second)
	if _, err := super.Exec(ctx, "begin; lock table customers in access exclusive mode"); err != nil {
		return 0, errors.Join(err, ended(server))
	}
	pause(ctx, 300*time.Millisecond) // until the assistants wait for it
	a.open += a.flying.Load()
	before := a.begun.Load()
	released := make(chan error, 1)
	go func() {
		pause(ctx, assistantsHeld)
		_, err := super.Exec(ctx, "rollback")
		released <- err
	}()
	took, err = server.end()
	err = errors.Join(err, <-released)
	a.after += a.begun.Load() - before
	return took, err
}

// once has an assistant make one request. Where nobody listens, it goes away.
func (a *asked) once(ctx context.Context, at *wire, t *town, who, n int) {
	place := t.studios[who%len(t.studios)]
	message := []string{
		`"method":"tools/list"`,
		fmt.Sprintf(`"method":"tools/call","params":{"name":"listCustomers","arguments":{"id":%q}}`, place.business),
		fmt.Sprintf(`"method":"tools/call","params":{"name":"createCart","arguments":{"locationId":%q}}`, place.location),
	}[n%3]
	id := who*1_000_000 + n
	q := ask{
		method: http.MethodPost, path: "/mcp", session: t.owner, accept: "application/json, text/event-stream",
		body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, id, message),
	}
	due := time.Now() // real time: it is what is measured
	a.begun.Add(1)
	a.flying.Add(1)
	got, err := at.do(ctx, q)
	a.flying.Add(-1)
	if errors.Is(err, errRefused) {
		a.begun.Add(-1)
		pause(ctx, time.Minute) // this one has gone away
		return
	}
	if err == nil && got.status == http.StatusOK {
		var retry bool
		retry, err = got.message(id)
		if retry {
			a.later.Add(1)
		}
	}
	if got.chunked {
		a.streams.Add(1)
	}
	_ = a.seen.say(due, q, got, err) // which keeps it
}

// message returns an error unless the answer is one whole message of the protocol, the result of a request. retry
// reports that the result is a refusal that says to try again.
func (a answer) message(id int) (retry bool, err error) {
	if !a.chunked && a.header.Get("Content-Length") == "" {
		return false, errors.New("the answer has no end of its own")
	}
	var data []byte
	for event := range bytes.SplitSeq(a.body, []byte("\n\n")) {
		for text := range bytes.Lines(event) {
			if more, ok := bytes.CutPrefix(text, []byte("data: ")); ok && data == nil {
				data = more
			} else if ok {
				return false, errors.New("the answer has several messages")
			}
		}
	}
	if !bytes.HasSuffix(a.body, []byte("\n\n")) {
		return false, fmt.Errorf("the last event has no end: %.300q", a.body)
	}
	var m struct {
		ID     int
		Result *struct {
			IsError           bool
			StructuredContent struct {
				Error struct{ Details struct{ Reason string } }
			}
		}
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return false, fmt.Errorf("%w in %.300q", err, data)
	}
	if m.ID != id || m.Result == nil {
		return false, fmt.Errorf("not the result of %d: %.300s", id, data)
	}
	if m.Result.IsError && m.Result.StructuredContent.Error.Details.Reason != "unavailable" {
		return false, fmt.Errorf("refused: %.300s", data)
	}
	return m.Result.IsError, nil
}
