package hosted_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/media"
	"foyer/media/mediatest"
)

// photoOf uploads a photo of its own and shows it with a subject. Its sizes are made when that is ready.
func photoOf(t testing.TB, s *shop, m *media.Service, of media.Subject, alt string, ready bool) media.Asset {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for i := range alt {
		img.SetRGBA(i, 0, color.RGBA{alt[i], 0, 0, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	up, err := m.Upload(t.Context(), s.Owner, media.UploadInput{Data: b.Bytes(), Alt: alt})
	if err != nil {
		t.Fatal(err)
	}
	if ready {
		if err := m.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: up.Asset.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: up.Asset.ID, Subject: of}); err != nil {
		t.Fatal(err)
	}
	return up.Asset
}

// TestPagesShowPhotos: A208: pages show the photos of their subject, once their sizes are made, also when they were
// archived since, and not when they were deleted.
func TestPagesShowPhotos(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	s.AddHours(t)
	massage, _, _ := s.massage(t)
	m := media.New(media.Options{DB: s.World.DB, Store: mediatest.Store(t)})
	ofClass, ofPlace := media.Subject{Kind: media.OfOffering, ID: yoga.ID}, media.Subject{Kind: media.OfLocation, ID: s.Location.ID}
	hall := photoOf(t, s, m, ofClass, "The hall with mats", true)
	second := photoOf(t, s, m, ofClass, "The window", true)
	photoOf(t, s, m, ofClass, "Not made yet", false)
	house := photoOf(t, s, m, ofPlace, "The house", true)
	table := photoOf(t, s, m, media.Subject{Kind: media.OfOffering, ID: massage.ID}, "A massage table", true)
	size := func(id uuid.UUID) string { return media.Path(s.Business.ID, id, 320, media.WebP) + " 320w" }
	v := s.visit(t)
	listing := "/" + s.Location.Slug + "/" + yoga.Slug
	shows := func(path string, there, not []string) {
		t.Helper()
		p := v.get(path).want(200)
		for _, text := range there {
			if !strings.Contains(p.Body, text) {
				t.Errorf("%s lacks %q", path, text)
			}
		}
		for _, text := range not {
			if strings.Contains(p.Body, text) {
				t.Errorf("%s has %q", path, text)
			}
		}
	}
	front := "/" + s.Location.Slug
	shows(listing, []string{size(hall.ID), size(second.ID), `alt="The hall with mats"`, "data:image/webp;base64,"}, []string{"Not made yet", "The house"})
	shows(front, []string{size(house.ID), size(table.ID)}, []string{"The hall with mats"})
	shows(front+"/massage", []string{size(table.ID)}, nil)
	if _, err := m.Archive(t.Context(), s.Owner, hall.ID); err != nil {
		t.Fatal(err)
	}
	shows(listing, []string{size(hall.ID)}, nil)
	if err := m.Delete(t.Context(), s.Owner, hall.ID); err != nil {
		t.Fatal(err)
	}
	shows(listing, []string{size(second.ID)}, []string{"The hall with mats"})
}
