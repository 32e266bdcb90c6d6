package media_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/media"
	"foyer/media/mediatest"
	"foyer/media/store"
	"foyer/policy"
)

// photo is a JPEG of a size; n makes its bytes different from others.
func photo(t testing.TB, w, h, n int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8(n * 40), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// studio is a business with photos, and the store that they are in.
type studio struct {
	apptest.Studio
	w     *apptest.World
	s     *media.Service
	store store.Store
}

func open(t testing.TB) studio {
	t.Helper()
	w := apptest.Open(t)
	files := mediatest.Store(t)
	return studio{w.Studio(t), w, media.New(media.Options{DB: w.DB, Store: files}), files}
}

func (s studio) upload(t testing.TB, n int) media.Asset {
	t.Helper()
	up, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: photo(t, 700, 400, n), Name: fmt.Sprintf("photo_%d.JPG", n)})
	if err != nil {
		t.Fatal(err)
	}
	return up.Asset
}

// ready is a photo with its sizes made.
func (s studio) ready(t testing.TB, n int) media.Asset {
	t.Helper()
	a := s.upload(t, n)
	if err := s.s.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: a.ID}); err != nil {
		t.Fatal(err)
	}
	return a
}

// files are the keys under a photo.
func (s studio) files(t testing.TB, business uuid.UUID, prefix ...string) []string {
	t.Helper()
	var keys []string
	for o, err := range s.store.List(t.Context(), business.String()+"/"+strings.Join(prefix, "/")) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, strings.TrimPrefix(o.Key, business.String()+"/"))
	}
	return keys
}

// tidy runs the deletion of files, as the sweep does some time later.
func (s studio) tidy(t testing.TB, later time.Duration) {
	t.Helper()
	s.w.Clock.Advance(later)
	if err := s.s.LeftoversDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A photo is uploaded, its sizes are made, and it is ready. Its title is made of the file name.
func TestUpload(t *testing.T) {
	s := open(t)
	up, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{
		Data: photo(t, 700, 400, 1), Name: `C:\pictures\big_hall.JPG`, Alt: " The hall ", Tags: []string{"hall", " hall", "big"},
	})
	a := up.Asset
	if err != nil || up.Existing || a.Title != "big hall" || a.Alt != "The hall" || len(a.Tags) != 2 || a.State != media.Processing || a.Made != 0 ||
		a.Width != 700 || a.Height != 400 || fmt.Sprint(a.Sizes) != "[160 320 700]" || a.HeightAt(160) != 91 {
		t.Fatalf("%+v, %v", up, err)
	}
	job := media.SizesJob{Business: s.Business.ID, Asset: a.ID}
	for range 2 { // twice is once
		if err := s.s.MakeSizes(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		d, err := s.s.Get(t.Context(), s.Owner, a.ID)
		if err != nil || d.State != media.Ready || d.Made != 3 || d.Version != a.Version || len(d.Placements) != 0 {
			t.Fatalf("%+v, %v", d, err)
		}
		if files := s.files(t, s.Business.ID, a.ID.String(), ""); len(files) != 7 {
			t.Errorf("%q", files)
		}
	}
	address, err := s.s.Original(t.Context(), s.Owner, a.ID)
	if err != nil || !strings.Contains(address, "name=big+hall.jpeg") {
		t.Errorf("%s, %v", address, err)
	}
	s.tidy(t, 2*time.Hour)
	if files := s.files(t, s.Business.ID, ""); len(files) != 7 {
		t.Errorf("after tidying: %q", files)
	}
}

// TestPhotoOfAMessenger: a JPEG of 1200 by 800 pixels without its end marker is a photo, and shown in its own
// width. One that was uploaded when there was no such size keeps the sizes it has, also when they are made again.
// Issue 31, item 12.
func TestPhotoOfAMessenger(t *testing.T) {
	s := open(t)
	data := photo(t, 1200, 800, 1)
	up, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: data[:len(data)-2], Name: "hall.jpg"})
	if err != nil || fmt.Sprint(up.Asset.Sizes) != "[160 320 640 1200]" || up.Animated {
		t.Fatalf("%+v, %v", up, err)
	}
	made := func() []string {
		t.Helper()
		if err := s.s.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: up.Asset.ID}); err != nil {
			t.Fatal(err)
		}
		return s.files(t, s.Business.ID, up.Asset.ID.String(), "")
	}
	if files := made(); len(files) != 9 {
		t.Errorf("%q", files)
	}
	before, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: photo(t, 700, 400, 2), Name: "before.jpg"})
	if err != nil {
		t.Fatal(err)
	}
	s.w.SQL(t, "update assets set sizes = '[160, 320, 640]' where id = $1", before.Asset.ID)
	up = before
	if files := made(); len(files) != 7 || !slices.Contains(files, before.Asset.ID.String()+"/640.jpg") {
		t.Errorf("%q", files)
	}
}

