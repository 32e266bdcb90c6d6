package giftcard

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A code is read as people type it, and one wrong character or two that were swapped are found.
func TestCode(t *testing.T) {
	t.Parallel()
	for range 200 {
		c := newCode()
		for _, typed := range []string{
			c.Reveal(), strings.ToLower(c.chars), " " + strings.ReplaceAll(c.Reveal(), "-", " ") + "\n",
			strings.NewReplacer("0", "O", "1", "l").Replace(c.Reveal()), strings.ReplaceAll(c.chars, "1", "I"),
		} {
			if got, ok := ParseCode(typed); !ok || got != c {
				t.Fatalf("%q is read as %q, %v: %q", typed, got.chars, ok, c.chars)
			}
		}
		for i := range c.chars {
			for _, other := range alphabet {
				if wrong := c.chars[:i] + string(other) + c.chars[i+1:]; wrong != c.chars {
					if _, ok := ParseCode(wrong); ok {
						t.Fatalf("%q is taken for %q", wrong, c.chars)
					}
				}
			}
		}
	}
	for _, typed := range []string{"", "ABCD", "AAAA-BBBB-CCCC-DDDU", strings.Repeat("A", 1<<16), "•••• •••• •••• ••••"} {
		if _, ok := ParseCode(typed); ok {
			t.Errorf("%.20q is no code", typed)
		}
	}
}

// Printing a code shows its last four characters only: no log line has it.
func TestCodeIsNotPrinted(t *testing.T) {
	t.Parallel()
	c := newCode()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if got := fmt.Sprintf(verb, c); strings.Contains(got, c.chars[:8]) || !strings.Contains(got, c.Last4()) {
			t.Errorf("%s prints %s", verb, got)
		}
	}
	if got := fmt.Sprintf("%+v", Mail{Code: c}); strings.Contains(got, c.chars[:8]) {
		t.Errorf("a mail prints %s", got)
	}
}

// The hash is keyed: with another secret the same code has another one.
func TestCodeHash(t *testing.T) {
	t.Parallel()
	c := newCode()
	first, other, again := c.hash([]byte("a")), c.hash([]byte("b")), c.hash([]byte("a"))
	if bytes.Equal(first, other) || !bytes.Equal(first, again) {
		t.Error("the hash does not depend on the key alone")
	}
}
