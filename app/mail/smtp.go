package mail

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// SMTP sends through a mail server.
type SMTP struct {
	from   string
	client *gomail.Client
}

// NewSMTP reads an address of the form smtp://user:password@host:587 (STARTTLS required), smtps://…:465 (TLS from the
// start) or smtp+plain://host:25 (no encryption: a relay on the same machine). from is the sender, "Name <a@b>".
func NewSMTP(address, from string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("mail: the SMTP address is not valid")
	}
	port, secure := 587, []gomail.Option{gomail.WithTLSPolicy(gomail.TLSMandatory)}
	switch u.Scheme {
	case "smtp":
	case "smtps":
		port, secure = 465, []gomail.Option{gomail.WithSSL()}
	case "smtp+plain":
		port, secure = 25, []gomail.Option{gomail.WithTLSPolicy(gomail.NoTLS)}
	default:
		return nil, fmt.Errorf("mail: unknown scheme %q", u.Scheme)
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, fmt.Errorf("mail: port: %w", err)
		}
	}
	options := append(secure, gomail.WithPort(port), gomail.WithTimeout(15*time.Second))
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	if err := gomail.NewMsg().From(from); err != nil {
		return nil, fmt.Errorf("mail: sender: %w", err)
	}
	return &SMTP{from: from, client: client}, nil
}

// Send implements Sender.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	if err := m.validate(); err != nil {
		return err
	}
	msg := gomail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return err
	}
	if err := msg.To(m.To); err != nil {
		return err
	}
	msg.Subject(m.Subject)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return s.client.DialAndSendWithContext(ctx, msg)
}
