package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"

	"github.com/gen2brain/jpegn"
	"golang.org/x/image/webp"
)

// strictly asks for a picture in its own size, decoded by whoever refuses half of one.
const strictly = 0

// decode makes pixels of an upload whose header was read, as they lie in the file. When it is enough that they are width wide, a JPEG
// is decoded smaller than it is, which costs a fraction.
func decode(data []byte, h header, width int) (r *raster, err error) {
	defer func() { // a decoder that trips over an upload is no reason to fall
		if fell := recover(); fell != nil {
			r, err = nil, fmt.Errorf("%w: the decoder says %v", ErrBroken, fell)
		}
	}()
	if h.format == "jpeg" && width != strictly {
		if r := decodeReduced(data, h, width); r != nil {
			return r, nil
		}
	}
	var m image.Image
	switch h.format {
	case "jpeg":
		m, err = jpeg.Decode(bytes.NewReader(data))
	case "png":
		m, err = png.Decode(bytes.NewReader(data))
	case "gif":
		m, err = gif.Decode(bytes.NewReader(data))
		if err == nil {
			m = onCanvas(m, m.Bounds().Min, h)
		}
	case "webp":
		m, err = webp.Decode(bytes.NewReader(h.still))
		if err == nil {
			m = onCanvas(stretched(m), image.Pt(h.at.x, h.at.y), h)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if b := m.Bounds(); b.Dx() != h.width || b.Dy() != h.height {
		return nil, fmt.Errorf("%w: its pixels are %d x %d, its header said %d x %d", ErrBroken, b.Dx(), b.Dy(), h.width, h.height)
	}
	return newRaster(m), nil
}

// decodeReduced decodes a JPEG at a half, a quarter or an eighth, where that is at least width wide. It is nil when there is nothing
// to gain, or when this decoder cannot: then the slow one says what is wrong.
func decodeReduced(data []byte, h header, width int) (r *raster) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
	across := h.width
	if h.turned() {
		across = h.height
	}
	by := 8
	for by > 1 && (across+by-1)/by < width {
		by /= 2
	}
	if h.jpeg.components != 1 && h.jpeg.components != 3 {
		return nil
	}
	m, err := jpegn.Decode(bytes.NewReader(data), &jpegn.Options{ScaleDenom: by})
	if err != nil || m.Bounds().Dx() != (h.width+by-1)/by || m.Bounds().Dy() != (h.height+by-1)/by {
		return nil
	}
	r = newRaster(m)
	r.wide, r.high = float64(h.width)/float64(by), float64(h.height)/float64(by)
	return r
}

// onCanvas puts a frame where it lies in its picture, with nothing around it.
func onCanvas(m image.Image, at image.Point, h header) image.Image {
	whole := image.Rect(0, 0, h.width, h.height)
	frame := image.Rectangle{Min: at, Max: at.Add(m.Bounds().Size())}
	if frame == whole {
		return m
	}
	canvas := image.NewRGBA(whole)
	draw.Draw(canvas, frame, m, m.Bounds().Min, draw.Src)
	return canvas
}

// stretched makes the colours of a lossy WebP what Go's YCbCr means by them: the file has brightness from 16 to 235, a JPEG from 0 to
// 255.
func stretched(m image.Image) image.Image {
	var c *image.YCbCr
	switch m := m.(type) {
	case *image.YCbCr:
		c = m
	case *image.NYCbCrA:
		c = &m.YCbCr
	default:
		return m
	}
	for i, v := range c.Y {
		c.Y[i] = fullY[v]
	}
	for _, plane := range [][]byte{c.Cb, c.Cr} {
		for i, v := range plane {
			plane[i] = fullC[v]
		}
	}
	return m
}

// fullY and fullC go from the range of a WebP to that of a JPEG, videoY and videoC back.
var fullY, fullC, videoY, videoC = func() (fy, fc, vy, vc [256]byte) {
	for i := range 256 {
		x := float64(i)
		fy[i], fc[i] = rounded((x-16)*255/219), rounded((x-128)*255/224+128)
		vy[i], vc[i] = rounded(x*219/255+16), rounded((x-128)*224/255+128)
	}
	return
}()

func rounded(x float64) byte { return byte(min(max(x+0.5, 0), 255)) }
