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

// Evidence is one acceptance with its circumstances, and the exact text accepted. All of it was recorded at the
// acceptance and never changes, except names, which are the current ones.
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
	Copy         Copy    // the copy accepted, in the language shown
	WordsIn      string  // that language, for a translation; empty: the copy's own text
	File         []byte  `db:"-"` // of a PDF
	Round        int
	Source       Source
	Shown        *Shown // nil: on paper
	ActorName    string // the staff member of a paper; may be empty
	IP           string // of the browser; may be empty
	UserAgent    string // of the browser; may be empty
	CartID       *uuid.UUID
	Bookings     []EvidenceBooking // covered by it
	CreatedAt    time.Time
}

// EvidenceBooking is a booking covered by an acceptance.
type EvidenceBooking struct {
	ID       uuid.UUID `json:"id"`
	Name     string    `json:"name"` // of its offering
	StartsAt time.Time `json:"starts_at"`
}

// EvidenceInput identifies an acceptance of a customer at a location.
type EvidenceInput struct {
	StatusInput
	DocumentID   uuid.UUID
	AcceptanceID *uuid.UUID // nil: the latest
}

// Evidence returns the evidence of a customer's acceptance of a document, active or archived. It needs crm.view for
// the customer and at the location. Errors: policy.ErrMissingFeature; not found for an unknown customer, location or
// document, and for one without an acceptance.
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
		return Evidence{}, fmt.Errorf("agreement: copy %s does not match its hash: got %x", e.Copy.ID, sum)
	}
	return e, nil
}

// record is Evidence as it is hashed. Its fields keep their names and their order, so that a recorded hash can be
// verified.
type record struct {
	Record     string         `json:"record"` // its format
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
	For        string         `json:"for,omitempty"` // the attendee, in the second format
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

// said is a copy: its hash stands for its text, or for its file.
type said struct {
	named
	Copy      uuid.UUID `json:"copy"`
	Number    int       `json:"number"`
	Kind      Kind      `json:"kind"`
	Format    *Format   `json:"format"`
	Language  string    `json:"language"` // of the text; empty for a file
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
	recordFor  = "agreement-evidence-2" // of an acceptance for an attendee
	recordTime = "2006-01-02T15:04:05.000Z07:00"
)

// Record returns the evidence as JSON. It is the same, byte for byte, whenever it is made of the same facts. It has
// the text as a hash.
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

// For returns the name of the attendee agreed for; empty: the customer.
func (e Evidence) For() string { return whom(e.Attendee) }

// Content returns the content accepted: the text in UTF-8, or the file. Its SHA-256 is that of the copy.
func (e Evidence) Content() []byte {
	if e.Copy.Body != nil {
		return []byte(*e.Copy.Body)
	}
	return e.File
}

// Sum returns the SHA-256 of b in hexadecimal: 64 characters.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
