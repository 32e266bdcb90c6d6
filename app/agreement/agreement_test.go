package agreement_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/media/mediatest"
)

// shop is a studio that sells a free class and requires agreements.
type shop struct {
	*apptest.Sales
	w     *apptest.World
	a     *agreement.Service
	class apptest.OfferingRow
	at    apptest.OccurrenceRow
}

func open(t *testing.T) *shop {
	t.Helper()
	w := apptest.Open(t)
	s := &shop{Sales: w.Sales(t), w: w}
	s.a = agreement.New(agreement.Options{DB: w.DB, Files: mediatest.Store(t)})
	s.class = s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = new(int64) })
	s.at = s.date(t, s.class, 48*time.Hour)
	return s
}

func (s *shop) date(t *testing.T, of apptest.OfferingRow, ahead time.Duration) apptest.OccurrenceRow {
	t.Helper()
	return s.AddOccurrence(t, of, s.w.Clock.Now().Add(ahead), func(o *apptest.OccurrenceRow) { o.Capacity, o.Online = 50, 50 })
}

// asks adds a document that every listing requires.
func (s *shop) asks(t *testing.T, changes ...func(*agreement.CreateInput)) agreement.Document {
	t.Helper()
	in := agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	}
	for _, change := range changes {
		change(&in)
	}
	d, err := s.a.Create(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func everyBooking(in *agreement.CreateInput) { in.Frequency = agreement.EveryBooking }

// agree accepts the current copies of documents in a cart, as its customer.
func (s *shop) agree(t *testing.T, sc tenancy.Scope, token string, documents ...agreement.Document) []agreement.Requirement {
	t.Helper()
	return s.agreeIn(t, sc, token, "", documents...)
}

// agreeIn is agree with the text shown in a language.
func (s *shop) agreeIn(t *testing.T, sc tenancy.Scope, token, language string, documents ...agreement.Document) []agreement.Requirement {
	t.Helper()
	var in agreement.AcceptInput
	for _, d := range documents {
		in.Accept = append(in.Accept, agreement.Accepted{ContentID: d.Copy.ID, Shown: agreement.ShownFull, Language: language})
	}
	asks, err := s.Checkout.Accept(t.Context(), sc, token, in)
	if err != nil {
		t.Fatal(err)
	}
	return asks
}

// held returns a cart with a held seat of each date.
func (s *shop) held(t *testing.T, sc tenancy.Scope, dates ...apptest.OccurrenceRow) string {
	t.Helper()
	token := s.Fill(t, dates...)
	if _, err := s.Checkout.Hold(t.Context(), sc, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	return token
}

// book books dates, and accepts the required documents.
func (s *shop) book(t *testing.T, sc tenancy.Scope, dates ...apptest.OccurrenceRow) checkout.Confirmed {
	t.Helper()
	token := s.held(t, sc, dates...)
	asks, err := s.Checkout.Agreements(t.Context(), sc, token)
	if err != nil {
		t.Fatal(err)
	}
	var open []agreement.Document
	for _, k := range agreement.Open(asks) {
		open = append(open, k.Document)
	}
	if len(open) > 0 {
		s.agree(t, sc, token, open...)
	}
	got, err := s.Checkout.Confirm(t.Context(), sc, token)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s *shop) update(t *testing.T, d agreement.Document, change func(*agreement.UpdateInput)) agreement.Document {
	t.Helper()
	in := agreement.UpdateInput{LocationID: d.LocationID, ID: d.ID}
	change(&in)
	got, err := s.a.Update(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// customer returns the record of a customer who has booked.
func (s *shop) customer(t *testing.T, sc tenancy.Scope) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", sc.Person())
}

func (s *shop) statuses(t *testing.T, sc tenancy.Scope) []agreement.Status {
	t.Helper()
	got, err := s.a.Statuses(t.Context(), s.Owner, agreement.StatusInput{CustomerID: s.customer(t, sc), LocationID: s.Location.ID})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s *shop) count(t *testing.T) int {
	t.Helper()
	return apptest.Value[int](t, s.w, "select count(*) from agreement_acceptances")
}

func wrong(t *testing.T, err error, field string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Kind != fault.Validation || len(f.Fields) == 0 || f.Fields[0].Field != field {
		t.Errorf("want %s refused, got %v", field, err)
	}
}

// TestTheLifeOfADocument: A157, A158, A161, A166, A168, A170, A171.
func TestTheLifeOfADocument(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t, func(in *agreement.CreateInput) { in.Name = " Waiver " })
	if d.Name != "Waiver" || d.Show != agreement.ShowList || d.Frequency != agreement.Once || d.Copy.Kind != agreement.KindText || *d.Copy.Format != agreement.Plain {
		t.Fatalf("%+v", d)
	}
	if got := s.asks(t, func(in *agreement.CreateInput) { in.Name, in.Body = "", new("\n# Waiver of the sauna \nIt is hot.") }); got.Name != "Waiver of the sauna" {
		t.Errorf("named after its first line: %q", got.Name)
	} else if _, err := s.a.Archive(ctx, s.Owner, s.Location.ID, got.ID); err != nil {
		t.Fatal(err)
	}
	named := s.update(t, d, func(in *agreement.UpdateInput) {
		in.Name, in.Show, in.Frequency, in.Body = new("Rules"), new(agreement.ShowFull), new(agreement.EveryBooking), d.Copy.Body
	})
	if named.Copy.ID != d.Copy.ID || named.Name != "Rules" || named.Version != 2 {
		t.Errorf("a new name made a copy: %+v", named)
	}
	words := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = new("Other words.") })
	format := s.update(t, d, func(in *agreement.UpdateInput) { in.Format = new(agreement.Markdown) })
	if words.Copy.ID == d.Copy.ID || format.Copy.ID == words.Copy.ID || *format.Copy.Body != "Other words." {
		t.Errorf("%+v\n%+v", words.Copy, format.Copy)
	}
	pdf := s.update(t, d, func(in *agreement.UpdateInput) { in.File, in.Body = onePage, new("is ignored") })
	if pdf.Copy.Kind != agreement.KindPDF || pdf.Copy.Body != nil || pdf.Copy.PageCount == nil || *pdf.Copy.PageCount != 3 {
		t.Errorf("%+v", pdf.Copy)
	}
	same := s.update(t, d, func(in *agreement.UpdateInput) { in.File = onePage })
	if same.Copy.ID != pdf.Copy.ID {
		t.Errorf("the same file made a copy")
	}
	longer := append(bytes.Clone(onePage), "% longer"...)
	another := s.update(t, d, func(in *agreement.UpdateInput) { in.File = longer })
	if file, err := s.a.File(ctx, another.Copy); another.Copy.ID == pdf.Copy.ID || err != nil || !bytes.Equal(file, longer) {
		t.Errorf("another file in place of a file: %+v (%v)", another.Copy, err)
	}
	if file, err := s.a.File(ctx, pdf.Copy); err != nil || !bytes.Equal(file, onePage) {
		t.Errorf("the file of before: %d bytes (%v)", len(file), err)
	}
	text := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = new("Words again.") })
	copies, err := s.a.Copies(ctx, s.Owner, s.Location.ID, d.ID)
	if err != nil || len(copies) != 6 || copies[0].ID != text.Copy.ID || *copies[5].Body != "I take care of myself." {
		t.Errorf("%+v (%v)", copies, err)
	}
	for range 2 {
		if got, err := s.a.Archive(ctx, s.Owner, s.Location.ID, d.ID); err != nil || got.ArchivedAt == nil {
			t.Errorf("%+v (%v)", got, err)
		}
	}
	for archived, want := range map[bool]int{false: 0, true: 2} {
		if got, err := s.a.List(ctx, s.Owner, s.Location.ID, archived); err != nil || len(got) != want {
			t.Errorf("archived %t: %d (%v)", archived, len(got), err)
		}
	}
	if got, err := s.a.Restore(ctx, s.Owner, s.Location.ID, d.ID); err != nil || got.ArchivedAt != nil {
		t.Errorf("%+v (%v)", got, err)
	}
	elsewhere := s.AddLocation(t, "Elsewhere")
	other := s.w.Studio(t)
	for what, location := range map[string]uuid.UUID{"another location": elsewhere.ID, "another business": other.Location.ID} {
		_, err := s.a.Update(ctx, s.Owner, agreement.UpdateInput{LocationID: location, ID: d.ID, Name: new("x")})
		_, archive := s.a.Archive(ctx, s.Owner, location, d.ID)
		_, copies := s.a.Copies(ctx, s.Owner, location, d.ID)
		for _, err := range []error{err, archive, copies} {
			if !fault.IsKind(err, fault.NotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if _, err := s.a.Create(ctx, s.Owner, agreement.CreateInput{LocationID: s.Location.ID, Name: "x", OfferingIDs: []uuid.UUID{other.AddOffering(t).ID}, Content: agreement.Content{Body: new("x")}}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a foreign offering: %v", err)
	}
}

// TestWhatADocumentCannotBe: A165, A89.
func TestWhatADocumentCannotBe(t *testing.T) {
	s := open(t)
	for field, c := range map[string]agreement.CreateInput{
		"name":      {Name: "Two\nlines", Content: agreement.Content{Body: new("x")}},
		"body":      {Name: "x"},
		"file":      {Name: "x", Content: agreement.Content{File: []byte("GIF89a%PDF-")}},
		"show":      {Name: "x", Show: "poster", Content: agreement.Content{Body: new("x")}},
		"frequency": {Name: "x", Frequency: "never", Content: agreement.Content{Body: new("x")}},
		"format":    {Name: "x", Content: agreement.Content{Body: new("x"), Format: new(agreement.Format("html"))}},
		"position":  {Name: "x", Position: -1, Content: agreement.Content{Body: new("x")}},
	} {
		c.LocationID = s.Location.ID
		_, err := s.a.Create(t.Context(), s.Owner, c)
		wrong(t, err, field)
	}
	for _, body := range []string{" \n", strings.Repeat("x", agreement.BodyMax+1)} {
		_, err := s.a.Create(t.Context(), s.Owner, agreement.CreateInput{LocationID: s.Location.ID, Name: "x", Content: agreement.Content{Body: &body}})
		wrong(t, err, "body")
	}
	_, err := s.a.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "x", Content: agreement.Content{File: append([]byte("%PDF-"), make([]byte, agreement.FileMax)...)},
	})
	wrong(t, err, "file")
	broken := agreement.New(agreement.Options{DB: s.w.DB, Files: mediatest.Down(0)})
	in := agreement.CreateInput{LocationID: s.Location.ID, Name: "x", Content: agreement.Content{File: onePage}}
	if _, err := broken.Create(t.Context(), s.Owner, in); !errors.Is(err, mediatest.ErrDown) {
		t.Errorf("a document whose file nobody kept: %v", err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from agreement_documents"); n != 0 {
		t.Errorf("%d documents", n)
	}
}

// TestWhatWasAgreedToStays: A158, A159: after many changes by the studio, each customer's record opens the exact
// bytes of the copy accepted.
func TestWhatWasAgreedToStays(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	documents := []agreement.Document{s.asks(t), s.asks(t, everyBooking), s.asks(t, func(in *agreement.CreateInput) { in.File = onePage })}
	type words struct {
		copy     uuid.UUID
		language string
	}
	agreed := map[words][]byte{}
	customers := []tenancy.Scope{s.Customer(t, "Ada"), s.Customer(t, "Bo"), s.Customer(t, "Cy")}
	content := func(k agreement.Copy) []byte {
		if k.Kind == agreement.KindText {
			return []byte(*k.Body)
		}
		file, err := s.a.File(ctx, k)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for n := range 1000 {
		d := &documents[r.IntN(len(documents))]
		switch r.IntN(12) {
		case 0, 1, 2, 3, 4:
			*d = s.update(t, *d, func(in *agreement.UpdateInput) {
				in.Body, in.Reask = new(fmt.Sprintf("Words of change %d.", n)), r.IntN(2) == 0
				if r.IntN(2) == 0 {
					in.Translations = &[]agreement.Translation{{Language: "es", Body: fmt.Sprintf("Palabras del cambio %d.\r\n", n)}}
				}
			})
		case 5:
			*d = s.update(t, *d, func(in *agreement.UpdateInput) {
				in.File, in.Reask = append(bytes.Clone(onePage), fmt.Sprintf("%% %d", n)...), r.IntN(2) == 0
			})
		case 6, 7:
			*d = s.update(t, *d, func(in *agreement.UpdateInput) {
				in.Name, in.Frequency = new(fmt.Sprint("Document ", n)), new(agreement.Once.All()[r.IntN(2)])
			})
		case 8:
			if _, err := s.a.Archive(ctx, s.Owner, s.Location.ID, d.ID); err != nil {
				t.Fatal(err)
			}
		case 9, 10:
			if _, err := s.a.Restore(ctx, s.Owner, s.Location.ID, d.ID); err != nil {
				t.Fatal(err)
			}
		default:
			sc := customers[r.IntN(len(customers))]
			token := s.Fill(t, s.at)
			asks, err := s.Checkout.Agreements(ctx, sc, token)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range agreement.Open(asks) {
				said, err := s.a.Read(ctx, s.Business.ID, k.Copy.ID)
				if err != nil {
					t.Fatal(err)
				}
				language := []string{"", "es", "de"}[r.IntN(3)]
				shown := said.Copy.In(language)
				if shown.Language != language {
					language = "" // its own text
				}
				agreed[words{k.Copy.ID, language}] = content(shown)
				s.agreeIn(t, sc, token, language, k.Document)
			}
		}
	}
	if len(agreed) < 10 {
		t.Fatalf("only %d copies were agreed to", len(agreed))
	}
	translated := 0
	for of, want := range agreed {
		said, err := s.a.Read(ctx, s.Business.ID, of.copy)
		if err != nil {
			t.Fatal(err)
		}
		if got := content(said.Copy.In(of.language)); !bytes.Equal(got, want) {
			t.Errorf("copy %s says %q, and said %q", of.copy, got, want)
		}
		if of.language != "" {
			translated++
		}
	}
	if translated == 0 {
		t.Error("nobody agreed to a translation")
	}
	kept := apptest.Value[int](t, s.w, "select count(distinct (copy_id, language)) from agreement_acceptances")
	if kept != len(agreed) {
		t.Errorf("the acceptances are of %d words, and %d were shown", kept, len(agreed))
	}
	if _, err := s.a.Read(ctx, s.w.Studio(t).Business.ID, documents[0].Copy.ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("under another business: %v", err)
	}
}
