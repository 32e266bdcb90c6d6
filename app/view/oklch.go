package view

import (
	"fmt"
	"math"
	"strconv"
)

// oklch is a colour in the OKLCH space: lightness 0..1, chroma 0..about 0.37, hue in degrees. Equal steps of
// lightness look equal, and changing only the lightness keeps the hue. For this reason a studio's accent is adjusted
// here and not in RGB.
type oklch struct{ l, c, h float64 }

// rgb is an sRGB colour as browsers paint it.
type rgb struct{ r, g, b uint8 }

// parseHex reads "#a4472b", "a4472b", "#abc" or "abc", in either letter case.
func parseHex(s string) (rgb, bool) {
	if len(s) > 0 && s[0] == '#' {
		s = s[1:]
	}
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	if len(s) != 6 {
		return rgb{}, false
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return rgb{}, false
	}
	return rgb{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

func (c rgb) hex() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// luminance is the relative luminance of WCAG 2, 0..1.
func (c rgb) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// contrast is the WCAG 2 contrast ratio of two colours, 1..21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

// oklch converts by the matrices of the CSS Color 4 specification.
func (c rgb) oklch() oklch {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	A := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	B := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	hue := math.Atan2(B, A) * 180 / math.Pi
	if hue < 0 {
		hue += 360
	}
	return oklch{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, math.Hypot(A, B), hue}
}

// rgb converts back. A colour that screens cannot show keeps lightness and hue and gives up chroma until they can.
func (c oklch) rgb() rgb {
	r, g, b := c.linear()
	if !shown(r, g, b) {
		low, high := 0.0, c.c
		for range 24 {
			mid := (low + high) / 2
			if shown(oklch{c.l, mid, c.h}.linear()) {
				low = mid
			} else {
				high = mid
			}
		}
		r, g, b = oklch{c.l, low, c.h}.linear()
	}
	return rgb{encode(r), encode(g), encode(b)}
}

func (c oklch) linear() (r, g, b float64) {
	sin, cos := math.Sincos(c.h * math.Pi / 180)
	A, B := c.c*cos, c.c*sin
	l := cube(c.l + 0.3963377774*A + 0.2158037573*B)
	m := cube(c.l - 0.1055613458*A - 0.0638541728*B)
	s := cube(c.l - 0.0894841775*A - 1.2914855480*B)
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

func shown(r, g, b float64) bool {
	const slack = 1e-4
	return min(r, g, b) >= -slack && max(r, g, b) <= 1+slack
}

func cube(x float64) float64 { return x * x * x }

// linear undoes the sRGB transfer curve.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// encode applies the sRGB transfer curve and rounds to a byte.
func encode(x float64) uint8 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(x * 255))
}
