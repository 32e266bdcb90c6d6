package identity_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/identity"
)

// The code comes in the language of the requesting page, which becomes the person's until they choose one; then
// theirs counts.
func TestLanguageOfAPerson(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	signIn := func(language string) (string, identity.SignIn) {
		t.Helper()
		challenge, err := p.Challenge(t.Context(), "ana@example.com", identity.Origin{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.MailCode(t.Context(), identity.CodeJob{Challenge: challenge}); err != nil {
			t.Fatal(err)
		}
		m := p.Mail.List("ana@example.com")[0]
		in, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: m.Subject, By: identity.Origin{}})
		if err != nil {
			t.Fatal(err)
		}
		return m.Text, in
	}
	for i, c := range []struct{ page, mail, person string }{{"", "", ""}, {"de", "de", "de"}, {"fr", "de", "de"}} {
		text, in := signIn(c.page)
		_, code := mailed(text)
		if language, _ := mailed(text); language != c.mail || in.Locale != c.person || code == "" {
			t.Errorf("%d: a page in %q: mailed %q, the person reads %q", i, c.page, text, in.Locale)
		}
	}
	_, in := signIn("")
	who, err := p.Authenticate(t.Context(), in.Token)
	if err != nil {
		t.Fatal(err)
	}
	me, err := p.Profile(t.Context(), who)
	if err != nil || me.Locale != "de" || me.ID == uuid.Nil {
		t.Fatalf("%+v (%v)", me, err)
	}
	if _, err := p.UpdateProfile(t.Context(), who, identity.ProfileInput{Version: me.Version, Locale: ptr("pt-BR")}); err != nil {
		t.Fatal(err)
	}
	if text, in := signIn("fr"); text[:len(" pt-BR ")] != " pt-BR " || in.Locale != "pt-BR" {
		t.Errorf("chosen: mailed %q, the person reads %q", text, in.Locale)
	}
}

// mailed returns the language and the code of a mail of apptest: "Name language code".
func mailed(text string) (language, code string) {
	fields := []string{"", "", ""}
	n := 0
	for _, r := range text {
		if r == ' ' {
			n++
			continue
		}
		fields[n] += string(r)
	}
	return fields[1], fields[2]
}
