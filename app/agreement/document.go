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

// Show is how a document is put before customers.
type Show string

// The ways. A174-A177.
const (
	ShowList  Show = "list"  // a box to tick, with a link to the words
	ShowPopup Show = "popup" // the words, and a button to agree
	ShowFull  Show = "full"  // the words, to be read to their end
)

// All lists them.
func (Show) All() []Show { return []Show{ShowList, ShowPopup, ShowFull} }

// Frequency is how often a document is asked.
type Frequency string

// The frequencies.
const (
	Once         Frequency = "once"
	EveryBooking Frequency = "every_booking"
)

// All lists them.
func (Frequency) All() []Frequency { return []Frequency{Once, EveryBooking} }

// Kind is what a copy is.
type Kind string

// The kinds.
const (
	KindText Kind = "text"
	KindPDF  Kind = "pdf"
)

// All lists them.
func (Kind) All() []Kind { return []Kind{KindText, KindPDF} }

// Format is how the words of a text are written.
type Format string

// The formats.
const (
	Plain    Format = "plain"
	Markdown Format = "markdown"
)

// All lists them.
func (Format) All() []Format { return []Format{Plain, Markdown} }

// Document is a waiver or terms of a location.
type Document struct {
	ID           uuid.UUID   `json:"id"`
	LocationID   uuid.UUID   `json:"location_id"`
	Name         string      `json:"name"`
	Show         Show        `json:"show"`
	Frequency    Frequency   `json:"frequency"`
	EveryListing bool        `json:"every_listing"`                  // asked by all offerings of the location, those of tomorrow too
	OfferingIDs  []uuid.UUID `json:"offering_ids" db:"offering_ids"` // which ask for it else
	Position     int         `json:"position"`                       // lower ones are asked first
	Round        int         `json:"round"`
	CopyNumber   int         `json:"copy_number"`
	ArchivedAt   *time.Time  `json:"archived_at"`
	Version      int64       `json:"version"`
	CreatedAt    time.Time   `json:"created_at"`
	UpdatedAt    time.Time   `json:"updated_at"`
	Copy         Copy        `json:"copy"` // of today
}

// Copy is what a document said from one moment on.
type Copy struct {
	ID         uuid.UUID `json:"id"`
	DocumentID uuid.UUID `json:"document_id"`
	Number     int       `json:"number"`
	Kind       Kind      `json:"kind"`
	Format     *Format   `json:"format"`   // of a text
	Body       *string   `json:"body"`     // of a text; nil where it is not read
	Language   string    `json:"language"` // of those words, "en"; empty where it was not written down, or is not read
	// Translations are the same words in further languages; nil where they are not read.
	Translations []Translation `json:"translations"`
	FileKey      *string       `json:"file_key"`           // of a PDF
	SHA256       []byte        `json:"sha256" db:"sha256"` // of the words in UTF-8, or of the file
	Bytes        int           `json:"bytes"`
	PageCount    *int          `json:"page_count"` // of a PDF, when it could be told
	ActorName    string        `json:"actor_name"` // who wrote it
	CreatedAt    time.Time     `json:"created_at"`
	// Pages are the words in Markdown as HTML, by the language of the translation; an empty one is that of the copy's own words. Nil where they
	// are not read, of other copies, and of copies from before they were kept.
	Pages map[string]string `json:"html" db:"html"`

	said string // the language of Pages that In has chosen
}

// Translation is what a copy says in one more language.
type Translation struct {
	Language string `json:"language"` // one that package words speaks
	Body     string `json:"body"`
	SHA256   []byte `json:"sha256"` // of the body in UTF-8
}

// In is the copy in a language: with the translation where there is one, else with its own words. Language says which it is.
func (k Copy) In(language string) Copy {
	for _, t := range k.Translations {
		if t.Language == language {
			k.Body, k.Language, k.SHA256, k.Bytes, k.said = &t.Body, t.Language, t.SHA256, len(t.Body), t.Language
		}
	}
	return k
}

// translated tells whether the copy has a translation of its own into a language.
func (k Copy) translated(language string) bool {
	return slices.ContainsFunc(k.Translations, func(t Translation) bool { return t.Language == language })
}

// The bounds of a document.
const (
	NameMax      = 120      // characters
	BodyMax      = 100_000  // characters
	FileMax      = 20 << 20 // bytes
	ListedMax    = 200      // offerings that one document names
	DocumentsMax = 100      // of one location, with those that were archived
	placeMax     = 1000     // of Position
)

// check trims the name, sorts the offerings and records everything that is wrong.
func (d *Document) check(c *fault.Checks) {
	d.Name = names.Clean(d.Name)
	c.That(d.Name != "", "name", "Give it a name.")
	c.That(utf8.RuneCountInString(d.Name) <= NameMax, "name", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(d.Name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"name", "There is a character in it that cannot be printed.")
	c.That(slices.Contains(ShowList.All(), d.Show), "show", "Use list, popup or full.")
	c.That(slices.Contains(Once.All(), d.Frequency), "frequency", "Use once or every_booking.")
	c.That(d.Position >= 0 && d.Position <= placeMax, "position", "Use 0 to 1000.")
	d.OfferingIDs = each(d.OfferingIDs)
	c.That(len(d.OfferingIDs) <= ListedMax, "offeringIds", "Name at most 200.")
}

// each is every id once, in order; never nil.
func each(ids []uuid.UUID) []uuid.UUID {
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b uuid.UUID) int { return cmp.Compare(a.String(), b.String()) })
	if out = slices.Compact(out); out == nil {
		out = []uuid.UUID{}
	}
	return out
}

// reask begins a round: everyone is asked at their next booking.
func (d *Document) reask() { d.Round++ }

// Path is where a browser reads a copy: its words, or its file.
func Path(business, copy uuid.UUID) string {
	return "/agreements/" + business.String() + "/" + copy.String()
}

// PathIn is where a browser reads a copy in a language; without one, or in one that the copy is not translated into, the copy's own words. What
// was agreed to is opened in the language of its acceptance, whatever language its reader has by then.
func PathIn(business, copy uuid.UUID, language string) string {
	if language == "" {
		return Path(business, copy)
	}
	return Path(business, copy) + "?" + WordsIn + "=" + language
}

// WordsIn is the parameter of the address that names the language of the words.
const WordsIn = "words"
