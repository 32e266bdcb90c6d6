package view

import (
	"encoding/base64"
	"fmt"
	"strings"

	"foyer/media"
)

// Photo is a photo with the addresses of its sizes. The browser takes the smallest that fills its place.
type Photo struct {
	Alt           string // empty for a decorative photo
	Width, Height int    // of the largest size
	Blur          string // a few pixels of it, shown until the photo is there
	Src           string // for browsers without support for sets
	JPEG, WebP    string // sets of addresses with their widths
}

// PhotoOf shows a photo.
func PhotoOf(p media.Photo) Photo {
	largest := p.Sizes[len(p.Sizes)-1]
	return Photo{
		Alt: p.Alt, Width: largest, Height: p.HeightAt(largest), Blur: "data:image/webp;base64," + base64.StdEncoding.EncodeToString(p.Blur),
		Src: p.Path(largest, media.JPEG), JPEG: set(p, media.JPEG), WebP: set(p, media.WebP),
	}
}

// PhotosOf shows photos in their order.
func PhotosOf(list []media.Photo) []Photo {
	out := make([]Photo, len(list))
	for i, p := range list {
		out[i] = PhotoOf(p)
	}
	return out
}

func set(p media.Photo, format media.Format) string {
	all := make([]string, len(p.Sizes))
	for i, width := range p.Sizes {
		all[i] = fmt.Sprintf("%s %dw", p.Path(width, format), width)
	}
	return strings.Join(all, ", ")
}

// loading is the loading priority of a photo: immediate for the first on the page.
func (p Photo) loading(first bool) (loading, priority string) {
	if first {
		return "eager", "high"
	}
	return "lazy", "auto"
}

// Widths of photos, as browsers learn them before they have the style.
const (
	sizesAbout  = "(min-width: 56rem) 40rem, 100vw"
	sizesBanner = "(min-width: 66rem) 62rem, 100vw"
	sizesThumb  = "5rem"
)
