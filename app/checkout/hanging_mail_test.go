package checkout_test

import (
	"fmt"
	"log/slog"
	"net"
	"sync"
	"testing"

	"foyer/app/apptest"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
)

// silence is a mail server that accepts every connection and never answers, until it is ended.
type silence struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func openSilence(t *testing.T) *silence {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &silence{Listener: ln}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, c)
			s.mu.Unlock()
		}
	}()
	return s
}

func (s *silence) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *silence) end() {
	_ = s.Close() // it is no longer needed
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Close()
	}
}

// A mail server hangs and 150 mails wait for it: the event of a payment and a refund are worked all the same. Rule 52
// of security.md.
func TestAHangingMailServerDelaysNoMoney(t *testing.T) {
	t.Parallel()
	s := open(t)
	server := openSilence(t)
	smtp, err := mail.NewSMTP("smtp+plain://"+server.Addr().String(), "book@example.com")
	if err != nil {
		t.Fatal(err)
	}
	asJobs := s.w.As(t, "foyer_job")
	people := identity.New(identity.Options{
		DB: asJobs, Pepper: apptest.Secret, Mail: smtp, Limits: identity.Limits{PerVisitor: 1000},
		CodeMail: func(c identity.Code) mail.Message { return mail.Message{To: c.To, Subject: "code", Text: c.Code} },
	})
	worker := s.Sales.On(t, asJobs)
	r := jobs.NewRegistry()
	people.Register(r)
	worker.Billing.Register(r)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	_, paid := s.ready(t, ada, s.class(t, 2200, 1))
	token, late := s.ready(t, bob, s.class(t, 2200, 1))
	for i := range 150 {
		if _, err := people.Challenge(t.Context(), fmt.Sprintf("guest%d@example.com", i), apptest.AtHome); err != nil {
			t.Fatal(err)
		}
	}
	running, err := jobs.Start(t.Context(), asJobs, r, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		server.end()
		if err := running.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	until(t, func() bool { return server.waiting() > 0 })

	s.PayCard(t, paid.ClientSecret, apptest.CardGood)
	s.PayCard(t, late.ClientSecret, apptest.CardGood) // first: releasing has the worker cancel the payment at once
	if err := s.Checkout.Release(t.Context(), bob, token); err != nil {
		t.Fatal(err)
	}
	s.Sim.Flush(t.Context())
	until(t, func() bool {
		return apptest.Value[bool](t, s.w, `select (select count(*) from refunds where state = 'succeeded') = 1
			and (select count(*) from payments where outcome = 'fulfilled') = 1 and not exists (select from webhook_events where processed_at is null)`)
	})
	if n := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = 'identity.code' and finalized_at is null"); n != 150 {
		t.Errorf("%d mails wait", n)
	}
}
