package main

import (
	"bufio"
	"context"
	"errors"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"
)

// post is a mail server that takes everything and remembers the last sign-in code of each address.
type post struct {
	ln    net.Listener
	mu    sync.Mutex
	codes map[string]string
}

func openPost() (*post, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &post{ln: ln, codes: map[string]string{}}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go p.receive(c)
		}
	}()
	return p, nil
}

// url is the setting SMTP_URL.
func (p *post) url() string { return "smtp+plain://" + p.ln.Addr().String() }

var codeOf = regexp.MustCompile(`\b(\d{6}) is your code`)

// receive is the server's side of SMTP, as far as a client that only delivers needs it.
func (p *post) receive(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(text string) bool { _, err := c.Write([]byte(text + "\r\n")); return err == nil }
	var to string
	for ok := say("220 drill"); ok; {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb := strings.ToUpper(strings.TrimSpace(text))
		switch {
		case strings.HasPrefix(verb, "RCPT TO:"):
			_, rest, _ := strings.Cut(text, "<")
			to, _, _ = strings.Cut(rest, ">")
			ok = say("250 ok")
		case verb == "DATA":
			ok = say("354 go on") && p.letter(in, to) && say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			ok = say("250 ok")
		}
	}
}

// letter reads one mail to its end.
func (p *post) letter(in *bufio.Reader, to string) bool {
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return false
		}
		if text == ".\r\n" {
			return true
		}
		if m := codeOf.FindStringSubmatch(text); m != nil {
			p.mu.Lock()
			p.codes[strings.ToLower(to)] = m[1]
			p.mu.Unlock()
		}
	}
}

var errNoCode = errors.New("no sign-in code was mailed within a minute")

// code waits for an address's code and takes it away.
func (p *post) code(ctx context.Context, address string) (code string, err error) {
	_, ok := until(ctx, time.Minute, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		code = p.codes[address]
		delete(p.codes, address)
		return code != ""
	})
	if !ok {
		return "", errNoCode
	}
	return code, nil
}

func (p *post) close() { _ = p.ln.Close() }
