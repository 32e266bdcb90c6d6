package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrUnsigned means that an address was not signed here, was changed, or has expired. An answer must not reveal more
// than that.
var ErrUnsigned = errors.New("store: address unsigned or expired")

// Signed is a file opened by a signed address.
type Signed struct {
	Object
	Body   io.ReadCloser // its type, with protection against sniffing and scripts, and the cache lifetime
	Header http.Header   // its type, with protection against sniffing and scripts, and the cache lifetime
}

// SignedURL returns an address below DirConfig.URL.
func (d *Dir) SignedURL(ctx context.Context, key, name string, ttl time.Duration) (string, error) {
	if err := errors.Join(CheckKey(key), CheckName(name), ctx.Err()); err != nil {
		return "", err
	}
	if ttl <= 0 {
		return "", fmt.Errorf("store: invalid lifetime of an address: %s", ttl)
	}
	until := strconv.FormatInt(d.clock.Now().Add(ttl).Unix(), 10)
	q := url.Values{"until": {until}, "sig": {d.sign(key, name, until)}}
	if name != "" {
		q.Set("name", name)
	}
	return d.url + "/" + key + "?" + q.Encode(), nil
}

// sign signs the parts of an address. None of the three can hold the line break between them.
func (d *Dir) sign(key, name, until string) string {
	mac := hmac.New(sha256.New, d.secret)
	io.WriteString(mac, key+"\n"+name+"\n"+until)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// OpenSigned opens the file of an address from SignedURL. key is the part after DirConfig.URL and its slash. Errors:
// ErrUnsigned for every invalid address; ErrNotFound.
func (d *Dir) OpenSigned(ctx context.Context, key string, query url.Values) (Signed, error) {
	name, until := query.Get("name"), query.Get("until")
	if CheckKey(key) != nil || CheckName(name) != nil || !hmac.Equal([]byte(query.Get("sig")), []byte(d.sign(key, name, until))) {
		return Signed{}, ErrUnsigned
	}
	end, err := strconv.ParseInt(until, 10, 64)
	left := end - d.clock.Now().Unix()
	if err != nil || left <= 0 {
		return Signed{}, ErrUnsigned
	}
	body, object, err := d.Get(ctx, key)
	if err != nil {
		return Signed{}, err
	}
	h := http.Header{
		"Content-Type":            {object.ContentType},
		"X-Content-Type-Options":  {"nosniff"},
		"Content-Security-Policy": {"default-src 'none'; sandbox"},
		"Cache-Control":           {fmt.Sprintf("private, max-age=%d, immutable", left)},
		"Content-Disposition":     {disposition(name)},
	}
	return Signed{Object: object, Body: body, Header: h}, nil
}

// disposition is the header for saving a file under a name, or for showing it.
func disposition(name string) string {
	if name == "" {
		return "inline"
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}

// Handler serves the addresses of SignedURL. Mount it at DirConfig.URL with that path stripped. It answers 404 to an
// address that is not signed, without further details.
func (d *Dir) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only to be read", http.StatusMethodNotAllowed)
			return
		}
		s, err := d.OpenSigned(r.Context(), strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query())
		switch {
		case errors.Is(err, ErrUnsigned), errors.Is(err, ErrNotFound):
			http.Error(w, "there is nothing under this address", http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, "it cannot be read now", http.StatusInternalServerError)
			return
		}
		defer s.Body.Close()
		for name, values := range s.Header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Length", strconv.FormatInt(s.Size, 10))
		if r.Method == http.MethodGet {
			_, _ = io.Copy(w, s.Body) // a reader that goes away is no error of ours
		}
	})
}
