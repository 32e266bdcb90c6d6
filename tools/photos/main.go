// Command photos measures what five sizes of a photo of 12 megapixels cost: by the product, by imaging as it is usually written, and by
// libvips where its vipsthumbnail is on this machine. It prints a table of processor time and of ratios; "make bench-photos" calls it.
//
// It stands here and not in foyer bench, because it decodes a photo with package image and whatever is registered
// there, which nothing in the product does.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/disintegration/imaging"

	"foyer/media/picture"
)

func main() {
	rounds := flag.Int("rounds", 5, "rounds; the table has their medians")
	photo := flag.String("photo", "", "a JPEG of your own instead of the one that is drawn here")
	flag.Parse()
	if err := run(*rounds, *photo); err != nil {
		fmt.Fprintln(os.Stderr, "photos:", err)
		os.Exit(1)
	}
}

// quality is the product's.
const quality = 82

// contender makes five JPEGs, from large to small.
type contender struct {
	name string
	make func(photo []byte, file string) error
	took []float64 // seconds of processor, by round
}

func run(rounds int, photo string) error {
	dir, err := os.MkdirTemp("", "foyer-photos-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	data, err := read(photo)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "photo.jpg")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return err
	}
	all := []*contender{
		{name: "foyer"},
		{name: "imaging, each from the whole", make: naive},
	}
	if _, err := exec.LookPath("vipsthumbnail"); err == nil {
		all = append(all, &contender{name: "vipsthumbnail, each from the photo", make: each}, &contender{name: "vipsthumbnail, each from the larger", make: chained})
	}
	var webp []float64
	for round := range rounds + 1 { // the first is not counted
		for i := range all {
			c := all[(i+round)%len(all)]
			began := processor()
			took := 0.0
			if c.make == nil {
				var inWebP float64
				took, inWebP, err = ours(data)
				webp = append(webp, inWebP)
			} else {
				err = c.make(data, file)
				took = processor() - began
			}
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.took = append(c.took, took)
		}
	}
	fmt.Print("| five sizes of 12 megapixels | CPU s | foyer's over it (rounds) |\n|---|---:|---:|\n")
	for _, c := range all {
		c.took = c.took[1:]
		var ratios []float64
		for i := range c.took {
			ratios = append(ratios, all[0].took[i]/c.took[i])
		}
		fmt.Printf("| JPEG: %s | %.2f | %.2f (%.2f to %.2f) |\n", c.name, median(c.took), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	fmt.Printf("| WebP: foyer, beside them | %.2f | |\n", median(webp[1:]))
	return nil
}

// ours tells the processor time of the JPEGs and of the WebPs apart: Make gives one after the other.
func ours(data []byte) (inJPEG, inWebP float64, err error) {
	last := processor()
	err = picture.Make(context.Background(), data, nil, func(v picture.Variant) error {
		now := processor()
		if v.Format == "jpeg" {
			inJPEG += now - last
		} else {
			inWebP += now - last
		}
		last = now
		return nil
	})
	return inJPEG, inWebP, err
}

func naive(data []byte, _ string) error {
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, w := range slices.Backward(picture.Sizes(m.Bounds().Dx(), m.Bounds().Dy())) {
		var out bytes.Buffer
		if err := jpeg.Encode(&out, imaging.Resize(m, w, 0, imaging.Lanczos), &jpeg.Options{Quality: quality}); err != nil {
			return err
		}
	}
	return nil
}

func each(data []byte, file string) error { return thumbnails(data, file, false) }

func chained(data []byte, file string) error { return thumbnails(data, file, true) }

func thumbnails(data []byte, file string, chain bool) error {
	c, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, w := range slices.Backward(picture.Sizes(c.Width, c.Height)) {
		to := filepath.Join(filepath.Dir(file), fmt.Sprintf("%d.jpg", w))
		cmd := exec.Command("vipsthumbnail", file, "--size", fmt.Sprintf("%dx", w), "-o", fmt.Sprintf("%s[Q=%d,strip]", to, quality)) //nolint:gosec // our own file
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
		if chain {
			file = to
		}
	}
	return nil
}

// processor is the seconds that this process and those it waited for have used.
func processor() float64 {
	sum := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum.Seconds()
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// read is somebody's photo, or one with areas that run into each other, edges and noise.
func read(photo string) ([]byte, error) {
	if photo != "" {
		return os.ReadFile(photo)
	}
	const w, h = 4000, 3000
	r := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/w, float64(y)/h
			v := 0.5 + 0.2*math.Sin(40*fx*fx+9*fy) + 0.15*math.Sin(70*fy-30*fx*fy) + 0.03*r.NormFloat64()
			if math.Hypot(fx-0.5, fy-0.4) < 0.2 {
				v = 1 - v
			}
			m.SetRGBA(x, y, color.RGBA{level(v), level(0.3 + 0.5*v*fy), level(0.9 - v*fx), 255})
		}
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 92})
	return out.Bytes(), err
}

func level(v float64) byte { return byte(min(max(v*255, 0), 255)) }
