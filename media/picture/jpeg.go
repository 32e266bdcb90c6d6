package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// jpegHeader is the part of a JPEG's header for the decoders.
type jpegHeader struct {
	components  int
	progressive bool
	scans       int
	ended       bool      // with its marker
	frame       []byte    // of each component: its number, its sampling factors, its table
	whole       [4]uint64 // of each component: a bit for each of its 64 values sent completely

	simple  bool // one scan of one or three components, one block after the other
	huffman [][]byte
	restart int // units between two markers
	scan    []byte
	scanAt  int // where its codes begin
}

// maxScans is the maximum number of passes of a JPEG. Cameras and editors make ten or so; a small file with many
// thousand of them keeps a decoder busy for hours.
const maxScans = 100

// readJPEG walks all segments up to the end of the picture. It is fast, as it skips their contents.
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
		if marker == 0xd9 { // the end; cameras add more pictures after it, ignored here
			h.jpeg.ended = true
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
		if marker == 0xda && h.jpeg.scans == 0 {
			h.jpeg.scan, h.jpeg.scanAt = segment, at
		}
		if err := h.readSegment(marker, segment); err != nil {
			return err
		}
	}
	if h.width == 0 || h.jpeg.scans == 0 {
		return cut
	}
	if !h.jpeg.ended && !h.allSent() {
		return fmt.Errorf("%w: it ends before its last pass", ErrBroken)
	}
	const most = 1024 // the most pixels for a byte of a JPEG
	h.jpeg.simple = !h.jpeg.progressive && h.jpeg.scans == 1 && (h.jpeg.components == 1 || h.jpeg.components == 3) &&
		h.width*h.height <= most*len(data)
	return nil
}

// allSent reports whether the scans have all values of all components.
func (h *header) allSent() bool {
	for i := range min(h.jpeg.components, len(h.jpeg.whole)) {
		if h.jpeg.whole[i] != math.MaxUint64 {
			return false
		}
	}
	return true
}

// readScan notes the values of a scan.
func (h *header) readScan(s []byte) error {
	if h.jpeg.scans++; h.jpeg.scans > maxScans {
		return fmt.Errorf("%w: more than %d passes", ErrBroken, maxScans)
	}
	if len(s) < 1 || len(s) < 4+2*int(s[0]) {
		return fmt.Errorf("%w: a pass is cut off", ErrBroken)
	}
	from, to, last := s[1+2*int(s[0])], s[2+2*int(s[0])], s[3+2*int(s[0])]&15 == 0
	for i := range int(s[0]) {
		for j := 0; 3*j < len(h.jpeg.frame) && j < len(h.jpeg.whole); j++ {
			if h.jpeg.frame[3*j] == s[1+2*i] && last && from <= to && to < 64 {
				h.jpeg.whole[j] |= math.MaxUint64 << from & (math.MaxUint64 >> (63 - to))
			}
		}
	}
	return nil
}

func (h *header) readSegment(marker byte, segment []byte) error {
	switch {
	case marker == 0xda:
		return h.readScan(segment)
	case marker == 0xc4 && h.jpeg.scans == 0:
		h.jpeg.huffman = append(h.jpeg.huffman, segment)
	case marker == 0xdd && len(segment) >= 2:
		h.jpeg.restart = int(binary.BigEndian.Uint16(segment))
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
	h.jpeg.components, h.jpeg.progressive, h.jpeg.frame = int(s[5]), marker == 0xc2, s[6:6+3*int(s[5])]
	if h.height == 0 || h.width == 0 {
		return fmt.Errorf("%w: invalid size %d x %d", ErrBroken, h.width, h.height)
	}
	if s[0] != 8 {
		return fmt.Errorf("%w: a JPEG with %d bits", ErrFormat, s[0])
	}
	h.memory = jpegMemory(h.width*h.height, h.jpeg.frame, h.jpeg.progressive)
	return nil
}

// jpegMemory is the memory for decoding: the components at their size, their coefficients when they come in passes,
// and for more than three components, or one, the same picture as brightness and colour.
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
		memory += pixels * (2 + 4)
	}
	return memory
}
