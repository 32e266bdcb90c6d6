package ledgeronline

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"foyer/app/sealed"
)

// AuthorizeURL returns the address of the page where a person allows access to a company. The page returns to the
// redirect address with code, state and realmId (the company), or with error=access_denied and state.
func (c *Client) AuthorizeURL(state string) string {
	return c.settings.AuthorizeURL + "?" + url.Values{
		"client_id":     {c.settings.ClientID},
		"response_type": {"code"},
		"scope":         {c.settings.Scope},
		"redirect_uri":  {c.settings.RedirectURI},
		"state":         {state},
	}.Encode()
}

// Exchange exchanges the code that the provider's page returned for tokens. A code is valid once and for minutes.
// realm is the company that came with it, for the log. It returns an error of class InvalidGrant for a code that is
// not valid.
func (c *Client) Exchange(ctx context.Context, code, realm string) (Tokens, error) {
	return c.tokens(ctx, "exchange code", realm, code, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {c.settings.RedirectURI},
	})
}

// Refresh exchanges a refresh token for new tokens. The refresh token of the result replaces the one that was sent.
// It returns an error of class InvalidGrant for a token that is expired, replaced or revoked, and one of class
// Misconfigured if the provider does not accept this program: the token can still be good. With Error.Unknown,
// the token may have been replaced by one that was lost with the answer.
func (c *Client) Refresh(ctx context.Context, refresh sealed.Secret) (Tokens, error) {
	t, err := c.tokens(ctx, "refresh tokens", "", refresh.Reveal(), url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {refresh.Reveal()},
	})
	if err == nil && t.Refresh.IsZero() {
		t.Refresh = refresh // an answer without one means that it stays valid
	}
	return t, err
}

// Revoke ends the access of a refresh token. It returns nil for a token that is not valid: it was revoked already.
func (c *Client) Revoke(ctx context.Context, refresh sealed.Secret) error {
	const op = "revoke token"
	if refresh.IsZero() {
		return invalid(op, "there is no token")
	}
	body, err := json.Marshal(map[string]string{"token": refresh.Reveal()})
	if err != nil {
		return invalid(op, "the token cannot be written")
	}
	r := request{
		op: op, method: http.MethodPost, url: c.settings.RevokeURL, content: "application/json", body: body, limit: maxAnswer,
		write: true, secrets: []string{refresh.Reveal()},
	}
	_, failure := c.authorization(ctx, r)
	if failure == nil || failure.Status == http.StatusBadRequest && failure.Class != Misconfigured {
		return nil
	}
	return failure
}

// tokensBody is an answer of the authorization server. Lifetimes are seconds.
type tokensBody struct {
	AccessToken  sealed.Secret `json:"access_token"`
	RefreshToken sealed.Secret `json:"refresh_token"`
	ExpiresIn    text          `json:"expires_in"`
	RefreshIn    text          `json:"x_refresh_token_expires_in"`      // renewed by each refresh
	HardIn       text          `json:"x_refresh_token_hard_expires_in"` // of the connection; only on request
	Error        text          `json:"error"`
	Description  text          `json:"error_description"`
}

func (c *Client) tokens(ctx context.Context, op, realm, sent string, form url.Values) (Tokens, error) {
	if sent == "" {
		return Tokens{}, &Error{Op: op, Class: InvalidGrant, Message: "there is no token to send"}
	}
	r := request{
		op: op, realm: realm, method: http.MethodPost, url: c.settings.TokenURL, content: "application/x-www-form-urlencoded",
		body: []byte(form.Encode()), limit: maxAnswer, write: true, hardEnd: true,
		secrets: []string{sent},
	}
	began := c.clock.Now() // lifetimes count from before the answer, so that an end is early rather than late
	body, failure := c.authorization(ctx, r)
	if failure != nil {
		return Tokens{}, failure
	}
	ends := func(seconds ...text) time.Time {
		var end time.Time
		for _, s := range seconds {
			d, err := time.ParseDuration(string(s) + "s")
			if at := began.Add(d); err == nil && d > 0 && (end.IsZero() || at.Before(end)) {
				end = at
			}
		}
		return end
	}
	return Tokens{
		Access: body.AccessToken, Refresh: body.RefreshToken,
		AccessExpires: ends(body.ExpiresIn), RefreshExpires: ends(body.RefreshIn, body.HardIn),
	}, nil
}

// authorization makes a request to the authorization server, as this program.
func (c *Client) authorization(ctx context.Context, r request) (tokensBody, *Error) {
	secret := c.settings.ClientSecret.Reveal()
	basic := base64.StdEncoding.EncodeToString([]byte(c.settings.ClientID + ":" + secret))
	r.auth, r.secrets = "Basic "+basic, append(r.secrets, secret, basic)
	began := c.clock.Now()
	a, failure := c.send(ctx, r)
	var out tokensBody
	if failure == nil {
		out, failure = c.readTokens(r, a)
	}
	c.record(ctx, r, a, began, failure)
	return out, failure
}

// readTokens reads an answer of the authorization server. Only the words invalid_grant end a connection: a refusal of
// this program, and a page of a gateway, say nothing about a token.
func (c *Client) readTokens(r request, a answer) (tokensBody, *Error) {
	var out tokensBody
	broken := json.Unmarshal(a.body, &out)
	wants := strings.HasPrefix(r.content, "application/x-www-form")
	switch {
	case broken == nil && out.Error != "":
		class := Misconfigured
		switch {
		case out.Error == "invalid_grant":
			class = InvalidGrant
		case a.status == http.StatusTooManyRequests:
			class = Throttled
		case a.status >= http.StatusInternalServerError, out.Error == "temporarily_unavailable", out.Error == "server_error":
			class = Transient
		case out.Error == "invalid_request", out.Error == "invalid_token":
			if !wants { // of a token to revoke
				class = Invalid
			}
		}
		e := c.failed(r, a, class, "")
		e.Code = shown(string(out.Error), r.secrets)
		e.Message = cmp.Or(shown(string(out.Description), r.secrets), e.Code)
		return tokensBody{}, e
	case a.status == http.StatusTooManyRequests:
		return tokensBody{}, c.failed(r, a, Throttled, "the provider answers 429")
	case a.status >= http.StatusInternalServerError, a.status == http.StatusRequestTimeout:
		return tokensBody{}, c.failed(r, a, Transient, "the provider fails")
	case !a.ok() && !wants && a.status == http.StatusBadRequest:
		return tokensBody{}, c.failed(r, a, Invalid, "the provider refuses the token")
	case !a.ok():
		return tokensBody{}, c.failed(r, a, Misconfigured, "the provider refuses this program")
	case wants && (broken != nil || out.AccessToken.IsZero()):
		return tokensBody{}, c.failed(r, a, Transient, "the answer has no access token")
	}
	return out, nil
}
