package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/media"
)

// TestPhotosCheck: problems between photos and files are listed, decide the exit code, and are repaired on request if
// possible.
func TestPhotosCheck(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	studio := w.Studio(t)
	x, folder := photosHere(t, w)
	check := func(flags ...string) (int, string) {
		t.Helper()
		var out, said bytes.Buffer
		code := run(t.Context(), append([]string{"photos", "check"}, flags...), func(string) string { return "" }, []string{
			"DATABASE_URL=" + w.URL("foyer_app"), "FOYER_SECRET=" + killSecret, "FOYER_PHOTOS_DIR=" + folder,
			"FOYER_SEAL_KEYS=" + killSealKeys,
		}, &out, &said)
		return code, out.String() + said.String()
	}
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 400, 300)), nil); err != nil {
		t.Fatal(err)
	}
	up, err := x.Media.Upload(t.Context(), studio.Owner, media.UploadInput{Data: picture.Bytes(), Name: "hall.jpg"})
	if err != nil {
		t.Fatal(err)
	}
	sizes := func() {
		t.Helper()
		if err := x.Media.MakeSizes(t.Context(), media.SizesJob{Business: studio.Business.ID, Asset: up.Asset.ID}); err != nil {
			t.Fatal(err)
		}
	}
	sizes()
	code, whole := check()
	if code != 0 || !regexp.MustCompile(`^1 photos, [3-9] files\n$`).MatchString(whole) {
		t.Fatalf("all is well: %d %q", code, whole)
	}

	business := filepath.Join(folder, studio.Business.ID.String())
	for range 22 {
		write(t, filepath.Join(business, uuid.NewString(), "320.jpg"))
	}
	if err := os.Remove(filepath.Join(business, up.Asset.ID.String(), "160.webp")); err != nil {
		t.Fatal(err)
	}
	code, said := check()
	for _, want := range []string{
		"22 files belong to no photo: --repair mends this\n", "  and 2 more\n", "1 sizes of photos are missing: --repair mends this\n",
		"  " + studio.Business.ID.String() + "/" + up.Asset.ID.String() + "/160.webp\n", "foyer: photos need attention\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	if names := strings.Count(said, "/320.jpg\n"); code != 1 || names != 20 {
		t.Errorf("exit code %d, %d names", code, names)
	}
	code, said = check("--json")
	var found photosReport
	if err := json.NewDecoder(strings.NewReader(said)).Decode(&found); err != nil {
		t.Fatal(err)
	}
	if code != 1 || found.Photos != 1 || len(found.Orphans) != 22 || len(found.Missing) != 1 || found.Lost == nil || found.Repairing {
		t.Errorf("%d %s", code, said)
	}

	if code, said = check("--repair"); code != 0 || !strings.Contains(said, "the worker takes them away") {
		t.Errorf("%d %s", code, said)
	}
	if err := x.Media.LeftoversDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	sizes()
	if code, said = check(); code != 0 || said != whole {
		t.Errorf("mended: %d %q, want %q", code, said, whole)
	}

	if err := os.Remove(filepath.Join(business, up.Asset.ID.String(), "original-"+up.Asset.SHA256)); err != nil {
		t.Fatal(err)
	}
	if code, said = check("--repair"); code != 1 || !strings.Contains(said, "1 originals are missing: put them back from a backup") {
		t.Errorf("a lost original: %d %s", code, said)
	}
}

// photosHere is the product on a test's database, and the folder of its photos.
func photosHere(t *testing.T, w *apptest.World) (*product, string) {
	t.Helper()
	x, _ := workHere(t, w)
	folder := filepath.Join(t.TempDir(), "photos")
	files, err := openStore(Config{Secret: killSecret, PhotosDir: folder}, "", w.Clock)
	if err != nil {
		t.Fatal(err)
	}
	x.Media = media.New(media.Options{DB: x.jobDB, Store: files})
	return x, folder
}

func write(t *testing.T, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Append(nil, file), 0o600); err != nil {
		t.Fatal(err)
	}
}
