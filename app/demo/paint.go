package demo

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
)

// scene is a picture in the colors of a studio: shapes on a background, from back to front. Lengths are parts of its
// height, from the upper left. The same scene has the same bytes, so that a demo that is made again has the same
// photos.
type scene struct {
	wide, high int
	above      shade // the background, from top to bottom
	below      shade
	shapes     []shape
}

// shade is the studio's accent on its way to white (above 0) or to black (below 0), each at 1; tilt turns it towards
// another colour.
type shade struct{ light, tilt float64 }

// shape is a disc of its own width and height, or with waves everything below a line.
type shape struct {
	x, y, w, h float64 // of a disc: its middle and its half axes; of a line: where it begins, how high it is and how far it swings
	waves      float64 // on the whole width
	soft       float64 // how wide the edge is
	is         shade
}

type colour [3]float64

// of is a shade of an accent, "#rrggbb".
func (s shade) of(accent colour) colour {
	c := colour{accent[0]*(1-s.tilt) + accent[1]*s.tilt, accent[1]*(1-s.tilt) + accent[2]*s.tilt, accent[2]*(1-s.tilt) + accent[0]*s.tilt}
	end := 255.0
	if s.light < 0 {
		end = 0
	}
	return c.towards(colour{end, end, end}, math.Abs(s.light))
}

func (c colour) towards(d colour, part float64) colour {
	for i := range c {
		c[i] += (d[i] - c[i]) * part
	}
	return c
}

// paint draws a scene as a JPEG.
func (s scene) paint(accent colour) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, s.wide, s.high))
	above, below := s.above.of(accent), s.below.of(accent)
	for y := range s.high {
		c := above.towards(below, float64(y)/float64(s.high))
		row := img.Pix[y*img.Stride:][:4*s.wide]
		for x := range s.wide {
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = uint8(c[0]), uint8(c[1]), uint8(c[2]), 255
		}
	}
	for _, shape := range s.shapes {
		shape.draw(img, shape.is.of(accent))
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 88})
	return out.Bytes(), err
}

// draw lays a shape over a picture.
func (s shape) draw(img *image.RGBA, c colour) {
	wide, high := img.Rect.Dx(), img.Rect.Dy()
	unit := float64(high)
	edge := max(s.soft, 1/unit)
	for x := range wide {
		across := float64(x) / unit
		from, until := s.column(across, float64(wide)/unit, edge)
		for y := max(0, int(from*unit)); y < min(high, int(until*unit)+1); y++ {
			down := float64(y) / unit
			inside := down - from - edge/2
			if s.waves == 0 {
				inside = (1 - math.Hypot((across-s.x)/s.w, (down-s.y)/s.h)) * min(s.w, s.h)
			}
			cover := min(1, inside/edge+0.5)
			if cover <= 0 {
				continue
			}
			at := img.Pix[y*img.Stride+4*x:][:3]
			for i := range at {
				at[i] = uint8(float64(at[i]) + (c[i]-float64(at[i]))*cover)
			}
		}
	}
}

// column is where a shape with its edge begins and ends at x, in a picture that is so wide. A shape with an edge is
// no smaller than this.
func (s shape) column(x, wide, edge float64) (from, until float64) {
	if s.waves > 0 {
		turn := 2 * math.Pi * (s.waves*x/wide + s.x)
		return s.y + s.h*(math.Sin(turn)+0.3*math.Sin(2.3*turn+1)) - edge/2, 1
	}
	if math.Abs(x-s.x) > s.w+edge*s.w/s.h {
		return 1, 0
	}
	return s.y - s.h - edge*max(1, s.h/s.w), s.y + s.h + edge*max(1, s.h/s.w)
}
