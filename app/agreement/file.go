package agreement

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/media/store"
)

// keep stores the file of a copy, before the copy is written, and counts its pages. A file without a copy, after a
// crash between the two, is unreachable; the next attempt overwrites it.
func (s *Service) keep(ctx context.Context, business uuid.UUID, k *Copy, file []byte) error {
	if file == nil {
		return nil
	}
	key := business.String() + "/" + hex.EncodeToString(k.SHA256) + "/document.pdf"
	if err := s.files.Put(ctx, key, "application/pdf", file); err != nil {
		return fmt.Errorf("agreement: keep a PDF: %w", err)
	}
	k.FileKey, k.PageCount = &key, pagesOf(ctx, file)
	return nil
}

// Words is a copy with the name of its document, as shown to a browser.
type Words struct {
	Copy
	Name       string
	LocationID uuid.UUID
}

// Read returns a copy by its id, whatever the state of its document; everyone with the id may read it. Error: not
// found. A159.
func (s *Service) Read(ctx context.Context, business, id uuid.UUID) (Words, error) {
	said, err := readCopy(ctx, s.db.View(business), id)
	if err != nil {
		return said, err
	}
	said.Copy, err = s.Shown(ctx, business, said.Copy)
	return said, err
}

// File returns the PDF of a copy. Error: not found for a copy without one.
func (s *Service) File(ctx context.Context, k Copy) ([]byte, error) {
	if k.FileKey == nil {
		return nil, fault.Missing()
	}
	r, _, err := s.files.Get(ctx, *k.FileKey)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("agreement: the file of copy %s is missing: %w", k.ID, err)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out bytes.Buffer
	if _, err := io.Copy(&out, io.LimitReader(r, FileMax+1)); err != nil {
		return nil, fmt.Errorf("agreement: read a PDF: %w", err)
	}
	return out.Bytes(), nil
}
