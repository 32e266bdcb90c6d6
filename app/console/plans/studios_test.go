package plans_test

import (
	"os"
	"strings"
	"testing"

	"foyer/app/money"
)

// A97. The terms that thirteen studios publish: each is set up in the console alone, joined in the shop by a person who
// reads the terms there, and a year of it does what they say. What cannot be set is named, here and in docs/plans.md.
func TestThirteenStudios(t *testing.T) {
	for _, x := range []struct {
		code, zone string
		currency   money.Currency
		studios    []studioTerms
	}{
		{"GB", "Europe/London", "GBP", studiosGB},
		{"US", "America/New_York", "USD", append(studiosUSFirst, studiosUS...)},
		{"DE", "Europe/Berlin", "EUR", studiosDE},
	} {
		t.Run(x.code, func(t *testing.T) {
			t.Parallel()
			c := openCountry(t, x.code, x.zone, x.currency)
			var members []*member
			for _, terms := range x.studios {
				members = append(members, c.opens(t, terms))
			}
			c.goes(t, "2027-06-30", members)
			for _, m := range members {
				same(t, m.Name+": charges", m.charged(t), m.Charges)
				if got := m.last(t); got != m.Last {
					t.Errorf("%s: the last day is %q, want %q", m.Name, got, m.Last)
				}
				unset(t, m.studioTerms)
				m.CheckProcessor(t)
				m.List(t)
				m.CheckLedger(t)
			}
			c.w.CheckBooks(t)
		})
	}
}

// unset fails unless docs/plans.md names what cannot be set of the terms.
func unset(t *testing.T, terms studioTerms) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/plans.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "\n## What cannot be set yet\n")
	list = strings.Join(strings.Fields(list), " ")
	for _, what := range terms.Cannot {
		if !strings.Contains(list, what) {
			t.Errorf("%s: docs/plans.md does not name %q", terms.Name, what)
		}
	}
}

// last returns the last day of the membership; empty: it goes on.
func (m *member) last(t *testing.T) string {
	t.Helper()
	if d := m.mine(t).LastDay(); !d.IsZero() {
		return d.String()
	}
	return ""
}
