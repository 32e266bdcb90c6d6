package demo

import (
	"bytes"
	"testing"

	"foyer/media/picture"
)

// TestPhotos: every photo of the demo is a picture of its own, the same whenever it is painted, and large enough for
// a page.
func TestPhotos(t *testing.T) {
	var all [][]byte
	for _, plan := range studios {
		accent, err := parseColour(plan.look.Accent)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plan.photos {
			data, err := p.scene.paint(accent)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := p.scene.paint(accent); err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s is another picture the second time, %v", p.title, err)
			}
			if made, err := picture.Check(t.Context(), data); err != nil || made.Width < 640 || made.Height < 600 {
				t.Errorf("%s: %d x %d, %v", p.title, made.Width, made.Height, err)
			}
			for _, other := range all {
				if bytes.Equal(data, other) {
					t.Errorf("%s is there twice", p.title)
				}
			}
			all = append(all, data)
		}
	}
	if len(all) != 14 {
		t.Errorf("%d photos", len(all))
	}
}
