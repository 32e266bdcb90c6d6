package agreement

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/words"
	"foyer/policy"
)

// List lists the documents of a location in their order: active or archived ones. It needs location.view there.
// Error: not found for an unknown location. A162.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, location uuid.UUID, archived bool) ([]Document, error) {
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return nil, err
	}
	view := s.db.View(sc.Tenant)
	if _, err := business.LocationOf(ctx, view, location); err != nil {
		return nil, err
	}
	return documentsAt(ctx, view, location, archived)
}

// Get returns a document, active or archived. It needs location.view at the location. Error: not found. A162.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Document, error) {
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return Document{}, err
	}
	return findDocument(ctx, s.db.View(sc.Tenant), location, id)
}

// Content is the new content of a document: a text, or a PDF file, which takes precedence.
type Content struct {
	Body   *string
	Format *Format // nil: plain, or unchanged
	File   []byte  // nil: none
	// Translations is the full list of the text in further languages. Nil: unchanged, or none for a new body, as its
	// translations would be outdated. Only language and body are read.
	Translations *[]Translation
}

// CreateInput creates a document.
type CreateInput struct {
	LocationID   uuid.UUID
	Name         string    // empty: the first line of the text
	Show         Show      // empty: list
	Frequency    Frequency // empty: once
	EveryListing bool
	OfferingIDs  []uuid.UUID
	Position     int
	Content
}

// Create adds a document, required from then on. It needs catalog.manage at the location. A file is stored before any
// row. A157, A163, A164, A165, A166. Errors:
//
//   - Validation on name, show, frequency, offeringIds, position, body, format or file
//   - ErrTooComplex
//   - not found for an unknown location or offering
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Document, error) {
	if err := policy.RequireAt(sc, policy.CatalogManage, in.LocationID); err != nil {
		return Document{}, err
	}
	d := Document{
		LocationID: in.LocationID, Name: in.Name, Show: in.Show, Frequency: in.Frequency, EveryListing: in.EveryListing,
		OfferingIDs: in.OfferingIDs, Position: in.Position, Round: 1, CopyNumber: 1, Version: 1,
	}
	if d.Name == "" && in.File == nil && in.Body != nil {
		d.Name = firstLine(*in.Body)
	}
	if d.Show == "" {
		d.Show = ShowList
	}
	if d.Frequency == "" {
		d.Frequency = Once
	}
	var checks fault.Checks
	d.check(&checks)
	checks.That(in.Body != nil || in.File != nil, "body", "Enter a text, or upload a PDF.")
	made := in.Content.copy(Copy{Kind: KindText, Format: new(Plain)}, &checks)
	if err := checks.Err(); err != nil {
		return Document{}, err
	}
	made, err := made.Rendered()
	if err != nil {
		return Document{}, err
	}
	if err := s.keep(ctx, sc.Tenant, &made, in.File); err != nil {
		return Document{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Document, error) {
		made := made
		if err := made.speak(ctx, tx, in.LocationID); err != nil {
			return Document{}, err
		}
		n, err := countAt(ctx, tx, in.LocationID)
		if err != nil || n >= DocumentsMax {
			return Document{}, fault.When(n >= DocumentsMax, fault.Invalid("name", "This location has 100 documents, the maximum. Change an existing one instead."), err)
		}
		d := d
		d.ID, d.CreatedAt, d.UpdatedAt = pg.NewID(), tx.Now(), tx.Now()
		if err := d.known(ctx, tx); err != nil {
			return Document{}, err
		}
		if err := insertDocument(ctx, tx, d); err != nil {
			return Document{}, err
		}
		return d, d.write(ctx, tx, sc.Actor, made)
	})
}

// firstLine returns the first non-empty line of a text, without the marks of a heading, cut to the length of a name.
// A228.
func firstLine(body string) string {
	for line := range strings.Lines(body) {
		if line = names.Clean(strings.TrimLeft(strings.TrimSpace(line), "#")); line != "" {
			runes := []rune(line)
			return strings.TrimSpace(string(runes[:min(len(runes), NameMax)]))
		}
	}
	return ""
}

// speak sets the language of a copy's text to that of its location; a translation into it is an error. Error: not
// found for an unknown location.
func (k *Copy) speak(ctx context.Context, tx *pg.Tx, location uuid.UUID) error {
	l, err := business.LocationOf(ctx, tx, location)
	if err != nil {
		return err
	}
	if k.Kind == KindText {
		k.Language = l.Language
	}
	return fault.When(k.translated(l.Language), fault.Invalid("translations", "The text is already in the language of the location."), nil)
}

// known returns an error for offerings of another location.
func (d *Document) known(ctx context.Context, tx *pg.Tx) error {
	known, err := offeringsKnown(ctx, tx, d.LocationID, d.OfferingIDs)
	return fault.When(!known, fault.Missing(), err)
}

