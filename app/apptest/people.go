package apptest

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Secret is the server's secret in tests.
var Secret = []byte("not a secret, but thirty-two bytes")

// People is the identity service of a world, with what it mails. The subject of a code mail is the code.
type People struct {
	*identity.Service
	Mail *mail.Mailbox
}

// People makes the service; limits are the product's own unless given.
func (w *World) People(t testing.TB, limits ...identity.Limits) People {
	t.Helper()
	p := People{Mail: w.Mailbox(t)}
	o := identity.Options{
		DB: w.DB, Pepper: Secret, Mail: p.Mail,
		CodeMail: func(c identity.Code) mail.Message {
			return mail.Message{To: c.To, Subject: c.Code, Text: c.Name + " " + c.Locale + " " + c.Code}
		},
	}
	if len(limits) > 0 {
		o.Limits = limits[0]
	}
	p.Service = identity.New(o)
	return p
}

// Mailbox is a sender that keeps what it is given.
func (w *World) Mailbox(t testing.TB) *mail.Mailbox {
	t.Helper()
	box, err := mail.NewMailbox(w.Clock, "")
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// Ask asks for a code and runs the job that mails it. The code is "" when none was mailed.
func (p People) Ask(t testing.TB, email string) (challenge uuid.UUID, code string) {
	t.Helper()
	challenge, err := p.Challenge(t.Context(), email, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	before := len(p.Mail.List(email))
	if err := p.MailCode(t.Context(), identity.CodeJob{Challenge: challenge}); err != nil {
		t.Fatal(err)
	}
	if list := p.Mail.List(email); len(list) > before {
		code = list[0].Subject
	}
	return challenge, code
}

// SignIn signs an address in by a mailed code.
func (p People) SignIn(t testing.TB, email string) (identity.SignIn, tenancy.Principal) {
	t.Helper()
	challenge, code := p.Ask(t, email)
	in, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: code, Agent: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	who, err := p.Authenticate(t.Context(), in.Token)
	if err != nil {
		t.Fatal(err)
	}
	return in, who
}

// Person makes somebody who has proved their address and has no session, faster than signing in.
func (w *World) Person(t testing.TB, email string) tenancy.Principal {
	t.Helper()
	ctx := t.Context()
	p, err := pg.InTx(ctx, w.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		p, err := identity.EnsurePersonTx(ctx, tx, email, "")
		if err != nil {
			return p, err
		}
		_, err = tx.Exec(ctx, "update persons set verified_at = $2 where id = $1", p.ID, tx.Now())
		return p, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: p.ID, Name: p.Name}, Email: p.Email}
}
