package picture

import (
	"context"
	"errors"
	"fmt"
)

// What a photo may claim.
const (
	MaxPixels = 40_000_000
	MaxSide   = 12_000
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

// Check looks at an upload and decodes all of it. Errors: ErrFormat, ErrBroken, ErrTooLarge; the context's when it had to wait too long
// for its turn.
func Check(ctx context.Context, data []byte) (Photo, error) {
	h, err := readHeader(data)
	if err != nil {
		return Photo{}, err
	}
	done, err := enter(ctx, h.memory)
	if err != nil {
		return Photo{}, err
	}
	defer done()
	r, err := decode(data, h, strictly)
	if err != nil {
		return Photo{}, err
	}
	p := Photo{Format: h.format, Width: h.width, Height: h.height}
	if h.turned() {
		p.Width, p.Height = h.height, h.width
	}
	small := fit(r, 16).upright(h.orientation)
	p.Colour = mostly(small)
	if p.Blur, err = blur(small); err != nil {
		return Photo{}, err
	}
	return p, nil
}

// fit makes the longer side of a picture n pixels long, or leaves it when it is shorter.
func fit(r *raster, n int) *raster {
	if by := max(r.w, r.h) / (4 * n); by > 1 { // what is blurred needs no filter
		r = r.box(by)
	}
	if long := max(r.w, r.h); long > n {
		return r.resize(max(1, (r.w*n+long/2)/long), max(1, (r.h*n+long/2)/long))
	}
	return r.resize(r.w, r.h)
}

// sizeFits says whether a picture of that size may be decoded at all.
func sizeFits(width, height int) error {
	if width <= 0 || height <= 0 {
		return fmt.Errorf("%w: it says it is %d x %d", ErrBroken, width, height)
	}
	if width > MaxSide || height > MaxSide || width*height > MaxPixels {
		return fmt.Errorf("%w: %d x %d", ErrTooLarge, width, height)
	}
	return nil
}
