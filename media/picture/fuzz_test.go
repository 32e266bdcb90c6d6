package picture_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"foyer/media/picture"
)

// FuzzCheckAndMake: whatever is uploaded is refused for one of three reasons, or is a photo in all its sizes.
func FuzzCheckAndMake(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) < 30 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		p, err := picture.Check(t.Context(), data)
		if err != nil {
			if !errors.Is(err, picture.ErrFormat) && !errors.Is(err, picture.ErrBroken) && !errors.Is(err, picture.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		if p.Width*p.Height > 1<<20 { // larger ones are no other code and take a second each
			return
		}
		n := 0
		err = picture.Make(t.Context(), data, nil, func(v picture.Variant) error {
			n++
			shown(t, v)
			return nil
		})
		if err != nil || n != 2*len(picture.Sizes(p.Width, p.Height)) {
			t.Fatalf("Check says %+v, Make %v after %d", p, err, n)
		}
	})
}
