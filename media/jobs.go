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

// Terms are those of the kind.
func (SizesJob) Terms() jobs.Terms { return jobs.Upkeep() }

// RemoveJob takes the files of a photo away that is no more.
type RemoveJob struct{ Business, Asset uuid.UUID }

// Kind names the job.
func (RemoveJob) Kind() string { return "media.remove" }

// Terms are those of the kind.
func (RemoveJob) Terms() jobs.Terms { return jobs.Upkeep() }

// errGone stops who works on a photo that was deleted.
var errGone = errors.New("media: the photo was deleted")

// MakeSizes makes all sizes of a photo, the largest first, and says after each how many there are. It can run twice, and twice at once:
// the same bytes come to the same keys. A photo that cannot be read after all is failed; one that was deleted meanwhile leaves no file.
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
		s.log.Error("the original of a photo is gone", "business", j.Business, "photo", j.Asset)
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
		s.log.Error("the sizes of a photo cannot be made", "business", j.Business, "photo", j.Asset, "error", err)
		return s.ended(ctx, j, 0, Failed)
	case err != nil:
		return err
	}
	return s.ended(ctx, j, len(a.Sizes), Ready)
}

// original reads the bytes that were uploaded, and sees that they are.
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
		return nil, errors.New("media: an original is not what was uploaded")
	}
	return data.Bytes(), nil
}

// made writes how many sizes there are. Error: errGone.
func (s *Service) made(ctx context.Context, j SizesJob, n int, state State) error {
	there, err := pg.InTx(ctx, s.db, j.Business, func(tx *pg.Tx) (bool, error) { return progress(ctx, tx, j.Asset, n, state) })
	if err == nil && !there {
		return errGone
	}
	return err
}

// ended writes what became of a photo. Who comes second finds it ended, or gone.
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

// leave has the files taken away that were made for a photo that is no more.
func (s *Service) leave(ctx context.Context, j SizesJob) error {
	return pg.Do(ctx, s.db, j.Business, func(tx *pg.Tx) error {
		if err := dueLeftover(ctx, tx, j.Asset, tx.Now()); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, RemoveJob(j))
	})
}

// RemoveFiles takes the files of a photo away that is no more, and forgets that there were any. A photo that is there keeps its files.
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

// SizesDue is the sweep media.sizes: it asks again for the sizes of photos that nobody has worked on for a while.
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

// LeftoversDue is the sweep media.leftovers: it takes away files that nobody came to take away, or that no photo came to have. What
// cannot be taken away now is tried again later, behind the others.
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
