package picture

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/disintegration/imaging"
)

// still is a picture other than a JPEG while its sizes are made. It may be transparent: a WebP keeps that, and a JPEG
// has a background.
type still struct {
	m      image.Image
	ground color.NRGBA
}

// newStill makes a still of a decoded picture.
func newStill(m image.Image, head header) still {
	s := still{safe(m), white}
	if o, ok := m.(interface{ Opaque() bool }); !ok || !o.Opaque() {
		s.ground = groundOf(s.small(64, head))
	}
	return s
}

// safe is a picture that imaging reads without a panic, and fast. It reads in goroutines of its own, where a colour
// missing in a palette would end the process.
func safe(m image.Image) image.Image {
	switch m := m.(type) {
	case *image.Paletted:
		for len(m.Palette) < 256 {
			m.Palette = append(m.Palette, color.NRGBA{})
		}
	case *image.NYCbCrA:
		out := image.NewNRGBA(image.Rect(0, 0, m.Rect.Dx(), m.Rect.Dy()))
		for y := range out.Rect.Dy() {
			row := out.Pix[y*out.Stride:]
			for x := range out.Rect.Dx() {
				at := m.NYCbCrAAt(m.Rect.Min.X+x, m.Rect.Min.Y+y)
				row[4*x], row[4*x+1], row[4*x+2] = color.YCbCrToRGB(at.Y, at.Cb, at.Cr)
				row[4*x+3] = at.A
			}
		}
		return out
	}
	return m
}

// shown is the picture w x h, upright and in sRGB.
func (s still) shown(w, h int, head header) pixels {
	if head.turned() {
		w, h = h, w
	}
	m := turned(imaging.Resize(s.m, w, h, imaging.Lanczos), head.orientation)
	head.colours.applyTo(m)
	return still{m, s.ground}
}

func (s still) resized(w, h int) pixels {
	return still{imaging.Resize(s.m, w, h, imaging.Lanczos), s.ground}
}

// small is the picture with a longer side of at most n pixels, upright and in sRGB.
func (s still) small(n int, head header) *image.NRGBA {
	b := s.m.Bounds()
	w, h := within(b.Dx(), b.Dy(), n)
	m := turned(imaging.Resize(s.m, w, h, imaging.Box), head.orientation)
	head.colours.applyTo(m)
	return m
}

// turned turns a picture by its EXIF orientation.
func turned(m *image.NRGBA, orientation int) *image.NRGBA {
	turns := [9]func(image.Image) *image.NRGBA{
		2: imaging.FlipH, 3: imaging.Rotate180, 4: imaging.FlipV, 5: imaging.Transpose, 6: imaging.Rotate270,
		7: imaging.Transverse, 8: imaging.Rotate90,
	}
	if turn := turns[orientation]; turn != nil {
		return turn(m)
	}
	return m
}

func (s still) encode(format string) ([]byte, error) {
	m, ok := s.m.(*image.NRGBA)
	switch {
	case !ok || m.Opaque():
		return newRaster(s.m).encode(format)
	case format == "webp":
		return asWebP(m, webpQuality)
	}
	return asJPEG(s.onGround(m))
}

func (s still) onGround(m *image.NRGBA) *image.RGBA {
	out := image.NewRGBA(m.Rect)
	draw.Draw(out, out.Rect, image.NewUniform(s.ground), image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, m, m.Rect.Min, draw.Over)
	return out
}

// preview is the placeholder of the picture during loading: a few pixels of it, or the plain background of a transparent
// one, as the placeholder stays visible below it.
func (s still) preview(head header) (blurred, coloured *raster) {
	m := s.small(16, head)
	on := newRaster(s.onGround(m))
	if m.Opaque() {
		return on, on
	}
	plain := image.NewRGBA(m.Rect)
	draw.Draw(plain, plain.Rect, image.NewUniform(s.ground), image.Point{}, draw.Src)
	return newRaster(plain), on
}
