package view

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"foyer/app/business"
)

// Branding is a location's branding: the difference of its pages from the default. The zero value is the default
// branding.
type Branding business.Branding

// The two palettes of look/tokens.css, for branding with another background than the default.
const (
	whiteGround = "--paper:#fff;--raise:#fff;"
	darkGround  = "color-scheme:dark;--paper:oklch(19% .008 60);--raise:oklch(23% .01 60);--ink:oklch(95% .006 85);" +
		"--ink-2:oklch(75% .01 75);--rule:oklch(33% .01 60);--ok:oklch(78% .13 150);--warn:oklch(82% .12 80);--bad:oklch(76% .13 25);"
	systemType = `--f-ui:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;`
)

// corners gives the radius of controls and of panels. A pill has round controls; a round panel would cut its own words.
var corners = map[string]string{
	"square": "--r-1:0px;--r-2:0px;--r-3:0px;",
	"soft":   "--r-1:6px;--r-2:10px;--r-3:10px;",
	"round":  "--r-1:10px;--r-2:16px;--r-3:20px;",
	"pill":   "--r-1:12px;--r-2:999px;--r-3:24px;",
}

// CSS returns the stylesheet of a location, served as /{location}/look.css. It sets only tokens and is outside every
// layer, so it wins over the shared sheet. The text depends only on the branding: serve it with a far expiry under
// Href.
func (l Branding) CSS() string {
	a := AccentOf(l.Accent)
	light, dark := tokens(a.Light), tokens(a.Dark)

	var root strings.Builder
	switch l.Background {
	case "white":
		root.WriteString(whiteGround)
	case "dark":
		root.WriteString(darkGround)
		light = dark
	}
	if l.Type == "system" {
		root.WriteString(systemType)
	}
	root.WriteString(corners[l.Corners])

	// Paper always has the default colours: a dark background would print as a black sheet.
	css := "@media screen{:root{" + light + root.String() + "}}"
	if l.Background != "dark" {
		night := dark
		if l.Background == "white" {
			night += "--paper:oklch(19% .008 60);--raise:oklch(23% .01 60);"
		}
		css += "@media screen and (prefers-color-scheme:dark){:root{" + night + "}}"
	}
	return css + "\n"
}

func tokens(t Tone) string { return "--accent:" + t.Fill + ";--accent-ink:" + t.Ink + ";" }

// Version returns the name of the stylesheet's content: ten hex digits.
func (l Branding) Version() string {
	sum := sha256.Sum256([]byte(l.CSS()))
	return hex.EncodeToString(sum[:5])
}

// Href returns the address of the stylesheet of the location with that slug: "/harbour/look.css?v=0a1b2c3d4e".
func (l Branding) Href(slug string) string { return "/" + slug + "/look.css?v=" + l.Version() }

// Color returns the colour for the address bar of a phone: the paper of the light and of the dark scheme.
func (l Branding) Color() (light, dark string) {
	dark = oklch{0.19, 0.008, 60}.rgb().hex()
	switch l.Background {
	case "white":
		return "#ffffff", dark
	case "dark":
		return dark, dark
	}
	return lightPaper.hex(), dark
}

// The backgrounds of the embeds' cards and the ink on them, as tokens.css has them.
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

// Theme returns the part of the branding that the embeds' theme "studio" uses: declarations of the private variables
// behind the public ones of contract v1. The accent is that of the pages (AccentOf). On paper and white, both schemes
// are included, and the website's colour scheme chooses; a browser without light-dark() shows the theme "card"
// instead. dark reports whether the cards are dark on every website.
func (l Branding) Theme() (variables string, dark bool) {
	a := AccentOf(l.Accent)
	accent, ink := both(a.Light.Fill, a.Dark.Fill), both(a.Light.Ink, a.Dark.Ink)
	card, text := both(paperCard, darkCard), both(lightInk, darkInk)
	switch l.Background {
	case "white":
		card = both(whiteCard, darkCard)
	case "dark":
		accent, ink, card, text, dark = a.Dark.Fill, a.Dark.Ink, darkCard, darkInk, true
	}
	font := `"Figtree Variable",Figtree,ui-sans-serif,system-ui,sans-serif`
	if !l.HasFace() {
		font = "ui-sans-serif,system-ui,sans-serif"
	}
	return "--_pf-accent:" + accent + ";--_pf-accent-text:" + ink + ";--_pf-card:" + card + ";--_pf-text:" + text +
		";--_pf-radius:" + radius(cardRadius, l.Corners) + ";--_pf-round:" + radius(buttonRadius, l.Corners) + ";--_pf-font:" + font, dark
}

// HasFace reports whether the typeface is one of ours; otherwise it is the device's.
func (l Branding) HasFace() bool { return l.Type != "system" }

func both(light, dark string) string { return "light-dark(" + light + "," + dark + ")" }

func radius(of map[string]string, corners string) string { return cmp.Or(of[corners], softRadius) }
