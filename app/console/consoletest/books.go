package consoletest

import (
	"testing"
	"time"

	"foyer/app/accounting"
)

// ConnectBooks connects the owner to a company of the accounting provider.
func (s *Studio) ConnectBooks(t testing.TB, company string) {
	t.Helper()
	to, err := s.Accounting.Begin(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	back, err := s.Accounting.Returned(t.Context(), s.Books.Agree(t, to, company))
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := s.Accounting.Complete(t.Context(), s.Owner, back.Attempt)
	if err != nil || outcome != accounting.OutcomeConnected {
		t.Fatalf("%s, %v", outcome, err)
	}
}

// ConfirmBooks confirms an account for every row of the map: the suggested one, or a new one.
func (s *Studio) ConfirmBooks(t testing.TB) {
	t.Helper()
	m, err := s.Accounting.Map(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Rows {
		switch {
		case r.Confirmed != nil:
		case r.Proposed != nil:
			_, err = s.Accounting.Confirm(t.Context(), s.Owner, []accounting.Choice{{Row: r.Row, AccountID: r.Proposed.ID}})
		default:
			_, err = s.Accounting.Create(t.Context(), s.Owner, accounting.CreateInput{Row: r.Row})
		}
		if err != nil {
			t.Fatalf("%s: %v", r.Key(), err)
		}
	}
}

// CloseDay lets a day pass, and closes it.
func (s *Studio) CloseDay(t testing.TB) {
	t.Helper()
	s.Clock.Advance(24 * time.Hour)
	s.CloseDays(t)
}

// CloseDays closes the days that have passed in the books and batches them, as the worker does.
func (s *Studio) CloseDays(t testing.TB) {
	t.Helper()
	if err := s.Closer.CloseDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Accounting.BatchDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// PostBooks posts the documents that are due, as the worker does.
func (s *Studio) PostBooks(t testing.TB) {
	t.Helper()
	if err := s.Accounting.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}
