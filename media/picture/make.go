package picture

import (
	"context"
	"slices"
)

// widths are those that photos are shown in, in pixels.
var widths = []int{160, 320, 640, 1280, 1920}

// Sizes is how wide a photo of that width is made, from small to large. None is larger than the photo; one that is smaller than all has
// its own.
func Sizes(width int) []int {
	n, _ := slices.BinarySearch(widths, width+1)
	if n == 0 {
		return []int{width}
	}
	return slices.Clone(widths[:n])
}

// Variant is a photo in one size and format.
type Variant struct {
	Width, Height int
	Format        string // "jpeg" or "webp"
	Data          []byte
}

// ContentType is what Data is.
func (v Variant) ContentType() string { return "image/" + v.Format }

// Make writes a photo in all its sizes, from large to small, a JPEG and then a WebP of each. It stops at the first error of emit. The
// same bytes make the same variants, on every machine of a kind. Errors: those of Check; the context's; emit's.
func Make(ctx context.Context, data []byte, emit func(Variant) error) error {
	h, err := readHeader(data)
	if err != nil {
		return err
	}
	done, err := enter(ctx, h.memory)
	if err != nil {
		return err
	}
	defer done()
	width, height := h.width, h.height
	if h.turned() {
		width, height = height, width
	}
	sizes := Sizes(width)
	largest := sizes[len(sizes)-1]
	from, err := decode(data, h, largest)
	if err != nil {
		return err
	}
	for i, w := range slices.Backward(sizes) {
		tall := max(1, (height*w+width/2)/width)
		if i == len(sizes)-1 { // the last time that it lies as in the file
			from = from.resizeLying(w, tall, h)
		} else {
			from = from.resize(w, tall)
		}
		if err := from.emit(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}

// resizeLying makes an upright picture of w x h out of one that lies as in its file.
func (r *raster) resizeLying(w, h int, head header) *raster {
	if head.turned() {
		return r.resize(h, w).upright(head.orientation)
	}
	return r.resize(w, h).upright(head.orientation)
}

// emit writes a picture in both formats.
func (r *raster) emit(ctx context.Context, emit func(Variant) error) error {
	for _, format := range []string{"jpeg", "webp"} {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := r.encode(format)
		if err != nil {
			return err
		}
		if err := emit(Variant{Width: r.w, Height: r.h, Format: format, Data: data}); err != nil {
			return err
		}
	}
	return nil
}

func (r *raster) encode(format string) ([]byte, error) {
	if format == "webp" {
		return r.webp(webpQuality)
	}
	return r.jpeg()
}
