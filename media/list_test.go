package media_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/media"
	"foyer/policy"
)

// A198 to A200: searches, filters, and orders.
func TestA199_A200_List(t *testing.T) {
	s := open(t)
	var all []media.Asset
	for n, in := range []media.UploadInput{
		{Title: "Beach", Alt: "Sand and 100% sun", Tags: []string{"Summer"}},
		{Title: "attic", Tags: []string{"indoor", "summer"}},
		{Title: "Cellar_1", Alt: "a beach ball"},
		{Title: "Door"},
	} {
		in.Data = photo(t, 200, 100, n)
		up, err := s.s.Upload(t.Context(), s.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, up.Asset)
		s.w.Clock.Advance(time.Minute)
	}
	if _, err := s.s.Archive(t.Context(), s.Owner, all[3].ID); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 2, 2} {
		subject := media.Subject{Kind: media.OfBusiness, ID: s.Business.ID}
		if n == 2 {
			subject = media.Subject{Kind: media.OfLocation, ID: s.Location.ID}
		}
		if _, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: all[n].ID, Subject: subject}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: all[2].ID, Subject: media.Subject{Kind: media.OfOffering, ID: s.AddOffering(t).ID}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   media.ListInput
		want string
	}{
		"newest first":     {media.ListInput{}, "Cellar_1 attic Beach of 3"},
		"by title":         {media.ListInput{Sort: media.Name}, "attic Beach Cellar_1 of 3"},
		"most used first":  {media.ListInput{Sort: media.Used}, "Cellar_1 Beach attic of 3"},
		"unused":           {media.ListInput{Unused: true}, "attic of 1"},
		"archived":         {media.ListInput{Archived: true}, "Door of 1"},
		"title or alt":     {media.ListInput{Query: " BEACH "}, "Cellar_1 Beach of 2"},
		"tag, in any case": {media.ListInput{Query: "summ"}, "attic Beach of 2"},
		"exact tag":        {media.ListInput{Tag: "summer"}, "attic of 1"},
		"a percent sign":   {media.ListInput{Query: "0% s"}, "Beach of 1"},
		"an underscore":    {media.ListInput{Query: "r_1"}, "Cellar_1 of 1"},
		"nothing like it":  {media.ListInput{Query: "%%"}, " of 0"},
		"a page":           {media.ListInput{Limit: 1, Offset: 1}, "attic of 3"},
		"behind the last":  {media.ListInput{Offset: 9}, " of 3"},
	} {
		page, err := s.s.List(t.Context(), s.Holding(s.Location.ID, policy.LocationView), c.in)
		var titles []string
		for _, a := range page.Assets {
			titles = append(titles, a.Title)
		}
		if got := fmt.Sprintf("%s of %d", strings.Join(titles, " "), page.Total); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, err)
		}
	}
	for field, in := range map[string]media.ListInput{
		"sort": {Sort: "size"}, "limit": {Limit: 201}, "offset": {Offset: -1}, "q": {Query: strings.Repeat("x", 101)}, "tag": {Tag: "a\nb"},
	} {
		_, err := s.s.List(t.Context(), s.Owner, in)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if tags, err := s.s.Tags(t.Context(), s.Owner); err != nil || fmt.Sprint(tags) != "[Summer indoor summer]" {
		t.Errorf("%q, %v", tags, err)
	}
	if trips, statements := s.w.Sent(func() { _, _ = s.s.List(t.Context(), s.Owner, media.ListInput{}) }); trips != 1 || statements > 2 {
		t.Errorf("a list takes %d trips with %d statements", trips, statements)
	}
}

