package mail_test

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/app/mail"
)

var hello = mail.Message{To: "cleo@example.com", Subject: "Your code is 123456", Text: "123456", HTML: "<p>123456</p>",
	Files: []mail.File{{Name: "booking.ics", Type: "text/calendar; charset=utf-8; method=PUBLISH", Body: "BEGIN:VCALENDAR"}}}

func TestMailbox(t *testing.T) {
	at := clock.NewFixed(time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC))
	file := filepath.Join(t.TempDir(), "mailbox.json")
	b, err := mail.NewMailbox(at, file)
	if err != nil {
		t.Fatal(err)
	}
	other := hello
	other.To = "ines@example.com"
	for _, m := range []mail.Message{hello, other} {
		if err := b.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		at.Advance(time.Minute)
	}
	again, err := mail.NewMailbox(at, file)
	if err != nil {
		t.Fatal(err)
	}
	for name, box := range map[string]*mail.Mailbox{"in memory": b, "read back": again} {
		if all := box.List(""); len(all) != 2 || all[0].To != "ines@example.com" || !all[0].At.After(all[1].At) {
			t.Errorf("%s: %+v, want the newest first", name, all)
		}
		if one := box.List("CLEO@example.com"); len(one) != 1 || !reflect.DeepEqual(one[0].Message, hello) {
			t.Errorf("%s: %+v", name, one)
		}
	}
	for range 600 {
		if err := b.Send(t.Context(), hello); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(b.List("")); n != 500 {
		t.Errorf("keeps %d", n)
	}
}

func TestRefusesWhatCouldSmuggleAHeader(t *testing.T) {
	b, err := mail.NewMailbox(clock.System{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]mail.Message{
		"nobody":             {Text: "x"},
		"nothing":            {To: "a@example.com"},
		"break in the to":    {To: "a@example.com\r\nBcc: b@example.com", Text: "x"},
		"break in a file":    {To: "a@example.com", Text: "x", Files: []mail.File{{Name: "a\r\nBcc: b@example.com"}}},
		"break in a subject": {To: "a@example.com", Subject: "x\nBcc: b@example.com", Text: "x"},
	} {
		if err := b.Send(t.Context(), m); !errors.Is(err, mail.ErrMessage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (mail.Nowhere{}).Send(t.Context(), hello); !errors.Is(err, mail.ErrNowhere) {
		t.Errorf("nowhere: %v", err)
	}
}

// server is a mail server that accepts one message and returns it.
func server(t *testing.T) (address string, got <-chan string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	out := make(chan string, 1)
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
		say("220 test")
		var all strings.Builder
		data := false
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			line := lines.Text()
			all.WriteString(line + "\n")
			verb := strings.ToUpper(strings.SplitN(line, " ", 2)[0])
			switch {
			case data && line == ".":
				data = false
				say("250 kept")
			case data:
			case verb == "EHLO":
				say("250 test")
			case verb == "DATA":
				data = true
				say("354 go on")
			case verb == "QUIT":
				say("221 bye")
				out <- all.String()
				return
			default:
				say("250 ok")
			}
		}
	}()
	return ln.Addr().String(), out
}

func TestSMTP(t *testing.T) {
	address, got := server(t)
	s, err := mail.NewSMTP("smtp+plain://"+address, "Harbour Yoga <book@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	sent := <-got
	for _, want := range []string{"MAIL FROM:<book@example.com>", "RCPT TO:<cleo@example.com>", "Subject: Your code is 123456",
		"multipart/mixed", "multipart/alternative", "text/calendar; charset=utf-8; method=PUBLISH; name=\"booking.ics\"", base64.StdEncoding.EncodeToString([]byte("BEGIN:VCALENDAR")), "text/plain", "text/html", "<p>123456</p>"} {
		if !strings.Contains(sent, want) {
			t.Errorf("the server did not get %q", want)
		}
	}
	for _, bad := range []string{"", "http://x", "smtp://", "smtp://host:port"} {
		if _, err := mail.NewSMTP(bad, "a@example.com"); err == nil {
			t.Errorf("%q is taken for a mail server", bad)
		}
	}
	if _, err := mail.NewSMTP("smtp://host", "not an address"); err == nil {
		t.Error("a sender without an address is taken")
	}
	// A server that refuses encryption is not spoken to in the open.
	address, _ = server(t)
	s, err = mail.NewSMTP("smtp://"+address, "book@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), hello); err == nil {
		t.Error("the mail went out without encryption")
	}
}