// A202, A203: identical bytes are one photo of a business, as it is, and another photo of another business.
func TestA202_A203_IdenticalBytes(t *testing.T) {
	s := open(t)
	a := s.upload(t, 1)
	if _, err := s.s.Archive(t.Context(), s.Owner, a.ID); err != nil {
		t.Fatal(err)
	}
	again, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: photo(t, 700, 400, 1), Title: "Another"})
	if err != nil || !again.Existing || again.Asset.ID != a.ID || again.Asset.Title != a.Title || again.Asset.ArchivedAt == nil {
		t.Errorf("%+v, %v", again, err)
	}
	other := s.w.Studio(t)
	theirs, err := s.s.Upload(t.Context(), other.Owner, media.UploadInput{Data: photo(t, 700, 400, 1)})
	if err != nil || theirs.Existing || theirs.Asset.ID == a.ID {
		t.Errorf("%+v, %v", theirs, err)
	}
}

// A202: of ten identical uploads at once one photo comes, with one set of files.
func TestA202_TenAtOnce(t *testing.T) {
	s := open(t)
	data := photo(t, 700, 400, 1)
	var ids sync.Map
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			up, err := s.s.Upload(context.WithoutCancel(t.Context()), s.Owner, media.UploadInput{Data: data})
			if err != nil {
				t.Error(err)
			}
			ids.Store(up.Asset.ID, true)
			if err := s.s.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: up.Asset.ID}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	n := 0
	ids.Range(func(any, any) bool { n++; return true })
	page, err := s.s.List(t.Context(), s.Owner, media.ListInput{})
	if n != 1 || err != nil || page.Total != 1 || page.Assets[0].State != media.Ready {
		t.Errorf("%d ids, %+v, %v", n, page, err)
	}
	s.tidy(t, 2*time.Hour)
	if files := s.files(t, s.Business.ID, ""); len(files) != 7 {
		t.Errorf("%q", files)
	}
}

// A204: a file that is not a photo is refused with its reason, and leaves nothing.
func TestA204_Refused(t *testing.T) {
	s := open(t)
	whole := photo(t, 700, 400, 1)
	for reason, data := range map[string][]byte{
		"not_a_photo":  []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"photo_broken": whole[:len(whole)/2],
		"":             make([]byte, media.BytesMax+1),
	} {
		_, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: data, Name: "x.jpg"})
		f := fault.From(err)
		if f == nil || f.Kind != fault.Validation || f.Reason != reason || len(f.Fields) != 1 || f.Fields[0].Field != "file" {
			t.Errorf("%q: %v", reason, err)
		}
	}
	for field, in := range map[string]media.UploadInput{
		"title": {Title: strings.Repeat("x", 121)}, "alt": {Alt: "a\nb"}, "tags": {Tags: []string{""}},
	} {
		in.Data = whole
		f := fault.From(second(s.s.Upload(t.Context(), s.Owner, in)))
		if f == nil || f.Kind != fault.Validation || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, f)
		}
	}
	if files := s.files(t, s.Business.ID, ""); len(files) != 0 {
		t.Errorf("%q", files)
	}
}

func second[T any](_ T, err error) error { return err }

// When the store is down, there is no photo, and nothing that waits for one.
func TestUploadWhileTheStoreIsDown(t *testing.T) {
	s := open(t)
	s.s = media.New(media.Options{DB: s.w.DB, Store: mediatest.Down(0)})
	_, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: photo(t, 700, 400, 1)})
	if !errors.Is(err, media.ErrStoreDown) {
		t.Errorf("%v", err)
	}
	if page, err := s.s.List(t.Context(), s.Owner, media.ListInput{}); err != nil || page.Total != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	s.w.Clock.Advance(2 * time.Hour)
	if err := s.s.LeftoversDue(t.Context()); !errors.Is(err, mediatest.ErrDown) {
		t.Errorf("%v", err)
	}
	s.s = media.New(media.Options{DB: s.w.DB, Store: s.store})
	s.tidy(t, time.Hour)
	if n := apptest.Value[int](t, s.w, "select count(*)::int from asset_leftovers"); n != 0 {
		t.Errorf("%d leftovers", n)
	}
}