// Photos of a subject have an order, the first is the cover; an archived one stays in its places and gets no new ones
// (A208).
func TestA208_Place(t *testing.T) {
	s := open(t)
	row := s.AddOffering(t)
	offering := media.Subject{Kind: media.OfOffering, ID: row.ID}
	a, b, c := s.ready(t, 1), s.ready(t, 2), s.ready(t, 3)
	place := func(id uuid.UUID, position int) error {
		_, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: id, Subject: offering, Position: position})
		return err
	}
	order := func() string {
		list, err := media.PhotosOfListing(t.Context(), s.w.DB.View(s.Business.ID), s.Location.ID, row.Slug)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range list {
			names = append(names, map[uuid.UUID]string{a.ID: "a", b.ID: "b", c.ID: "c"}[p.Asset])
		}
		return strings.Join(names, "")
	}
	for _, step := range []struct {
		id       uuid.UUID
		position int
		want     string
	}{{a.ID, 0, "a"}, {b.ID, 0, "ab"}, {b.ID, 0, "ab"}, {c.ID, 1, "cab"}, {c.ID, 20, "abc"}, {c.ID, 2, "acb"}, {a.ID, 0, "acb"}} {
		if err := place(step.id, step.position); err != nil || order() != step.want {
			t.Errorf("%s, want %s (%v)", order(), step.want, err)
		}
	}
	d, err := s.s.Get(t.Context(), s.Owner, b.ID)
	if err != nil || len(d.Placements) != 1 || d.Used != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	if p := d.Placements[0]; p.Kind != media.OfOffering || p.SubjectID != offering.ID || p.Position != 3 || p.Name == "" || *p.LocationID != s.Location.ID {
		t.Errorf("%+v", p)
	}
	if _, err := s.s.Archive(t.Context(), s.Owner, c.ID); err != nil || order() != "acb" {
		t.Errorf("archived: %s, %v", order(), err)
	}
	if err := place(c.ID, 1); err != nil || order() != "cab" {
		t.Errorf("an archived photo moves: %s, %v", order(), err)
	}
	cover, err := media.Covers(t.Context(), s.w.DB.View(s.Business.ID), []uuid.UUID{offering.ID, s.Location.ID})
	if err != nil || len(cover) != 1 || cover[offering.ID].Asset != c.ID {
		t.Errorf("%+v, %v", cover, err)
	}
	if _, err := s.s.Unplace(t.Context(), s.Owner, c.ID, &offering.ID); err != nil || order() != "ab" {
		t.Errorf("%s, %v", order(), err)
	}
	if err := place(c.ID, 1); fault.From(err) == nil || fault.From(err).Reason != media.ErrArchived.Reason {
		t.Errorf("an archived photo comes new: %v", err)
	}
	if list, err := s.s.PutAll(t.Context(), s.Owner, offering, []uuid.UUID{b.ID, a.ID}); err != nil || len(list) != 2 || list[0].ID != b.ID || order() != "ba" {
		t.Errorf("%s, %v", order(), err)
	}
	if err := s.s.Delete(t.Context(), s.Owner, b.ID); err != nil || order() != "a" {
		t.Errorf("%s, %v", order(), err)
	}
	if d, err = s.s.Get(t.Context(), s.Owner, a.ID); err != nil || d.Placements[0].Position != 1 {
		t.Errorf("behind a cover that was deleted: %+v, %v", d, err)
	}
	b = s.ready(t, 2)
	if _, err := s.s.PutAll(t.Context(), s.Owner, offering, []uuid.UUID{b.ID, a.ID}); err != nil {
		t.Fatal(err)
	}
	for field, ids := range map[string][]uuid.UUID{"assetIds[1]": {a.ID, c.ID}, "assetIds[2]": {a.ID, b.ID, a.ID}, "assetIds": make([]uuid.UUID, 21)} {
		_, err := s.s.PutAll(t.Context(), s.Owner, offering, ids)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != field || order() != "ba" {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := s.s.PutAll(t.Context(), s.Owner, offering, nil); err != nil || order() != "" {
		t.Errorf("%s, %v", order(), err)
	}
}

// addProduct makes a product of a business.
func addProduct(t testing.TB, w *apptest.World, business uuid.UUID) uuid.UUID {
	t.Helper()
	id := uuid.New()
	w.SQL(t, `insert into products (id, business_id, name, state, currency, created_at, updated_at)
		values ($1, $2, 'Mat', 'draft', 'USD', now(), now())`, id, business)
	return id
}

// Every kind of subject is found by its own id, and none of another business is.
func TestSubjects(t *testing.T) {
	s := open(t)
	other := s.w.Studio(t)
	a := s.upload(t, 1)
	own := map[media.Kind]uuid.UUID{
		media.OfBusiness: s.Business.ID, media.OfLocation: s.Location.ID, media.OfSpace: s.AddSpace(t, "Hall").ID,
		media.OfMember: s.AddInstructor(t, "Ada").ID, media.OfOffering: s.AddOffering(t).ID,
		media.OfProduct: addProduct(t, s.w, s.Business.ID),
	}
	foreign := map[media.Kind]uuid.UUID{
		media.OfBusiness: other.Business.ID, media.OfLocation: other.Location.ID, media.OfSpace: other.AddSpace(t, "Hall").ID,
		media.OfMember: other.AddInstructor(t, "Ada").ID, media.OfOffering: other.AddOffering(t).ID, "studio": s.Business.ID,
		media.OfProduct: addProduct(t, s.w, other.Business.ID),
	}
	for kind, id := range foreign {
		for _, id := range []uuid.UUID{id, uuid.New()} {
			_, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: a.ID, Subject: media.Subject{Kind: kind, ID: id}})
			if !fault.IsKind(err, fault.NotFound) {
				t.Errorf("%s of another business: %v", kind, err)
			}
		}
	}
	for n, kind := range media.OfBusiness.All() {
		d, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: a.ID, Subject: media.Subject{Kind: kind, ID: own[kind]}})
		if err != nil || len(d.Placements) != n+1 || d.Used != n+1 {
			t.Errorf("%s: %+v, %v", kind, d, err)
		}
	}
	d, err := s.s.Get(t.Context(), s.Owner, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	everywhere := []media.Kind{media.OfBusiness, media.OfMember, media.OfProduct}
	for _, p := range d.Placements {
		if p.SubjectID != own[p.Kind] || p.Name == "" || (p.LocationID == nil) != slices.Contains(everywhere, p.Kind) {
			t.Errorf("%+v", p)
		}
	}
	if d, err = s.s.Unplace(t.Context(), s.Owner, a.ID, &s.Location.ID); err != nil || len(d.Placements) != 5 {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = s.s.Unplace(t.Context(), s.Owner, a.ID, nil); err != nil || len(d.Placements) != 0 || d.Used != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: uuid.New(), Subject: media.Subject{Kind: media.OfLocation, ID: s.Location.ID}})
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a photo that is not there: %v", err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*)::int from asset_placements where business_id = $1", other.Business.ID); n != 0 {
		t.Errorf("%d placements in the other business", n)
	}
}

// A subject has at most twenty photos, also with concurrent calls.
func TestCrowdedSubject(t *testing.T) {
	s := open(t)
	subject := media.Subject{Kind: media.OfLocation, ID: s.Location.ID}
	var ids []uuid.UUID
	for n := range media.PlacedMax + 1 {
		up, err := s.s.Upload(t.Context(), s.Owner, media.UploadInput{Data: photo(t, 10+n, 10, n)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, up.Asset.ID)
	}
	if _, err := s.s.PutAll(t.Context(), s.Owner, subject, ids[:media.PlacedMax-1]); err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 2)
	for _, id := range ids[media.PlacedMax-1:] {
		go func() {
			_, err := s.s.Place(t.Context(), s.Owner, media.PlaceInput{AssetID: id, Subject: subject})
			errs <- err
		}()
	}
	var refused int
	for range 2 {
		if err := <-errs; err != nil {
			if f := fault.From(err); f == nil || f.Reason != media.ErrCrowded.Reason {
				t.Error(err)
			}
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d refused", refused)
	}
}
