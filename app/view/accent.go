package view

import "math"

// DefaultAccent is the accent of a studio without one of its own: terracotta.
const DefaultAccent = "#a4472b"

// Contrast that every accent reaches (WCAG 2.2: text 1.4.3, parts of controls 1.4.11).
const (
	textContrast  = 4.5
	paperContrast = 3.0
)

// Tone is a fill and the text that stands on it, as "#rrggbb".
type Tone struct{ Fill, Ink string }

// Accent is a studio's colour, fitted for light and for dark backgrounds.
type Accent struct{ Light, Dark Tone }

// The backgrounds that an accent must stand out from. The light one is the default paper: white is lighter still. The
// dark one is the raised dark surface: dark paper is darker still. So one accent fits every background that a studio
// can choose.
var (
	lightPaper = oklch{0.986, 0.006, 85}.rgb()
	darkRaise  = oklch{0.23, 0.01, 60}.rgb()
)

// lightestDarkFill is how light an accent starts out on dark paper; a lighter one stays as it is.
const lightestDarkFill = 0.74

// AccentOf turns any colour into an accent: text on it reaches 4.5:1 and it stands out from the paper with 3:1, in
// both schemes. It changes only the OKLCH lightness, as little as possible, and keeps the hue. For a text that is not
// a colour it returns the default accent. Booking pages, the embeds' studio theme, e-mails and receipts use the same
// values.
func AccentOf(hex string) Accent {
	base, ok := parseHex(hex)
	if !ok {
		base, _ = parseHex(DefaultAccent)
	}
	lch := base.oklch()
	dark := lch
	dark.l = max(dark.l, lightestDarkFill)
	return Accent{Light: fit(base, lch, lightPaper), Dark: fit(dark.rgb(), dark, darkRaise)}
}

// fit changes the lightness from start in both directions until the rules hold. exact is start as the studio wrote
// it, so that a colour without need of a change keeps its exact bytes.
func fit(exact rgb, start oklch, paper rgb) Tone {
	if ink, ok := inkOn(exact, start.h, paper); ok {
		return Tone{exact.hex(), ink.hex()}
	}
	const step = 0.002
	for d := step; d <= 1; d += step {
		for _, l := range [2]float64{start.l - d, start.l + d} {
			if l < 0 || l > 1 {
				continue
			}
			fill := oklch{l, start.c, start.h}.rgb()
			if ink, ok := inkOn(fill, start.h, paper); ok {
				return Tone{fill.hex(), ink.hex()}
			}
		}
	}
	return Tone{lightPaper.hex(), darkRaise.hex()} // not reached: some lightness of every hue fits (see the property test)
}

// inkOn chooses white or a near-black of the accent's own hue, whichever reads better on fill. ok reports whether
// both rules hold.
func inkOn(fill rgb, hue float64, paper rgb) (ink rgb, ok bool) {
	white, black := rgb{255, 255, 255}, oklch{0.20, 0.03, hue}.rgb()
	onWhite, onBlack := contrast(fill, white), contrast(fill, black)
	ink = white
	if onBlack > onWhite {
		ink = black
	}
	return ink, math.Max(onWhite, onBlack) >= textContrast && contrast(fill, paper) >= paperContrast
}
