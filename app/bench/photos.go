package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"mime/multipart"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"foyer/media/picture"
)

// The photo of the bench has three megapixels, and all five sizes.
const (
	photoWide, photoHigh = 2048, 1536
	photosOfRound        = 4
)

// photos compares a photo from its upload until its sizes are made with making the same sizes alone; and serving a
// size with nginx and the same bytes. A server with a worker does both, with photos in a folder. The CPU time is
// measured for the server alone: its worker also sweeps the whole seed. That changes the seed, so this workload is
// the last.
func (b *bench) photos(ctx context.Context) (rows []Row, err error) {
	cmd := b.Serve(ctx, b.url("foyer_app"))
	cmd.Args = append(cmd.Args, "--with-worker")
	cmd.Env = append(cmd.Env, "DATABASE_JOB_URL="+b.url("foyer_job"), "FOYER_PHOTOS_DIR="+filepath.Join(b.Dir, "photos"))
	s, err := startServer(cmd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	s.awaitReady()
	key, err := b.makeKey()
	if err != nil {
		return nil, err
	}
	photo, err := drawPhoto()
	if err != nil {
		return nil, err
	}
	u := &uploading{address: s.address, path: "/businesses/" + b.place.Business.String() + "/assets", key: key, photo: photo}
	name := fmt.Sprintf("photo of %d by %d, from its upload until its sizes are made", photoWide, photoHigh)
	rounds, err := b.compare(ctx, name,
		working("foyer", cpuOf{others: []int{s.cmd.Process.Pid}}, u.one),
		working("alone", cpuOf{others: []int{os.Getpid()}}, func(ctx context.Context, _ int) error {
			return picture.Make(ctx, photo, nil, func(picture.Variant) error { return nil })
		}))
	if err != nil {
		return nil, err
	}
	rows = against(name+", floor the sizes alone", rounds[0], rounds[1], Aim{}, Aim{Most: 1.5})
	more, err := b.size(ctx, s, u.size.Load().(string))
	return append(rows, more...), err
}

// working is a contender that does one after the other, so many a round: each takes longer than a window.
func working(name string, cpu cpuOf, op operation) contender {
	return contender{name, func(ctx context.Context, _ timing) (sample, error) {
		if err := op(ctx, 0); err != nil { // the first is not counted
			return sample{}, err
		}
		began, used := time.Now(), cpu.now() // real time: it is measured
		for range photosOfRound {
			if err := op(ctx, 0); err != nil {
				return sample{}, err
			}
		}
		return sample{rate: photosOfRound / time.Since(began).Seconds(), cpu: (cpu.now() - used) / photosOfRound}, nil
	}}
}

// size compares how a size is served with nginx.
func (b *bench) size(ctx context.Context, s *server, path string) (rows []Row, err error) {
	request := head("GET", path, "", "")
	c, err := dial(s.address)
	if err != nil {
		return nil, err
	}
	body, err := c.do(request)
	body = bytes.Clone(body)
	if err = errors.Join(err, c.conn.Close()); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("size of a photo of %.0f KB", float64(len(body))/1e3)
	foyer, closeFoyer, err := b.asking("foyer", s.address, request, cpuOf{others: []int{s.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeFoyer()
	web, err := startNginx(ctx, b.Dir, body)
	if err != nil {
		b.Say("nginx: " + err.Error())
		rounds, err := b.compare(ctx, name, foyer)
		if err != nil {
			return nil, err
		}
		return costing(name+"; there is no nginx to compare with", rounds[0], Aim{}), nil
	}
	defer func() { err = errors.Join(err, web.stop()) }()
	floor, closeFloor, err := b.asking("nginx", web.address, head("GET", web.path, "", ""), cpuOf{postmaster: web.cmd.Process.Pid})
	if err != nil {
		return nil, err
	}
	defer closeFloor()
	rounds, err := b.compare(ctx, name, foyer, floor)
	if err != nil {
		return nil, err
	}
	return against(name+", floor nginx", rounds[0], rounds[1], Aim{}, Aim{}), nil
}

// uploading uploads photos, each with different bytes.
type uploading struct {
	address, path, key string
	photo              []byte
	count              atomic.Int64
	size               atomic.Value // where one of the sizes of the last photo is served
}

// one uploads a photo and waits until its sizes are made.
func (u *uploading) one(context.Context, int) error {
	c, err := dial(u.address)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	request, err := u.request(u.count.Add(1))
	if err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // real time: it is measured
		body, err := c.do(request)
		if err != nil {
			return err
		}
		var photo struct {
			Data struct {
				ID, State string
				Variants  []struct{ JPEGURL string }
			}
		}
		if err := json.Unmarshal(body, &photo); err != nil {
			return err
		}
		switch {
		case photo.Data.State == "ready":
			at, err := url.Parse(photo.Data.Variants[len(photo.Data.Variants)/2].JPEGURL)
			if err != nil {
				return err
			}
			u.size.Store(at.Path)
			return nil
		case photo.Data.State == "failed" || time.Now().After(end): // real time
			return fmt.Errorf("bench: the photo %s is %s", photo.Data.ID, photo.Data.State)
		}
		request = head("GET", "/assets/"+photo.Data.ID, u.key, "")
	}
}

// request is an upload. A comment behind the first mark of the photo makes its bytes unique.
func (u *uploading) request(n int64) ([]byte, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "photo.jpg")
	if err != nil {
		return nil, err
	}
	mark := fmt.Sprintf("\xff\xfe\x00\x12%016d", n)
	if _, err := part.Write(append(append(bytes.Clone(u.photo[:2]), mark...), u.photo[2:]...)); err != nil {
		return nil, err
	}
	if err := form.Close(); err != nil {
		return nil, err
	}
	top := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bench.test\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		u.path, u.key, form.FormDataContentType(), body.Len())
	return append([]byte(top), body.Bytes()...), nil
}

// drawPhoto is a JPEG with the grain of a camera's.
func drawPhoto() ([]byte, error) {
	grain := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same photo in every run
	img := image.NewYCbCr(image.Rect(0, 0, photoWide, photoHigh), image.YCbCrSubsampleRatio420)
	for i := range img.Y {
		img.Y[i] = uint8(40 + i%photoWide*160/photoWide + grain.IntN(24))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = uint8(100+i/8%40), uint8(120+i/img.CStride*30/photoHigh)
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 85})
	return out.Bytes(), err
}
