package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/business"
	"foyer/app/words"
)

// TestLanguageOfPages: pages are in the location's language, and in the reader's own where the studio lets them
// choose: the one they chose, then the first of their browser's that there is. E29.
func TestLanguageOfPages(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := "/" + s.Location.Slug
	lang := func(p *page) string {
		_, rest, _ := strings.Cut(p.Body, `<html lang="`)
		tag, _, _ := strings.Cut(rest, `"`)
		return tag
	}
	german, no := "de", false
	l, err := s.Businesses(t).UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: s.Location.ID, Version: s.Location.Version, Language: &german})
	if err != nil {
		t.Fatal(err)
	}
	country := l.Address.Country
	v := s.visit(t)
	if got := lang(v.get(path).want(200, words.In("de").T("Language"))); got != "de-"+country {
		t.Errorf("the studio's own: %s", got)
	}
	for accept, want := range map[string]string{"fr-CA,en;q=0.5": "fr", "ja,xx;q=0.5": "de", "ja, it;q=0.1": "it"} {
		v.headers.Set("Accept-Language", accept)
		if got := lang(v.get(path)); got != want+"-"+country {
			t.Errorf("%s: %s, want %s", accept, got, want)
		}
	}
	chosen := v.get(path + "?lang=es").want(200)
	if got := lang(chosen) + " " + lang(v.get(path)) + " " + lang(v.get("/my/sign-in")); got != "es-"+country+" es-"+country+" es" {
		t.Errorf("chosen, then without the address, then where there is no studio: %s", got)
	}
	if got := strings.Count(chosen.Body, `hreflang="`); got != len(words.Languages())-1 {
		t.Errorf("%d other languages are offered", got)
	}
	if got := lang(v.get(path+"/nothing")) + " " + lang(v.get("/no-such-studio?lang=nl")) + " " + lang(v.get("/no-such-studio")); got != "es nl es" {
		t.Errorf("what is not found, as chosen, in its address, and as chosen: %s", got)
	}
	if got := lang(v.get(path + "?lang=tlh")); got != "es-"+country {
		t.Errorf("a language that foyer does not speak: %s", got)
	}
	if _, err := s.Businesses(t).UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: l.ID, Version: l.Version, OtherLanguages: &no}); err != nil {
		t.Fatal(err)
	}
	only := v.get(path)
	if got := lang(only); got != "de-"+country || strings.Contains(only.Body, "hreflang") {
		t.Errorf("a studio that speaks its own only: %s, others offered: %t", got, strings.Contains(only.Body, "hreflang"))
	}
}
