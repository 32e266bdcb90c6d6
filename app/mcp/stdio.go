package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/web/op"
)

// Stdio connects an assistant on this machine, which speaks lines of JSON, with the address of a server.
//
// The transports of the protocol's makers were weighed for it: their client sends the revision only in its own
// sessions, and ends with the first 401. So messages are passed on as they are, each as a request of its own.
type Stdio struct {
	URL, Key   string // the server's base address, and an API key or a session token
	Compact    bool   // the compact list of tools
	LocationID string // "": all locations
	In         io.Reader
	Out        io.Writer
	Client     *http.Client // nil: one of its own

	endpoint string
	writing  sync.Mutex

	mu       sync.Mutex
	revision string                        // that initialize agreed on
	open     map[string]context.CancelFunc // calls without an answer, by id
}

const (
	lineMost  = op.MaxBody       // of a message from the assistant
	eventMost = 16 << 20         // of a message from the server
	headTime  = time.Minute      // until an answer begins; a call has twenty seconds
	lastTime  = 30 * time.Second // for open calls, after the assistant has closed its side
)

// Run passes messages on until the assistant closes its side, and then until the open calls are answered; or until ctx
// ends. A failed request is an error of the protocol to the assistant, and does not end it.
func (s *Stdio) Run(ctx context.Context) error {
	if err := s.prepare(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, failed := make(chan []byte), make(chan error, 1)
	go s.read(ctx, lines, failed) // a read cannot be stopped: after ctx it stays behind, until the process ends
	var calls sync.WaitGroup
	for {
		select {
		case <-ctx.Done():
			cancel()
			calls.Wait()
			return ctx.Err()
		case line := <-lines:
			if m := s.parse(line); m != nil {
				done := s.begin(ctx, m)
				calls.Go(func() {
					defer done()
					s.send(m)
				})
			}
		case err := <-failed:
			late := time.AfterFunc(lastTime, cancel)
			defer late.Stop()
			calls.Wait()
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// prepare checks the settings.
func (s *Stdio) prepare() error {
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.User != nil {
		return errors.New("FOYER_URL must be the address of the server: https://host")
	}
	if s.Key == "" {
		return errors.New("FOYER_API_KEY is not set")
	}
	if strings.ContainsFunc(s.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("FOYER_API_KEY is not a key")
	}
	q := url.Values{}
	if s.Compact {
		q.Set("tools", "compact")
	}
	if s.LocationID != "" {
		q.Set("locationId", s.LocationID)
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), Path) + Path
	u.RawQuery = q.Encode()
	s.endpoint, s.open = u.String(), map[string]context.CancelFunc{}
	if s.Client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = headTime
		s.Client = &http.Client{Transport: t}
	}
	client := *s.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // it has the key
	s.Client = &client
	return nil
}

// read reads lines until the end.
func (s *Stdio) read(ctx context.Context, lines chan<- []byte, failed chan<- error) {
	in := bufio.NewReaderSize(s.In, 64<<10)
	for {
		line, long, err := readLine(in)
		switch {
		case long:
			s.fail(nil, jsonrpc.CodeInvalidRequest, "The message is larger than 1 MB.", nil)
		case len(bytes.TrimSpace(line)) > 0:
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			failed <- err
			return
		}
	}
}

// readLine reads a line. long reports that it was too long, and left out.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !long && len(line)+len(part) > lineMost {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// message is a message of the assistant. ID is nil in a notification, and in an answer Method is "".
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Meta      map[string]json.RawMessage `json:"_meta"`
		Name, URI string
		RequestID json.RawMessage // of notifications/cancelled
	}

	text []byte
	ctx  context.Context
}

// parse reads a message. It answers one that is none, and returns nil.
func (s *Stdio) parse(line []byte) *message {
	m := &message{text: bytes.TrimSpace(line)}
	if !json.Valid(m.text) {
		s.fail(nil, jsonrpc.CodeParseError, "The message is not JSON.", nil)
		return nil
	}
	if json.Unmarshal(m.text, m) == nil {
		return m
	}
	var id struct{ ID json.RawMessage }
	_ = json.Unmarshal(m.text, &id) // a batch has none
	s.fail(id.ID, jsonrpc.CodeInvalidRequest, "The message is not a request of the protocol.", nil)
	return nil
}

// begin gives a call a context that ends when the assistant cancels it. done ends it.
func (s *Stdio) begin(ctx context.Context, m *message) (done func()) {
	var cancel context.CancelFunc
	m.ctx, cancel = context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method == "notifications/cancelled" {
		if end := s.open[string(m.Params.RequestID)]; end != nil {
			end() // the server sees that the client has left
		}
	}
	if m.ID == nil || m.Method == "" {
		return cancel
	}
	s.open[string(m.ID)] = cancel
	return func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, string(m.ID))
	}
}

