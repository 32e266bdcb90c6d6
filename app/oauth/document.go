package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"
	"github.com/google/uuid"

	"foyer/app/pg"
)

// Limits of a client's metadata document.
const (
	fetchTime   = 5 * time.Second
	maxDocument = 64 << 10
	// A document is used for as long as its headers say: at least for the minute in which somebody signs in, at most
	// for a day, and without a word for an hour.
	minFresh     = time.Minute
	defaultFresh = time.Hour
	maxFresh     = 24 * time.Hour
)

// publicOnly is a transport to public addresses: the addresses of clients are anybody's, and must not reach into our
// network. It is checked when the connection is made, after names are resolved.
func publicOnly() http.RoundTripper {
	dialer := &net.Dialer{Timeout: fetchTime, Control: ssrf.New().Safe}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: fetchTime, ResponseHeaderTimeout: fetchTime,
		MaxResponseHeaderBytes: 16 << 10, DisableKeepAlives: true, DisableCompression: true, ForceAttemptHTTP2: true,
	}
}

// document are the members of a metadata document that matter here. (Client ID Metadata Documents)
type document struct {
	ClientID     string          `json:"client_id"`
	Name         string          `json:"client_name"`
	RedirectURIs []string        `json:"redirect_uris"`
	AuthMethod   string          `json:"token_endpoint_auth_method"`
	Secret       json.RawMessage `json:"client_secret"`
}

// unusable is ErrUnknownClient with the reason.
func unusable(format string, args ...any) error {
	return ErrUnknownClient.WithMessage("The client’s metadata document cannot be used: " + fmt.Sprintf(format, args...) +
		".")
}

// documentURL checks the address of a document: https, with a path and without what could make two addresses of one.
func documentURL(id string) error {
	u, err := url.Parse(id)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Contains(id, "#"):
		return unusable("its address is https, without user and fragment")
	case u.Path == "" || u.Path == "/" || u.Path != u.JoinPath().Path || strings.Contains(u.EscapedPath(), "%2"):
		return unusable("its address has a path without dot segments")
	case u.Port() != "" && u.Port() != "443":
		return unusable("its address has no port")
	}
	return nil
}

// fetchClient fetches a client's document and stores the client.
func (s *Service) fetchClient(ctx context.Context, id string) (Client, error) {
	if err := documentURL(id); err != nil {
		return Client{}, err
	}
	d, fresh, err := s.fetchDocument(ctx, id)
	if err != nil {
		return Client{}, err
	}
	switch {
	case d.ClientID != id:
		return Client{}, unusable("its client_id is not its address")
	case d.AuthMethod != "" && d.AuthMethod != string(AuthNone) || d.Secret != nil:
		return Client{}, unusable("token_endpoint_auth_method is none, and there is no secret")
	}
	c, err := newClient(ClientDocument, id, d.Name, d.RedirectURIs)
	if refusal, ok := err.(*Refusal); ok {
		return Client{}, unusable("%s", refusal.Description)
	}
	return pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (Client, error) {
		until := tx.Now().Add(fresh)
		c.FreshUntil = &until
		c.ID, err = upsertClient(ctx, tx, c)
		return c, err
	})
}

func (s *Service) fetchDocument(ctx context.Context, id string) (d document, fresh time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil)
	if err != nil {
		return d, 0, unusable("its address cannot be requested")
	}
	request.Header.Set("Accept", "application/json")
	answer, err := s.fetch.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return d, 0, ctx.Err()
		}
		return d, 0, unusable("it cannot be fetched within five seconds from a public address")
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return d, 0, unusable("its address answers %d", answer.StatusCode)
	}
	if media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); media != "application/json" &&
		!strings.HasSuffix(media, "+json") {
		return d, 0, unusable("its type is not application/json")
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	switch {
	case err != nil:
		return d, 0, unusable("it cannot be fetched within five seconds from a public address")
	case len(body) > maxDocument:
		return d, 0, unusable("it is longer than 64 KB")
	case json.Unmarshal(body, &d) != nil:
		return d, 0, unusable("it is no JSON object with the members of RFC 7591")
	}
	return d, freshness(answer.Header.Get("Cache-Control")), nil
}

// freshness is how long a document is used, by its Cache-Control.
func freshness(header string) time.Duration {
	fresh := defaultFresh
	for directive := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return minFresh
		case "max-age":
			if n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32); err == nil {
				fresh = time.Duration(n) * time.Second
			}
		}
	}
	return min(max(fresh, minFresh), maxFresh)
}