// A207: a deleted photo is gone with its placements and files, also when its sizes are being made; the same photo of
// another business stays.
func TestA207_Delete(t *testing.T) {
	s := open(t)
	a := s.ready(t, 1)
	other := s.w.Studio(t)
	theirs, err := s.s.Upload(t.Context(), other.Owner, media.UploadInput{Data: photo(t, 700, 400, 1)})
	if err != nil {
		t.Fatal(err)
	}
	subject := media.Subject{Kind: media.OfLocation, ID: s.Location.ID}
	if _, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: a.ID, Subject: subject}); err != nil {
		t.Fatal(err)
	}
	if err := s.s.Delete(t.Context(), s.Owner, a.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.s.Get(t.Context(), s.Owner, a.ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*)::int from river.river_job where kind = 'media.remove'"); n != 1 {
		t.Errorf("%d jobs take its files away", n)
	}
	if err := s.s.RemoveFiles(t.Context(), media.RemoveJob{Business: s.Business.ID, Asset: a.ID}); err != nil {
		t.Fatal(err)
	}
	if files := s.files(t, s.Business.ID, ""); len(files) != 0 {
		t.Errorf("%q", files)
	}
	if n := apptest.Value[int](t, s.w, "select count(*)::int from asset_placements"); n != 0 {
		t.Errorf("%d placements", n)
	}
	if files := s.files(t, other.Business.ID, theirs.Asset.ID.String(), ""); len(files) != 1 {
		t.Errorf("the other business has %q", files)
	}
	// Uploaded again, it is another photo, and the deletion of the old one does not touch it.
	again := s.ready(t, 1)
	if err := s.s.RemoveFiles(t.Context(), media.RemoveJob{Business: s.Business.ID, Asset: a.ID}); err != nil || again.ID == a.ID {
		t.Errorf("%v", err)
	}
	if files := s.files(t, s.Business.ID, ""); len(files) != 7 {
		t.Errorf("%q", files)
	}
	// Deleted before its sizes are made, and before the job for them runs.
	late := s.upload(t, 2)
	if err := s.s.Delete(t.Context(), s.Owner, late.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.s.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: late.ID}); err != nil {
		t.Fatal(err)
	}
	s.tidy(t, time.Minute)
	if files := s.files(t, s.Business.ID, late.ID.String(), ""); len(files) != 0 {
		t.Errorf("%q", files)
	}
}