// write makes a copy the current one, with the document's number of it, and sets the offerings that require the
// document.
func (d *Document) write(ctx context.Context, tx *pg.Tx, by tenancy.Actor, made Copy) error {
	made.ID, made.DocumentID, made.Number, made.CreatedAt, made.ActorName = pg.NewID(), d.ID, d.CopyNumber, tx.Now(), by.Name
	d.Copy = made
	if err := insertCopy(ctx, tx, made, by); err != nil {
		return err
	}
	return setOfferings(ctx, tx, *d)
}

// copy returns the content's copy, based on the previous one: its kind, text and format. It stores nothing.
func (c Content) copy(was Copy, checks *fault.Checks) Copy {
	if c.File != nil {
		checks.That(isPDF(c.File), "file", "This is not a PDF.")
		checks.That(len(c.File) <= FileMax, "file", "Upload at most 20 MB.")
		checks.That(c.Translations == nil || len(*c.Translations) == 0, "translations", "Translations are for texts only.")
		sum := sha256.Sum256(c.File)
		return Copy{Kind: KindPDF, SHA256: sum[:], Bytes: len(c.File)}
	}
	if was.Kind == KindPDF {
		if c.Body == nil {
			checks.That(c.Format == nil, "format", "Is for a text.")
			checks.That(c.Translations == nil || len(*c.Translations) == 0, "translations", "Translations are for texts only.")
			return was
		}
		was = Copy{Kind: KindText, Format: new(Plain)}
	}
	made := Copy{Kind: KindText, Format: was.Format, Body: was.Body, Translations: was.Translations}
	if c.Format != nil {
		made.Format = c.Format
		checks.That(slices.Contains(Plain.All(), *c.Format), "format", "Use plain or markdown.")
	}
	if c.Body != nil {
		if was.Body == nil || *c.Body != *was.Body {
			made.Translations = nil
		}
		made.Body = c.Body
		checkWords(*c.Body, "body", checks)
	}
	if c.Translations != nil {
		made.Translations = translations(*c.Translations, checks)
	}
	if made.Body != nil {
		sum := sha256.Sum256([]byte(*made.Body))
		made.SHA256, made.Bytes = sum[:], len(*made.Body)
	}
	return made
}

func checkWords(body, field string, checks *fault.Checks) {
	checks.That(names.Clean(body) != "", field, "Enter a text.")
	checks.That(utf8.RuneCountInString(body) <= BodyMax, field, "Use at most 100000 characters.")
	checks.That(utf8.ValidString(body) && !strings.ContainsRune(body, 0), field, "This text has a character that cannot be stored.")
}

// translations returns the wanted ones, in the order of their languages, with their hashes.
func translations(wanted []Translation, checks *fault.Checks) []Translation {
	const field = "translations"
	out := []Translation{}
	for _, t := range wanted {
		checks.That(spoken(t.Language), field, "Use supported languages.")
		checks.That(!slices.ContainsFunc(out, func(o Translation) bool { return o.Language == t.Language }), field, "List each language once.")
		checkWords(t.Body, field, checks)
		sum := sha256.Sum256([]byte(t.Body))
		out = append(out, Translation{t.Language, t.Body, sum[:]})
	}
	slices.SortFunc(out, func(a, b Translation) int { return strings.Compare(a.Language, b.Language) })
	return out
}

// spoken reports whether the pages of a studio can be in that language.
func spoken(language string) bool {
	return slices.ContainsFunc(words.Languages(), func(l words.Language) bool { return l.Tag == language })
}

// says reports whether two copies have the same content, in every language.
func (c Copy) says(o Copy) bool {
	same := func(a, b Translation) bool { return a.Language == b.Language && slices.Equal(a.SHA256, b.SHA256) }
	return c.Kind == o.Kind && slices.Equal(c.SHA256, o.SHA256) && (c.Kind == KindPDF || *c.Format == *o.Format) &&
		slices.EqualFunc(c.Translations, o.Translations, same)
}

// UpdateInput changes a document. A nil field is unchanged.
type UpdateInput struct {
	LocationID   uuid.UUID
	ID           uuid.UUID
	Version      int64 // of the document that was read; 0: any, as the contract's calls have none
	Name         *string
	Show         *Show
	Frequency    *Frequency
	EveryListing *bool
	OfferingIDs  *[]uuid.UUID
	Position     *int
	Reask        bool // everyone signs again at their next booking
	Content
}

func (in UpdateInput) to(d *Document) {
	patch.Set(&d.Name, in.Name)
	patch.Set(&d.Show, in.Show)
	patch.Set(&d.Frequency, in.Frequency)
	patch.Set(&d.EveryListing, in.EveryListing)
	patch.Set(&d.OfferingIDs, in.OfferingIDs)
	patch.Set(&d.Position, in.Position)
	if in.Reask {
		d.reask()
	}
}

