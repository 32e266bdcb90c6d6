package mcp

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// A63: what is listed for one tool of a kind is listed for all of them, so a kind holds everything that decides.
func TestKinds(t *testing.T) {
	connected := &admitted{Caller: Caller{Principal: tenancy.Principal{Actor: tenancy.Actor{
		Kind: tenancy.ActorPerson, Via: tenancy.Assistant{Client: "Assistant"},
	}}}}
	m, c := &surface{}, newCatalogue()
	var all []*sdk.Tool
	for _, spec := range []op.Spec{
		{ID: "everywhere", Access: op.Session}, // first, so that the next ones would be taken for its kind
		{ID: "inOne", Access: op.Session, OneBusiness: true},
		{ID: "ofALocation", Access: op.Session, Target: op.InLocation("id")},
	} {
		tool := &sdk.Tool{Name: spec.ID}
		if err := c.add(tool, &op.Tool{Spec: spec}); err != nil {
			t.Fatal(err)
		}
		all = append(all, tool)
	}
	list := string(slices.Concat(c.listed(all, func(t *op.Tool) bool { return m.admits(connected, t) })...))
	if strings.Contains(list, "everywhere") || !strings.Contains(list, "inOne") || !strings.Contains(list, "ofALocation") {
		t.Errorf("listed: %s", list)
	}
}
