package picture

import (
	"bytes"
	"encoding/binary"
)

// orientation reads the orientation of a photo from a TIFF header, as in EXIF: 1 to 8, and 1 if it is invalid.
func orientation(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	case !bytes.HasPrefix(tiff, []byte("II*\x00")):
		return 1
	}
	if len(tiff) < 8 {
		return 1
	}
	first := int64(order.Uint32(tiff[4:]))
	if first+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[first+2:]
	for range order.Uint16(tiff[first:]) {
		if len(entries) < 12 {
			return 1
		}
		const tag, short = 0x0112, 3
		if order.Uint16(entries) == tag {
			if n := int(order.Uint16(entries[8:])); order.Uint16(entries[2:]) == short && n >= 1 && n <= 8 {
				return n
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

// readChunks reads the chunks of a PNG besides its pixels: colours before them, and the orientation also after them.
func (h *header) readChunks(data []byte) {
	var colours pngColours
	before := true
	for at := 8; at+12 <= len(data); {
		length, kind := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if int64(at)+12+length > int64(len(data)) {
			break
		}
		body := data[at+8 : at+8+int(length)]
		switch kind {
		case "IDAT":
			before = false
		case "eXIf":
			h.orientation = orientation(body)
		case "acTL":
			h.animated = before && len(body) >= 4 && binary.BigEndian.Uint32(body) > 1
		default:
			if before {
				colours.take(kind, body)
			}
		}
		at += 12 + int(length)
	}
	h.colours = colours.profile()
}
