package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// readWebP parses the container: its header, and its first frame as a file of its own, the only input of the decoder.
func (h *header) readWebP(data []byte) error {
	size := int64(binary.LittleEndian.Uint32(data[4:])) + 8
	if size > int64(len(data)) {
		return fmt.Errorf("%w: %d bytes of %d", ErrBroken, len(data), size)
	}
	var frame webpFrame
	err := eachChunk(data[12:size], func(kind string, body []byte) error {
		switch kind {
		case "VP8X":
			if len(body) < 10 {
				return fmt.Errorf("%w: its header is cut off", ErrBroken)
			}
			h.width, h.height = 1+uint24(body[4:]), 1+uint24(body[7:])
		case "ICCP":
			h.takeProfile(func() []byte { return body })
		case "EXIF":
			h.orientation = orientation(bytes.TrimPrefix(body, []byte("Exif\x00\x00")))
		case "ANMF":
			if frame.pixels != nil {
				h.animated = true
				return nil
			}
			return h.readAnimated(&frame, body)
		default:
			return frame.take(kind, body)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case frame.pixels == nil:
		return fmt.Errorf("%w: no picture in it", ErrBroken)
	case h.width == 0:
		h.width, h.height = frame.width, frame.height
	}
	if h.at.x+frame.width > h.width || h.at.y+frame.height > h.height || !frame.animated && !frame.fills(h) {
		return fmt.Errorf("%w: its frame is of another size", ErrBroken)
	}
	h.still = frame.file()
	h.memory = h.stillMemory(4 + 4)
	return nil
}

// readAnimated reads a frame of an animation: its position, its size, and the chunks of a still.
func (h *header) readAnimated(frame *webpFrame, body []byte) error {
	if len(body) < 16 {
		return fmt.Errorf("%w: its frame is cut off", ErrBroken)
	}
	h.at = point{2 * uint24(body), 2 * uint24(body[3:])}
	frame.animated = true
	if err := eachChunk(body[16:], frame.take); err != nil {
		return err
	}
	if frame.pixels == nil || frame.width != 1+uint24(body[6:]) || frame.height != 1+uint24(body[9:]) {
		return fmt.Errorf("%w: its frame is of another size", ErrBroken)
	}
	return nil
}

// webpFrame is the pixels of one frame.
type webpFrame struct {
	kind          string
	pixels, alpha []byte
	width, height int
	animated      bool
}

func (f *webpFrame) fills(h *header) bool { return f.width == h.width && f.height == h.height }

// take notes the chunks of a still.
func (f *webpFrame) take(kind string, b []byte) error {
	switch {
	case f.pixels != nil:
	case kind == "ALPH":
		f.alpha = b
	case kind == "VP8 ":
		if len(b) < 10 || b[0]&1 != 0 || string(b[3:6]) != "\x9d\x01\x2a" {
			return fmt.Errorf("%w: no VP8 in it", ErrBroken)
		}
		f.kind, f.pixels = kind, b
		f.width, f.height = int(binary.LittleEndian.Uint16(b[6:])&0x3fff), int(binary.LittleEndian.Uint16(b[8:])&0x3fff)
	case kind == "VP8L":
		if len(b) < 5 || b[0] != 0x2f {
			return fmt.Errorf("%w: no VP8L in it", ErrBroken)
		}
		bits := binary.LittleEndian.Uint32(b[1:])
		f.kind, f.pixels, f.alpha = kind, b, nil
		f.width, f.height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
	}
	return nil
}

// file writes the frame as a still WebP.
func (f *webpFrame) file() []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	if f.alpha != nil {
		head := []byte{0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		putUint24(head[4:], f.width-1)
		putUint24(head[7:], f.height-1)
		out = appendChunk(appendChunk(out, "VP8X", head), "ALPH", f.alpha)
	}
	out = appendChunk(out, f.kind, f.pixels)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func appendChunk(out []byte, kind string, body []byte) []byte {
	out = binary.LittleEndian.AppendUint32(append(out, kind...), uint32(len(body)))
	out = append(slices.Grow(out, len(body)+1), body...)
	if len(body)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

// eachChunk goes through the chunks of a RIFF list.
func eachChunk(list []byte, do func(kind string, body []byte) error) error {
	for len(list) > 0 {
		if len(list) < 8 {
			return fmt.Errorf("%w: half a chunk", ErrBroken)
		}
		kind, length := string(list[:4]), int64(binary.LittleEndian.Uint32(list[4:]))
		list = list[8:]
		if length > int64(len(list)) {
			return fmt.Errorf("%w: half a chunk", ErrBroken)
		}
		if err := do(kind, list[:length]); err != nil {
			return err
		}
		list = list[min(length+length%2, int64(len(list))):]
	}
	return nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func putUint24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
