package view_test

import (
	"testing"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/view"
	"foyer/app/words"
)

// TestRefusal: a refusal is translated into the reader's language, with its numbers; a message written for this
// reader stays as it is.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"en", "de-DE"} {
		w, l := view.Words{Locale: locale}, words.In(locale)
		if got := w.Refusal(booking.ErrFull.With("spots", 0)); got != l.T("This time is full.") {
			t.Errorf("%s: %q", locale, got)
		}
		if got := w.Refusal(availability.ErrPartySize.With("min", 2).With("max", 6)); got != l.T("Choose {min} to {max} people.", "min", 2, "max", 6) {
			t.Errorf("%s: %q", locale, got)
		}
		const own = "Rescheduling was possible until 18:30."
		if got := w.Refusal(booking.ErrTooLate.WithMessage(own)); got != own {
			t.Errorf("%s: %q", locale, got)
		}
	}
}

// The contract freezes the link texts of fragments (E47): in English they are the values themselves. A studio's own
// heading is never translated.
func TestFrozenWords(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en-US"}
	for _, a := range []view.Action{view.ActionBook, view.ActionWaitlist, view.ActionFull, view.ActionDetails} {
		if got := w.Action(a); got != string(a) {
			t.Errorf("%q reads %q", a, got)
		}
	}
	l := words.In("de")
	for heading, want := range map[string]string{"Classes": l.T("Classes"), "Rentals": l.T("Rentals"), "Workshops": "Workshops", "瑜伽": "瑜伽"} {
		if got := (view.Words{Locale: "de"}).Heading(heading); got != want {
			t.Errorf("%q reads %q, want %q", heading, got, want)
		}
	}
}
