package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"foyer/app/clock"
	"foyer/app/files"
	"foyer/media/store"
)

// openStore opens the store of photos: a bucket if one is configured, else a folder. It sends no request yet. baseURL
// is this server's address for browsers.
func openStore(c Config, baseURL string, at clock.Clock) (store.Store, error) {
	if c.S3Endpoint != "" {
		return store.OpenS3(c.bucket())
	}
	secret, err := c.secret()
	if err != nil {
		return nil, err
	}
	return store.OpenDir(store.DirConfig{
		Root: c.mediaDir(), URL: strings.TrimSuffix(baseURL, "/") + files.SignedRoot, Secret: derive(secret, "files"), Clock: at,
	})
}

func (c Config) bucket() store.S3Config {
	return store.S3Config{
		Endpoint: c.S3Endpoint, Bucket: c.S3Bucket, Region: c.S3Region, AccessKey: c.S3AccessKey, SecretKey: c.S3SecretKey,
	}
}

// imagesFrom returns the origin of photos in browsers; empty if this server serves them. The bucket may be a part of
// its host's name.
func imagesFrom(ctx context.Context, c Config, s store.Store) (string, error) {
	if !c.PhotosDirect {
		return "", nil
	}
	address, err := s.SignedURL(ctx, "any", "", time.Minute)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + u.Host, nil
}

// validatePhotos returns an error for settings of photos that exclude each other.
func (c Config) validatePhotos() error {
	keys := c.S3Bucket != "" || c.S3AccessKey != "" || c.S3SecretKey != ""
	switch {
	case c.S3Endpoint == "" && keys:
		return errors.New("FOYER_S3_ENDPOINT is not set, but other settings of the bucket are")
	case c.S3Endpoint == "" && c.PhotosDirect:
		return errors.New("FOYER_PHOTOS_DIRECT sends browsers to a bucket: it needs FOYER_S3_ENDPOINT")
	case c.S3Endpoint == "":
		return nil
	case c.PhotosDir != "":
		return errors.New("both FOYER_PHOTOS_DIR and FOYER_S3_ENDPOINT are set: set only one of them")
	case c.S3Bucket == "" || c.S3AccessKey == "" || c.S3SecretKey == "":
		return errors.New("FOYER_S3_ENDPOINT needs FOYER_S3_BUCKET, FOYER_S3_ACCESS_KEY and FOYER_S3_SECRET_KEY")
	}
	if _, err := store.OpenS3(c.bucket()); err != nil {
		return fmt.Errorf("FOYER_S3_ENDPOINT: %w", err)
	}
	return nil
}

// checkPhotos stores a file, reads it, lists it and deletes it. A public bucket is an error.
func checkPhotos(ctx context.Context, c Config, _ *program) (string, string) {
	s, err := openStore(c, c.BaseURL, clock.System{})
	if err != nil {
		return "bad", err.Error()
	}
	if err := roundTrip(ctx, s); err != nil {
		return "bad", err.Error()
	}
	if c.S3Endpoint == "" {
		return "ok", "in " + c.mediaDir()
	}
	return "ok", fmt.Sprintf("in the bucket %s of %s", c.S3Bucket, c.S3Endpoint)
}

func roundTrip(ctx context.Context, s store.Store) (err error) {
	folder := "doctor/" + strings.ToLower(rand.Text()) + "/"
	key, body := folder+"probe", []byte("kept by foyer doctor for a moment")
	if err := s.Put(ctx, key, "text/plain", body); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Delete(context.WithoutCancel(ctx), key)) }()
	file, _, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	defer file.Close()
	if got, err := io.ReadAll(file); err != nil || !bytes.Equal(got, body) {
		return fmt.Errorf("the file that was read differs from the one that was stored: %d bytes of %d, %w", len(got), len(body), err)
	}
	found := false
	for object, err := range s.List(ctx, folder) {
		if err != nil {
			return err
		}
		found = found || object.Key == key
	}
	if !found {
		return errors.New("the stored file is not in the list")
	}
	if _, remote := s.(*store.S3); remote {
		return private(ctx, s, key)
	}
	return nil
}

// private requests a file from a bucket without a signature.
func private(ctx context.Context, s store.Store, key string) error {
	address, err := s.SignedURL(ctx, key, "", time.Minute)
	if err != nil {
		return err
	}
	bare, _, _ := strings.Cut(address, "?")
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, bare, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode < http.StatusBadRequest {
		return errors.New("the bucket is public: remove public access")
	}
	return nil
}
