package ledgeronline_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/sealed"
)

func TestTokens(t *testing.T) {
	const day = 24 * time.Hour
	const pair = `{"access_token":"at","refresh_token":"rt2"`
	for name, c := range map[string]struct {
		body            string
		refresh         string
		access, expires time.Time
	}{
		"all": {pair + `,"token_type":"bearer","expires_in":3600,"x_refresh_token_expires_in":8726400}`,
			"rt2", start.Add(time.Hour), start.Add(101 * day)},
		"the connection ends first": {pair + `,"expires_in":3600,"x_refresh_token_expires_in":8640000,` +
			`"x_refresh_token_hard_expires_in":86400}`, "rt2", start.Add(time.Hour), start.Add(day)},
		"the connection ends later": {pair + `,"expires_in":3600,"x_refresh_token_expires_in":8640000,` +
			`"x_refresh_token_hard_expires_in":157680000}`, "rt2", start.Add(time.Hour), start.Add(100 * day)},
		"numbers as text": {
			`{"access_token":"at","refresh_token":"rt2","expires_in":"3600"}`, "rt2", start.Add(time.Hour), time.Time{},
		},
		"nothing stated": {`{"access_token":"at","refresh_token":"rt2"}`, "rt2", time.Time{}, time.Time{}},
		"nonsense": {
			`{"access_token":"at","refresh_token":"rt2","expires_in":-5,"x_refresh_token_expires_in":1e99}`, "rt2",
			time.Time{}, time.Time{},
		},
		"the refresh token remains": {`{"access_token":"at","expires_in":3600}`, "rt1", start.Add(time.Hour), time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			api := &canned{body: c.body}
			client, _ := open(t, api)
			got, err := client.Refresh(t.Context(), sealed.NewSecret("rt1"))
			if err != nil {
				t.Fatal(err)
			}
			if got.Access.Reveal() != "at" || got.Refresh.Reveal() != c.refresh || !got.AccessExpires.Equal(c.access) ||
				!got.RefreshExpires.Equal(c.expires) {
				t.Errorf("%s %s %v %v", got.Access.Reveal(), got.Refresh.Reveal(), got.AccessExpires, got.RefreshExpires)
			}
			r := api.sent[0]
			id, secret, _ := r.BasicAuth()
			if r.URL.String() != "https://oauth.ledger.example/tokens" || id != "client" ||
				secret != "client-secret-canary-0123456789" ||
				r.Header.Get("X-Include-Refresh-Token-Hard-Expires-In") != "true" ||
				r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			form, _ := url.ParseQuery(api.bodies[0])
			if diff := cmp.Diff(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"rt1"}}, form); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExchange(t *testing.T) {
	api := &canned{body: `{"access_token":"at","refresh_token":"rt","expires_in":3600}`}
	c, _ := open(t, api)
	if _, err := c.Exchange(t.Context(), "a code", realm); err != nil {
		t.Fatal(err)
	}
	form, _ := url.ParseQuery(api.bodies[0])
	want := url.Values{
		"grant_type": {
			"authorization_code"}, "code": {"a code"}, "redirect_uri": {"https://studio.example/accounting/callback"},
	}
	if diff := cmp.Diff(want, form); diff != "" {
		t.Error(diff)
	}
}

// Only the words invalid_grant end a connection.
func TestFailuresOfTheAuthorizationServer(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		body    string
		err     error
		class   ledgeronline.Class
		unknown bool
	}{
		"invalid grant": {
			400, `{"error":"invalid_grant","error_description":"Token invalid"}`, nil, ledgeronline.InvalidGrant, false,
		},
		"invalid grant in 401": {401, `{"error":"invalid_grant"}`, nil, ledgeronline.InvalidGrant, false},
		"invalid client":       {401, `{"error":"invalid_client"}`, nil, ledgeronline.Misconfigured, false},
		"invalid client, 400":  {400, `{"error":"invalid_client"}`, nil, ledgeronline.Misconfigured, false},
		"invalid request":      {400, `{"error":"invalid_request"}`, nil, ledgeronline.Misconfigured, false},
		"wrong redirect":       {400, `{"error":"redirect_uri_mismatch"}`, nil, ledgeronline.Misconfigured, false},
		"401 empty":            {401, ``, nil, ledgeronline.Misconfigured, false},
		"403 of a gateway":     {403, `<html>`, nil, ledgeronline.Misconfigured, false},
		"400 in HTML":          {400, `<html>`, nil, ledgeronline.Misconfigured, false},
		"404":                  {404, ``, nil, ledgeronline.Misconfigured, false},
		"redirect":             {302, ``, nil, ledgeronline.Misconfigured, false},
		"429":                  {429, ``, nil, ledgeronline.Throttled, false},
		"429 with an error":    {429, `{"error":"slow_down"}`, nil, ledgeronline.Throttled, false},
		"500":                  {500, `<html>`, nil, ledgeronline.Transient, true},
		"503 with an error":    {503, `{"error":"server_error"}`, nil, ledgeronline.Transient, true},
		"unavailable":          {400, `{"error":"temporarily_unavailable"}`, nil, ledgeronline.Transient, true},
		"cut off":              {200, `{"access_token":"at","refresh_`, nil, ledgeronline.Transient, true},
		"no token":             {200, `{}`, nil, ledgeronline.Transient, true},
		"HTML":                 {200, `<html>`, nil, ledgeronline.Transient, true},
		"no answer":            {0, ``, errors.New("reset"), ledgeronline.Transient, true},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := open(t, &canned{status: c.status, body: c.body, err: c.err})
			_, err := client.Refresh(t.Context(), sealed.NewSecret("rt1"))
			if ledgeronline.ClassOf(err) != c.class || ledgeronline.Unknown(err) != c.unknown {
				t.Errorf("%v", err)
			}
		})
	}
	api := &canned{}
	client, _ := open(t, api)
	if _, err := client.Refresh(t.Context(), sealed.Secret{}); ledgeronline.ClassOf(err) != ledgeronline.InvalidGrant ||
		api.count() != 0 {
		t.Errorf("no token: %v", err)
	}
}

