package picture

import (
	"context"
	"errors"
	"fmt"
)

// The limits of a photo by its header. A JPEG of one scan, as cameras write it, is decoded at a reduced size, and so
// may be larger. No side is longer than a WebP allows.
const (
	MaxPixels     = 40_000_000
	MaxJPEGPixels = 120_000_000
	MaxSide       = 16_383
)

// The reasons that a file is not a photo. Errors wrap them with details.
var (
	ErrFormat   = errors.New("picture: not a JPEG, PNG, GIF or WebP")
	ErrBroken   = errors.New("picture: cut off or damaged")
	ErrTooLarge = errors.New("picture: too many pixels")
)

// Photo is the description of a valid picture.
type Photo struct {
	Format string // "jpeg", "png", "gif" or "webp"
	Width  int    // in pixels, upright
	Height int
	Colour string // dominant colour, "#rrggbb": a placeholder for the photo
	// Blur is a WebP of at most 16 pixels and 300 bytes, to be stretched over the place of the photo until it is
	// loaded. As a data address it has some 200 characters.
	Blur []byte
}

// Check validates an upload and reads all of it. Errors: ErrFormat, ErrBroken, ErrTooLarge; the context's when it had
// to wait too long for its turn.
func Check(ctx context.Context, data []byte) (Photo, error) {
	h, err := readHeader(data)
	if err != nil {
		return Photo{}, err
	}
	from, done, err := open(ctx, data, h, strictly)
	if err != nil {
		return Photo{}, err
	}
	defer done()
	p := Photo{Format: h.format, Width: h.width, Height: h.height}
	if h.turned() {
		p.Width, p.Height = h.height, h.width
	}
	blurred, coloured := preview(from, h)
	p.Colour = mostly(coloured)
	p.Blur, err = asWebP(blurred.video(), blurQuality)
	return p, err
}

// Animated reports whether a photo is an animation. Only its first picture is shown. data must have passed Check.
func Animated(data []byte) bool {
	h, err := readHeader(data)
	return err == nil && h.animated
}

// preview is a few pixels of a picture, for the placeholder and the dominant colour.
func preview(from pixels, h header) (blurred, coloured *raster) {
	if s, ok := from.(still); ok {
		return s.preview(h)
	}
	small := fit(from.(*raster), 16).turn(h.orientation)
	h.colours.apply(small)
	return small, small
}

// fit makes the longer side of a picture n pixels long, or leaves it when it is shorter.
func fit(r *raster, n int) *raster {
	if by := max(r.w, r.h) / (4 * n); by > 1 { // a blurred picture needs no filter
		r = r.box(by)
	}
	return r.resize(within(r.w, r.h, n))
}

// within is the size of a picture of w x h, scaled so that its longer side is at most n.
func within(w, h, n int) (int, int) {
	long := max(w, h)
	if long <= n {
		return w, h
	}
	return max(1, (w*n+long/2)/long), max(1, (h*n+long/2)/long)
}

// sizeFits returns an error for a picture too large to be decoded.
func sizeFits(width, height, most int) error {
	if width <= 0 || height <= 0 {
		return fmt.Errorf("%w: invalid size %d x %d", ErrBroken, width, height)
	}
	if width > MaxSide || height > MaxSide || width*height > most {
		return fmt.Errorf("%w: %d x %d", ErrTooLarge, width, height)
	}
	return nil
}
