package agreement

import (
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/media/store"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB    *pg.DB
	Files store.Store // keeps PDFs, under "<business>/<sha-256>/document.pdf"
}

// Service has the operations of this package. It is safe for concurrent use.
type Service struct {
	db    *pg.DB
	files store.Store
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Files == nil {
		panic("agreement: an option is missing")
	}
	return &Service{o.DB, o.Files}
}

// Errors about agreements.
var (
	// ErrOutstanding is returned for a cart with outstanding documents. details.agreements are the documents, each as
	// Entry. A160.
	ErrOutstanding = fault.New(fault.Conflict, "agreements", "Sign the required agreements first.")
	// ErrStale is returned when a document has changed since it was shown. details.agreements are the documents with
	// their current copies. A184.
	ErrStale = fault.New(fault.Conflict, "agreement_changed", "The agreement has changed. Read the new version, and agree to it.")
)

// Entry is a document without an acceptance, in the details of an error.
type Entry struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Kind      Kind      `json:"kind"`
	Path      string    `json:"path"`
	ContentID uuid.UUID `json:"contentId"`
	Show      Show      `json:"show"`
	Frequency Frequency `json:"frequency"`
}

// Entries returns the documents in the form of an error's details.
func Entries(business uuid.UUID, asks []Requirement) []Entry {
	out := make([]Entry, len(asks))
	for i, k := range asks {
		out[i] = Entry{k.ID, k.Name, k.Copy.Kind, Path(business, k.Copy.ID), k.Copy.ID, k.Show, k.Frequency}
	}
	return out
}

// Require returns ErrOutstanding when a requirement lacks an acceptance. A160.
func Require(business uuid.UUID, asks []Requirement) error {
	if open := Open(asks); len(open) > 0 {
		return ErrOutstanding.With("agreements", Entries(business, open))
	}
	return nil
}
