package money

import (
	"strings"
	"unicode/utf8"

	"foyer/app/fault"
	"foyer/app/names"
)

// NoteMost bounds a note about money, in characters.
const NoteMost = 500

// CheckNote trims a note about money and checks it.
func CheckNote(c *fault.Checks, field string, note *string, needed bool) {
	*note = strings.TrimSpace(*note)
	c.That(utf8.RuneCountInString(*note) <= NoteMost, field, "Use at most 500 characters.")
	c.That(names.Clean(*note) != "" || !needed, field, "Say why.")
}
