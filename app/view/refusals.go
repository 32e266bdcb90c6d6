package view

import (
	"errors"
	"sync"

	"foyer/app/assembly"
	"foyer/app/availability"
	"foyer/app/fault"
	"foyer/app/words"
)

// Refusal returns the message of a refusal in the customer's language. The domains refuse in English, and the API
// shows that as it is; the translatable messages are declared beside them. A message already written for this reader
// is returned unchanged.
func (w Words) Refusal(f *fault.Error) string {
	if errors.Is(f, availability.ErrPartySize) {
		return w.T("Choose {min} to {max} people.", "min", f.Details["min"], "max", f.Details["max"])
	}
	return w.Message(f.Message)
}

// Message translates a message of a domain: of a refusal, or of one of its fields.
func (w Words) Message(message string) string {
	if text := words.Text(message); refusals()[text] {
		return w.T(text)
	}
	return message
}

// HasRefusal reports whether a domain declares the message (Told).
func HasRefusal(message string) bool { return refusals()[words.Text(message)] }

// refusals are the messages of refusals that customers read, word for word: those declared by each domain (Told of
// its declare.go), and those before any domain is called. A test of the API compares them with the refusals of its
// customer operations.
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

// beforeDomains are refusals of forms, of credentials and of requests in general.
var beforeDomains = []words.Text{
	"This form has expired or was opened on another site. Go back, reload the page and try again.",
	"A valid credential is needed: sign in, or send an API key where one is accepted.",
	"Too many requests. Try again later.",
	"This was changed in the meantime. Reload it and try again.",
	"The request is not valid.",
}
