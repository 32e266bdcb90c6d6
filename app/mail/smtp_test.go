package mail

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// stalling is a mail server that stops responding at one verb: "" is its greeting. It returns the received text after
// the connection is closed.
func stalling(t *testing.T, at string, around func(net.Conn) net.Conn) (address string, heard <-chan string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	out := make(chan string, 1)
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		conn = around(conn)
		defer conn.Close()
		var all strings.Builder
		silent, data := false, false
		say := func(verb, line string) {
			if silent = silent || verb == at; !silent {
				fmt.Fprintf(conn, "%s\r\n", line)
			}
		}
		say("", "220 test")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			line := lines.Text()
			all.WriteString(line + "\n")
			verb := strings.ToUpper(strings.SplitN(line, " ", 2)[0])
			switch {
			case data && line == ".":
				data = false
				say(".", "250 kept")
			case data:
			case verb == "EHLO":
				say(verb, "250-test\r\n250 AUTH PLAIN")
			case verb == "AUTH":
				say(verb, "235 come in")
			case verb == "DATA":
				data = true
				say(verb, "354 go on")
			case verb == "QUIT":
				say(verb, "221 bye")
			default:
				say(verb, "250 ok")
			}
		}
		out <- all.String()
	}()
	return ln.Addr().String(), out
}

func plain(c net.Conn) net.Conn { return c }

var letter = Message{To: "cleo@example.com", Subject: "Hello", Text: "Hello."}

// A server that hangs at any point blocks no longer than the time of one try, and its connection is closed. A mail is
// not sent again if the server hangs after accepting it.
func TestAHangingServerIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	if attemptTime > 15*time.Second {
		t.Errorf("one try may take %s", attemptTime)
	}
	for _, at := range []string{"", "EHLO", "MAIL", "RCPT", "DATA", ".", "QUIT"} {
		t.Run("at "+at, func(t *testing.T) {
			t.Parallel()
			address, heard := stalling(t, at, plain)
			s, err := NewSMTP("smtp+plain://"+address, "book@example.com")
			if err != nil {
				t.Fatal(err)
			}
			s.attempt = 300 * time.Millisecond
			failed := make(chan error, 1)
			go func() { failed <- s.Send(t.Context(), letter) }()
			select {
			case err = <-failed:
			case <-time.After(20 * time.Second):
				t.Fatal("it is still waited for")
			}
			if taken := at == "QUIT"; taken != (err == nil) {
				t.Errorf("%v", err)
			}
			select {
			case <-heard:
			case <-time.After(20 * time.Second):
				t.Error("the connection is still open")
			}
		})
	}
}

// slow is a connection whose other end delays each line.
type slow struct{ net.Conn }

func (s slow) Write(p []byte) (int, error) {
	<-time.After(50 * time.Millisecond)
	return s.Conn.Write(p)
}

// A server that is slow at every step does not get the time of one try for each of them.
func TestASlowServerIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	address, _ := stalling(t, "never", func(c net.Conn) net.Conn { return slow{c} })
	s, err := NewSMTP("smtp+plain://"+address, "book@example.com")
	if err != nil {
		t.Fatal(err)
	}
	s.attempt = 300 * time.Millisecond // seven answers take longer
	if err := s.Send(t.Context(), letter); err == nil {
		t.Error("it was waited for")
	}
}

// Encrypted from the start: the password is sent only to a server with a valid certificate.
func TestEncryptedFromTheStart(t *testing.T) {
	t.Parallel()
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS() // for its certificate
	t.Cleanup(web.Close)
	known := x509.NewCertPool()
	known.AddCert(web.Certificate())
	for name, roots := range map[string]*x509.CertPool{"known": known, "a stranger": x509.NewCertPool()} {
		address, heard := stalling(t, "never", func(c net.Conn) net.Conn {
			return tls.Server(c, &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12})
		})
		s, err := NewSMTP("smtps://ada:secret@"+address, "book@example.com")
		if err != nil {
			t.Fatal(err)
		}
		s.tls.RootCAs = roots
		err = s.Send(t.Context(), letter)
		got := <-heard
		if trusted := roots == known; trusted != (err == nil) || trusted != strings.Contains(got, "AUTH PLAIN") || trusted != strings.Contains(got, "Hello.") {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

// TestNameOfTheSender: a mail has the name of its sender, with any characters, and the address of the installation.
func TestNameOfTheSender(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                     `From: "Foyer" <book@example.com>`,
		"Harbour Yoga":         `From: "Harbour Yoga" <book@example.com>`,
		`Ana "Flow" <Ruiz>, 1`: `From: "Ana \"Flow\" <Ruiz>, 1" <book@example.com>`,
		"Yoga für Zoë":         `<book@example.com>`,
	} {
		address, heard := stalling(t, "never", plain)
		s, err := NewSMTP("smtp+plain://"+address, "Foyer <book@example.com>")
		if err != nil {
			t.Fatal(err)
		}
		m := letter
		m.From = name
		if err := s.Send(t.Context(), m); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if got := <-heard; !strings.Contains(got, want) || name == "Yoga für Zoë" && !strings.Contains(got, "From: =?") {
			t.Errorf("%q: %s", name, got)
		}
	}
	if err := (Message{To: "a@example.com", Text: "Hello", From: "Harbour\r\nBcc: b@example.com"}).validate(); err == nil {
		t.Error("a name smuggles a header")
	}
}
