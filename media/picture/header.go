package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"image/gif"
	"image/png"
)

// header is the description of a picture before any pixel is decoded.
type header struct {
	format        string
	width, height int
	orientation   int // as in EXIF, 1 to 8
	memory        int // bytes that decoding may use

	colours  *profile // nil: sRGB
	profiled bool     // a profile was read: later ones are ignored, and cost time
	animated bool     // there are more pictures than the first

	jpeg  jpegHeader
	still []byte // of a WebP: the first frame as a file of its own
	at    point  // position of that frame
}

type point struct{ x, y int }

// turned reports whether the orientation swaps width and height.
func (h header) turned() bool { return h.orientation >= 5 }

// maxMemory is the memory for decoding one picture: enough for a progressive JPEG of 40 megapixels, or a PNG with 16
// bits. A picture with a higher need is an attack, or exceeds the size of an upload.
const maxMemory = 320 << 20

// readHeader detects the format of data by its first bytes, and refuses pictures that should not be decoded.
func readHeader(data []byte) (header, error) {
	h := header{orientation: 1}
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		h.format = "jpeg"
		err = h.readJPEG(data)
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		h.format = "png"
		err = h.readPNG(data)
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		h.format = "gif"
		err = h.readGIF(data)
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		h.format = "webp"
		err = h.readWebP(data)
	default:
		return h, ErrFormat
	}
	if err != nil {
		return h, err
	}
	most := MaxPixels
	if h.jpeg.simple {
		most = MaxJPEGPixels
	}
	if err := sizeFits(h.width, h.height, most); err != nil {
		return h, err
	}
	if h.memory > maxMemory && !h.jpeg.simple {
		return h, fmt.Errorf("%w: %d x %d would take %d MB", ErrTooLarge, h.width, h.height, h.memory>>20)
	}
	return h, nil
}

// stillMemory is the memory for decoding with so many bytes a pixel, and for resizing: first to the width of the
// largest size, then to its height, four bytes a pixel each, and that size once more for writing.
func (h *header) stillMemory(pixel int) int {
	wide := h.width
	if h.turned() {
		wide = h.height
	}
	pixels, largest := h.width*h.height, min(wide, widths[len(widths)-1])
	return pixels*pixel + 8*(pixels/max(1, wide))*largest // a width of zero is refused later
}

func (h *header) readPNG(data []byte) error {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	pixel := 4
	switch c.ColorModel {
	case color.GrayModel:
		pixel = 1
	case color.Gray16Model:
		pixel = 2
	case color.RGBA64Model, color.NRGBA64Model:
		pixel = 8
	}
	if len(data) > 28 && data[28] == 1 { // its passes are made beside it
		pixel += pixel / 2
	}
	h.width, h.height = c.Width, c.Height
	h.readChunks(data)
	h.memory = h.stillMemory(pixel)
	return nil
}

func (h *header) readGIF(data []byte) error {
	c, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	h.width, h.height = c.Width, c.Height
	h.memory = h.stillMemory(1 + 4) // a frame smaller than its picture is put on one of four bytes
	h.animated = gifFrames(data, 2) > 1
	return nil
}

// gifFrames counts the pictures of a GIF, up to most.
func gifFrames(data []byte, most int) (n int) {
	skip := func(size int) bool {
		ok := size <= len(data)
		data = data[min(size, len(data)):]
		return ok
	}
	blocks := func() bool { // up to an empty one
		for len(data) > 0 && data[0] != 0 {
			if !skip(1 + int(data[0])) {
				return false
			}
		}
		return skip(1)
	}
	palette := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (1 + flags&7)
	}
	if len(data) < 13 || !skip(13+palette(data[10])) {
		return 0
	}
	for n < most && len(data) > 0 {
		switch {
		case data[0] == 0x21 && skip(2) && blocks():
		case len(data) >= 10 && data[0] == 0x2c && skip(11+palette(data[9])):
			n++
			if !blocks() {
				return n
			}
		default:
			return n
		}
	}
	return n
}