// send passes a message on, and the answer back.
func (s *Stdio) send(m *message) {
	res, err := s.post(m)
	if err == nil {
		defer func() { _ = res.Body.Close() }()
		err = s.answer(m, res)
	}
	if err == nil || m.ID == nil || m.Method == "" || m.ctx.Err() != nil { // nobody waits for an answer
		return
	}
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		s.fail(m.ID, refused.Code, refused.Message, refused.Data)
		return
	}
	s.fail(m.ID, jsonrpc.CodeInternalError, "The server at FOYER_URL cannot be reached: "+told(err), nil)
}

// told is an error without the address, which may be long.
func told(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// post sends a message with the headers that its revision wants.
func (s *Stdio) post(m *message) (*http.Response, error) {
	r, err := http.NewRequestWithContext(m.ctx, http.MethodPost, s.endpoint, bytes.NewReader(m.text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", op.JSONType)
	r.Header.Set("Accept", op.JSONType+", text/event-stream")
	r.Header.Set("Authorization", "Bearer "+s.Key)
	var revision string
	if json.Unmarshal(m.Params.Meta[sdk.MetaKeyProtocolVersion], &revision) == nil && revision != "" {
		r.Header.Set("Mcp-Method", headerText(m.Method))
		switch m.Method {
		case "tools/call", "prompts/get":
			r.Header.Set("Mcp-Name", headerText(m.Params.Name))
		case "resources/read":
			r.Header.Set("Mcp-Name", headerText(m.Params.URI))
		}
	} else {
		s.mu.Lock()
		revision = s.revision
		s.mu.Unlock()
	}
	if revision != "" {
		r.Header.Set("Mcp-Protocol-Version", headerText(revision))
	}
	return s.Client.Do(r)
}

// headerText is a value as a header can have it; the server refuses one that differs from the message.
func headerText(v string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, v)
}

// answer passes an answer back, message by message. It returns an error for a call that stays without one.
func (s *Stdio) answer(m *message, res *http.Response) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode == http.StatusOK && kind == "text/event-stream" {
		return s.events(m, res.Body)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, eventMost))
	if err != nil {
		return err
	}
	var text struct {
		Version string `json:"jsonrpc"`
		Error   json.RawMessage
	}
	isJSON := json.Unmarshal(body, &text) == nil
	switch {
	case isJSON && text.Version != "":
		return s.write(m, body)
	case res.StatusCode < 300 && m.ID != nil && m.Method != "":
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "The server gave no answer."}
	case res.StatusCode < 300:
		return nil
	case res.StatusCode < 400:
		return &jsonrpc.Error{
			Code: codeRefused, Message: "FOYER_URL leads to another address: " + res.Header.Get("Location"),
		}
	}
	var refused struct{ Message string }
	if isJSON && json.Unmarshal(text.Error, &refused) == nil && refused.Message != "" {
		if res.StatusCode == http.StatusUnauthorized {
			refused.Message = "The server does not accept FOYER_API_KEY."
		}
		return &jsonrpc.Error{Code: codeRefused, Message: refused.Message, Data: text.Error}
	}
	line, _, _ := strings.Cut(string(body[:min(len(body), 200)]), "\n")
	return &jsonrpc.Error{
		Code: codeRefused, Message: strings.TrimSpace(fmt.Sprintf("The server answered %s. %s", res.Status, line)),
	}
}

// events passes the messages of a stream back.
func (s *Stdio) events(m *message, stream io.Reader) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(make([]byte, 0, 64<<10), eventMost)
	var data []byte
	answered := false
	for lines.Scan() {
		line := lines.Bytes()
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
		if len(line) > 0 || len(data) == 0 {
			continue
		}
		var text struct{ Method *string }
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		if err := s.write(m, data); err != nil {
			return err
		}
		answered, data = answered || text.Method == nil, data[:0]
	}
	if err := lines.Err(); err != nil && !answered {
		return err
	}
	if !answered {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "The server ended before it answered."}
	}
	return nil
}

// write writes a message to the assistant, on one line. It remembers the revision that initialize agreed on.
func (s *Stdio) write(m *message, text []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return err
	}
	if m != nil && m.Method == "initialize" {
		var agreed struct {
			Result struct{ ProtocolVersion string }
		}
		if json.Unmarshal(text, &agreed) == nil && agreed.Result.ProtocolVersion != "" {
			s.mu.Lock()
			s.revision = agreed.Result.ProtocolVersion
			s.mu.Unlock()
		}
	}
	line.WriteByte('\n')
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.Out.Write(line.Bytes())
	return err
}

// fail answers with an error.
func (s *Stdio) fail(id json.RawMessage, code int64, text string, data json.RawMessage) {
	answer, err := encoded(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": &jsonrpc.Error{Code: code, Message: text, Data: data},
	})
	if err == nil {
		_ = s.write(nil, answer) // without a reader there is nobody to tell
	}
}
