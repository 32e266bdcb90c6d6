package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
)

// State is the progress of a photo.
type State string

// The states of a photo. Pages show ready ones.
const (
	Processing State = "processing"
	Ready      State = "ready"
	Failed     State = "failed" // its sizes cannot be made
)

// All lists the states.
func (State) All() []State { return []State{Processing, Ready, Failed} }

// Format is an image format.
type Format string

// The formats of photos. Sizes are stored as JPEG and as WebP.
const (
	JPEG Format = "jpeg"
	PNG  Format = "png"
	GIF  Format = "gif"
	WebP Format = "webp"
)

// All lists the formats.
func (Format) All() []Format { return []Format{JPEG, PNG, GIF, WebP} }

// Asset is a photo of a business.
type Asset struct {
	ID         uuid.UUID  `json:"id"`
	SHA256     string     `json:"sha256" db:"sha256"` // of the original, in hexadecimal
	Format     Format     `json:"format"`             // of the original
	Bytes      int64      `json:"bytes"`              // of the original
	Width      int        `json:"width"`              // upright, in pixels
	Height     int        `json:"height"`
	Color      string     `json:"color"` // the dominant colour: "#a1b2c3"
	Blur       []byte     `json:"blur"`  // a WebP of a few pixels, shown while the photo loads
	Title      string     `json:"title"`
	Alt        string     `json:"alt"` // alternative text
	Tags       []string   `json:"tags"`
	Sizes      []int      `json:"sizes"` // stored widths, ascending
	Made       int        `json:"made"`  // number of sizes made so far
	State      State      `json:"state"`
	ArchivedAt *time.Time `json:"archived_at"`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	Used       int        `json:"used"` // number of placements
}

// The limits of a photo and of a business's photos.
const (
	BytesMax   = 15 << 20
	TitleMax   = 120 // characters
	AltMax     = 300
	TagsMax    = 20
	TagMax     = 40
	AssetsMax  = 2000 // of a business
	PlacedMax  = 20   // of one subject
	titleEmpty = "Photo"
)

// HeightAt returns the height of the photo in one of its widths, in pixels.
func (a Asset) HeightAt(width int) int { return heightAt(a.Width, a.Height, width) }

func heightAt(w, h, width int) int { return max(1, (h*width+w/2)/w) }

// check trims the texts and records every error. Tags are kept once each, in their order.
func (a *Asset) check(c *fault.Checks) {
	a.Title, a.Alt = names.Clean(a.Title), names.Clean(a.Alt)
	c.That(a.Title != "" && isLine(a.Title, TitleMax), "title", "Write 1 to 120 characters on one line.")
	c.That(isLine(a.Alt, AltMax), "alt", "Write at most 300 characters on one line.")
	tags := []string{}
	for _, tag := range a.Tags {
		tag = names.Clean(tag)
		c.That(tag != "" && isLine(tag, TagMax), "tags", "Write 1 to 40 characters on one line for each.")
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	c.That(len(tags) <= TagsMax, "tags", "Use at most 20.")
	a.Tags = tags
}

func isLine(s string, limit int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= limit && !strings.ContainsFunc(s, unicode.IsControl)
}

// titleOf makes a title of a file name: IMG_2041.JPG is "IMG 2041".
func titleOf(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, name)
	name = names.Clean(name)
	if runes := []rune(name); len(runes) > TitleMax {
		name = strings.TrimSpace(string(runes[:TitleMax]))
	}
	if name == "" || name == "." {
		return titleEmpty
	}
	return name
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// folder is the folder of a photo's files, in the store and under Root.
func folder(business, asset uuid.UUID) string { return business.String() + "/" + asset.String() + "/" }

// originalKey is the key of a photo's original. Its name has the hash of its bytes, so that both can be compared.
func originalKey(business, asset uuid.UUID, sum string) string {
	return folder(business, asset) + "original-" + sum
}

// Root is the path of sizes.
const Root = "/media/"

// Path returns the path of one size of a photo. Its bytes never change. format is JPEG or WebP.
func Path(business, asset uuid.UUID, width int, format Format) string {
	return Root + sizeKey(business, asset, width, format)
}

func sizeKey(business, asset uuid.UUID, width int, format Format) string {
	return folder(business, asset) + strconv.Itoa(width) + extensions[format]
}

// extensions are those of the stored formats.
var extensions = map[Format]string{JPEG: ".jpg", WebP: ".webp"}

// contentTypes are the content types of files in the store and in answers, by format.
var contentTypes = map[Format]string{JPEG: "image/jpeg", PNG: "image/png", GIF: "image/gif", WebP: "image/webp"}

// SizeKey returns the key and the content type of the file served at Path, from the parts of that path. ok is false
// for anything but a size, such as an original or an invalid path.
func SizeKey(business, asset, file string) (key, contentType string, ok bool) {
	b, errB := uuid.Parse(business)
	a, errA := uuid.Parse(asset)
	name, ext, _ := strings.Cut(file, ".")
	width, err := strconv.Atoi(name)
	if err := errors.Join(errA, errB, err); err != nil || width < 1 {
		return "", "", false
	}
	for format, known := range extensions {
		if ext == known[1:] {
			key = sizeKey(b, a, width, format)
			return key, contentTypes[format], key == business+"/"+asset+"/"+file
		}
	}
	return "", "", false
}
