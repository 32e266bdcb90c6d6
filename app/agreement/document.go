package agreement

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
)

// Show is the display of a document to customers.
type Show string

// Displays. A174-A177.
const (
	ShowList  Show = "list"  // a checkbox, with a link to the text
	ShowPopup Show = "popup" // the text, and a button to agree
	ShowFull  Show = "full"  // the text, to be scrolled to its end
)

// All returns all values.
func (Show) All() []Show { return []Show{ShowList, ShowPopup, ShowFull} }

// Frequency determines when a document must be signed.
type Frequency string

// Frequencies.
const (
	Once         Frequency = "once"
	EveryBooking Frequency = "every_booking"
)

// All returns all values.
func (Frequency) All() []Frequency { return []Frequency{Once, EveryBooking} }

// Kind is the kind of a copy.
type Kind string

// Kinds.
const (
	KindText Kind = "text"
	KindPDF  Kind = "pdf"
)

// All returns all values.
func (Kind) All() []Kind { return []Kind{KindText, KindPDF} }

// Format is the format of a text.
type Format string

// Formats.
const (
	Plain    Format = "plain"
	Markdown Format = "markdown"
)

// All returns all values.
func (Format) All() []Format { return []Format{Plain, Markdown} }

// Document is a waiver or terms of a location.
type Document struct {
	ID           uuid.UUID   `json:"id"`
	LocationID   uuid.UUID   `json:"location_id"`
	Name         string      `json:"name"`
	Show         Show        `json:"show"`
	Frequency    Frequency   `json:"frequency"`
	EveryListing bool        `json:"every_listing"`                  // required by all offerings of the location
	OfferingIDs  []uuid.UUID `json:"offering_ids" db:"offering_ids"` // otherwise: offerings that require it
	Position     int         `json:"position"`                       // sort order, ascending
	Round        int         `json:"round"`
	CopyNumber   int         `json:"copy_number"`
	ArchivedAt   *time.Time  `json:"archived_at"`
	Version      int64       `json:"version"`
	CreatedAt    time.Time   `json:"created_at"`
	UpdatedAt    time.Time   `json:"updated_at"`
	Copy         Copy        `json:"copy"` // the current one
}

// Copy is the content of a document from one moment on.
type Copy struct {
	ID         uuid.UUID `json:"id"`
	DocumentID uuid.UUID `json:"document_id"`
	Number     int       `json:"number"`
	Kind       Kind      `json:"kind"`
	Format     *Format   `json:"format"`   // of a text
	Body       *string   `json:"body"`     // of a text; nil if not read
	Language   string    `json:"language"` // of those words, "en"; empty where it was not written down, or is not read
	// Translations are the text in further languages; nil if not read.
	Translations []Translation `json:"translations"`
	FileKey      *string       `json:"file_key"`           // of a PDF
	SHA256       []byte        `json:"sha256" db:"sha256"` // of the text in UTF-8, or of the file
	Bytes        int           `json:"bytes"`
	PageCount    *int          `json:"page_count"` // of a PDF, if known
	ActorName    string        `json:"actor_name"` // its author
	CreatedAt    time.Time     `json:"created_at"`
	// Pages are the Markdown text as HTML, by the language of the translation; the empty key is the copy's own text.
	// Nil if not read, for other copies, and for copies from before HTML was stored.
	Pages map[string]string `json:"html" db:"html"`

	said string // the language of Pages chosen by In
}

// Translation is the text of a copy in one more language.
type Translation struct {
	Language string `json:"language"` // a language of package words
	Body     string `json:"body"`
	SHA256   []byte `json:"sha256"` // of the body in UTF-8
}

// In returns the copy in a language: as its translation if there is one, else as its own text. Language is set to it.
func (k Copy) In(language string) Copy {
	for _, t := range k.Translations {
		if t.Language == language {
			k.Body, k.Language, k.SHA256, k.Bytes, k.said = &t.Body, t.Language, t.SHA256, len(t.Body), t.Language
		}
	}
	return k
}

// translated reports whether the copy has a translation into a language.
func (k Copy) translated(language string) bool {
	return slices.ContainsFunc(k.Translations, func(t Translation) bool { return t.Language == language })
}

// Bounds of a document.
const (
	NameMax      = 120      // characters
	BodyMax      = 100_000  // characters
	FileMax      = 20 << 20 // bytes
	ListedMax    = 200      // offerings listed for one document
	DocumentsMax = 100      // of one location, archived ones included
	placeMax     = 1000     // of Position
)

// check trims the name, sorts the offerings and records every error.
func (d *Document) check(c *fault.Checks) {
	d.Name = names.Clean(d.Name)
	c.That(d.Name != "", "name", "Enter a name.")
	c.That(utf8.RuneCountInString(d.Name) <= NameMax, "name", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(d.Name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"name", "This contains a character that cannot be printed. Remove it.")
	c.That(slices.Contains(ShowList.All(), d.Show), "show", "Use list, popup or full.")
	c.That(slices.Contains(Once.All(), d.Frequency), "frequency", "Use once or every_booking.")
	c.That(d.Position >= 0 && d.Position <= placeMax, "position", "Use 0 to 1000.")
	d.OfferingIDs = each(d.OfferingIDs)
	c.That(len(d.OfferingIDs) <= ListedMax, "offeringIds", "List at most 200 offerings.")
}

// each returns every id once, in order; never nil.
func each(ids []uuid.UUID) []uuid.UUID {
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b uuid.UUID) int { return cmp.Compare(a.String(), b.String()) })
	if out = slices.Compact(out); out == nil {
		out = []uuid.UUID{}
	}
	return out
}

// reask begins a round: everyone signs again at their next booking.
func (d *Document) reask() { d.Round++ }

// Path returns the URL path of a copy: its text, or its file.
func Path(business, copy uuid.UUID) string {
	return "/agreements/" + business.String() + "/" + copy.String()
}

// PathIn returns the URL path of a copy in a language. Without one, or without such a translation, it is the copy's
// own text. An acceptance links to its text in its own language, whatever language its reader has now.
func PathIn(business, copy uuid.UUID, language string) string {
	if language == "" {
		return Path(business, copy)
	}
	return Path(business, copy) + "?" + WordsIn + "=" + language
}

// WordsIn is the query parameter with the language of the text.
const WordsIn = "words"
