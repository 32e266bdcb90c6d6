package agreement_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
)

// knot is an unlikely text that costs a renderer quadratic time.
var knot = strings.Repeat("**a_", 24_000)

func markdown(body string) func(*agreement.CreateInput) {
	return func(in *agreement.CreateInput) { in.Body, in.Format = &body, new(agreement.Markdown) }
}

func (s *shop) read(t *testing.T, id uuid.UUID) agreement.Copy {
	t.Helper()
	said, err := s.a.Read(t.Context(), s.Business.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return said.Copy
}

// TestMarkdownIsRenderedOnce: the HTML is stored with the copy, in each language, and shown to readers.
func TestMarkdownIsRenderedOnce(t *testing.T) {
	s := open(t)
	d := s.asks(t, markdown("Be **kind**."), func(in *agreement.CreateInput) {
		in.Translations = &[]agreement.Translation{{Language: "es", Body: "Sea *amable*."}}
	})
	for language, want := range map[string]string{
		"": "<p>Be <strong>kind</strong>.</p>\n", "de": "<p>Be <strong>kind</strong>.</p>\n", "es": "<p>Sea <em>amable</em>.</p>\n",
	} {
		if got, is := s.read(t, d.Copy.ID).In(language).HTML(); !is || got != want {
			t.Errorf("in %q: %q (%t)", language, got, is)
		}
	}
	// It is read, and not rendered again.
	s.w.SQL(t, `update agreement_copies set html = '{"": "<p>kept</p>"}' where id = $1`, d.Copy.ID)
	if got, _ := s.read(t, d.Copy.ID).HTML(); got != "<p>kept</p>" {
		t.Errorf("%q", got)
	}
	plain := s.asks(t)
	if got, is := s.read(t, plain.Copy.ID).HTML(); is {
		t.Errorf("of plain words: %q", got)
	}
}

// TestMarkdownOfBefore: a copy from before HTML was stored is rendered when first read; one beyond the bounds is
// shown as typed.
func TestMarkdownOfBefore(t *testing.T) {
	s := open(t)
	d := s.asks(t, markdown("Be **kind**."), func(in *agreement.CreateInput) { in.Show = agreement.ShowPopup })
	tangled := s.asks(t, markdown("x"))
	s.w.SQL(t, `update agreement_copies set html = null where id = $1`, d.Copy.ID)
	s.w.SQL(t, `update agreement_copies set html = null, body = $2::text, bytes = length($2::text), sha256 = sha256(convert_to($2::text, 'UTF8')) where id = $1`, tangled.Copy.ID, knot)
	asks, err := s.Checkout.Agreements(t.Context(), s.Customer(t, "Ada"), s.Fill(t, s.at))
	if err != nil || len(asks) != 2 {
		t.Fatalf("%d (%v)", len(asks), err)
	}
	shown, err := s.a.Shown(t.Context(), s.Business.ID, asks[0].Copy)
	if got, is := shown.HTML(); err != nil || !is || got != "<p>Be <strong>kind</strong>.</p>\n" {
		t.Errorf("%q (%t, %v)", got, is, err)
	}
	if got, is := s.read(t, tangled.Copy.ID).HTML(); is {
		t.Errorf("beyond the bounds: %d bytes", len(got))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from agreement_copies where html is null"); n != 0 {
		t.Errorf("%d copies are rendered again", n)
	}
	// Its settings can still be changed: that writes no copy.
	if got := s.update(t, tangled, func(in *agreement.UpdateInput) { in.Name = new("Knots") }); got.Name != "Knots" || got.Copy.ID != tangled.Copy.ID {
		t.Errorf("%+v", got)
	}
}

// TestMarkdownThatIsRefused: more formatting than is rendered is refused when written, with the field's name.
func TestMarkdownThatIsRefused(t *testing.T) {
	s := open(t)
	d := s.asks(t)
	in := agreement.CreateInput{LocationID: s.Location.ID, Name: "Knots"}
	markdown(knot)(&in)
	_, err := s.a.Create(t.Context(), s.Owner, in)
	knotted(t, err, "body")
	markdown("Be kind.")(&in)
	in.Translations = &[]agreement.Translation{{Language: "es", Body: knot}}
	_, err = s.a.Create(t.Context(), s.Owner, in)
	knotted(t, err, "translations")
	change := agreement.UpdateInput{LocationID: s.Location.ID, ID: d.ID}
	change.Body, change.Format = &knot, new(agreement.Markdown)
	_, err = s.a.Update(t.Context(), s.Owner, change)
	knotted(t, err, "body")
	if got := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = &knot }); *got.Copy.Format != agreement.Plain {
		t.Errorf("as plain words: %+v", got.Copy)
	}
	change = agreement.UpdateInput{LocationID: s.Location.ID, ID: d.ID}
	change.Format = new(agreement.Markdown)
	_, err = s.a.Update(t.Context(), s.Owner, change)
	knotted(t, err, "body")
}

func knotted(t *testing.T, err error, field string) {
	t.Helper()
	if !errors.Is(err, agreement.ErrTooComplex) {
		t.Errorf("want it too complex, got %v", err)
	}
	wrong(t, err, field)
}
