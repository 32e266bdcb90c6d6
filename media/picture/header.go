package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"image/gif"
	"image/png"
)

// header is what is known before any pixel is decoded.
type header struct {
	format        string
	width, height int
	orientation   int // as in EXIF, 1 to 8
	memory        int // bytes that decoding may take

	colours  *profile // nil: sRGB
	profiled bool     // a profile was read: others after it are none of the picture's, and cost time

	jpeg  jpegHeader
	still []byte // of a WebP: the first frame as a file of its own
	at    point  // where that frame lies
}

type point struct{ x, y int }

// turned reports whether what lies is shown standing.
func (h header) turned() bool { return h.orientation >= 5 }

// maxMemory is what decoding one picture may take: a JPEG of 40 megapixels that is sent in passes, or a PNG with 16 bits. What needs
// more is sent by nobody who means well, and not within the size of an upload.
const maxMemory = 320 << 20

// readHeader tells what data is by its first bytes, and refuses what nobody should decode.
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
	if err := sizeFits(h.width, h.height); err != nil {
		return h, err
	}
	if h.memory > maxMemory {
		return h, fmt.Errorf("%w: %d x %d would take %d MB", ErrTooLarge, h.width, h.height, h.memory>>20)
	}
	return h, nil
}

// Bytes of a pixel beside those of its decoder: an opaque picture becomes brightness and a quarter of colour, another one RGBA.
const (
	opaqueBytes = 2
	clearBytes  = 4
)

func (h *header) readPNG(data []byte) error {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	pixel := 4 + opaqueBytes // worked on where it is, or turned into less
	switch c.ColorModel {
	case color.GrayModel:
		pixel = 1 + opaqueBytes
	case color.Gray16Model:
		pixel = 2 + opaqueBytes
	case color.RGBA64Model:
		pixel = 8 + opaqueBytes
	case color.NRGBA64Model:
		pixel = 8 + clearBytes
	}
	if len(data) > 28 && data[28] == 1 { // its passes are made beside it
		pixel += pixel / 2
	}
	h.width, h.height, h.memory = c.Width, c.Height, c.Width*c.Height*pixel
	h.readBeforePixels(data)
	return nil
}

func (h *header) readGIF(data []byte) error {
	c, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	h.width, h.height, h.memory = c.Width, c.Height, c.Width*c.Height*(1+clearBytes)
	return nil
}
