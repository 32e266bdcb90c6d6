package port_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foyer/app/port"
)

type teller interface{ Tell() string }

type Ports struct {
	Ask    func() int
	Teller teller
}

type service struct{ port.Late[Ports] }

type one struct{}

func (one) Tell() string { return "one" }

// panics returns the panic of fn; empty without one.
func panics(fn func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	fn()
	return ""
}

func TestLate(t *testing.T) {
	t.Parallel()
	whole := Ports{Ask: func() int { return 7 }, Teller: one{}}
	s := &service{}
	if got := s.Unconnected(); !slices.Equal(got, []string{"Ask", "Teller"}) {
		t.Errorf("before: %v is not connected", got)
	}
	if said := panics(func() { s.Ports() }); !strings.Contains(said, "port_test.Ports") {
		t.Errorf("used before it was connected: panics with %q", said)
	}
	if said := panics(func() { s.Connect(Ports{Ask: whole.Ask}) }); !strings.Contains(said, "Teller") || strings.Contains(said, "Ask") {
		t.Errorf("a port left out: panics with %q", said)
	}
	if said := panics(func() { s.Connect(whole) }); said != "" {
		t.Errorf("connecting panics: %s", said)
	}
	if len(s.Unconnected()) > 0 || s.Ports().Ask() != 7 || s.Ports().Teller.Tell() != "one" {
		t.Error("the ports are not those that were connected")
	}
	if panics(func() { s.Connect(whole) }) == "" {
		t.Error("connected twice")
	}
}
