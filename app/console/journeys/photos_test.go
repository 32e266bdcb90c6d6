package journeys_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
	"foyer/media"
)

// bars records the progress bars of uploads, in their order: the accessible name and the progress, while visible.
const bars = `(() => {
	window.barsSeen = [];
	const value = Object.getOwnPropertyDescriptor(HTMLProgressElement.prototype, "value");
	Object.defineProperty(HTMLProgressElement.prototype, "value", { ...value, set(v) {
		value.set.call(this, v);
		if (this.isConnected && this.checkVisibility()) window.barsSeen.push(this.getAttribute("aria-label") + " " + this.value);
	} });
})()`

// TestUploadingPhotos: with script several photos are chosen at once, or dropped; each shows its progress and its
// result: added, duplicate, or the reason of a refusal. Without script the same form sends one, and the next page has
// the same result.
func TestUploadingPhotos(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		hall, bar, page := aPhoto(t, "big_hall.png", 1), aPhoto(t, "bar.png", 2), aFile(t, "page.jpg", []byte("<html>no photo</html>"))
		copied := aPhoto(t, "copy.png", 1)
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.Before(bars)
		owner.at("/catalog/photos")
		owner.reads("No photos yet")
		const field = "form[data-upload] input[type=file]"
		if w.NoScript {
			owner.ChooseFiles(field, hall)
			owner.press("Upload")
			owner.reads("Added big hall.", "400 × 300 pixels")
			owner.at("/catalog/photos")
			owner.ChooseFiles(field, copied)
			owner.press("Upload")
			owner.reads("This photo is already in your library: big hall.")
			owner.at("/catalog/photos")
			owner.ChooseFiles(field, page)
			owner.press("Upload")
			owner.reads("This is not a JPEG, PNG, GIF or WebP picture.")
			owner.leaves()
			return
		}

		owner.ChooseFiles(field, hall, bar, copied, page)
		owner.Click("form[data-upload] button") // no page loads
		owner.reads("big_hall.png Added big hall.", "bar.png Added bar.", "copy.png This photo is already in your library: big hall.", "page.jpg", "This is not a JPEG, PNG, GIF or WebP picture.")
		owner.until("the list has both", func() bool {
			return browser.Eval[int](owner.Page, "document.querySelectorAll('#photos li').length") == 2
		})
		seen := browser.Eval[[]string](owner.Page, "window.barsSeen")
		for _, name := range []string{"big_hall.png", "bar.png", "copy.png", "page.jpg"} {
			if !slices.ContainsFunc(seen, func(bar string) bool { return strings.HasPrefix(bar, name+" ") && bar != name+" 0" }) {
				t.Errorf("no bar shows how far %s is: %q", name, seen)
			}
		}
		if owner.Exists("progress") {
			t.Error("a bar stays after its photo has arrived")
		}

		owner.DropFiles("form[data-upload]", aPhoto(t, "garden.png", 3), bar)
		owner.reads("garden.png Added garden.", "bar.png This photo is already in your library: bar.")
		owner.Axe(t)
		for _, said := range owner.Complaints() { // of the file that is no photo
			if !strings.Contains(said, "409") && !strings.Contains(said, "favicon") {
				t.Errorf("the browser complains: %s", said)
			}
		}
		list, err := s.Media.List(t.Context(), s.Owner, media.ListInput{})
		if err != nil || list.Total != 3 {
			t.Errorf("%d photos, %v", list.Total, err)
		}
	})
}

// aPhoto returns a file with a photo of a quarter of a megabyte; another n is another photo.
func aPhoto(t *testing.T, name string, n uint8) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	for i := range img.Pix { // grain, which does not compress
		img.Pix[i] = uint8(i*i>>3) ^ n
	}
	img.SetNRGBA(0, 0, color.NRGBA{n, n, n, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return aFile(t, name, b.Bytes())
}

func aFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
