package untranslated_test

import (
	"strings"
	"testing"

	"foyer/app/apptest/untranslated"
	"foyer/app/words"
)

// TestFind: English of the catalogue is found, whole, in a longer piece and around its placeholders; the language
// itself, text shared by both languages and the studio's own words are not.
func TestFind(t *testing.T) {
	l := words.In("de")
	r, err := untranslated.For("de", []string{"Your e-mail club", "Join the waitlist or not"})
	if err != nil {
		t.Fatal(err)
	}
	for _, english := range []string{
		"Your e-mail", "Cancel", "You’re booked", "Pay $22.00", "Heute: Join the waitlist", "3 spots left", "A spot is available for you",
		"Schedule: next 14 days", "A fee of 5,00 $ is due under your booking’s policy.",
	} {
		want := !strings.HasPrefix(english, "Pay ") // a word and an amount are too little to tell by
		if found := r.Find([]string{english}); (len(found) > 0) != want {
			t.Errorf("%q: %q", english, found)
		}
	}
	for _, theirs := range []string{
		"", "22,00 $", l.T("Your e-mail"), l.C("button", "Cancel"), l.N(3, "{n} spot left", "{n} spots left"), "Your e-mail club",
		"Kurs: Join the waitlist or not", "Sunrise Vinyasa", l.T("A fee of {amount} is due under your booking’s policy.", "amount", "5,00 $"),
	} {
		if found := r.Find([]string{theirs}); len(found) > 0 {
			t.Errorf("%q: %q", theirs, found)
		}
	}
	if _, err := untranslated.For("tlh", nil); err == nil {
		t.Error("there is no catalogue of Klingon")
	}
	for _, of := range words.Languages()[1:] {
		if r, err := untranslated.For(of.Tag, nil); err != nil || len(r.Find([]string{"Enter your code"})) != 1 {
			t.Errorf("%s: %v", of.Tag, err)
		}
	}
}

// TestNoLanguageIsTakenForEnglish: no sentence of a catalogue is found in its own language, so every finding on a
// page is an error.
func TestNoLanguageIsTakenForEnglish(t *testing.T) {
	for _, of := range words.Languages()[1:] {
		r, err := untranslated.For(of.Tag, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found := r.Find(untranslated.Finds(of.Tag)); len(found) > 0 {
			t.Errorf("%s: %s", of.Tag, strings.Join(found, "\n"))
		}
	}
}
