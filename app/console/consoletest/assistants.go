package consoletest

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/identity"
	"foyer/app/mcp"
	"foyer/app/paging"
	"foyer/app/tenancy"
)

// Assistant is an assistant that a member of the team connected.
type Assistant struct {
	ID     uuid.UUID // of the connection
	s      *Studio
	tenant uuid.UUID
	token  string
}

// ConnectAssistant connects an assistant with that name for a member of the team, as their consent does. It has made
// no call yet.
func (s *Studio) ConnectAssistant(t testing.TB, sc tenancy.Scope, name string) Assistant {
	t.Helper()
	tokens := apptest.ConnectAssistant(t, s.OAuth, s.URL, sc.Principal, sc.Tenant, name)
	newest, err := s.OAuth.Connections(t.Context(), sc, paging.In[uuid.UUID]{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return Assistant{ID: newest.Items[0].ID, s: s, tenant: sc.Tenant, token: tokens.Access}
}

// Calls authenticates the assistant, as each of its calls does, and returns the scope in which it acts.
func (a Assistant) Calls(t testing.TB) tenancy.Scope {
	t.Helper()
	c, err := a.caller(t)
	if err != nil {
		t.Fatal(err)
	}
	return tenancy.Scope{
		Principal: c.Principal, Tenant: a.tenant, Grants: c.Grants, Surface: tenancy.SurfaceAssistant,
	}
}

// Admitted reports whether a call of the assistant is admitted.
func (a Assistant) Admitted(t testing.TB) bool {
	t.Helper()
	_, err := a.caller(t)
	if err != nil && !errors.Is(err, identity.ErrSession) {
		t.Fatal(err)
	}
	return err == nil
}

func (a Assistant) caller(t testing.TB) (mcp.Caller, error) {
	t.Helper()
	return mcp.CallerOf(a.s.Services)(t.Context(), a.token, uuid.Nil)
}
