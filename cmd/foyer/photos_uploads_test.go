package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/business"
)

// uploads is a server that photos are sent to.
type uploads struct {
	t        *testing.T
	server   *process
	business string
	key      string
}

type uploadAnswer struct {
	status int
	body   string
}

// photosServer starts a server that makes sizes, with a studio and an API key for uploads.
func photosServer(t *testing.T) uploads {
	t.Helper()
	w := apptest.Open(t)
	studio := w.Studio(t)
	x, _ := workHere(t, w)
	key, err := x.Business.CreateKey(t.Context(), studio.Owner, business.CreateKeyInput{Name: "Uploads"})
	if err != nil {
		t.Fatal(err)
	}
	server, err := startProcess([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"), "FOYER_SECRET=" + killSecret,
		"FOYER_SEAL_KEYS=" + killSealKeys,
		"DATABASE_URL=" + w.URL("foyer_app"), "DATABASE_JOB_URL=" + w.URL("foyer_job"), "DATABASE_MAX_CONNS=4", "FOYER_PHOTOS_DIR=" + t.TempDir(),
	}, "--with-worker")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.kill)
	return uploads{t, server, studio.Business.ID.String(), key.Key}
}

func (u uploads) call(method, path, contentType string, body io.Reader) uploadAnswer {
	r, err := http.NewRequestWithContext(u.t.Context(), method, u.server.base+path, body)
	if err != nil {
		return uploadAnswer{body: err.Error()}
	}
	r.Header.Set("Authorization", "Bearer "+u.key)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return uploadAnswer{body: err.Error()}
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		return uploadAnswer{body: err.Error()}
	}
	return uploadAnswer{res.StatusCode, string(got)}
}

// send uploads so many files at once, and returns the answers.
func (u uploads) send(count int, file func(n int) []byte) []uploadAnswer {
	u.t.Helper()
	answers := make([]uploadAnswer, count)
	var all sync.WaitGroup
	for n := range answers {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", fmt.Sprintf("photo_%d", n))
		if err == nil {
			_, err = part.Write(file(n))
		}
		if err == nil {
			err = form.Close()
		}
		if err != nil {
			u.t.Fatal(err)
		}
		all.Go(func() {
			answers[n] = u.call(http.MethodPost, "/businesses/"+u.business+"/assets", form.FormDataContentType(), &body)
		})
	}
	all.Wait()
	return answers
}

// waitFor waits until the sizes of an uploaded photo are made, and returns their addresses.
func (u uploads) waitFor(a uploadAnswer) (sizes []string) {
	u.t.Helper()
	var photo struct {
		Data struct {
			ID, State string
			Variants  []struct{ JPEGURL, WebPURL string }
		}
	}
	for end := time.Now().Add(2 * time.Minute); photo.Data.State != "ready"; time.Sleep(100 * time.Millisecond) {
		if err := json.Unmarshal([]byte(a.body), &photo); err != nil || time.Now().After(end) {
			u.t.Fatalf("not ready: %s, %v", a.body, err)
		}
		a = u.call(http.MethodGet, "/assets/"+photo.Data.ID, "", nil)
	}
	for _, v := range photo.Data.Variants {
		sizes = append(sizes, v.JPEGURL, v.WebPURL)
	}
	return sizes
}

// photoOf is a JPEG as a camera writes it: with grain, some megabytes.
func photoOf(t *testing.T, w, h int) []byte {
	t.Helper()
	grain := rand.New(rand.NewPCG(1, 2))
	img := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for i := range img.Y {
		img.Y[i] = uint8(40 + i%w*160/w + grain.IntN(24))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = uint8(100+i/8%40), uint8(120+i/img.CStride*30/h)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 85}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
