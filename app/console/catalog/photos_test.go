package catalog_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"foyer/app/console/consoletest"
	"foyer/media"
	"foyer/policy"
)

// drawn returns a photo; another n is another one.
func drawn(t testing.TB, n uint8) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for y := range 300 {
		for x := range 400 {
			img.SetRGBA(x, y, color.RGBA{uint8(x / 2), uint8(y / 2), n, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Photos are uploaded by a plain form, with a notice for a duplicate and for an invalid one; each is changed,
// archived and deleted with its effects. Archiving is undone (A209).
func TestPhotos(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/catalog/photos").Is(t, 200).Shows(t, "No photos yet", "Add a photo")
	form := page.Form("/catalog/photos")
	one := owner.SendFile(form, "big_hall.png", drawn(t, 1), url.Values{"alt": {"The hall"}}).Is(t, 200)
	one.Shows(t, "Added big hall.", "400 × 300 pixels", "Not used yet.")
	owner.SendFile(form, "again.png", drawn(t, 1), nil).Is(t, 200).Shows(t, "This photo is already in your library: big hall.")
	owner.SendFile(form, "page.png", []byte("<html></html>"), url.Values{"alt": {"A page"}}).Is(t, 400).Shows(t, "This is not a JPEG, PNG, GIF or WebP picture.")
	owner.SendFile(form, "large.png", make([]byte, media.BytesMax+1), nil).Is(t, 400).Shows(t, "at most 15 MB")
	owner.Send(form).Is(t, 400).Shows(t, "Choose a file first.")
	two := []consoletest.Upload{{Name: "one.png", Data: drawn(t, 2)}, {Name: "two.png", Data: drawn(t, 3)}}
	both := owner.SendFiles(form, two, url.Values{"alt": {"Two of them"}}).Is(t, 400).Shows(t, "is one file more: send one at a time")
	if typed := both.Form("/catalog/photos").Values.Get("alt"); typed != "Two of them" {
		t.Errorf("what was typed is lost: %q", typed)
	}

	list, err := s.Media.List(t.Context(), s.Owner, media.ListInput{})
	if err != nil || list.Total != 1 || list.Assets[0].Alt != "The hall" {
		t.Fatalf("%+v, %v", list, err)
	}
	id := list.Assets[0].ID.String()
	wrong := owner.Send(one.Form("/"+id), "title", "", "tags", "a, b").Is(t, 400)
	wrong.Shows(t, "Write 1 to 120 characters")
	owner.Send(wrong.Form("/"+id), "title", "Hall", "tags", "bright, , big").Is(t, 200).Shows(t, "Saved Hall.")
	owner.Get("/catalog/photos?q=BRIGHT&sort=used").Is(t, 200).Shows(t, "Hall", "Not used yet")
	owner.Get("/catalog/photos?tag=big&unused=1").Is(t, 200).Shows(t, "Hall")
	owner.Get("/catalog/photos?q=nothing").Is(t, 200).Shows(t, "No photos match.")

	one = owner.Get("/catalog/photos/"+id).Is(t, 200)
	owner.Send(one.Form("/archive")).Is(t, 200).Shows(t, "Archived Hall. It stays on pages that already show it.")
	owner.Get("/catalog/photos").Is(t, 200).Shows(t, "No photos yet")
	owner.Send(owner.Get("/catalog/photos/"+id).Form("/restore")).Is(t, 200).Shows(t, "Restored Hall.")
	ask := owner.Get("/catalog/photos/"+id+"/delete").Is(t, 200).Shows(t, "This photo is not used.")
	owner.Send(ask.Form("/delete")).Is(t, 200).Shows(t, "Deleted the photo and removed it everywhere.")
	owner.Get("/catalog/photos/"+id).Is(t, 404)
}

// A script that uploads a file gets the result without a page.
func TestPhotosByScript(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/catalog/photos").Form("/catalog/photos")
	owner.SendFile(form, "a.png", drawn(t, 1), nil, "Foyer-Tap", "1").Is(t, 204)
	if p := owner.SendFile(form, "a.png", []byte("x"), nil, "Foyer-Tap", "1").Is(t, 409); !strings.Contains(p.Body, "This is not a JPEG") {
		t.Errorf("%s", p.Body)
	}
}

// moving returns a GIF of two frames.
func moving(t testing.TB) []byte {
	t.Helper()
	var g gif.GIF
	for i := range 2 {
		m := image.NewPaletted(image.Rect(0, 0, 200, 100), color.Palette{color.Black, color.White})
		m.SetColorIndex(i, 0, 1)
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The upload of an animation has a notice that only its first frame is shown, on each of the forms, and again for a
// duplicate. Issue 31, item 12.
func TestAnimationIsTold(t *testing.T) {
	const notice = "The file is animated: only its first frame is shown."
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/catalog/photos").Form("/catalog/photos")
	owner.SendFile(form, "wave.gif", moving(t), nil).Is(t, 200).Shows(t, "Added wave. "+notice)
	owner.SendFile(form, "wave.gif", moving(t), nil).Is(t, 200).Shows(t, "This photo is already in your library: wave. "+notice)
	owner.SendFile(form, "still.png", drawn(t, 1), nil).Is(t, 200).Shows(t, "Added still.").Silent(t, "animation")
	own := owner.Get("/catalog/" + class.ID.String()).Form("/catalog/photos/of/offering/" + class.ID.String() + "/upload")
	owner.SendFile(own, "wave.gif", moving(t), nil).Is(t, 200).Shows(t, "Added wave. "+notice)
}

// The photos of an offering are chosen from the library: the first is its cover, and another one replaces it.
func TestPhotosOfAnOffering(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/catalog/photos").Form("/catalog/photos")
	for n, name := range []string{"first.png", "second.png"} {
		owner.SendFile(form, name, drawn(t, uint8(n)), nil).Is(t, 200)
	}
	of := owner.Get("/catalog/" + class.ID.String()).Link("/catalog/photos/of/offering/" + class.ID.String())
	if of == "" {
		t.Fatal("the offering does not lead to its photos")
	}
	owner.Get(of).Is(t, 200).Shows(t, "No photos yet.")
	add := func(name string) {
		t.Helper()
		page := owner.Get(of)
		list, err := s.Media.List(t.Context(), s.Owner, media.ListInput{Query: name})
		if err != nil || len(list.Assets) != 1 {
			t.Fatal(err)
		}
		for _, f := range page.Forms(of[strings.Index(of, "/catalog"):]) {
			if f.Values.Get("add") == list.Assets[0].ID.String() {
				owner.Send(f).Is(t, 200).Shows(t, "Added "+name+".")
				return
			}
		}
		t.Errorf("%s cannot be added", name)
	}
	add("first")
	add("second")
	page := owner.Get(of).Is(t, 200).Shows(t, "Cover", "Make cover")
	var cover *consoletest.Form
	for _, f := range page.Forms(of[strings.Index(of, "/catalog"):]) {
		if f.Values.Get("cover") != "" {
			cover = f
		}
	}
	if cover == nil {
		t.Fatal("no photo can be made the cover")
	}
	owner.Send(cover).Is(t, 200)
	_, have, err := s.Media.Of(t.Context(), s.Owner, media.Subject{Kind: media.OfOffering, ID: class.ID})
	if err != nil || len(have) != 2 || have[0].Title != "second" {
		t.Errorf("%+v, %v", have, err)
	}
	owner.Get("/catalog/photos/"+have[0].ID.String()+"/delete").Is(t, 200).Shows(t, "The photo is deleted permanently and removed from:", class.Name, "cover photo")
	// A member with read access sees photos, and no way to change them.
	desk := s.As(t, policy.FrontDesk)
	desk.Get("/catalog/photos").Is(t, 200).Shows(t, "first", "Used once").Silent(t, "Add a photo")
	desk.Get(of).Is(t, 403)
}
