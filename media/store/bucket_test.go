package store_test

import (
	"context"
	"net/url"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"foyer/media/store"
)

// dropBucket takes an empty bucket away, as an administrator would.
func dropBucket(ctx context.Context, c store.S3Config) error {
	u, err := url.Parse(c.Endpoint)
	if err != nil {
		return err
	}
	client, err := minio.New(u.Host, &minio.Options{Creds: credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""), Secure: u.Scheme == "https"})
	if err != nil {
		return err
	}
	return client.RemoveBucket(ctx, c.Bucket)
}
