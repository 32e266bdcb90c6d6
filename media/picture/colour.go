package picture

import (
	"fmt"
	"image/color"
)

// mostly is the colour that most of a small picture has, or nearly has; white where one can see through it.
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

// at is a pixel, on white.
func (r *raster) at(x, y int) color.RGBA {
	if r.opaque() {
		c := y/r.subY*r.planes[1].stride + x/r.subX
		red, green, blue := color.YCbCrToRGB(r.planes[0].pix[y*r.planes[0].stride+x], r.planes[1].pix[c], r.planes[2].pix[c])
		return color.RGBA{red, green, blue, 255}
	}
	p := r.planes[0].pix[y*r.planes[0].stride+4*x:][:4]
	white := 255 - p[3]
	return color.RGBA{p[0] + white, p[1] + white, p[2] + white, 255}
}

// blur writes a small picture in so few bytes that it can stand in a page.
func blur(r *raster) ([]byte, error) { return r.webp(blurQuality) }
