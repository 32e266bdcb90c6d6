package agreement

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Evidence is one acceptance with all that is known of it, and the exact words that were agreed to. Everything in it was written down when
// somebody agreed and never changes, but for names, which are those of now.
type Evidence struct {
	ID           uuid.UUID // of the acceptance
	BusinessID   uuid.UUID
	BusinessName string
	LocationID   uuid.UUID
	LocationName string
	Zone         string // of the location, "Europe/Lisbon"
	Language     string // of the location, "pt"
	Country      string // of the location, "PT"; may be empty
	CustomerID   uuid.UUID
	Customer     string // their name; may be empty
	Email        string // may be empty
	PersonID     *uuid.UUID
	Attendee     *string // as Acceptance.Attendee
	Name         string  // of the document
	Copy         Copy    // that was agreed to, in the language in which it was shown
	WordsIn      string  // that language, where it was a translation; empty: the copy's own words
	File         []byte  `db:"-"` // of a PDF
	Round        int
	Source       Source
	Shown        *Shown // nil: on paper
	ActorName    string // who wrote it down, for what was on paper; may be empty
	IP           string // of the browser; may be empty
	UserAgent    string // of the browser; may be empty
	CartID       *uuid.UUID
	Bookings     []EvidenceBooking // that it was agreed to for
	CreatedAt    time.Time
}

// EvidenceBooking is a booking that somebody agreed for.
type EvidenceBooking struct {
	ID       uuid.UUID `json:"id"`
	Name     string    `json:"name"` // of what is booked
	StartsAt time.Time `json:"starts_at"`
}

// EvidenceInput names what a customer agreed to at a location.
type EvidenceInput struct {
	StatusInput
	DocumentID   uuid.UUID
	AcceptanceID *uuid.UUID // nil: the latest
}

// Evidence returns what proves that a customer agreed to a document, in use or archived. It needs crm.view for the customer and at the
// location. Errors: policy.ErrMissingFeature; not found for a customer, location or document that is not there, and where they have not
// agreed to it.
func (s *Service) Evidence(ctx context.Context, sc tenancy.Scope, in EvidenceInput) (Evidence, error) {
	view := s.db.View(sc.Tenant)
	if err := in.open(ctx, view, sc, policy.CRMView); err != nil {
		return Evidence{}, err
	}
	e, err := findEvidence(ctx, view, in)
	if err != nil {
		return Evidence{}, err
	}
	if e.Copy, err = s.Shown(ctx, sc.Tenant, e.Copy); err != nil {
		return Evidence{}, err
	}
	e.Copy = e.Copy.In(e.WordsIn)
	if e.Copy.Kind == KindPDF {
		if e.File, err = s.File(ctx, e.Copy); err != nil {
			return Evidence{}, err
		}
	}
	if sum := sha256.Sum256(e.Content()); !bytes.Equal(sum[:], e.Copy.SHA256) {
		return Evidence{}, fmt.Errorf("agreement: copy %s is not what was agreed to: its hash is %x", e.Copy.ID, sum)
	}
	return e, nil
}

// record is Evidence as it is hashed. Its members keep their names and their order: a hash that was written down once can be made again.
type record struct {
	Record     string         `json:"record"` // which members there are
	Acceptance uuid.UUID      `json:"acceptance"`
	Business   named          `json:"business"`
	Location   named          `json:"location"`
	Customer   party          `json:"customer"`
	Document   said           `json:"document"`
	AgreedAt   string         `json:"agreedAt"`
	LocalTime  string         `json:"localTime"`
	Zone       string         `json:"zone"`
	Source     Source         `json:"source"`
	Shown      *Shown         `json:"shown"`
	RecordedBy string         `json:"recordedBy"`
	IP         string         `json:"ip"`
	UserAgent  string         `json:"userAgent"`
	Cart       *uuid.UUID     `json:"cart"`
	Bookings   []bookedRecord `json:"bookings"`
	For        string         `json:"for,omitempty"` // who comes, in the second kind
}

type named struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

type party struct {
	named
	Email  string     `json:"email"`
	Person *uuid.UUID `json:"person"` // the login
}

// said is a copy: its hash stands for its words, or for its file.
type said struct {
	named
	Copy      uuid.UUID `json:"copy"`
	Number    int       `json:"number"`
	Kind      Kind      `json:"kind"`
	Format    *Format   `json:"format"`
	Language  string    `json:"language"` // of the words; empty of a file
	Bytes     int       `json:"bytes"`
	SHA256    string    `json:"sha256"`
	WrittenAt string    `json:"writtenAt"`
}

type bookedRecord struct {
	named
	StartsAt string `json:"startsAt"`
}

const (
	recordName = "agreement-evidence-1"
	recordFor  = "agreement-evidence-2" // of somebody who agreed for somebody else
	recordTime = "2006-01-02T15:04:05.000Z07:00"
)

// Record is the evidence as a JSON text that is the same, byte for byte, whenever it is made of the same facts. The words are in it by their
// hash.
func (e Evidence) Record() ([]byte, error) {
	r := record{
		Record: recordName, Acceptance: e.ID, Business: named{e.BusinessID, e.BusinessName}, Location: named{e.LocationID, e.LocationName},
		Customer: party{named{e.CustomerID, e.Customer}, e.Email, e.PersonID},
		Document: said{
			named{e.Copy.DocumentID, e.Name}, e.Copy.ID, e.Copy.Number, e.Copy.Kind, e.Copy.Format, e.Copy.Language, e.Copy.Bytes,
			hex.EncodeToString(e.Copy.SHA256), e.Copy.CreatedAt.UTC().Format(recordTime),
		},
		AgreedAt: e.CreatedAt.UTC().Format(recordTime), LocalTime: e.CreatedAt.In(civil.ZoneOrUTC(e.Zone)).Format(recordTime), Zone: e.Zone,
		Source: e.Source, Shown: e.Shown, RecordedBy: e.ActorName, IP: e.IP, UserAgent: e.UserAgent, Cart: e.CartID, Bookings: []bookedRecord{},
	}
	for _, b := range e.Bookings {
		r.Bookings = append(r.Bookings, bookedRecord{named{b.ID, b.Name}, b.StartsAt.UTC().Format(recordTime)})
	}
	if e.For() != "" {
		r.Record, r.For = recordFor, e.For()
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return out.Bytes(), err
}

// For is whom the customer agreed for; empty: themselves.
func (e Evidence) For() string { return whom(e.Attendee) }

// Content is what was agreed to: the words in UTF-8, or the file. Its SHA-256 is that of the copy.
func (e Evidence) Content() []byte {
	if e.Copy.Body != nil {
		return []byte(*e.Copy.Body)
	}
	return e.File
}

// Sum is the SHA-256 of some bytes, as people write it: 64 characters.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
