package media

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/media/picture"
	"foyer/policy"
)

// UploadInput is a new photo. Its description is optional.
type UploadInput struct {
	Data  []byte
	Name  string // of the file; the title is derived from it by default
	Title string
	Alt   string
	Tags  []string
}

// Uploaded is the photo that results from an upload.
type Uploaded struct {
	Asset    Asset `json:"asset"`
	Existing bool  `json:"existing"` // it existed before, and is unchanged
	Animated bool  `json:"animated"` // the file is an animation; only its first picture is shown
}

// never is the time after which the files of an unfinished upload are leftovers. No upload takes so long.
const never = time.Hour

// Upload adds a photo without placements. The content of the file decides its format, not its name: JPEG, PNG, GIF or
// WebP of at most 15 MB, 40 megapixels (120 for a baseline JPEG) and 16,383 pixels a side; of an animation, the first
// picture is shown. Its sizes are made by a job that begins at once. Identical bytes return the existing photo
// unchanged, archived or not (A202); those of another business are another photo (A203). It needs catalog.manage
// somewhere. Errors:
//
//   - policy.ErrMissingFeature
//   - Validation, under "file" with a reason: no photo, broken or too large (A204)
//   - ErrFull
//   - ErrStoreDown; there is no photo then
func (s *Service) Upload(ctx context.Context, sc tenancy.Scope, in UploadInput) (Uploaded, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Uploaded{}, err
	}
	a := Asset{Title: in.Title, Alt: in.Alt, Tags: in.Tags, State: Processing, Bytes: int64(len(in.Data)), Version: 1}
	if a.Title == "" {
		a.Title = titleOf(in.Name)
	}
	var c fault.Checks
	c.That(len(in.Data) <= BytesMax, "file", fmt.Sprintf("Use a photo of at most %d MB.", BytesMax>>20))
	a.check(&c)
	if err := c.Err(); err != nil {
		return Uploaded{}, err
	}
	a.SHA256 = sumOf(in.Data)
	known, found, err := findBytes(ctx, s.db.View(sc.Tenant), a.SHA256)
	if err != nil {
		return Uploaded{}, err
	}
	if !found {
		p, err := picture.Check(ctx, in.Data)
		if err != nil {
			return Uploaded{}, refusalOf(err)
		}
		a.ID, a.Format, a.Width, a.Height, a.Color, a.Blur = pg.NewID(), Format(p.Format), p.Width, p.Height, p.Colour, p.Blur
		a.Sizes = picture.Sizes(p.Width, p.Height)
		if err := s.putOriginal(ctx, sc, a, in.Data); err != nil {
			return Uploaded{}, err
		}
	}
	up, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Uploaded, error) {
		if found { // unless it was deleted meanwhile
			again, still, err := findBytes(ctx, tx, a.SHA256)
			return Uploaded{Asset: again, Existing: true}, fault.When(!still, errGoneMeanwhile.With("assetId", known.ID), err)
		}
		return insertUploaded(ctx, tx, a)
	})
	up.Animated = err == nil && picture.Animated(in.Data)
	return up, err
}

// errGoneMeanwhile means that the photo with these bytes was deleted during the upload. It takes deleting and
// uploading a photo at the same time.
var errGoneMeanwhile = fault.New(fault.Internal, "photo_gone", "This photo is being deleted. Try again in a moment.").With("retryable", true).After(1)

// insertUploaded adds the photo of a stored original, or finds the one added by a concurrent upload.
func insertUploaded(ctx context.Context, tx *pg.Tx, a Asset) (Uploaded, error) {
	a.CreatedAt, a.UpdatedAt = tx.Now(), tx.Now()
	made, err := insert(ctx, tx, a)
	if err != nil {
		return Uploaded{}, err
	}
	if !made {
		other, found, err := findBytes(ctx, tx, a.SHA256)
		if err != nil || !found {
			return Uploaded{}, fault.When(!found, ErrFull, err)
		}
		if err := dueLeftover(ctx, tx, a.ID, tx.Now()); err != nil {
			return Uploaded{}, err
		}
		up := Uploaded{Asset: other, Existing: true}
		return up, jobs.EnqueueTx(ctx, tx, RemoveJob{Business: tx.Business(), Asset: a.ID})
	}
	if err := dropLeftover(ctx, tx, a.ID); err != nil {
		return Uploaded{}, err
	}
	return Uploaded{Asset: a}, jobs.EnqueueTx(ctx, tx, SizesJob{Business: tx.Business(), Asset: a.ID})
}

// putOriginal stores the bytes of a new photo. The leftover comes first: if there is no photo in the end, they are
// deleted.
func (s *Service) putOriginal(ctx context.Context, sc tenancy.Scope, a Asset, data []byte) error {
	err := pg.Do(pg.WithoutClaim(ctx), s.db, sc.Tenant, func(tx *pg.Tx) error {
		return dueLeftover(ctx, tx, a.ID, tx.Now().Add(never))
	})
	if err != nil {
		return err
	}
	if err := s.store.Put(ctx, originalKey(sc.Tenant, a.ID, a.SHA256), contentTypes[a.Format], data); err != nil {
		s.log.Error("storing a photo failed", "business", sc.Tenant, "error", err)
		return ErrStoreDown
	}
	return nil
}

// refusalOf is the refusal for an invalid file.
func refusalOf(err error) error {
	for cause, said := range refusedFiles {
		if errors.Is(err, cause) {
			return said
		}
	}
	return err
}

// refusedFiles are the refusals by the error of package picture.
var refusedFiles = map[error]*fault.Error{
	picture.ErrFormat: fault.New(fault.Validation, "not_a_photo", "This file is not a photo.").
		And("file", "This is not a JPEG, PNG, GIF or WebP picture."),
	picture.ErrBroken: fault.New(fault.Validation, "photo_broken", "This photo cannot be read.").
		And("file", "The picture is damaged or incomplete."),
	picture.ErrTooLarge: fault.New(fault.Validation, "photo_too_large", "This photo has too many pixels.").
		And("file", "Use at most 40 megapixels (120 for a baseline JPEG, as cameras write it) and 16,383 pixels a side."),
}

// Refusals returns the refusals of files, for the API document.
func Refusals() []*fault.Error {
	return []*fault.Error{refusedFiles[picture.ErrFormat], refusedFiles[picture.ErrBroken], refusedFiles[picture.ErrTooLarge], ErrFull}
}
