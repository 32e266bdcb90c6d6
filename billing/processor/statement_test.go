package processor_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"foyer/billing/processor"
)

// A215: the studio's name on a card statement keeps the processor's rules.
func TestStatementName(t *testing.T) {
	for name, want := range map[string]string{
		"Harbour Yoga":                         "Harbour Yoga",
		"  Harbour\n Yoga ":                    "Harbour Yoga",
		"Café Münch & Søn":                     "Cafe Munch & Son",
		"O'Brien's \"Climb\" <Hall>*":          "OBriens Climb Hall",
		"Tanzstudio Größe Acht München":        "Tanzstudio Grosse Acht",
		"Donaudampfschifffahrtsyoga":           "Donaudampfschifffahrts",
		"The Yoga Room at Finsbury Park North": "The Yoga Room at",
		"Йога на крыше":                        "Ioga na kryshe",
		"瑜伽":                                   "Yu Jia",
		"🧘🧘":                                   "",
		"42":                                   "",
		"":                                     "",
	} {
		if got := processor.StatementName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Any name gives words that a statement can show, or none.
func FuzzStatementName(f *testing.F) {
	f.Add("Harbour Yoga")
	f.Add("\x00<*>\\ Ünï")
	f.Add("瑜伽瑜伽瑜伽瑜伽瑜伽瑜伽瑜伽瑜伽瑜伽瑜伽")
	f.Fuzz(func(t *testing.T, name string) {
		got := processor.StatementName(name)
		if len(got) > 22 || utf8.RuneCountInString(got) != len(got) || strings.ContainsAny(got, `<>\'"*`) ||
			strings.TrimSpace(got) != got || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q: %q", name, got)
		}
	})
}
