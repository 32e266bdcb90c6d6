package ledgeronline

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"foyer/app/clock"
)

// No answer of any bytes makes the client panic, is read as a success without its object, shows the token or has an
// error without a class.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"JournalEntry":{"Id":"1","DocNumber":"BK-1","PrivateNote":"n"},"time":"x"}`,
		`{"Fault":{"Error":[{"Message":"m","Detail":"d","code":"6140","element":""}],"type":"ValidationFault"}}`,
		`{"fault":{"error":[{"message":"m","detail":"Token expired: secret-token","code":"3200"}],"type":"AUTHENTICATION"}}`,
		`{"QueryResponse":{"Account":[{"Id":"1","Name":"n","Active":true,"CurrencyRef":{"value":"USD"}}],"maxResults":1}}`,
		`{"error":"invalid_grant","error_description":"secret-token"}`,
		`{"access_token":"secret-token","refresh_token":"r","expires_in":3600}`,
		`{"fault":{"error":{"message":1,"code":{}}},"Fault":null}`, `<html>`, `[]`, `null`, `"`, `{"Fault":[]}`, ``,
		`{"Fault":{"Error":null,"type":7}}`, `{"fault":"Token expired: secret-token"}`,
	} {
		for _, status := range []int{200, 400, 401, 403, 429, 500} {
			f.Add(status, body)
		}
	}
	now := clock.NewFixed(paceStart)
	c := &Client{clock: now}
	secret := []string{"secret-token"}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 100 || status > 999 {
			return
		}
		a := answer{status: status, header: http.Header{"Retry-After": {body}}, body: []byte(body)}
		check := func(e *Error, r request) {
			if e == nil {
				if !a.ok() {
					t.Fatalf("status %d is a success", status)
				}
				return
			}
			classes := append(slices.Clone(precedence), InvalidGrant, Misconfigured)
			if !slices.Contains(classes, e.Class) || e.Status != status || e.RetryAfter < 0 || e.RetryAfter > maxResting {
				t.Fatalf("%+v", e)
			}
			if e.Unknown && !r.write || r.write && status >= 500 && !e.Unknown {
				t.Fatalf("unknown %v: %+v", e.Unknown, e)
			}
			text := e.Error()
			if strings.Contains(text, "secret-token") || !utf8.ValidString(text) ||
				strings.ContainsAny(e.Message+e.Detail, "\n\r\x00") {
				t.Fatalf("%q", text)
			}
		}
		api := request{op: "post journal", write: true, secrets: secret}
		out, e := c.read(api, a)
		check(e, api)
		if e == nil && out.JournalEntry != nil {
			_ = c.doc(KindJournal, *out.JournalEntry)
		}
		if e == nil && out.QueryResponse != nil {
			for _, b := range out.QueryResponse.Account {
				_ = b.account()
			}
		}
		read := request{op: "list accounts", secrets: secret}
		_, e = c.read(read, a)
		check(e, read)
		oauth := request{op: "refresh tokens", content: "application/x-www-form-urlencoded", write: true, secrets: secret}
		tokens, e := c.readTokens(oauth, a)
		check(e, oauth)
		if e == nil && tokens.AccessToken.IsZero() {
			t.Fatal("a success without a token")
		}
	})
}
