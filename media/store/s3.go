package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Config configures an S3: the bucket and its credentials.
type S3Config struct {
	Endpoint  string // http(s)://host[:port]
	Bucket    string
	Region    string // empty: us-east-1, MinIO's default
	AccessKey string
	SecretKey string
	Patience  time.Duration // limit for the store; zero: four seconds
	AtOnce    int           // names per call to list or delete; zero: a thousand, the maximum of S3
}

// S3 stores files in a bucket of MinIO, S3 or a compatible store. The bucket is private: it is read with these keys,
// or through a signed address.
type S3 struct {
	client *minio.Client
	bucket string
	region string
	wait   time.Duration // see patience
	atOnce int           // names
	ready  atomic.Bool   // the bucket exists
}

var _ Store = (*S3)(nil)

// A call that hangs is cancelled, so that a store that is down costs its caller seconds. A put has a second more for
// each mebibyte; a get may take as long as its reader needs, if only the store keeps sending.
const (
	patience   = 4 * time.Second
	perSecond  = 1 << 20
	tries      = 2 // the second is for a server that was just restarted
	maxSignTTL = 7 * 24 * time.Hour
)

// OpenS3 checks the settings of a bucket. It does not connect: a store that is down keeps no server from starting.
func OpenS3(c S3Config) (*S3, error) {
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" || u.User != nil {
		return nil, fmt.Errorf("store: the endpoint %q is not http(s)://host with no path", c.Endpoint)
	}
	if c.Bucket == "" || c.AccessKey == "" || c.SecretKey == "" {
		return nil, errors.New("store: a bucket needs a name, an access key and a secret key")
	}
	if c.Region == "" {
		c.Region = "us-east-1"
	}
	wait := cmp.Or(c.Patience, patience)
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""),
		Secure: u.Scheme == "https", Region: c.Region, MaxRetries: tries,
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: wait / 2, KeepAlive: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout:   wait / 2,
			ResponseHeaderTimeout: wait,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       time.Minute,
			DisableCompression:    true, // the bytes are those that were put
		},
	})
	if err != nil {
		return nil, err
	}
	return &S3{client: client, bucket: c.Bucket, region: c.Region, wait: wait, atOnce: cmp.Or(c.AtOnce, 1000)}, nil
}

// Prepare checks that the bucket exists, and makes it if it is missing and the keys allow that. Every method does so
// before its first call.
func (s *S3) Prepare(ctx context.Context) error {
	if s.ready.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	there, err := s.client.BucketExists(ctx, s.bucket)
	if minio.ToErrorResponse(err).Code == minio.AccessDenied {
		there, err = true, nil // keys without this permission may still read and write; the call itself will show
	}
	if err == nil && !there {
		err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
		if minio.ToErrorResponse(err).Code == minio.BucketAlreadyOwnedByYou { // another process was first
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("store: bucket %q: %w", s.bucket, err)
	}
	s.ready.Store(true)
	return nil
}

// begin is the first line of a call.
func (s *S3) begin(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if err := CheckKey(key); err != nil {
			return err
		}
	}
	return s.Prepare(ctx)
}

// Put stores data under key.
func (s *S3) Put(ctx context.Context, key, contentType string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, s.wait+time.Duration(len(data))*time.Second/perSecond)
	defer cancel()
	if err := s.begin(ctx, key); err != nil {
		return err
	}
	_, err := s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{
		ContentType: contentType, SendContentMd5: true, DisableMultipart: true,
	})
	return s.failed("put", key, err)
}

// Get opens the file under key. It can be read until ctx ends, at the reader's own pace: a store that sends nothing
// for longer than Patience is given up.
func (s *S3) Get(ctx context.Context, key string) (io.ReadCloser, Object, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(s.wait, cancel)
	giveUp := func(err error) (io.ReadCloser, Object, error) {
		timer.Stop()
		cancel()
		return nil, Object{}, err
	}
	if err := s.begin(ctx, key); err != nil {
		return giveUp(err)
	}
	body, info, _, err := (minio.Core{Client: s.client}).GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return giveUp(s.failed("get", key, err))
	}
	timer.Stop()
	object := Object{Key: key, Size: info.Size, ContentType: info.ContentType, Modified: info.LastModified.UTC()}
	return &reading{ReadCloser: body, timer: timer, wait: s.wait, cancel: cancel}, object, nil
}

