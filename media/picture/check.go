package picture

import (
	"context"
	"errors"
	"fmt"
)

// The bounds of what a photo may claim. A JPEG in one pass, as cameras write it, is decoded smaller than it is, and
// so may be larger. No side is longer than that of a WebP can be.
const (
	MaxPixels     = 40_000_000
	MaxJPEGPixels = 120_000_000
	MaxSide       = 16_383
)

// Why something is no photo. Each is wrapped with what was seen.
var (
	ErrFormat   = errors.New("picture: not a JPEG, PNG, GIF or WebP")
	ErrBroken   = errors.New("picture: cut off or damaged")
	ErrTooLarge = errors.New("picture: too many pixels")
)

// Photo is what is known of a picture that can be shown.
type Photo struct {
	Format string // "jpeg", "png", "gif" or "webp"
	Width  int    // in pixels, upright
	Height int
	Colour string // what it mostly is, "#rrggbb": to be shown while nothing is there yet
	// Blur is a WebP of at most 16 pixels and 300 bytes, to be stretched over the place of the photo until it comes. As a data address it
	// is some 200 letters.
	Blur []byte
}

// Check looks at an upload and reads all of it. Errors: ErrFormat, ErrBroken, ErrTooLarge; the context's when it
// had to wait too long for its turn.
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

// Animated reports whether a photo is an animation, of which only the first picture is shown. data is what Check
// has accepted.
func Animated(data []byte) bool {
	h, err := readHeader(data)
	return err == nil && h.animated
}

// preview is a few pixels of a picture, to be shown until it comes, and to look at its colours.
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
	if by := max(r.w, r.h) / (4 * n); by > 1 { // what is blurred needs no filter
		r = r.box(by)
	}
	return r.resize(within(r.w, r.h, n))
}

// within is the size that a picture of w x h has when its longer side is at most n.
func within(w, h, n int) (int, int) {
	long := max(w, h)
	if long <= n {
		return w, h
	}
	return max(1, (w*n+long/2)/long), max(1, (h*n+long/2)/long)
}

// sizeFits says whether a picture of that size may be decoded at all.
func sizeFits(width, height, most int) error {
	if width <= 0 || height <= 0 {
		return fmt.Errorf("%w: it says it is %d x %d", ErrBroken, width, height)
	}
	if width > MaxSide || height > MaxSide || width*height > most {
		return fmt.Errorf("%w: %d x %d", ErrTooLarge, width, height)
	}
	return nil
}
