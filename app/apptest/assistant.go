package apptest

import (
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/google/uuid"

	"foyer/app/oauth"
	"foyer/app/tenancy"
)

// ConnectAssistant connects an assistant with that name to a business for a person, as their consent does, and returns
// its tokens. It has made no call yet. base is the address of the server.
func ConnectAssistant(
	t testing.TB, o *oauth.Service, base string, p tenancy.Principal, business uuid.UUID, name string,
) oauth.Tokens {
	t.Helper()
	const callback, verifier = "https://assistant.example/callback", "a verifier of at least forty-three characters"
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := o.RegisterClient(t.Context(), AtHome.Visitor, oauth.Registration{
		Name: name, RedirectURIs: []string{callback}, AuthMethod: string(oauth.AuthNone),
	})
	ok(err)
	sum := sha256.Sum256([]byte(verifier))
	request, err := o.Check(t.Context(), AtHome.Visitor, base, oauth.Request{
		ClientID: c.ClientID, RedirectURI: callback, ResponseType: "code", Method: "S256",
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]),
	})
	ok(err)
	sc := tenancy.Visitor(p, business, tenancy.SurfaceHosted)
	code, err := o.Allow(tenancy.Acting(t.Context(), sc), sc, business, request)
	ok(err)
	tokens, err := o.Redeem(t.Context(), c.Client, code, callback, verifier)
	ok(err)
	return tokens
}
