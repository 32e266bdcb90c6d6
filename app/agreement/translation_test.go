package agreement_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/tenancy"
)

// TestTranslations: A158, A159: one copy has the same content in several languages. A reader of one of them is shown
// it and accepts it, others the text in the location's language; a changed translation is another copy, and
// acceptances stay byte for byte.
func TestTranslations(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	spanish := []agreement.Translation{{Language: "es", Body: "Me cuido solo.\n"}}
	d := s.asks(t, func(in *agreement.CreateInput) { in.Translations = &spanish })
	if k := d.Copy; k.Language != "en" || len(k.Translations) != 1 || *k.In("es").Body != spanish[0].Body || *k.In("fr").Body != *k.Body || k.In("fr").Language != "en" {
		t.Fatalf("%+v", k)
	}
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	for language, who := range map[string]tenancy.Scope{"es": ada, "fr": bo} {
		token := s.held(t, who, s.at)
		s.agreeIn(t, who, token, language, d)
		if _, err := s.Checkout.Confirm(ctx, who, token); err != nil {
			t.Fatal(err)
		}
	}
	e := s.evidence(t, s.customer(t, ada), d)
	if string(e.Content()) != spanish[0].Body || e.WordsIn != "es" || e.Copy.Language != "es" || agreement.Sum(e.Content()) != agreement.Sum([]byte(spanish[0].Body)) {
		t.Errorf("who read Spanish: %+v", e)
	}
	if e := s.evidence(t, s.customer(t, bo), d); string(e.Content()) != "I take care of myself." || e.WordsIn != "" {
		t.Errorf("who read French: %+v", e)
	}
	before := recordOf(t, e)
	if same := s.update(t, d, func(in *agreement.UpdateInput) { in.Translations = &spanish }); same.Copy.ID != d.Copy.ID {
		t.Error("the same words made a copy")
	}
	other := []agreement.Translation{{Language: "es", Body: "Me cuido muy bien."}}
	edited := s.update(t, d, func(in *agreement.UpdateInput) { in.Translations = &other })
	if edited.Copy.ID == d.Copy.ID || edited.Copy.Number != 2 || *edited.Copy.Body != "I take care of myself." {
		t.Errorf("%+v", edited.Copy)
	}
	if named := s.update(t, d, func(in *agreement.UpdateInput) { in.Name = new("Rules") }); named.Copy.ID != edited.Copy.ID {
		t.Error("a new name made a copy")
	}
	s.update(t, d, func(in *agreement.UpdateInput) { in.Name = new("Waiver") })
	bare := s.update(t, d, func(in *agreement.UpdateInput) { in.Body = new("I take great care.") })
	if len(bare.Copy.Translations) != 0 || *bare.Copy.In("es").Body != "I take great care." {
		t.Errorf("nobody has said how it reads in Spanish now: %+v", bare.Copy)
	}
	if after := recordOf(t, s.evidence(t, s.customer(t, ada), d)); string(after) != string(before) {
		t.Errorf("it says\n%s\nand said\n%s", after, before)
	}
	got := s.statuses(t, ada)
	if len(got) != 1 || agreement.PathIn(s.Business.ID, got[0].Record.CopyID, got[0].Record.Language) != agreement.Path(s.Business.ID, d.Copy.ID)+"?words=es" {
		t.Errorf("%+v", got)
	}
	for what, list := range map[string][]agreement.Translation{
		"the place's own language": {{Language: "en", Body: "x"}}, "no language": {{Language: "tlh", Body: "x"}}, "nothing": {{Language: "es", Body: " "}},
		"one twice": {{Language: "es", Body: "x"}, {Language: "es", Body: "y"}},
	} {
		_, err := s.a.Create(ctx, s.Owner, agreement.CreateInput{LocationID: s.Location.ID, Name: what, Content: agreement.Content{Body: new("x"), Translations: &list}})
		wrong(t, err, "translations")
	}
	_, err := s.a.Update(ctx, s.Owner, agreement.UpdateInput{LocationID: s.Location.ID, ID: d.ID, Content: agreement.Content{File: onePage, Translations: &spanish}})
	wrong(t, err, "translations")
	pdf := s.update(t, d, func(in *agreement.UpdateInput) { in.File = onePage })
	if pdf.Copy.Language != "" || len(pdf.Copy.Translations) != 0 || pdf.ID == uuid.Nil {
		t.Errorf("%+v", pdf.Copy)
	}
}