// An upload that was killed before there was a photo leaves no file for long; sizes without progress are enqueued
// again.
func TestKilledHalfWay(t *testing.T) {
	s := open(t)
	key := s.Business.ID.String() + "/" + uuid.NewString() + "/original-" + strings.Repeat("a", 64)
	a := s.upload(t, 1)
	if err := s.store.Put(t.Context(), key, "image/jpeg", []byte("x")); err != nil {
		t.Fatal(err)
	}
	r, err := s.s.Reconcile(t.Context(), true, nil)
	if err != nil || fmt.Sprint(r.Orphans) != "["+key+"]" || r.Photos != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	s.tidy(t, time.Minute)
	if r, err = s.s.Reconcile(t.Context(), false, nil); err != nil || len(r.Orphans) != 0 || r.Files != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	jobs := func() int {
		return apptest.Value[int](t, s.w, "select count(*)::int from river.river_job where kind = 'media.sizes'")
	}
	before := jobs()
	s.w.Clock.Advance(time.Hour)
	for range 2 {
		if err := s.s.SizesDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := jobs(); got != before+1 {
		t.Errorf("%d jobs, then %d", before, got)
	}
	// A size that is missing is found and made again; nothing is missing then.
	s.make(t, a)
	if err := s.store.Delete(t.Context(), s.Business.ID.String()+"/"+a.ID.String()+"/320.webp"); err != nil {
		t.Fatal(err)
	}
	if r, err = s.s.Reconcile(t.Context(), true, nil); err != nil || len(r.Missing) != 1 || !strings.HasSuffix(r.Missing[0], "/320.webp") {
		t.Errorf("%+v, %v", r, err)
	}
	s.make(t, a)
	if r, err = s.s.Reconcile(t.Context(), false, nil); err != nil || len(r.Missing)+len(r.Orphans) != 0 || r.Files != 7 {
		t.Errorf("%+v, %v", r, err)
	}
	// The original is lost after the sizes were made: the report has it, and a repair removes none of the sizes.
	original := s.Business.ID.String() + "/" + a.ID.String() + "/original-" + a.SHA256
	if err := s.store.Delete(t.Context(), original); err != nil {
		t.Fatal(err)
	}
	told := 0
	r, err = s.s.Reconcile(t.Context(), true, func(sofar media.Report) { told = sofar.Photos })
	if err != nil || fmt.Sprint(r.Lost) != "["+original+"]" || len(r.Missing) != 0 || told != 1 {
		t.Errorf("%+v, %v, told of %d", r, err, told)
	}
	if d, err := s.s.Get(t.Context(), s.Owner, a.ID); err != nil || d.State != media.Ready {
		t.Errorf("%+v, %v", d, err)
	}
	// The original was lost before: the photo becomes failed.
	b := s.upload(t, 2)
	if err := s.store.Delete(t.Context(), s.Business.ID.String()+"/"+b.ID.String()+"/original-"+b.SHA256); err != nil {
		t.Fatal(err)
	}
	s.make(t, b)
	if d, err := s.s.Get(t.Context(), s.Owner, b.ID); err != nil || d.State != media.Failed {
		t.Errorf("%+v, %v", d, err)
	}
}

func (s studio) make(t testing.TB, a media.Asset) {
	t.Helper()
	if err := s.s.MakeSizes(t.Context(), media.SizesJob{Business: s.Business.ID, Asset: a.ID}); err != nil {
		t.Fatal(err)
	}
}

// A manager of one location changes only photos that are shown there, and none of another business. A210.
func TestWhoMayChange(t *testing.T) {
	s := open(t)
	elsewhere := s.AddLocation(t, "Elsewhere")
	here := s.Holding(s.Location.ID, policy.CatalogManage, policy.LocationView)
	a := s.upload(t, 1)
	title := "New"
	for _, at := range []uuid.UUID{s.Location.ID, elsewhere.ID} {
		if _, err := s.s.Update(t.Context(), here, media.UpdateInput{ID: a.ID, Title: &title}); err != nil {
			t.Errorf("while it is shown nowhere else: %v", err)
		}
		if _, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: a.ID, Subject: media.Subject{Kind: media.OfLocation, ID: at}}); err != nil {
			t.Fatal(err)
		}
	}
	refused := map[string]func(tenancy.Scope) error{
		"update": func(sc tenancy.Scope) error {
			return second(s.s.Update(t.Context(), sc, media.UpdateInput{ID: a.ID, Title: &title}))
		},
		"archive": func(sc tenancy.Scope) error { return second(s.s.Archive(t.Context(), sc, a.ID)) },
		"restore": func(sc tenancy.Scope) error { return second(s.s.Restore(t.Context(), sc, a.ID)) },
		"delete":  func(sc tenancy.Scope) error { return s.s.Delete(t.Context(), sc, a.ID) },
		"place": func(sc tenancy.Scope) error {
			return second(s.s.Place(t.Context(), sc, media.PlaceInput{AssetID: a.ID, Subject: media.Subject{Kind: media.OfLocation, ID: elsewhere.ID}}))
		},
		"unplace": func(sc tenancy.Scope) error {
			return second(s.s.Unplace(t.Context(), sc, a.ID, nil))
		},
		"put all": func(sc tenancy.Scope) error {
			return second(s.s.PutAll(t.Context(), sc, media.Subject{Kind: media.OfBusiness, ID: s.Business.ID}, nil))
		},
	}
	stranger := s.w.Studio(t).Owner
	for name, do := range refused {
		if err := do(here); !fault.IsKind(err, fault.Forbidden) {
			t.Errorf("%s from the other location: %v", name, err)
		}
		if err := do(stranger); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s from another business: %v", name, err)
		}
		if err := do(s.Holding(s.Location.ID, policy.LocationView)); !fault.IsKind(err, fault.Forbidden) {
			t.Errorf("%s by who only looks: %v", name, err)
		}
	}
	if err := second(s.s.Upload(t.Context(), s.Holding(s.Location.ID, policy.LocationView), media.UploadInput{})); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("upload: %v", err)
	}
}
