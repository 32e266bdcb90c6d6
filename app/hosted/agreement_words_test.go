package hosted_test

import (
	"testing"

	"foyer/app/agreement"
)

// TestWordsInTheReadersLanguage: A159, A160: a Spanish reader sees the Spanish text and agrees to it, a reader of
// another language the location's own; the address in a record opens the exact text for every visitor.
func TestWordsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	spanish := []agreement.Translation{{Language: "es", Body: "Me cuido."}}
	_, rules := s.asksFor(t, agreement.CreateInput{Name: "House rules", Show: agreement.ShowFull, Content: agreement.Content{Body: new("I take care."), Translations: &spanish}})
	read := func(v *visitor) *page {
		t.Helper()
		step := v.choose(yoga, 0).follow().follow()
		return v.get(step.url.Path + "/" + rules.Copy.ID.String())
	}
	ana, ben := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ben@example.com", "Ben Lund")
	ana.headers.Set("Accept-Language", "es")
	ben.headers.Set("Accept-Language", "fr")
	asked := read(ana).want(200, "Me cuido.").lacks("I take care.")
	ana.headers.Set("Accept-Language", "en") // changed before the answer; the text shown counts
	asked.form("/agreements/" + rules.Copy.ID.String()).post()
	read(ben).want(200, "I take care.").lacks("Me cuido.").form("/agreements/" + rules.Copy.ID.String()).post()
	if n := s.count(t, "agreement_acceptances where language = 'es'"); n != 1 {
		t.Errorf("%d of the Spanish words", n)
	}
	if n := s.count(t, "agreement_acceptances where language = ''"); n != 1 {
		t.Errorf("%d of the place's own words", n)
	}
	ben.get(agreement.PathIn(s.Business.ID, rules.Copy.ID, "es")).want(200, "Me cuido.")
	ben.get(agreement.Path(s.Business.ID, rules.Copy.ID)).want(200, "I take care.")
}
