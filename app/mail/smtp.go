package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// attemptTime limits one try to send, in real time: to connect, to negotiate encryption, to sign in and to send the
// mail. A server that hangs keeps a worker no longer than that.
const attemptTime = 15 * time.Second

// SMTP sends through a mail server.
type SMTP struct {
	from    string
	address string // of from, without the name
	host    string
	options []gomail.Option
	tls     *tls.Config // of a connection that is encrypted from the start; nil for any other
	attempt time.Duration
}

// NewSMTP reads an address of the form smtp://user:password@host:587 (STARTTLS required), smtps://…:465 (TLS from the
// start) or smtp+plain://host:25 (no encryption: a relay on the same machine). from is the sender, "Name <a@b>".
func NewSMTP(address, from string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("mail: the SMTP address is not valid")
	}
	s := &SMTP{from: from, host: u.Hostname(), attempt: attemptTime}
	port, policy := 587, gomail.TLSMandatory
	switch u.Scheme {
	case "smtp":
	case "smtps":
		// dial has encrypted already, and go-mail sees that; with TLSMandatory it would want STARTTLS besides.
		port, policy = 465, gomail.TLSOpportunistic
		s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	case "smtp+plain":
		port, policy = 25, gomail.NoTLS
	default:
		return nil, fmt.Errorf("mail: unknown scheme %q", u.Scheme)
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, fmt.Errorf("mail: port: %w", err)
		}
	}
	s.options = []gomail.Option{gomail.WithTLSPolicy(policy), gomail.WithPort(port)}
	if u.User != nil {
		password, _ := u.User.Password()
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	if _, err := gomail.NewClient(s.host, s.options...); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail: sender: %w", err)
	}
	s.address = sender.Address
	return s, nil
}

// bounded is a connection with deadlines that are never later than until: go-mail gives each of its steps the whole
// time anew.
type bounded struct {
	net.Conn
	until time.Time
}

// SetDeadline implements net.Conn.
func (b bounded) SetDeadline(t time.Time) error {
	if t.IsZero() || t.After(b.until) {
		t = b.until
	}
	return b.Conn.SetDeadline(t)
}

// dial connects. Nothing on the connection lasts longer than ctx.
func (s *SMTP) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	until, _ := ctx.Deadline() // Send's
	conn := bounded{raw, until}
	if s.tls == nil {
		return conn, nil
	}
	encrypted := tls.Client(conn, s.tls)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = raw.Close() // why it failed is known
		return nil, err
	}
	return encrypted, nil
}

// sender returns the From address of a message: the installation's, with the name of the sender if there is one.
func (s *SMTP) sender(m Message) string {
	if m.From == "" {
		return s.from
	}
	return (&netmail.Address{Name: m.From, Address: s.address}).String()
}

// Send implements Sender. It returns within attemptTime.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	if err := m.validate(); err != nil {
		return err
	}
	msg := gomail.NewMsg()
	if err := msg.From(s.sender(m)); err != nil {
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
	for _, f := range m.Files {
		if err := msg.AttachReader(f.Name, strings.NewReader(f.Body), gomail.WithFileContentType(gomail.ContentType(f.Type))); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.attempt)
	defer cancel()
	return s.deliver(ctx, msg)
}

// deliver sends a mail. It closes its connection itself: go-mail leaves it open when the server fails half-way.
func (s *SMTP) deliver(ctx context.Context, msg *gomail.Msg) error {
	var conn net.Conn
	dial := func(ctx context.Context, network, address string) (_ net.Conn, err error) {
		conn, err = s.dial(ctx, network, address)
		return conn, err
	}
	client, err := gomail.NewClient(s.host, append(slices.Clip(s.options), gomail.WithTimeout(s.attempt), gomail.WithDialContextFunc(dial))...)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	defer func() {
		if conn != nil {
			_ = conn.Close() // the session is complete
		}
	}()
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	if err := client.SendWithSMTPClient(session, msg); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	_ = client.CloseWithSMTPClient(session) // the server has accepted the mail: an error here must not send it again
	return nil
}
