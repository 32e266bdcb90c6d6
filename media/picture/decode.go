package picture

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"github.com/gen2brain/jpegn"
	"golang.org/x/image/webp"
)

// strictly requires all pixels: a truncated picture is refused at any width.
const strictly = 0

// previewWidth is the least width of a JPEG decoded for its preview.
const previewWidth = 64

// open waits for its turn and decodes an upload, after its header was read, in the orientation of the file. If a
// lower width is enough, a JPEG is decoded at a reduced size, at a fraction of the cost. The caller calls done after
// using the pixels.
func open(ctx context.Context, data []byte, h header, width int) (p pixels, done func(), err error) {
	if h.jpeg.simple {
		by := h.reduction(cmp.Or(width, previewWidth))
		if done, err = enter(ctx, h.memory/(by*by)+len(data)); err != nil {
			return nil, nil, err
		}
		if width != strictly || h.wholeJPEG(data) {
			if r := decodeReduced(data, h, by); r != nil {
				return r, done, nil
			}
		}
		done() // a strict decoder returns the reason, unless it is the size
	}
	if h.memory > maxMemory {
		return nil, nil, fmt.Errorf("%w: a JPEG of %d x %d that is damaged, or of a rare kind", ErrBroken, h.width, h.height)
	}
	if done, err = enter(ctx, h.memory); err != nil {
		return nil, nil, err
	}
	if p, err = decode(data, h, width); err != nil {
		done()
		return nil, nil, err
	}
	return p, done, nil
}

// decode decodes an upload.
func decode(data []byte, h header, width int) (p pixels, err error) {
	defer func() { // a decoder's panic on an upload must not end the program
		if fell := recover(); fell != nil {
			p, err = nil, fmt.Errorf("%w: the decoder panicked: %v", ErrBroken, fell)
		}
	}()
	var m image.Image
	switch h.format {
	case "jpeg":
		if width != strictly && !h.jpeg.simple {
			if r := decodeReduced(data, h, h.reduction(width)); r != nil {
				return r, nil
			}
		}
		m, err = jpeg.Decode(h.ended(data))
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
		return nil, fmt.Errorf("%w: its pixels are %d x %d, its header has %d x %d", ErrBroken, b.Dx(), b.Dy(), h.width, h.height)
	}
	if h.format == "jpeg" {
		return newRaster(m), nil
	}
	return newStill(m, h), nil
}

// ended reads a JPEG with its end marker, even if a phone or a messenger left that out.
func (h header) ended(data []byte) io.Reader {
	if h.jpeg.ended {
		return bytes.NewReader(data)
	}
	return io.MultiReader(bytes.NewReader(data), strings.NewReader("\xff\xd9"))
}

// reduction is the factor by which a JPEG can be reduced in decoding for a width: 8, 4, 2 or none.
func (h header) reduction(width int) int {
	across := h.width
	if h.turned() {
		across = h.height
	}
	by := 8
	for by > 1 && (across+by-1)/by < width {
		by /= 2
	}
	if by == 1 && h.width*h.height > MaxPixels { // a very tall one, with its width rounded up
		return 2
	}
	return by
}

// decodeReduced decodes a JPEG at a half, a quarter or an eighth. It is nil if this decoder fails: then the slow one
// returns the reason.
func decodeReduced(data []byte, h header, by int) (r *raster) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
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

// onCanvas puts a frame at its position in its picture, with nothing around it.
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

// stretched converts the colours of a lossy WebP to the range of Go's YCbCr: the file has brightness from 16 to 235,
// a JPEG from 0 to 255.
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
