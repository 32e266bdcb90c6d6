package picture

import "encoding/binary"

// entropy reads the codes of a JPEG with one scan and stores no pixel, to verify that a photo of any size is
// complete.
type entropy struct {
	data   []byte
	at     int    // the next byte
	bits   uint64 // the last n of them are unread
	n      int
	tables [8]*codes // those of DC, then those of AC
}

// codes are those of one Huffman table.
type codes struct {
	short  [1 << shortBits]uint16 // by the next bits: the symbol and the length of its code; 0 for a longer code
	most   [18]int32              // by length: the last code, or -1
	first  [17]int32              // by length: the offset of a code from its symbol's index
	symbol []byte
}

const shortBits = 9

// wholeJPEG reports whether the one scan of a JPEG has all its codes. If it is incomplete, or of a rare kind, a
// decoder returns the reason.
func (h header) wholeJPEG(data []byte) (whole bool) {
	defer func() { // as with every decoder: a panic on an upload must not end the program
		if recover() != nil {
			whole = false
		}
	}()
	e := entropy{data: data, at: h.jpeg.scanAt}
	for _, segment := range h.jpeg.huffman {
		if !e.addTables(segment) {
			return false
		}
	}
	blocks, mcus, ok := h.scanBlocks()
	if !ok {
		return false
	}
	for i, next := 0, byte(0xd0); i < mcus; i++ {
		if every := h.jpeg.restart; every > 0 && i > 0 && i%every == 0 {
			if !e.restart(next) {
				return false
			}
			next = 0xd0 | (next+1)&7
		}
		for _, b := range blocks {
			if !e.block(e.tables[b.dc], e.tables[b.ac]) {
				return false
			}
		}
	}
	return true
}

// blockOf is one block of a unit of a scan, by its tables.
type blockOf struct{ dc, ac int }

// scanBlocks are the blocks of each unit of the scan, and the number of units.
func (h header) scanBlocks() (blocks []blockOf, mcus int, ok bool) {
	frame, scan := h.jpeg.frame, h.jpeg.scan
	if len(scan) < 4+2*h.jpeg.components || int(scan[0]) != h.jpeg.components || scan[1+2*h.jpeg.components+1] != 63 {
		return nil, 0, false
	}
	acrossMost, downMost := 1, 1
	for i := range h.jpeg.components {
		part, tables := frame[3*i:], scan[1+2*i:]
		if part[0] != tables[0] || tables[1]>>4 > 3 || tables[1]&15 > 3 {
			return nil, 0, false
		}
		across, down := int(part[1]>>4), int(part[1]&15)
		if h.jpeg.components == 1 { // its factors mean nothing
			across, down = 1, 1
		}
		if across < 1 || across > 4 || down < 1 || down > 4 {
			return nil, 0, false
		}
		acrossMost, downMost = max(acrossMost, across), max(downMost, down)
		for range across * down {
			blocks = append(blocks, blockOf{int(tables[1] >> 4), 4 + int(tables[1]&15)})
		}
	}
	wide, high := 8*acrossMost, 8*downMost
	return blocks, (h.width + wide - 1) / wide * ((h.height + high - 1) / high), true
}

// addTables reads a DHT segment.
func (e *entropy) addTables(s []byte) bool {
	for len(s) > 0 {
		if len(s) < 17 || s[0]&15 > 3 || s[0]>>4 > 1 {
			return false
		}
		c := &codes{}
		n := 0
		for _, v := range s[1:17] {
			n += int(v)
		}
		if n == 0 || n > 256 || len(s) < 17+n {
			return false
		}
		c.symbol = s[17 : 17+n]
		if !c.build(s[1:17]) {
			return false
		}
		e.tables[4*(s[0]>>4)+s[0]&15] = c
		s = s[17+n:]
	}
	return true
}

func (c *codes) build(counts []byte) bool {
	code, at := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		c.first[length] = at - code
		c.most[length] = -1
		for range counts[length-1] {
			if code >= 1<<length {
				return false
			}
			if length <= shortBits {
				from := code << (shortBits - length)
				for i := range int32(1) << (shortBits - length) {
					c.short[from+i] = uint16(c.symbol[at])<<8 | uint16(length)
				}
			}
			c.most[length] = code
			code, at = code+1, at+1
		}
		code <<= 1
	}
	return true
}

// fill takes bytes while there is room for them and no marker comes.
func (e *entropy) fill() {
	for e.n <= 56 && e.at < len(e.data) {
		b := e.data[e.at]
		if b == 0xff {
			if e.at+1 >= len(e.data) || e.data[e.at+1] != 0 {
				return
			}
			e.at++
		}
		e.at++
		e.bits, e.n = e.bits<<8|uint64(b), e.n+8
	}
}

func (e *entropy) skip(n int) bool {
	if e.n < n {
		e.fill()
	}
	e.n -= n
	return e.n >= 0
}

// next is the next symbol of a table.
func (e *entropy) next(c *codes) (byte, bool) {
	if e.n < 16 {
		e.fill()
	}
	var look int32 // the next 16 bits; behind the last one, ones
	if e.n >= 16 {
		look = int32(e.bits>>(e.n-16)) & 0xffff
	} else if e.n >= 0 {
		look = int32(e.bits<<(16-e.n)|1<<(16-e.n)-1) & 0xffff
	}
	if found := c.short[look>>(16-shortBits)]; found != 0 {
		e.n -= int(found & 0xff)
		return byte(found >> 8), e.n >= 0
	}
	for length := shortBits + 1; length <= 16; length++ {
		if code := look >> (16 - length); code <= c.most[length] {
			e.n -= length
			return c.symbol[c.first[length]+code], e.n >= 0
		}
	}
	return 0, false
}

// block reads the 64 values of a block.
func (e *entropy) block(dc, ac *codes) bool {
	if dc == nil || ac == nil {
		return false
	}
	size, ok := e.next(dc)
	if !ok || size > 16 || !e.skip(int(size)) {
		return false
	}
	for k := 1; k < 64; k++ {
		v, ok := e.next(ac)
		if !ok {
			return false
		}
		run, size := int(v>>4), int(v&15)
		if size == 0 && run != 15 {
			return run == 0
		}
		if k += run; k > 63 || !e.skip(size) {
			return false
		}
	}
	return true
}

// restart goes on after a marker that must follow now.
func (e *entropy) restart(marker byte) bool {
	if e.n >= 8 {
		return false
	}
	e.bits, e.n = 0, 0
	for e.at+1 < len(e.data) && e.data[e.at] == 0xff && e.data[e.at+1] == 0xff {
		e.at++
	}
	if e.at+1 >= len(e.data) || binary.BigEndian.Uint16(e.data[e.at:]) != 0xff00|uint16(marker) {
		return false
	}
	e.at += 2
	return true
}
