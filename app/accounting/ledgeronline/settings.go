package ledgeronline

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"foyer/app/sealed"
)

// ErrNotConfigured is the error of New for Settings without addresses and credentials.
var ErrNotConfigured = errors.New("ledgeronline: not configured: the settings LEDGER_ONLINE_* are empty")

// DefaultMinorVersion is the minor version of the wire format when Settings have none. The provider ignores lower ones.
const DefaultMinorVersion = 75

// Settings are the addresses of the provider and the credentials of this program there. All are empty on an
// installation that offers no accounting.
type Settings struct {
	AuthorizeURL string        // LEDGER_ONLINE_AUTHORIZE_URL: the page that asks a person for access, opened in a browser
	TokenURL     string        // LEDGER_ONLINE_TOKEN_URL
	RevokeURL    string        // LEDGER_ONLINE_REVOKE_URL
	APIBase      string        // LEDGER_ONLINE_API_BASE: "…/v3/company", without a company's id
	AppBase      string        // LEDGER_ONLINE_APP_BASE: the provider's website, for links to documents
	ClientID     string        // LEDGER_ONLINE_CLIENT_ID
	ClientSecret sealed.Secret // LEDGER_ONLINE_CLIENT_SECRET
	RedirectURI  string        // LEDGER_ONLINE_REDIRECT_URI: the callback of this program, as registered there
	Scope        string        // LEDGER_ONLINE_SCOPE: the provider's name for accounting
	MinorVersion int           // LEDGER_ONLINE_MINOR_VERSION; 0 for DefaultMinorVersion
}

// Configured reports whether an address or a credential is set. The scope and the minor version do not count: they
// can have defaults.
func (s Settings) Configured() bool {
	return cmp.Or(s.AuthorizeURL, s.TokenURL, s.RevokeURL, s.APIBase, s.AppBase, s.ClientID, s.ClientSecret.Reveal(),
		s.RedirectURI) != ""
}

// Validate returns an error that names every setting that is missing or cannot be used. Settings that are not
// configured are valid.
//
// The addresses that receive tokens and the client secret need https, or a name of this machine (localhost, names below
// it, and loopback addresses): a secret must not cross a network unencrypted.
func (s Settings) Validate() error {
	if !s.Configured() {
		return nil
	}
	var errs []error
	for _, x := range []struct{ name, value string }{
		{"CLIENT_ID", s.ClientID}, {"CLIENT_SECRET", s.ClientSecret.Reveal()}, {"SCOPE", s.Scope},
	} {
		if strings.TrimSpace(x.value) == "" {
			errs = append(errs, fmt.Errorf("LEDGER_ONLINE_%s is not set", x.name))
		}
	}
	for _, x := range []struct {
		name, value string
		secret      bool // tokens or the client secret are sent there
		bare        bool // something is appended, so that there is no query
	}{
		{"AUTHORIZE_URL", s.AuthorizeURL, false, true}, {"TOKEN_URL", s.TokenURL, true, false},
		{"REVOKE_URL", s.RevokeURL, true, false}, {"API_BASE", s.APIBase, true, true},
		{"APP_BASE", s.AppBase, false, true}, {"REDIRECT_URI", s.RedirectURI, false, false},
	} {
		if err := checkAddress(x.value, x.secret, x.bare); err != nil {
			errs = append(errs, fmt.Errorf("LEDGER_ONLINE_%s %w", x.name, err))
		}
	}
	if s.MinorVersion != 0 && s.MinorVersion < DefaultMinorVersion {
		errs = append(errs, fmt.Errorf("LEDGER_ONLINE_MINOR_VERSION is below %d", DefaultMinorVersion))
	}
	return errors.Join(errs...)
}

func checkAddress(raw string, secret, bare bool) error {
	if raw == "" {
		return errors.New("is not set")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("is not an absolute http or https address")
	case u.User != nil || u.Fragment != "":
		return errors.New("has a user name or a fragment")
	case bare && u.RawQuery != "":
		return errors.New("has a query")
	case secret && u.Scheme != "https" && !loopback(u.Hostname()):
		return errors.New("receives secrets and needs https")
	}
	return nil
}

func loopback(host string) bool {
	host = strings.ToLower(host)
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
