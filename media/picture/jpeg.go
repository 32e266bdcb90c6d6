package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// jpegHeader is what the decoders have to know before they begin.
type jpegHeader struct {
	components  int
	progressive bool
	scans       int
}

// maxScans is how many passes over its pixels a JPEG may make. Cameras and editors make ten or so; a small file with many thousand of
// them keeps a decoder busy for hours.
const maxScans = 100

// readJPEG walks all segments up to the end of the picture, which is no work: what lies between them is skipped.
func (h *header) readJPEG(data []byte) error {
	cut := fmt.Errorf("%w: it ends in its header", ErrBroken)
	for at := 2; ; {
		begin := bytes.IndexByte(data[at:], 0xff)
		if begin < 0 {
			break
		}
		for at += begin; at < len(data) && data[at] == 0xff; at++ { // fill bytes
		}
		if at >= len(data) {
			break
		}
		marker := data[at]
		at++
		if marker == 0x00 || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 { // within a scan
			continue
		}
		if marker == 0xd9 { // the end; cameras put more pictures behind it, which nobody shows
			break
		}
		if len(data)-at < 2 {
			break
		}
		length := int(binary.BigEndian.Uint16(data[at:]))
		if length < 2 || len(data)-at < length {
			break
		}
		segment := data[at+2 : at+length]
		at += length
		if err := h.readSegment(marker, segment); err != nil {
			return err
		}
	}
	if h.width == 0 || h.jpeg.scans == 0 {
		return cut
	}
	return nil
}

func (h *header) readSegment(marker byte, segment []byte) error {
	switch {
	case marker == 0xda:
		if h.jpeg.scans++; h.jpeg.scans > maxScans {
			return fmt.Errorf("%w: more than %d passes", ErrBroken, maxScans)
		}
	case marker == 0xe1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")) && h.orientation == 1:
		h.orientation = orientation(segment[6:])
	case marker == 0xe2 && bytes.HasPrefix(segment, []byte("ICC_PROFILE\x00\x01\x01")): // one of one
		h.takeProfile(func() []byte { return segment[14:] })
	case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
		return h.readFrame(marker, segment)
	}
	return nil
}

func (h *header) readFrame(marker byte, s []byte) error {
	if marker > 0xc2 {
		return fmt.Errorf("%w: a JPEG of a rare kind (%#x)", ErrFormat, marker)
	}
	if h.width != 0 {
		return fmt.Errorf("%w: two frames", ErrBroken)
	}
	if len(s) < 6 || len(s) < 6+3*int(s[5]) {
		return fmt.Errorf("%w: its frame is cut off", ErrBroken)
	}
	h.height, h.width = int(binary.BigEndian.Uint16(s[1:])), int(binary.BigEndian.Uint16(s[3:]))
	h.jpeg.components, h.jpeg.progressive = int(s[5]), marker == 0xc2
	if h.height == 0 || h.width == 0 {
		return fmt.Errorf("%w: it says it is %d x %d", ErrBroken, h.width, h.height)
	}
	if s[0] != 8 {
		return fmt.Errorf("%w: a JPEG with %d bits", ErrFormat, s[0])
	}
	h.memory = jpegMemory(h.width*h.height, s[6:6+3*int(s[5])], h.jpeg.progressive)
	return nil
}

// jpegMemory is what decoding takes: the components at their size, their coefficients when they come in passes, and for more than three
// components, or one, the same picture as brightness and colour.
func jpegMemory(pixels int, components []byte, progressive bool) int {
	most, all := 1, 0
	for i := 1; i < len(components); i += 3 {
		area := int(components[i]>>4) * int(components[i]&15)
		most, all = max(most, area), all+area
	}
	memory := pixels * all / most
	if progressive {
		memory *= 5
	}
	if len(components) != 9 {
		memory += pixels * (opaqueBytes + clearBytes)
	}
	return memory
}
