package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/business"
)

// TestMemoryOfUploads: a server with its worker stays under 300 MB, all that it is counted in, while ten people upload a photo of 12
// megapixels at once and the sizes are made. Ten bombs at once are refused, and take no more than one may by itself. A204.
func TestMemoryOfUploads(t *testing.T) {
	w := apptest.Open(t)
	studio := w.Studio(t)
	x, _ := workHere(t, w)
	key, err := x.business.CreateKey(t.Context(), studio.Owner, business.CreateKeyInput{Name: "Uploads"})
	if err != nil {
		t.Fatal(err)
	}
	server, err := startProcess([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"), "FOYER_SECRET=" + killSecret,
		"DATABASE_URL=" + w.URL("foyer_app"), "DATABASE_JOB_URL=" + w.URL("foyer_job"), "DATABASE_MAX_CONNS=4", "FOYER_PHOTOS_DIR=" + t.TempDir(),
	}, "--with-worker")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.kill)
	u := uploads{t, server, studio.Business.ID.String(), key.Key}

	photo := photoOf(t, 4000, 3000)
	answers := u.send(10, func(n int) []byte { return commented(photo, n) })
	for _, a := range answers {
		if a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for _, a := range answers {
		u.waitFor(a)
	}
	peak := u.peak()
	t.Logf("ten photos of %d kB: %d MB", len(photo)>>10, peak)
	if peak >= 300 {
		t.Errorf("ten photos of 12 megapixels took %d MB", peak)
	}

	for reason, bomb := range map[string][]byte{"photo_too_large": bombOf(t, 12_000, 4_000, true), "photo_broken": bombOf(t, 8_000, 5_000, false)} {
		for _, a := range u.send(10, func(int) []byte { return bomb }) {
			if a.status != http.StatusBadRequest || !strings.Contains(a.body, reason) {
				t.Errorf("%s: %d %s", reason, a.status, a.body)
			}
		}
	}
	peak = u.peak()
	t.Logf("ten bombs: %d MB", peak)
	if peak >= 500 {
		t.Errorf("ten bombs took %d MB", peak)
	}
}

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

// waitFor waits until the sizes of an uploaded photo are made.
func (u uploads) waitFor(a uploadAnswer) {
	u.t.Helper()
	var photo struct {
		Data struct{ ID, State string }
	}
	for end := time.Now().Add(2 * time.Minute); photo.Data.State != "ready"; time.Sleep(100 * time.Millisecond) {
		if err := json.Unmarshal([]byte(a.body), &photo); err != nil || time.Now().After(end) {
			u.t.Fatalf("not ready: %s, %v", a.body, err)
		}
		a = u.call(http.MethodGet, "/assets/"+photo.Data.ID, "", nil)
	}
}

// peak is the most memory that the server ever had, in MB, as the kernel counts it.
func (u uploads) peak() int {
	u.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", u.server.cmd.Process.Pid))
	if err != nil {
		u.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		u.t.Fatal(err)
	}
	return kB >> 10
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

// commented is the same picture in other bytes: with a comment behind the first mark.
func commented(data []byte, n int) []byte {
	comment := []byte{0xff, 0xfe, 0, 4, byte(n), byte(n)}
	return append(append(bytes.Clone(data[:2]), comment...), data[2:]...)
}

// bombOf is a PNG of some kilobytes that unfolds into w x h pixels, whole or without its last row.
func bombOf(t *testing.T, w, h int, whole bool) []byte {
	t.Helper()
	var packed bytes.Buffer
	z, row := zlib.NewWriter(&packed), make([]byte, 1+2*w)
	for n := range h {
		if n == h-1 && !whole {
			break
		}
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	for _, chunk := range []struct {
		kind string
		body []byte
	}{{"IHDR", append(head, 8, 4, 0, 0, 0)}, {"IDAT", packed.Bytes()}, {"IEND", nil}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(chunk.body)))
		at := len(out)
		out = append(append(out, chunk.kind...), chunk.body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at:]))
	}
	return out
}
