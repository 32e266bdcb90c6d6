package mediatest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/media/store"
)

// fetch requests an address as a browser without credentials does.
func fetch(ctx context.Context, address string) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer, string(body), err
}

// signed checks the signed addresses of a store.
func signed(t *testing.T, s store.Store) {
	put(t, s, "b1/aa/640.webp", "image/webp", []byte("a photo"))
	for name, want := range map[string]string{"": "inline", "Kräuter 1.webp": "attachment"} {
		address, err := s.SignedURL(t.Context(), "b1/aa/640.webp", name, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		answer, body, err := fetch(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != http.StatusOK || body != "a photo" || answer.Header.Get("Content-Type") != "image/webp" {
			t.Errorf("%s: %d %q as %s", address, answer.StatusCode, body, answer.Header.Get("Content-Type"))
		}
		how, params, err := mime.ParseMediaType(answer.Header.Get("Content-Disposition"))
		if err != nil || how != want || params["filename"] != name {
			t.Errorf("%q is to be shown as %q: %v", name, answer.Header.Get("Content-Disposition"), err)
		}
	}
	if _, err := s.SignedURL(t.Context(), "b1/aa/640.webp", "../x\".webp\r\n", time.Minute); err == nil {
		t.Error("a name with a line break was signed")
	}
	address, err := s.SignedURL(t.Context(), "b1/aa/640.webp", "", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		answer, _, err := fetch(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatal("an address for a second lasts longer than ten")
		}
	}
	address, err = s.SignedURL(t.Context(), "b1/aa/never.webp", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if answer, _, err := fetch(t.Context(), address); err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("nothing is there, and it says %v, %v", answer, err)
	}
}

// CheckAccess checks that only the owner of the secret gets access. A store without a secret does not pass.
func CheckAccess(ctx context.Context, o Opened) error {
	const key, other = "b1/aa/640.webp", "b2/aa/640.webp"
	for _, k := range []string{key, other} {
		if err := o.Store.Put(ctx, k, "image/webp", []byte("a photo")); err != nil {
			return err
		}
	}
	address, err := o.Store.SignedURL(ctx, key, "mine.webp", time.Minute)
	if err != nil {
		return err
	}
	if answer, _, err := fetch(ctx, address); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the right address is refused: %v %w", answer, err)
	}
	changed, err := tampered(address, key, other)
	if err != nil {
		return err
	}
	if o.Stranger != nil {
		if changed["signed by a stranger"], err = o.Stranger.SignedURL(ctx, key, "", time.Minute); err != nil {
			return err
		}
	}
	var errs []error
	for what, address := range changed {
		answer, body, err := fetch(ctx, address)
		if err != nil || answer.StatusCode < 400 || answer.StatusCode > 404 || strings.Contains(body, "a photo") {
			errs = append(errs, fmt.Errorf("%s: %v %w", what, answer, err))
		}
	}
	if o.Remote {
		errs = append(errs, strangerStaysOut(ctx, o.Stranger, key)...)
	}
	return errors.Join(errs...)
}

// tampered are the possible manipulations of one address.
func tampered(address, key, other string) (map[string]string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	with := func(change func(q url.Values)) string {
		v, q := *u, u.Query()
		change(q)
		v.RawQuery = q.Encode()
		return v.String()
	}
	out := map[string]string{
		"another key": strings.Replace(address, key, other, 1),
		"anonymous":   with(func(q url.Values) { clear(q) }),
		"longer": with(func(q url.Values) {
			for _, name := range []string{"until", "X-Amz-Expires"} {
				if q.Has(name) {
					q.Set(name, q.Get(name)+"0")
				}
			}
		}),
		"another name": with(func(q url.Values) {
			for _, name := range []string{"name", "response-content-disposition"} {
				if q.Has(name) {
					q.Set(name, "theirs.html")
				}
			}
		}),
		"a bad signature": with(func(q url.Values) {
			for _, name := range []string{"sig", "X-Amz-Signature"} {
				if s := []byte(q.Get(name)); len(s) > 0 {
					s[5] = map[bool]byte{true: 'a', false: 'b'}[s[5] == 'b']
					q.Set(name, string(s))
				}
			}
		}),
	}
	for what, changed := range out {
		if changed == address {
			return nil, fmt.Errorf("%s: the address %s is not changed", what, address)
		}
	}
	return out, nil
}

// strangerStaysOut calls everything with a wrong secret.
func strangerStaysOut(ctx context.Context, s store.Store, key string) []error {
	body, _, getErr := s.Get(ctx, key)
	if body != nil {
		body.Close()
	}
	var listErr error
	for _, listErr = range s.List(ctx, "") {
	}
	var errs []error
	for what, err := range map[string]error{
		"get": getErr, "put": s.Put(ctx, key, "image/webp", []byte("theirs")), "delete": s.Delete(ctx, key), "delete two": s.Delete(ctx, key, key+"2"),
		"list": listErr,
	} {
		if err == nil || errors.Is(err, store.ErrNotFound) {
			errs = append(errs, fmt.Errorf("%s with a wrong secret: %w", what, err))
		}
	}
	return errs
}
