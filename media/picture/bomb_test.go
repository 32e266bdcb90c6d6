package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/media/picture"
)

// pngClaims is a PNG's header with no pixels behind it.
func pngClaims(w, h, bits, kind int) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	return pngChunk([]byte("\x89PNG\r\n\x1a\n"), "IHDR", append(head, byte(bits), byte(kind), 0, 0, 0))
}

func pngChunk(out []byte, kind string, body []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	at := len(out)
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at:]))
}

// bomb is a whole PNG of nothing: w x h pixels of so many bytes, in some kilobytes.
func bomb(t testing.TB, w, h, kind, pixel int) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	row := make([]byte, 1+w*pixel)
	for range h {
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return pngChunk(pngChunk(pngClaims(w, h, 8, kind), "IDAT", packed.Bytes()), "IEND", nil)
}

// peak is the peak memory of the heap and all else of this program while f runs, in MB, above that before. Garbage is
// collected often meanwhile, so that only live memory counts.
func peak(f func()) int {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	debug.FreeOSMemory()
	held := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64() - s[1].Value.Uint64()
	}
	before := held()
	var most atomic.Uint64
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most.Store(max(most.Load(), held()))
			select {
			case <-over:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(over)
	<-ended
	return int(most.Load()-min(before, most.Load())) >> 20
}

// TestBombsAtOnce: ten concurrent uploads that each unfold into 40 megapixels use no more memory together than the
// bound.
func TestBombsAtOnce(t *testing.T) {
	data := bomb(t, 8000, 5000, 4, 2) // 160 MB each
	if len(data) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(data))
	}
	took := peak(func() {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, err := picture.Check(t.Context(), data); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
	if took > 420 {
		t.Errorf("ten of them took %d MB", took)
	}
	t.Logf("ten bombs: %d MB", took)
}

// TestClaimsCostNothing: a picture refused by its header is refused before memory is allocated for it.
func TestClaimsCostNothing(t *testing.T) {
	data := bomb(t, 12_000, 4_000, 0, 1)
	took := peak(func() {
		for range 10 {
			if _, err := picture.Check(t.Context(), data); !errors.Is(err, picture.ErrTooLarge) {
				t.Error(err)
			}
		}
	})
	if took > 5 {
		t.Errorf("ten of them took %d MB", took)
	}
}

// TestMemoryOfAPhoto: a photo of 12 megapixels is made within 80 MB.
func TestMemoryOfAPhoto(t *testing.T) {
	data := asJPEG(t, scenery(4000, 3000), 90)
	for name, f := range map[string]func() error{
		"Check": func() error { _, err := picture.Check(t.Context(), data); return err },
		"Make": func() error {
			return picture.Make(t.Context(), data, nil, func(v picture.Variant) error {
				_, err := io.Discard.Write(v.Data)
				return err
			})
		},
	} {
		took := peak(func() {
			if err := f(); err != nil {
				t.Error(err)
			}
		})
		if took > 80 {
			t.Errorf("%s took %d MB", name, took)
		}
		t.Logf("%s of 12 megapixels, %d kB: %d MB", name, len(data)>>10, took)
	}
}
