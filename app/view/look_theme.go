package view

import "foyer/app/business"

// LookOf is a location's look.
func LookOf(l business.Look) Look {
	return Look{Accent: l.Accent, Ground: l.Ground, Type: l.Type, Corners: l.Corners}
}

// The grounds of the embeds' cards and the ink on them, as tokens.css has them.
const (
	paperCard = "oklch(98.6% .006 85)"
	whiteCard = "#fff"
	darkCard  = "oklch(23% .01 60)"
	lightInk  = "oklch(23% .015 60)"
	darkInk   = "oklch(95% .006 85)"
)

// cardRadius and buttonRadius are --r-3 and --r-2 of corners.
var (
	cardRadius   = map[string]string{"square": "0px", "round": "20px", "pill": "24px"}
	buttonRadius = map[string]string{"square": "0px", "round": "16px", "pill": "999px"}
)

const softRadius = "10px"

// Theme is what the embeds' theme "studio" takes from a look: declarations of the private variables that stand behind the
// public ones of contract v1. The accent is the pages' own (AccentOf). On paper and white, both schemes are there, and the
// website's colour scheme chooses; a browser that does not know light-dark() shows the theme "card" instead. dark tells
// that the cards are dark on every website.
func (l Look) Theme() (variables string, dark bool) {
	a := AccentOf(l.Accent)
	accent, ink := both(a.Light.Fill, a.Dark.Fill), both(a.Light.Ink, a.Dark.Ink)
	card, text := both(paperCard, darkCard), both(lightInk, darkInk)
	switch l.Ground {
	case "white":
		card = both(whiteCard, darkCard)
	case "dark":
		accent, ink, card, text, dark = a.Dark.Fill, a.Dark.Ink, darkCard, darkInk, true
	}
	font := `"Figtree Variable",Figtree,ui-sans-serif,system-ui,sans-serif`
	if l.Type == "system" {
		font = "ui-sans-serif,system-ui,sans-serif"
	}
	return "--_pf-accent:" + accent + ";--_pf-accent-text:" + ink + ";--_pf-card:" + card + ";--_pf-text:" + text +
		";--_pf-radius:" + radius(cardRadius, l.Corners) + ";--_pf-round:" + radius(buttonRadius, l.Corners) + ";--_pf-font:" + font, dark
}

func both(light, dark string) string { return "light-dark(" + light + "," + dark + ")" }

func radius(of map[string]string, corners string) string {
	if r, ok := of[corners]; ok {
		return r
	}
	return softRadius
}
