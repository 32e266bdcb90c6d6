package agreement

import (
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/media/store"
)

// Options are what a Service needs; all of them are required.
type Options struct {
	DB    *pg.DB
	Files store.Store // keeps PDFs, under "<business>/<sha-256>/document.pdf"
}

// Service has the verbs of this package. It is safe for concurrent use.
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

// The refusals about agreements.
var (
	// ErrOutstanding: something in the cart asks for an agreement that its customer has not given. details.agreements are the documents,
	// each as Entry. A160.
	ErrOutstanding = fault.New(fault.Conflict, "agreements", "Agree to what this booking asks for first.")
	// ErrStale: the words have changed since they were shown. details.agreements are the documents with the copies of now. A184.
	ErrStale = fault.New(fault.Conflict, "agreement_changed", "The words have changed. Read them again, and agree to what they say now.")
)

// Entry is a document that lacks an acceptance, as refusals tell of it.
type Entry struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Kind      Kind      `json:"kind"`
	Path      string    `json:"path"`
	ContentID uuid.UUID `json:"contentId"`
	Show      Show      `json:"show"`
	Frequency Frequency `json:"frequency"`
}

// Entries are documents as refusals tell of them.
func Entries(business uuid.UUID, asks []Requirement) []Entry {
	out := make([]Entry, len(asks))
	for i, k := range asks {
		out[i] = Entry{k.ID, k.Name, k.Copy.Kind, Path(business, k.Copy.ID), k.Copy.ID, k.Show, k.Frequency}
	}
	return out
}

// Require refuses when something of what is asked lacks an acceptance: ErrOutstanding. A160.
func Require(business uuid.UUID, asks []Requirement) error {
	if open := Open(asks); len(open) > 0 {
		return ErrOutstanding.With("agreements", Entries(business, open))
	}
	return nil
}
