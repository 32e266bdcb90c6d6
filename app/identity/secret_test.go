package identity_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/identity"
	"foyer/app/mail"
)

func TestSeal(t *testing.T) {
	a, b := identity.NewSeal(apptest.Secret), identity.NewSeal([]byte(strings.Repeat("b", 32)))
	sealed := a.Hide("bk_secret")
	if strings.Contains(string(sealed), "secret") || string(sealed) == string(a.Hide("bk_secret")) {
		t.Error("the seal hides nothing, or the same way twice")
	}
	if got, err := a.Show(sealed); err != nil || got != "bk_secret" {
		t.Errorf("%q (%v)", got, err)
	}
	if _, err := b.Show(sealed); err == nil {
		t.Error("another secret opens the seal")
	}
	sealed[len(sealed)-1] ^= 1
	if _, err := a.Show(sealed); err == nil {
		t.Error("a changed seal opens")
	}
	if _, err := a.Show(nil); err == nil {
		t.Error("nothing opens")
	}
}

func TestParseEmail(t *testing.T) {
	for text, want := range map[string]string{
		" Ana@Example.COM\n":              "ana@example.com",
		"a+tag@sub.example.co.uk":         "a+tag@sub.example.co.uk",
		"o'brien@example.ie":              "o'brien@example.ie",
		"x@xn--mller-kva.de":              "x@xn--mller-kva.de",
		"Ana@Exämple.com":                 "ana@xn--exmple-cua.com",
		"ana@EXA\u0308MPLE.com":           "ana@xn--exmple-cua.com",
		"ana@ｅxämple。com":                 "ana@xn--exmple-cua.com",
		"\u200bana@example.com\u00a0":     "ana@example.com",
		"ana@straße.de":                   "ana@xn--strae-oqa.de",
		"a@почта.рф":                      "a@xn--80a1acny.xn--p1ai",
		strings.Repeat("a", 64) + "@b.de": strings.Repeat("a", 64) + "@b.de",
	} {
		if got, ok := identity.ParseEmail(text); !ok || got != want {
			t.Errorf("%q: %q %v", text, got, ok)
		}
	}
	for _, text := range []string{strings.Repeat("a", 65) + "@b.de", "a@" + strings.Repeat("b.", 130) + "de", "a@1.2.3.4", "a@b.c", "a@b..de", "<a@b.de>",
		"zoë@example.com", "a@-ä.de", "a@ä", "a@ä b.de", "a@א1b.de", "a@" + strings.Repeat("ä", 60) + ".de"} {
		if got, ok := identity.ParseEmail(text); ok {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
}

func FuzzParseEmail(f *testing.F) {
	for _, s := range []string{"ana@example.com", " A@B.DE", "a@b", "İ@example.com", "a@b.de\r\nx", "ana@exämple.com", "a@ß。de", "a@xn--a.de"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := identity.ParseEmail(s)
		if !ok {
			return
		}
		if again, ok := identity.ParseEmail(got); !ok || again != got || strings.ContainsAny(got, " \r\n,;<>\"") || strings.Count(got, "@") != 1 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// An incomplete service stops the program at start.
func TestNewNeedsEverything(t *testing.T) {
	w := apptest.Open(t)
	full := func() identity.Options {
		return identity.Options{DB: w.DB, Pepper: apptest.Secret, Mail: w.Mailbox(t), CodeMail: func(identity.Code) mail.Message { return mail.Message{} }}
	}
	identity.New(full())
	for name, change := range map[string]func(*identity.Options){
		"database": func(o *identity.Options) { o.DB = nil },
		"pepper":   func(o *identity.Options) { o.Pepper = o.Pepper[:31] },
		"mail":     func(o *identity.Options) { o.Mail = nil },
		"words":    func(o *identity.Options) { o.CodeMail = nil },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("made without %s", name)
				}
			}()
			o := full()
			change(&o)
			identity.New(o)
		}()
	}
}
