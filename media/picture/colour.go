package picture

import (
	"fmt"
	"image"
	"image/color"
)

// mostly is the colour that most of a small picture has, or nearly has.
func mostly(r *raster) string {
	type sum struct{ r, g, b, n int }
	var sums [512]sum // by the highest three bits of each
	best := 0
	for y := range r.h {
		for x := range r.w {
			c := r.at(x, y)
			i := int(c.R)>>5<<6 | int(c.G)>>5<<3 | int(c.B)>>5
			s := &sums[i]
			s.r, s.g, s.b, s.n = s.r+int(c.R), s.g+int(c.G), s.b+int(c.B), s.n+1
			if s.n > sums[best].n {
				best = i
			}
		}
	}
	s := sums[best]
	return fmt.Sprintf("#%02x%02x%02x", s.r/s.n, s.g/s.n, s.b/s.n)
}

// at is one pixel.
func (r *raster) at(x, y int) color.RGBA {
	c := y/r.subY*r.planes[1].stride + x/r.subX
	red, green, blue := color.YCbCrToRGB(r.planes[0].pix[y*r.planes[0].stride+x], r.planes[1].pix[c], r.planes[2].pix[c])
	return color.RGBA{red, green, blue, 255}
}

// The contrast of WCAG below which one colour is lost on another, and the part of a picture that must be lost, or
// transparent, to matter.
const (
	lostBelow       = 1.5
	lostShare       = 0.25
	seeThroughShare = 0.1
)

// white and dark are the backgrounds of a transparent picture in formats without transparency, such as JPEG.
var (
	white = color.NRGBA{255, 255, 255, 255}
	dark  = color.NRGBA{0x22, 0x22, 0x22, 255}
)

// groundOf is the background for a small picture with transparency: white, unless much of the visible part would be
// lost on it, and less on dark.
func groundOf(small *image.NRGBA) color.NRGBA {
	var visible, onWhite, onDark, all float64
	for i := 0; i+3 < len(small.Pix); i += 4 {
		p := small.Pix[i:][:4]
		alpha := float64(p[3]) / 255
		visible, all = visible+alpha, all+1
		if l := luminance(p[0], p[1], p[2]); contrast(l, 1) < lostBelow {
			onWhite += alpha
		} else if contrast(l, luminance(dark.R, dark.G, dark.B)) < lostBelow {
			onDark += alpha
		}
	}
	if onWhite > onDark && onWhite > lostShare*visible && all-visible > seeThroughShare*all {
		return dark
	}
	return white
}

// luminance and contrast are those of WCAG 2.
func luminance(r, g, b byte) float64 {
	return 0.2126*light(float64(r)/255) + 0.7152*light(float64(g)/255) + 0.0722*light(float64(b)/255)
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }
