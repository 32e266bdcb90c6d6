package agreement

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/markdown"
	"foyer/app/pg"
)

// ErrTooComplex is returned for Markdown with more formatting than is rendered. Its field is body, or translations.
var ErrTooComplex = fault.New(fault.Validation, "markdown_too_complex", "This text has more formatting than can be shown.")

const tooComplex = "Use at most 256 marks such as * _ [ ] < or ` in one paragraph, and lists and quotes at most 32 deep. Blank lines make paragraphs."

// HTML returns the Markdown text as HTML, in the language chosen by In, as rendered when it was written. is is false
// for other copies, and for texts from before the bounds on formatting that exceed them: they are shown as typed.
func (k Copy) HTML() (page string, is bool) {
	page, is = k.Pages[k.said]
	return page, is
}

// isMarkdown reports whether the copy has words in Markdown.
func (k Copy) isMarkdown() bool {
	return k.Kind == KindText && k.Body != nil && k.Format != nil && *k.Format == Markdown
}

// Rendered returns the copy with its Markdown text as HTML. Error: ErrTooComplex.
func (k Copy) Rendered() (Copy, error) {
	if !k.isMarkdown() {
		k.Pages = nil
		return k, nil
	}
	pages, err := map[string]string{}, error(nil)
	if pages[""], err = markdown.HTML(*k.Body); err != nil {
		return k, refused("body", err)
	}
	for _, t := range k.Translations {
		if pages[t.Language], err = markdown.HTML(t.Body); err != nil {
			return k, refused("translations", err)
		}
	}
	k.Pages = pages
	return k, nil
}

func refused(field string, err error) error {
	if errors.Is(err, markdown.ErrTooComplex) {
		return ErrTooComplex.And(field, tooComplex)
	}
	return err
}

// Shown returns a copy of a business with its HTML. A copy from before HTML was stored is rendered on first use, and
// the result stored: nothing where the formatting exceeds the bounds.
func (s *Service) Shown(ctx context.Context, business uuid.UUID, k Copy) (Copy, error) {
	if !k.isMarkdown() || k.Pages != nil {
		return k, nil
	}
	k.Pages = map[string]string{}
	bodies := map[string]string{"": *k.Body}
	for _, t := range k.Translations {
		bodies[t.Language] = t.Body
	}
	for language, body := range bodies {
		switch page, err := markdown.HTML(body); {
		case err == nil:
			k.Pages[language] = page
		case !errors.Is(err, markdown.ErrTooComplex):
			return k, err
		}
	}
	_, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, keepHTML(ctx, tx, k)
	})
	return k, err
}
