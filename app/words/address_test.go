package words_test

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestOneWayToAddress: a catalogue addresses its reader in one form. A page with sentences in the familiar form and
// in the polite one reads as if two people had written it.
func TestOneWayToAddress(t *testing.T) {
	for language, other := range map[string]*regexp.Regexp{
		"de": regexp.MustCompile(`\bIhnen\b|\bIhre?[nmrs]?\b|[\p{L},] Sie\b`),
		"es": regexp.MustCompile(`(?i)\busted(es)?\b|\b(suya|pague|use otra|informó a usted)\b`),
		"fr": regexp.MustCompile(`(?i)(^|[^\p{L}])(tu|toi|ton|tes)([^\p{L}]|$)`),
		"it": regexp.MustCompile(`\b(Lei|lei|Suo|Sua|Suoi|Usi)\b`),
		"nl": regexp.MustCompile(`\b[Uu]w\b|\bU\b|\b(als|hebt|zodat|van|die|kunt) u\b`),
	} {
		f, err := os.Open("po/" + language + ".po")
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); {
			said, is := strings.CutPrefix(s.Text(), "msgstr")
			if lines++; is && other.MatchString(said) {
				t.Errorf("%s, line %d: %s", language, lines, said)
			}
		}
		if f.Close(); lines < 1000 {
			t.Errorf("%s has %d lines", language, lines)
		}
	}
}
