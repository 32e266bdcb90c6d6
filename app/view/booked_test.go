package view_test

import (
	"testing"

	"foyer/app/booking"
	"foyer/app/view"
)

// A state without a label on pages would be empty there: only a plain booking has none.
func TestEveryStateHasItsWords(t *testing.T) {
	t.Parallel()
	seen := map[string]booking.State{}
	for _, s := range booking.State("").All() {
		words := view.Words{}.StateOf(s)
		if silent := s == booking.Confirmed || s == booking.Held; (words == "") != silent {
			t.Errorf("%s: %q", s, words)
		}
		if other, taken := seen[words]; taken && words != "" {
			t.Errorf("%s and %s are both %q", s, other, words)
		}
		seen[words] = s
	}
}
