// Package mail sends messages. What a message says is decided elsewhere: a job of a domain renders it from the facts as
// they are when it runs, and hands it to a Sender. There is SMTP for production and a mailbox for dev and tests.
package mail

import (
	"context"
	"errors"
	"strings"
)

// Message is one mail to one address. Text is always there; HTML may be empty.
type Message struct {
	To      string
	Subject string
	Text    string
	HTML    string
}

// Sender delivers a message or says why not. An error is tried again by the outbox.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// ErrMessage refuses a message that could smuggle a header or says nothing.
var ErrMessage = errors.New("mail: no recipient, no text, or a line break in a header")

func (m Message) validate() error {
	if m.To == "" || m.Text == "" || strings.ContainsAny(m.To+m.Subject, "\r\n") {
		return ErrMessage
	}
	return nil
}

// ErrNowhere says that no mail server is configured.
var ErrNowhere = errors.New("mail: no mail server is configured (SMTP_URL)")

// Nowhere is the sender of an installation without a mail server: every message fails and stays in the outbox, so that
// it goes out once a server is configured.
type Nowhere struct{}

// Send implements Sender.
func (Nowhere) Send(context.Context, Message) error { return ErrNowhere }
