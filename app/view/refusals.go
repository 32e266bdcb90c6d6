package view

import (
	"errors"
	"sync"

	"foyer/app/assembly"
	"foyer/app/availability"
	"foyer/app/fault"
	"foyer/app/words"
)

// Refusal is why something cannot be had or done, in the language of who asked for it. The domains refuse in English, which the
// API shows as it is; what a page can show of it is declared beside. A message that was written for this reader stays as it is.
func (w Words) Refusal(f *fault.Error) string {
	if errors.Is(f, availability.ErrPartySize) {
		return w.T("It is for {min} to {max} people.", "min", f.Details["min"], "max", f.Details["max"])
	}
	return w.Message(f.Message)
}

// Message is a message of a domain in the language: a refusal's own, or what it says of a field.
func (w Words) Message(message string) string {
	if text := words.Text(message); refusals()[text] {
		return w.T(text)
	}
	return message
}

// HasRefusal reports whether Told has words for a message.
func HasRefusal(message string) bool { return refusals()[words.Text(message)] }

// refusals are what customers read when something is refused, word for word: what each domain declares (Told of its declare.go),
// and what is refused before a domain is asked. A test of the API compares them with what its operations of customers refuse.
var refusals = sync.OnceValue(func() map[words.Text]bool {
	out := map[words.Text]bool{}
	for _, text := range beforeDomains {
		out[text] = true
	}
	for _, d := range assembly.Declared() {
		for _, text := range d.Messages {
			out[text] = true
		}
	}
	return out
})

// beforeDomains are refusals of forms, of credentials and of the ground.
var beforeDomains = []words.Text{
	"This form has expired or was opened on another site. Go back, reload the page and try again.",
	"A valid credential is needed: sign in, or send an API key where one is accepted.",
	"Too many requests. Try again later.",
	"This was changed in the meantime. Load it again.",
	"The request is not valid.",
}
