package stripesim

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// delivery is an event on its way to the app.
type delivery struct {
	Number   int64           `json:"number"`
	Event    string          `json:"event"`
	Body     json.RawMessage `json:"body"`
	At       time.Time       `json:"at"` // not before
	Attempts int             `json:"attempts,omitempty"`
}

const (
	maxAttempts  = 30
	maxBackoff   = time.Minute
	shuffleDelay = 1500 // milliseconds
)

// dueAt returns the time at which an event made now is sent: at once, or some time later when they are shuffled.
func (s *Server) dueAt(now time.Time) time.Time {
	if !s.opt.Shuffle {
		return now
	}
	return now.Add(time.Duration(s.st.number(fmt.Sprintf("delay %d", s.st.Counter), shuffleDelay)) * time.Millisecond)
}

// deliver posts due events, one after the other, each once. A failed one is tried again later; a lost answer makes a
// duplicate, as it does with Stripe.
func (s *Server) deliver(ctx context.Context) {
	s.posts.Lock()
	defer s.posts.Unlock()
	for _, d := range s.dueDeliveries() {
		err := s.post(ctx, d)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.opt.Logger.Warn("could not deliver a simulated webhook", "event", d.Event, "attempt", d.Attempts+1, "error", err)
		}
		s.mu.Lock()
		s.settleDelivery(d.Number, err == nil)
		s.commit()
		s.mu.Unlock()
	}
}

// dueDeliveries copies due events in the order of their sending.
func (s *Server) dueDeliveries() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	due := slices.DeleteFunc(slices.Clone(s.st.Outbox), func(d delivery) bool { return d.At.After(now) })
	if s.opt.Shuffle {
		rank := func(d delivery) int64 { return s.st.number(fmt.Sprintf("order %d %d", d.Number, d.Attempts), 1<<24) }
		slices.SortStableFunc(due, func(a, b delivery) int { return int(rank(a) - rank(b)) })
	}
	return due
}

// settleDelivery removes a delivery from the outbox or postpones it.
func (s *Server) settleDelivery(number int64, taken bool) {
	s.dirty = true
	i := slices.IndexFunc(s.st.Outbox, func(d delivery) bool { return d.Number == number })
	if i < 0 {
		return
	}
	d := &s.st.Outbox[i]
	d.Attempts++
	if taken || d.Attempts == maxAttempts {
		s.st.Outbox = slices.Delete(s.st.Outbox, i, i+1)
		return
	}
	d.At = s.now().Add(min(time.Second<<min(d.Attempts-1, 10), maxBackoff))
}

func (s *Server) post(ctx context.Context, d delivery) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.opt.WebhookURL, bytes.NewReader(d.Body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "Stripe/1.0 (simulated by foyer)")
	r.Header.Set("Stripe-Signature", Sign(d.Body, DefaultWebhookSecret, s.now()))
	res, err := s.opt.HTTPClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection is used again
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// Sign returns the Stripe-Signature header of a webhook body signed at a time.
func Sign(body []byte, secret string, at time.Time) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.", at.Unix())
	mac.Write(body)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(mac.Sum(nil)))
}

// emit records an event of an object: it puts it into the outbox. The event holds the object as it is now; the reader
// has to expect that it may change before it is read. The caller holds mu.
func (s *Server) emit(account, kind string, object any) {
	now := s.now()
	e := event{
		ID: s.newID("evt"), Object: "event", APIVersion: APIVersion, Account: account, Created: now.Unix(),
		Data: map[string]any{"object": wire(object)}, Type: kind,
	}
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // made of JSON values
	}
	s.keepEvent(e, body)
	if s.opt.WebhookURL == "" || s.aside {
		return
	}
	s.sendOut(e.ID, body)
	if s.opt.Duplicate {
		s.sendOut(e.ID, body)
	}
}

// sendOut puts an event into the outbox. The caller holds mu.
func (s *Server) sendOut(id string, body []byte) {
	s.dirty = true
	s.st.Counter++
	s.st.Outbox = append(s.st.Outbox, delivery{Number: s.st.Counter, Event: id, Body: body, At: s.dueAt(s.now())})
}
