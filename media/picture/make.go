package picture

import (
	"context"
	"slices"
)

// widths are the widths of photos, in pixels.
var widths = []int{160, 320, 640, 1280, 1920}

// maxSizePixels is the maximum number of pixels of one size: 1920 wide, that is 16 by 9, standing. No page shows a
// taller photo at that width, and writing it would need more memory than everything else.
const maxSizePixels = 6_600_000

// Sizes returns the widths made of a photo of that size, from small to large: those of widths that are narrower, and
// its own, or 1920. None is larger than the photo. A width that the photo's own exceeds by less than an eighth is
// left out for it, and of a very tall photo the large ones.
func Sizes(width, height int) []int {
	return slices.DeleteFunc(sizesTo(width), func(w int) bool { return w*w*height/width > maxSizePixels })
}

func sizesTo(width int) []int {
	n, _ := slices.BinarySearch(widths, width)
	sizes := slices.Clone(widths[:n])
	if n == len(widths) {
		return sizes
	}
	if n > 0 && 8*width < 9*widths[n-1] {
		sizes = sizes[:n-1]
	}
	return append(sizes, width)
}

// Variant is a photo in one size and format.
type Variant struct {
	Width, Height int
	Format        string // "jpeg" or "webp"
	Data          []byte
}

// ContentType returns the content type of Data.
func (v Variant) ContentType() string { return "image/" + v.Format }

// pixels is a decoded picture while its sizes are made: a raster of a JPEG, a still of everything else.
type pixels interface {
	// shown returns the final picture: w x h, upright, in sRGB.
	shown(w, h int, head header) pixels
	resized(w, h int) pixels
	encode(format string) ([]byte, error)
}

// Make writes a photo in the given widths (those returned by Sizes at its upload), from large to small, a JPEG and
// then a WebP of each. Without widths they are those of Sizes. It stops at the first error of emit. The same bytes
// make the same variants, on every machine of a kind. data must have passed Check: only Check is sure to detect a
// truncated file. Errors: those of Check; the context's; emit's.
func Make(ctx context.Context, data []byte, sizes []int, emit func(Variant) error) error {
	h, err := readHeader(data)
	if err != nil {
		return err
	}
	width, height := h.width, h.height
	if h.turned() {
		width, height = height, width
	}
	if len(sizes) == 0 {
		sizes = Sizes(width, height)
	}
	from, done, err := open(ctx, data, h, sizes[len(sizes)-1])
	if err != nil {
		return err
	}
	defer done()
	for i, w := range slices.Backward(sizes) {
		tall := max(1, (height*w+width/2)/width)
		if i == len(sizes)-1 {
			from = from.shown(w, tall, h)
		} else {
			from = from.resized(w, tall)
		}
		if err := emitBoth(ctx, from, Variant{Width: w, Height: tall}, emit); err != nil {
			return err
		}
	}
	return nil
}

// emitBoth writes one size of a picture in both formats.
func emitBoth(ctx context.Context, from pixels, v Variant, emit func(Variant) error) (err error) {
	for _, v.Format = range []string{"jpeg", "webp"} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if v.Data, err = from.encode(v.Format); err != nil {
			return err
		}
		if err := emit(v); err != nil {
			return err
		}
	}
	return nil
}
