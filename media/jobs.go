package media

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/media/picture"
	"foyer/media/store"
)

// SizesJob makes the sizes of a photo.
type SizesJob struct{ Business, Asset uuid.UUID }

// Kind names the job.
func (SizesJob) Kind() string { return "media.sizes" }

// Terms returns the terms of the kind.
func (SizesJob) Terms() jobs.Terms { return jobs.Upkeep() }

// RemoveJob deletes the files of a deleted photo.
type RemoveJob struct{ Business, Asset uuid.UUID }

// Kind names the job.
func (RemoveJob) Kind() string { return "media.remove" }

// Terms returns the terms of the kind.
func (RemoveJob) Terms() jobs.Terms { return jobs.Upkeep() }

// errGone stops the work on a deleted photo.
var errGone = errors.New("media: the photo was deleted")

// MakeSizes makes all sizes of a photo, the largest first, and records the number made after each. It can run twice,
// and twice at once: the same bytes come to the same keys. An unreadable photo becomes failed; one that was deleted
// meanwhile leaves no file.
func (s *Service) MakeSizes(ctx context.Context, j SizesJob) error {
	a, found, err := findAsset(ctx, s.db.View(j.Business), j.Asset)
	switch {
	case err != nil:
		return err
	case !found:
		return s.leave(ctx, j)
	case a.State != Processing:
		return nil
	}
	data, err := s.original(ctx, j.Business, a)
	if errors.Is(err, store.ErrNotFound) {
		s.log.Error("photo original missing", "business", j.Business, "photo", j.Asset)
		return s.ended(ctx, j, 0, Failed)
	}
	if err != nil {
		return err
	}
	files := 0
	err = picture.Make(ctx, data, a.Sizes, func(v picture.Variant) error {
		if err := s.store.Put(ctx, sizeKey(j.Business, a.ID, v.Width, Format(v.Format)), v.ContentType(), v.Data); err != nil {
			return err
		}
		if files++; files%len(extensions) > 0 || files/len(extensions) >= len(a.Sizes) {
			return nil
		}
		return s.made(ctx, j, files/len(extensions), Processing)
	})
	switch {
	case errors.Is(err, errGone):
		return s.leave(ctx, j)
	case errors.Is(err, picture.ErrBroken), errors.Is(err, picture.ErrFormat), errors.Is(err, picture.ErrTooLarge):
		s.log.Error("making the sizes of a photo failed", "business", j.Business, "photo", j.Asset, "error", err)
		return s.ended(ctx, j, 0, Failed)
	case err != nil:
		return err
	}
	return s.ended(ctx, j, len(a.Sizes), Ready)
}

// original reads the uploaded bytes, and verifies their hash.
func (s *Service) original(ctx context.Context, business uuid.UUID, a Asset) ([]byte, error) {
	file, _, err := s.store.Get(ctx, originalKey(business, a.ID, a.SHA256))
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	data.Grow(int(a.Bytes))
	_, err = data.ReadFrom(io.LimitReader(file, BytesMax+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if sumOf(data.Bytes()) != a.SHA256 {
		return nil, errors.New("media: original does not match its hash")
	}
	return data.Bytes(), nil
}

// made records the number of sizes. Error: errGone.
func (s *Service) made(ctx context.Context, j SizesJob, n int, state State) error {
	there, err := pg.InTx(ctx, s.db, j.Business, func(tx *pg.Tx) (bool, error) { return progress(ctx, tx, j.Asset, n, state) })
	if err == nil && !there {
		return errGone
	}
	return err
}

// ended records the final state of a photo. A second worker finds it ended, or gone.
func (s *Service) ended(ctx context.Context, j SizesJob, n int, state State) error {
	err := s.made(ctx, j, n, state)
	if !errors.Is(err, errGone) {
		return err
	}
	if _, found, err := findAsset(ctx, s.db.View(j.Business), j.Asset); err != nil || found {
		return err
	}
	return s.leave(ctx, j)
}

// leave schedules the deletion of the files made for a deleted photo.
func (s *Service) leave(ctx context.Context, j SizesJob) error {
	return pg.Do(ctx, s.db, j.Business, func(tx *pg.Tx) error {
		if err := dueLeftover(ctx, tx, j.Asset, tx.Now()); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, RemoveJob(j))
	})
}

// RemoveFiles deletes the files of a deleted photo, and then its leftover. An existing photo keeps its files.
func (s *Service) RemoveFiles(ctx context.Context, j RemoveJob) error {
	_, found, err := findAsset(ctx, s.db.View(j.Business), j.Asset)
	if err != nil {
		return err
	}
	if !found {
		var keys []string
		for o, err := range s.store.List(ctx, folder(j.Business, j.Asset)) {
			if err != nil {
				return err
			}
			keys = append(keys, o.Key)
		}
		if err := s.store.Delete(ctx, keys...); err != nil {
			return err
		}
	}
	return pg.Do(ctx, s.db, j.Business, func(tx *pg.Tx) error { return dropLeftover(ctx, tx, j.Asset) })
}

// SizesDue is the sweep media.sizes: it enqueues the job again for photos without progress for a while.
func (s *Service) SizesDue(ctx context.Context) error {
	before := s.db.Clock().Now().Add(-forgotten)
	list, err := dueAssets(ctx, s.db, before)
	for _, d := range list {
		err = errors.Join(err, pg.Do(ctx, s.db, d.BusinessID, func(tx *pg.Tx) error {
			mine, err := again(ctx, tx, d.ID, before)
			if err != nil || !mine {
				return err
			}
			return jobs.EnqueueTx(ctx, tx, SizesJob{d.BusinessID, d.ID})
		}))
	}
	return err
}

// LeftoversDue is the sweep media.leftovers: it deletes the files of deleted photos and of uploads without a photo,
// if no job did. If a deletion fails, it is tried again later, after the others.
func (s *Service) LeftoversDue(ctx context.Context) error {
	list, err := dueLeftovers(ctx, s.db, s.db.Clock().Now())
	for _, d := range list {
		failed := s.RemoveFiles(ctx, RemoveJob{d.BusinessID, d.ID})
		if failed == nil {
			continue
		}
		err = errors.Join(err, failed, pg.Do(ctx, s.db, d.BusinessID, func(tx *pg.Tx) error {
			return dueLeftover(ctx, tx, d.ID, tx.Now().Add(forgotten))
		}))
	}
	return err
}
