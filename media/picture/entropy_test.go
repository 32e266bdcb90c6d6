package picture

import (
	"bytes"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
)

// TestWholeAsTheDecoderSays: at whatever byte a JPEG of one scan ends, the reader of its codes finds it whole
// exactly when the decoder of the standard library does.
func TestWholeAsTheDecoderSays(t *testing.T) {
	files := 0
	for _, name := range []string{"444", "422", "440", "411", "camera", "grey", "restart", "rgb", "p3", "orientation-6"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".jpg"))
		if err != nil {
			t.Fatal(err)
		}
		h := header{orientation: 1}
		if err := h.readJPEG(data); err != nil || !h.jpeg.simple {
			t.Logf("%s: %v, not in one scan", name, err)
			continue
		}
		if !h.wholeJPEG(data) {
			t.Errorf("%s: not whole", name)
		}
		files++
		for end := h.jpeg.scanAt; end < len(data); end++ {
			cut := header{orientation: 1}
			if err := cut.readJPEG(data[:end]); err != nil {
				t.Fatalf("%s, %d bytes: %v", name, end, err)
			}
			_, err := jpeg.Decode(cut.ended(data[:end]))
			if whole := cut.wholeJPEG(data[:end]); whole != (err == nil) {
				t.Errorf("%s, %d bytes of %d: whole %v, the decoder says %v", name, end, len(data), whole, err)
			}
		}
	}
	if files < 8 {
		t.Errorf("only %d files", files)
	}
}

// TestWholeOfNoise: bytes that are no codes end it and nothing else.
func TestWholeOfNoise(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "restart.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			noise := bytes.Clone(data)
			noise[at] ^= flip
			h := header{orientation: 1}
			if h.readJPEG(noise) == nil && h.jpeg.simple && h.width*h.height < 1<<20 {
				h.wholeJPEG(noise)
			}
		}
	}
}
