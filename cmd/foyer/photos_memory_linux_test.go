package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMemoryOfUploads: a server with its worker stays under 300 MB, all that it is counted in, while ten people
// upload a photo of 12 megapixels at once and the sizes are made. Ten bombs at once are refused, and take no more
// than one may by itself. A204.
func TestMemoryOfUploads(t *testing.T) {
	u := photosServer(t)
	photo := photoOf(t, 4000, 3000)
	answers := u.send(10, func(n int) []byte { return commented(photo, n) })
	for _, a := range answers {
		if a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for _, a := range answers {
		u.waitFor(a)
	}
	peak := u.peak()
	t.Logf("ten photos of %d kB: %d MB", len(photo)>>10, peak)
	if peak >= 300 {
		t.Errorf("ten photos of 12 megapixels took %d MB", peak)
	}

	for reason, bomb := range map[string][]byte{"photo_too_large": bombOf(t, 12_000, 4_000, true), "photo_broken": bombOf(t, 8_000, 5_000, false)} {
		for _, a := range u.send(10, func(int) []byte { return bomb }) {
			if a.status != http.StatusBadRequest || !strings.Contains(a.body, reason) {
				t.Errorf("%s: %d %s", reason, a.status, a.body)
			}
		}
	}
	peak = u.peak()
	t.Logf("ten bombs: %d MB", peak)
	if peak >= 500 {
		t.Errorf("ten bombs took %d MB", peak)
	}
}

// peak is the most memory that the server ever had, in MB, as the kernel counts it.
func (u uploads) peak() int {
	u.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", u.server.cmd.Process.Pid))
	if err != nil {
		u.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		u.t.Fatal(err)
	}
	return kB >> 10
}

// commented is the same picture in other bytes: with a comment behind the first mark.
func commented(data []byte, n int) []byte {
	comment := []byte{0xff, 0xfe, 0, 4, byte(n), byte(n)}
	return append(append(bytes.Clone(data[:2]), comment...), data[2:]...)
}

// bombOf is a PNG of some kilobytes that unfolds into w x h pixels, whole or without its last row.
func bombOf(t *testing.T, w, h int, whole bool) []byte {
	t.Helper()
	var packed bytes.Buffer
	z, row := zlib.NewWriter(&packed), make([]byte, 1+2*w)
	for n := range h {
		if n == h-1 && !whole {
			break
		}
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	for _, chunk := range []struct {
		kind string
		body []byte
	}{{"IHDR", append(head, 8, 4, 0, 0, 0)}, {"IDAT", packed.Bytes()}, {"IEND", nil}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(chunk.body)))
		at := len(out)
		out = append(append(out, chunk.kind...), chunk.body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at:]))
	}
	return out
}
