package letters

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCalendarLines are folded after 75 bytes, and never inside a character.
func TestCalendarLines(t *testing.T) {
	got := fold("SUMMARY:" + strings.Repeat("é", 60))
	lines := strings.Split(strings.TrimSuffix(got, "\r\n"), "\r\n ")
	if len(lines) != 2 || strings.Join(lines, "") != "SUMMARY:"+strings.Repeat("é", 60) {
		t.Errorf("%d lines: %q", len(lines), got)
	}
	for _, line := range lines {
		if len(line) > 75 || !utf8.ValidString(line) {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	if got := escape("a,b;c\\d\r\ne\nf"); got != `a\,b\;c\\d\ne\nf` {
		t.Errorf("escaped: %s", got)
	}
}
