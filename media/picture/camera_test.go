package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foyer/media/mediatest"
)

// cameras are pictures written by other programs and cameras, from the decoder's own test data: by their names, the
// tags that exiftool must find in them for the test to prove anything.
var cameras = map[string]string{
	"exif.canon": "Canon:MacroMode", "exif.gps": "GPS:GPSLatitude", "420.orientation": "IFD0:Orientation", "420.progressive": "", "420.progressive.odd": "",
	"440.progressive": "", "411": "", "cmyk": "", "ycck": "", "gray.progressive": "", "rgb": "",
}

// TestPicturesOfCameras: photos of a Canon and of a Nikon with GPS, and pictures of other encoders, look in every
// size as a careful program shows them, and exiftool finds nothing in any of them.
func TestPicturesOfCameras(t *testing.T) {
	module, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/gen2brain/jpegn").Output()
	if err != nil {
		t.Fatal(err)
	}
	before, after := t.TempDir(), t.TempDir()
	for name := range cameras {
		data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "testdata", "test."+name+".jpg"))
		if err != nil {
			t.Fatal(err)
		}
		keep(t, filepath.Join(before, name), data)
		whole, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if name == "420.orientation" { // it lies on its side
			whole = turned(whole)
		}
		for _, v := range variants(t, data) {
			keep(t, filepath.Join(after, fmt.Sprintf("%s-%d.%s", name, v.Width, v.Format)), v.Data)
			if near := psnr(shown(t, v), ideal(whole, v.Width, v.Height)); near < 25 { // wrong colours, or a wrong turn, are 10 to 20
				t.Errorf("%s, %d wide, as %s: %.1f dB from what it shows", name, v.Width, v.Format, near)
			}
		}
	}
	for name, told := range mediatest.Told(t, before) {
		if want := cameras[name]; want != "" && !slices.Contains(told, want) {
			t.Errorf("%s does not hold %s: %q", name, want, told)
		}
	}
	told := mediatest.Told(t, after)
	if len(told) < 2*len(cameras) {
		t.Errorf("exiftool has read %d variants", len(told))
	}
	for file, told := range told {
		if len(told) > 0 {
			t.Errorf("%s tells %q", file, told)
		}
	}
}

// turned is a picture a quarter further, clockwise.
func turned(m image.Image) image.Image {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(b.Dy()-1-y, x, m.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out
}

func keep(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
