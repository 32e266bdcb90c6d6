package consoletest

import (
	"context"
	"net"
	"net/http"
	"testing"

	"foyer/app/apptest"
	"foyer/media/mediatest"
)

// Serve serves the console and the pages of a studio that sells. It has no worker: the test runs its jobs, so that a
// year costs no more than what happens in it.
func Serve(t testing.TB, w *apptest.World, of *apptest.Sales) *Studio {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var d net.Dialer
	s := &Studio{
		World: w, URL: "http://app.test", People: w.People(t), Files: mediatest.Store(t), Sim: of.Sim,
		Books: apptest.NewAccounts(t, w.Clock),
		way: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", ln.Addr().String()) // whatever its name: that is the simulator's for it
		}},
	}
	t.Cleanup(s.way.CloseIdleConnections)
	s = s.Of(of)
	s.serve(t, ln)
	return s
}

// Of returns the same program for another of its studios.
func (s *Studio) Of(of *apptest.Sales) *Studio {
	c := *s
	c.Studio, c.Services, c.Mail, c.Account = of.Studio, of.Services, of.Mail, of.Account
	return &c
}