func TestRevoke(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		class  ledgeronline.Class
	}{
		"done":             {200, ``, ""},
		"already revoked":  {400, `{"error":"invalid_request"}`, ""},
		"unknown":          {400, `{"error":"invalid_grant"}`, ""},
		"invalid token":    {400, `{"error":"invalid_token"}`, ""},
		"400 empty":        {400, ``, ""},
		"invalid client":   {401, `{"error":"invalid_client"}`, ledgeronline.Misconfigured},
		"invalid client 2": {400, `{"error":"invalid_client"}`, ledgeronline.Misconfigured},
		"500":              {500, ``, ledgeronline.Transient},
		"429":              {429, ``, ledgeronline.Throttled},
	} {
		api := &canned{status: c.status, body: c.body}
		client, _ := open(t, api)
		err := client.Revoke(t.Context(), sealed.NewSecret(`rt"1`))
		if ledgeronline.ClassOf(err) != c.class || (err == nil) != (c.class == "") {
			t.Errorf("%s: %v", name, err)
		}
		r := api.sent[0]
		if id, _, _ := r.BasicAuth(); api.bodies[0] != `{"token":"rt\"1"}` || r.Method != http.MethodPost || id != "client" ||
			r.URL.String() != "https://oauth.ledger.example/revoke" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s %s", name, r.URL, api.bodies[0])
		}
	}
}

func TestSettings(t *testing.T) {
	var none ledgeronline.Settings
	none.Scope, none.MinorVersion = "accounting", 75
	if none.Configured() || none.Validate() != nil {
		t.Error("defaults count as settings")
	}
	if _, err := ledgeronline.New(ledgeronline.Options{Settings: none}); !errors.Is(err, ledgeronline.ErrNotConfigured) {
		t.Errorf("%v", err)
	}
	if s := settings(); !s.Configured() || s.Validate() != nil {
		t.Errorf("%v", s.Validate())
	}
	err := ledgeronline.Settings{ClientID: "x"}.Validate()
	for _, name := range []string{"AUTHORIZE_URL", "TOKEN_URL", "REVOKE_URL", "API_BASE", "APP_BASE", "CLIENT_SECRET",
		"REDIRECT_URI", "SCOPE"} {
		if err == nil || !strings.Contains(err.Error(), "LEDGER_ONLINE_"+name+" is not set") {
			t.Errorf("%s is not in %v", name, err)
		}
	}
	for name, change := range map[string]func(*ledgeronline.Settings){
		"TOKEN_URL receives secrets":     func(s *ledgeronline.Settings) { s.TokenURL = "http://ledger.example/tokens" },
		"REVOKE_URL receives secrets":    func(s *ledgeronline.Settings) { s.RevokeURL = "http://10.0.0.1/revoke" },
		"API_BASE receives secrets":      func(s *ledgeronline.Settings) { s.APIBase = "http://localhost.example/v3" },
		"API_BASE has a query":           func(s *ledgeronline.Settings) { s.APIBase += "?x=1" },
		"AUTHORIZE_URL has a query":      func(s *ledgeronline.Settings) { s.AuthorizeURL += "?x=1" },
		"APP_BASE is not an absolute":    func(s *ledgeronline.Settings) { s.AppBase = "/app" },
		"REDIRECT_URI is not an":         func(s *ledgeronline.Settings) { s.RedirectURI = "foyer://callback" },
		"TOKEN_URL has a user":           func(s *ledgeronline.Settings) { s.TokenURL = "https://u:p@ledger.example/" },
		"MINOR_VERSION is below 75":      func(s *ledgeronline.Settings) { s.MinorVersion = 70 },
		"LEDGER_ONLINE_CLIENT_ID is not": func(s *ledgeronline.Settings) { s.ClientID = " " },
	} {
		s := settings()
		change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ledgeronline.New(ledgeronline.Options{Settings: s}); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
	for _, local := range []string{"http://localhost:8080/x", "http://127.0.0.1:1/x", "http://[::1]/x",
		"http://ledger.localhost/x"} {
		s := settings()
		s.APIBase, s.TokenURL, s.RevokeURL = local, local, local
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", local, err)
		}
	}
}
