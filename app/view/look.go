package view

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Look is how a location's pages differ from the house's. The zero value is the house's own look.
type Look struct {
	Accent  string // "#rrggbb"
	Ground  string // "paper", "white" or "dark"
	Type    string // "figtree" or "system"
	Corners string // "square", "soft", "round" or "pill"
}

// The two palettes of look/tokens.css, for looks that stand on another ground than the house's.
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

// CSS is the stylesheet of a location, served as /{location}/look.css. It sets tokens only and stands outside every layer,
// so it wins over the shared sheet. The text depends on the look alone: serve it with a far expiry under Href.
func (l Look) CSS() string {
	a := AccentOf(l.Accent)
	light, dark := tokens(a.Light), tokens(a.Dark)

	var root strings.Builder
	switch l.Ground {
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

	// Paper is always the house's: a dark ground would print as a black sheet.
	css := "@media screen{:root{" + light + root.String() + "}}"
	if l.Ground != "dark" {
		night := dark
		if l.Ground == "white" {
			night += "--paper:oklch(19% .008 60);--raise:oklch(23% .01 60);"
		}
		css += "@media screen and (prefers-color-scheme:dark){:root{" + night + "}}"
	}
	return css + "\n"
}

func tokens(t Tone) string { return "--accent:" + t.Fill + ";--accent-ink:" + t.Ink + ";" }

// Version names this look's stylesheet by its content: ten hex digits.
func (l Look) Version() string {
	sum := sha256.Sum256([]byte(l.CSS()))
	return hex.EncodeToString(sum[:5])
}

// Href is the address of the stylesheet of the location with that slug: "/harbour/look.css?v=0a1b2c3d4e".
func (l Look) Href(slug string) string { return "/" + slug + "/look.css?v=" + l.Version() }

// Color says what the address bar of a phone takes: the paper of the light and of the dark scheme.
func (l Look) Color() (light, dark string) {
	dark = oklch{0.19, 0.008, 60}.rgb().hex()
	switch l.Ground {
	case "white":
		return "#ffffff", dark
	case "dark":
		return dark, dark
	}
	return lightPaper.hex(), dark
}