// reading cancels a store that hangs while it is read, and ends its call when it is closed.
type reading struct {
	io.ReadCloser
	timer  *time.Timer // ends the call; runs while waiting for the store
	wait   time.Duration
	cancel context.CancelFunc
}

func (r *reading) Read(p []byte) (int, error) {
	r.timer.Reset(r.wait)
	defer r.timer.Stop()
	return r.ReadCloser.Read(p)
}

func (r *reading) Close() error {
	defer r.cancel()
	r.timer.Stop()
	return r.ReadCloser.Close()
}

// Delete deletes files, many in a call.
func (s *S3) Delete(ctx context.Context, keys ...string) error {
	for chunk := range slices.Chunk(keys, s.atOnce) {
		if err := s.deleteSome(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

func (s *S3) deleteSome(ctx context.Context, keys []string) error {
	ctx, cancel := context.WithTimeout(ctx, s.wait+time.Duration(len(keys))*20*time.Millisecond)
	defer cancel()
	if err := s.begin(ctx, keys...); err != nil {
		return err
	}
	if len(keys) == 1 { // a call that every S3 supports
		err := s.failed("delete", keys[0], s.client.RemoveObject(ctx, s.bucket, keys[0], minio.RemoveObjectOptions{}))
		if errors.Is(err, ErrNotFound) {
			err = nil
		}
		return err
	}
	names := make(chan minio.ObjectInfo, len(keys))
	for _, key := range keys {
		names <- minio.ObjectInfo{Key: key}
	}
	close(names)
	var errs []error
	for e := range s.client.RemoveObjects(ctx, s.bucket, names, minio.RemoveObjectsOptions{}) {
		if err := s.failed("delete", e.ObjectName, e.Err); err != nil && !errors.Is(err, ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// List yields the files below a prefix, many names a call.
func (s *S3) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		timer := time.AfterFunc(s.wait, cancel)
		defer timer.Stop()
		err := checkPrefix(prefix)
		if err == nil {
			err = s.begin(ctx)
		}
		if err != nil {
			yield(Object{}, err)
			return
		}
		for info := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, MaxKeys: s.atOnce}) {
			timer.Stop() // the caller's work on a name is not the store's time
			if info.Err != nil {
				yield(Object{}, s.failed("list", prefix, info.Err))
				return
			}
			if !yield(Object{Key: info.Key, Size: info.Size, Modified: info.LastModified.UTC()}, nil) {
				return
			}
			timer.Reset(s.wait)
		}
		if ctx.Err() != nil { // cancelled: a list then ends without an error
			yield(Object{}, s.failed("list", prefix, ctx.Err()))
		}
	}
}

// SignedURL returns an address of the store itself, valid for seven days at most.
func (s *S3) SignedURL(ctx context.Context, key, name string, ttl time.Duration) (string, error) {
	if err := errors.Join(CheckKey(key), CheckName(name)); err != nil {
		return "", err
	}
	if ttl < time.Second || ttl > maxSignTTL {
		return "", fmt.Errorf("store: invalid lifetime of an address: %s", ttl)
	}
	u, err := s.client.PresignedGetObject(ctx, s.bucket, key, ttl, url.Values{
		"response-content-disposition": {disposition(name)},
		"response-cache-control":       {fmt.Sprintf("private, max-age=%d, immutable", int(ttl.Seconds()))},
	})
	if err != nil {
		return "", s.failed("sign", key, err)
	}
	return u.String(), nil
}

// failed wraps an error of the store with the operation and the key. A missing key is no failure of the store.
func (s *S3) failed(what, key string, err error) error {
	if err == nil {
		return nil
	}
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return ErrNotFound
	}
	if minio.ToErrorResponse(err).Code == minio.NoSuchBucket {
		s.ready.Store(false) // it was deleted: the next call makes it again
	}
	return fmt.Errorf("store: %s %s: %w", what, key, err)
}