// Update changes a document. Another text, or another file, is a new copy, and earlier acceptances still count unless
// Reask is set. It needs catalog.manage at the location. A158, A167, A168, A169, A171. Errors:
//
//   - those of Create
//   - not found, also for a document of another location
//   - fault.ErrStale for an outdated version
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Document, error) {
	if err := policy.RequireAt(sc, policy.CatalogManage, in.LocationID); err != nil {
		return Document{}, err
	}
	var file Copy
	if in.File != nil {
		var checks fault.Checks
		file = in.Content.copy(Copy{}, &checks)
		if err := checks.Err(); err != nil {
			return Document{}, err
		}
		if _, err := findDocument(ctx, s.db.View(sc.Tenant), in.LocationID, in.ID); err != nil {
			return Document{}, err // no file is stored for an unknown document
		}
		if err := s.keep(ctx, sc.Tenant, &file, in.File); err != nil {
			return Document{}, err
		}
	}
	return s.change(ctx, sc, in.LocationID, in.ID, func(tx *pg.Tx, d *Document) error {
		if in.Version != 0 {
			if err := fault.Stale(in.Version, d.Version); err != nil {
				return err
			}
		}
		in.to(d)
		var checks fault.Checks
		d.check(&checks)
		made := file
		if in.File == nil {
			made = in.Content.copy(d.Copy, &checks)
		}
		if err := checks.Err(); err != nil {
			return err
		}
		err := d.known(ctx, tx)
		if err != nil {
			return err
		}
		if made.says(d.Copy) {
			return setOfferings(ctx, tx, *d)
		}
		if made, err = made.Rendered(); err != nil {
			return err
		}
		if err := made.speak(ctx, tx, d.LocationID); err != nil {
			return err
		}
		d.CopyNumber++
		return d.write(ctx, tx, sc.Actor, made)
	})
}

// Archive archives a document: no offering requires it any more. Acceptances remain on customers' records. It needs
// catalog.manage at the location. Archiving an archived document changes nothing. Error: not found. A161, A170.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Document, error) {
	return s.change(ctx, sc, location, id, func(tx *pg.Tx, d *Document) error {
		if d.ArchivedAt == nil {
			now := tx.Now()
			d.ArchivedAt = &now
		}
		return nil
	})
}

// Restore restores an archived document: the same offerings require it again. It needs catalog.manage at the
// location. Error: not found.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Document, error) {
	return s.change(ctx, sc, location, id, func(_ *pg.Tx, d *Document) error {
		d.ArchivedAt = nil
		return nil
	})
}

// change saves the edits of a document, which is locked.
func (s *Service) change(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID, edit func(*pg.Tx, *Document) error) (Document, error) {
	if err := policy.RequireAt(sc, policy.CatalogManage, location); err != nil {
		return Document{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Document, error) {
		d, err := lockDocument(ctx, tx, location, id)
		if err != nil {
			return Document{}, err
		}
		was := d.settings()
		if err := edit(tx, &d); err != nil || d.settings() == was {
			return d, err
		}
		return d, saveDocument(ctx, tx, &d)
	})
}

// settings are the versioned part of a document; archived is a bool, as its time is never edited.
type settings struct {
	name         string
	show         Show
	frequency    Frequency
	everyListing bool
	position     int
	round, copy  int
	archived     bool
	offerings    string
}

func (d *Document) settings() settings {
	return settings{d.Name, d.Show, d.Frequency, d.EveryListing, d.Position, d.Round, d.CopyNumber, d.ArchivedAt != nil, fmt.Sprint(d.OfferingIDs)}
}

// Copies lists the copies of a document, latest first. It needs location.view at the location. Error: not found.
// A158.
func (s *Service) Copies(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) ([]Copy, error) {
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return nil, err
	}
	view := s.db.View(sc.Tenant)
	if _, err := findDocument(ctx, view, location, id); err != nil {
		return nil, err
	}
	return copiesOf(ctx, view, id)
}

// SetOfDocuments replaces the documents that an offering requires, beside those that every offering of its location
// requires. The version of each document added or removed increases. It needs catalog.manage there. Errors: not found
// for an unknown offering, or a document of another location. A166.
func (s *Service) SetOfDocuments(ctx context.Context, sc tenancy.Scope, offering uuid.UUID, documents []uuid.UUID) ([]Document, error) {
	if err := policy.RequireAt(sc, policy.CatalogManage, sc.Location); err != nil {
		return nil, err
	}
	if documents = each(documents); len(documents) > DocumentsMax {
		return nil, fault.Invalid("documentIds", "List at most 100 documents.")
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]Document, error) {
		known, err := setDocuments(ctx, tx, sc.Location, offering, documents)
		if err != nil || !known {
			return nil, fault.When(!known, fault.Missing(), err)
		}
		all, err := documentsAt(ctx, tx, sc.Location, false)
		return slices.DeleteFunc(all, func(d Document) bool { return !d.RequiredFor(offering) }), err
	})
}
