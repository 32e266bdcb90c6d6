// Package mail sends messages. A job of a domain renders a message from the facts at the time it runs, and passes it
// to a Sender. There is SMTP for production and a mailbox for dev and tests.
package mail

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
)

// Message is one mail to one address. Text is always there; HTML may be empty.
type Message struct {
	To      string
	From    string // name of the sender; the installation's if empty. The address is always the installation's
	Subject string
	Text    string
	HTML    string
	Files   []File
}

// File is something that a message carries beside its words.
type File struct {
	Name string // "booking.ics"
	Type string // as Content-Type has it, with its parameters
	Body string
}

// Sender delivers a message or returns an error. The outbox retries after an error.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// ErrMessage refuses a message without a recipient or text, or with a line break in a header.
var ErrMessage = errors.New("mail: no recipient, no text, or a line break in a header")

func (m Message) validate() error {
	if m.To == "" || m.Text == "" || strings.ContainsAny(m.To+m.From+m.Subject, "\r\n") {
		return ErrMessage
	}
	for _, f := range m.Files {
		if f.Name == "" || strings.ContainsAny(f.Name+f.Type, "\r\n") {
			return ErrMessage
		}
	}
	return nil
}

// ErrNowhere is returned if no mail server is configured.
var ErrNowhere = errors.New("mail: no mail server is configured (SMTP_URL)")

// Nowhere is the sender of an installation without a mail server: every message fails and stays in the outbox, so
// that it is sent once a server is configured.
type Nowhere struct{}

// Send implements Sender.
func (Nowhere) Send(context.Context, Message) error { return ErrNowhere }

// Delivered is a message as the mailbox keeps it.
type Delivered struct {
	Message
	At time.Time
}

// Mailbox keeps messages instead of sending them: the newest five hundred, in a file when it has one. For dev and
// tests. Safe for concurrent use.
type Mailbox struct {
	clock clock.Clock
	file  string
	mu    sync.Mutex
	list  []Delivered
}

const mailboxSize = 500

// NewMailbox opens the mailbox stored in file, or in memory if the name is empty.
func NewMailbox(c clock.Clock, file string) (*Mailbox, error) {
	b := &Mailbox{clock: c, file: file}
	if file == "" {
		return b, nil
	}
	body, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	return b, json.Unmarshal(body, &b.list)
}

// Send implements Sender.
func (b *Mailbox) Send(_ context.Context, m Message) error {
	if err := m.validate(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, Delivered{m, b.clock.Now()})
	if len(b.list) > mailboxSize {
		b.list = slices.Delete(b.list, 0, len(b.list)-mailboxSize)
	}
	return b.save()
}

func (b *Mailbox) save() error {
	if b.file == "" {
		return nil
	}
	body, err := json.Marshal(b.list)
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.file+".new", body, 0o600); err != nil {
		return err
	}
	return os.Rename(b.file+".new", b.file)
}

// List returns the messages to an address, newest first; all of them when to is empty.
func (b *Mailbox) List(to string) []Delivered {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := []Delivered{}
	for _, d := range slices.Backward(b.list) {
		if to == "" || strings.EqualFold(d.To, to) {
			out = append(out, d)
		}
	}
	return out
}
