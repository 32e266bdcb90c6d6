package view

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Any colour a studio can write becomes an accent that can be read and seen, with its hue kept.
func TestEveryAccentReadsAndStandsOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := rgb{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b")}
		a := AccentOf(base.hex())
		checkTone(t, base, a.Light, "#ffffff", lightPaper.hex())
		checkTone(t, base, a.Dark, darkRaise.hex(), oklch{0.19, 0.008, 60}.rgb().hex())
	})
}

func checkTone(t *rapid.T, base rgb, tone Tone, papers ...string) {
	fill, _ := parseHex(tone.Fill)
	ink, _ := parseHex(tone.Ink)
	if got := contrast(fill, ink); got < 4.5 {
		t.Fatalf("text on %s from %s: %.2f:1", tone.Fill, base.hex(), got)
	}
	for _, p := range papers {
		paper, _ := parseHex(p)
		if got := contrast(fill, paper); got < 3 {
			t.Fatalf("%s from %s against %s: %.2f:1", tone.Fill, base.hex(), p, got)
		}
	}
	was, is := base.oklch(), fill.oklch()
	turn := math.Abs(was.h - is.h)
	turn = min(turn, 360-turn)
	// Near black and white eight bits cannot hold a faint hue, so only plain colours are compared.
	if was.c > 0.04 && is.c > 0.04 && turn > 6 {
		t.Fatalf("%s turned its hue by %.1f degrees to %s", base.hex(), turn, tone.Fill)
	}
}

func TestAccentThatFitsKeepsItsBytes(t *testing.T) {
	t.Parallel()
	for _, hex := range []string{DefaultAccent, "#1f5f4a", "#003da5"} {
		if got := AccentOf(hex).Light.Fill; got != hex {
			t.Errorf("%s became %s", hex, got)
		}
	}
	for _, hex := range []string{"", "red", "#12", "#gggggg", "#a4472b;}body{display:none"} {
		if got := AccentOf(hex); got != AccentOf(DefaultAccent) {
			t.Errorf("%q is no colour and became %v", hex, got)
		}
	}
}

func TestOKLCHMatchesTheSpecification(t *testing.T) {
	t.Parallel()
	// Values of CSS Color 4's own samples, rounded.
	for hex, want := range map[string]oklch{
		"#ff0000": {0.628, 0.2577, 29.23}, "#00ff00": {0.8664, 0.2948, 142.5}, "#0000ff": {0.452, 0.3132, 264.05}, "#ffffff": {1, 0, 0},
	} {
		c, _ := parseHex(hex)
		got := c.oklch()
		if math.Abs(got.l-want.l) > 0.001 || math.Abs(got.c-want.c) > 0.001 || (want.c > 0 && math.Abs(got.h-want.h) > 0.1) {
			t.Errorf("%s is %v, want %v", hex, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rgb{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b")}
		if back := c.oklch().rgb(); back != c {
			t.Fatalf("%s came back as %s", c.hex(), back.hex())
		}
	})
}

func TestBrandingSheetSetsTokensOnly(t *testing.T) {
	t.Parallel()
	for _, ground := range []string{"", "paper", "white", "dark"} {
		for _, corner := range []string{"", "square", "soft", "round", "pill"} {
			l := Branding{Accent: "#0b7285", Background: ground, Type: "system", Corners: corner}
			css := l.CSS()
			if strings.Contains(css, "url(") || strings.Contains(css, "@import") || !strings.Contains(css, "--accent:#") {
				t.Errorf("%+v gives %s", l, css)
			}
			if open, shut := strings.Count(css, "{"), strings.Count(css, "}"); open != shut {
				t.Errorf("%+v is not closed: %s", l, css)
			}
			if dark := strings.Contains(css, "prefers-color-scheme"); dark == (ground == "dark") {
				t.Errorf("%+v: a dark ground has one scheme, the others two: %s", l, css)
			}
		}
	}
	a, b := Branding{Accent: "#0b7285"}, Branding{Accent: "#0b7286"}
	if a.Href("harbour") == b.Href("harbour") || !strings.HasPrefix(a.Href("harbour"), "/harbour/look.css?v=") {
		t.Errorf("addresses do not follow the look: %s %s", a.Href("harbour"), b.Href("harbour"))
	}
}
