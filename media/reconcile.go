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

// Report is the result of Reconcile.
type Report struct {
	Photos, Files int
	Orphans       []string // files without a photo that are not scheduled for deletion
	Missing       []string // sizes that photos should have
	Lost          []string // originals that photos should have: they cannot be restored
}

// Reconcile compares the photos of all businesses with the files in the store, both ways. With repair, jobs delete
// orphans and make missing sizes again; a photo with a lost original keeps its sizes. Files of other packages in the
// store are ignored. told is called after each business with the report so far; it may be nil.
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
	before, err := leftovers(ctx, view) // files being deleted meanwhile
	if err != nil {
		return err
	}
	files, err := s.filesOf(ctx, business)
	if err != nil {
		return err
	}
	all, err := everyAsset(ctx, view) // after the files: an upload meanwhile is no orphan
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

// assetOf is the photo of a file; an error when there is none.
func assetOf(key string) (uuid.UUID, error) {
	parts := strings.Split(key, "/")
	if len(parts) != 3 || !strings.HasPrefix(parts[2], "original-") && !isSize(parts[2]) {
		return uuid.Nil, errors.New("media: not a file of a photo")
	}
	return uuid.Parse(parts[1])
}

func isSize(name string) bool {
	_, ext, _ := strings.Cut(name, ".")
	return slices.Contains(slices.Collect(maps.Values(extensions)), "."+ext)
}

// missing are the sizes that a photo should have and that are not among the existing files.
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

// makeAgain schedules the sizes of a photo to be made once more.
func (s *Service) makeAgain(ctx context.Context, business uuid.UUID, a Asset) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		if err := reopen(ctx, tx, a.ID); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, SizesJob{business, a.ID})
	})
}
