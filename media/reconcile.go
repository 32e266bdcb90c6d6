package media

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/media/store"
)

// Report is what Reconcile finds.
type Report struct {
	Photos, Files int
	Orphans       []string // files that belong to no photo and that nobody is going to take away
	Missing       []string // sizes that photos should have
	Lost          []string // originals that photos should have: nobody can bring them back
}

// Reconcile holds the photos of all businesses against the files in the store, both ways. With repair, jobs take orphans away and make
// missing sizes again; a photo whose original is lost keeps the sizes that it has. What other packages keep in the store is not looked at.
// told hears after each business what there is so far; it may be nil.
func (s *Service) Reconcile(ctx context.Context, repair bool, told func(Report)) (Report, error) {
	var r Report
	err := s.db.EachBusiness(ctx, func(ctx context.Context, business uuid.UUID) error {
		err := s.reconcile(ctx, business, repair, &r)
		if told != nil {
			told(r)
		}
		return err
	})
	return r, err
}

func (s *Service) reconcile(ctx context.Context, business uuid.UUID, repair bool, r *Report) error {
	view := s.db.View(business)
	before, err := leftovers(ctx, view) // whose files go meanwhile
	if err != nil {
		return err
	}
	files, err := s.filesOf(ctx, business)
	if err != nil {
		return err
	}
	all, err := everyAsset(ctx, view) // after the files: what is uploaded meanwhile is no orphan
	if err != nil {
		return err
	}
	left, err := leftovers(ctx, view)
	if err != nil {
		return err
	}
	left = append(left, before...)
	r.Photos += len(all)
	known := map[uuid.UUID]bool{}
	for _, a := range all {
		known[a.ID] = true
		if key := originalKey(business, a.ID, a.SHA256); files[key].Key == "" {
			r.Lost = append(r.Lost, key)
		}
		missing := a.missing(business, files)
		r.Missing = append(r.Missing, missing...)
		if repair && len(missing) > 0 {
			if err := s.makeAgain(ctx, business, a); err != nil {
				return err
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(files)) {
		id, err := assetOf(key)
		if err != nil {
			continue
		}
		r.Files++
		if known[id] || slices.Contains(left, id) {
			continue
		}
		r.Orphans = append(r.Orphans, key)
		if repair {
			if err := s.leave(ctx, SizesJob{business, id}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) filesOf(ctx context.Context, business uuid.UUID) (map[string]store.Object, error) {
	files := map[string]store.Object{}
	for o, err := range s.store.List(ctx, business.String()+"/") {
		if err != nil {
			return nil, err
		}
		files[o.Key] = o
	}
	return files, nil
}

// assetOf is the photo that a file belongs to; an error when it belongs to none.
func assetOf(key string) (uuid.UUID, error) {
	parts := strings.Split(key, "/")
	if len(parts) != 3 || !strings.HasPrefix(parts[2], "original-") && !isSize(parts[2]) {
		return uuid.Nil, errors.New("media: no file of a photo")
	}
	return uuid.Parse(parts[1])
}

func isSize(name string) bool {
	_, ext, _ := strings.Cut(name, ".")
	return slices.Contains(slices.Collect(maps.Values(extensions)), "."+ext)
}

// missing are the sizes that a photo should have and that are not among the files there are.
func (a Asset) missing(business uuid.UUID, files map[string]store.Object) []string {
	var keys []string
	if a.State == Ready {
		for _, width := range a.Sizes {
			for _, format := range []Format{JPEG, WebP} {
				keys = append(keys, sizeKey(business, a.ID, width, format))
			}
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool { _, there := files[key]; return there })
}

// makeAgain has the sizes of a photo made once more.
func (s *Service) makeAgain(ctx context.Context, business uuid.UUID, a Asset) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		if err := reopen(ctx, tx, a.ID); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, SizesJob{business, a.ID})
	})
}
