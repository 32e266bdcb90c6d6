package view

import (
	"encoding/base64"
	"fmt"
	"strings"

	"foyer/media"
)

// Photo is a photo with the addresses of its sizes. The browser takes the smallest that fills the place where it is shown.
type Photo struct {
	Alt           string // empty: it says nothing that the words beside it do not say
	Width, Height int    // of the largest size
	Blur          string // a few pixels of it, shown until the photo is there
	Src           string // for browsers that know no sets
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

// loading is how soon the browser has to have a photo: at once when it is the first thing to be seen.
func (p Photo) loading(first bool) (loading, priority string) {
	if first {
		return "eager", "high"
	}
	return "lazy", "auto"
}

// How wide photos are shown, as browsers are told before they know the style.
const (
	sizesAbout  = "(min-width: 56rem) 40rem, 100vw"
	sizesBanner = "(min-width: 66rem) 62rem, 100vw"
	sizesThumb  = "5rem"
)
