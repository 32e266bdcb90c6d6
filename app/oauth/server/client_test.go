package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"foyer/app/apptest"
)

// A5, A40, A41, A60, A61, A225: the protocol's own client, which knows the address alone, discovers, registers, has
// its person sign in and agree, and then finds a time, holds it, books it and cancels it by quote.
func TestTheWayOfAClientFromABare401(t *testing.T) {
	h := open(t)
	nothing := int64(0)
	class := h.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = &nothing })
	h.AddOccurrence(t, class, h.Clock.Now().Add(48*time.Hour).Truncate(time.Hour))
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName: "Go client", RedirectURIs: []string{callback}, TokenEndpointAuthMethod: "none",
				GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
			},
		},
		RedirectURL: callback,
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			b := h.browser(t)
			b.get(t, args.URL)
			b.signIn(t, h.Studio.Owner.Email)
			got := b.allow(t)
			return &auth.AuthorizationResult{Code: got.Get("code"), State: got.Get("state"), Iss: got.Get("iss")}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: h.base + "/mcp", HTTPClient: &http.Client{}, OAuthHandler: handler, MaxRetries: -1,
		DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) < 100 {
		t.Fatalf("%v", err)
	}
	call := func(name string, arguments map[string]any) (out map[string]any) {
		t.Helper()
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		raw, err := json.Marshal(res.StructuredContent)
		if err == nil && string(raw) != "null" {
			err = json.Unmarshal(raw, &out)
		}
		if err != nil || res.IsError {
			t.Fatalf("%s: %s %v", name, raw, err)
		}
		return out
	}
	first := func(of map[string]any) map[string]any {
		t.Helper()
		items, _ := of["items"].([]any)
		if len(items) == 0 {
			t.Fatalf("nothing in %v", of)
		}
		return items[0].(map[string]any)
	}
	business := first(call("listBusinesses", nil))["business"].(map[string]any)["id"]
	location := first(call("listLocations", map[string]any{"businessId": business}))["id"]
	offering := first(call("listOfferings", map[string]any{"id": location}))["id"]
	date := first(call("listOccurrences", map[string]any{"id": offering}))["id"]

	member := h.AddMember(t, "Mia Lund", apptest.Daily(9*60, 17*60)...)
	massage := h.AddAppointment(t, []uuid.UUID{member.ID})
	free := call("searchAvailability", map[string]any{
		"id": location, "offeringId": massage.ID, "from": h.Clock.Now(), "to": h.Clock.Now().Add(7 * 24 * time.Hour),
	})
	if days, _ := free["days"].([]any); len(days) == 0 {
		t.Errorf("no free time: %v", free)
	}

	token := call("createCart", map[string]any{"locationId": location})["token"]
	call("addCartItem", map[string]any{"token": token, "occurrenceId": date})
	call("holdCart", map[string]any{"token": token})
	call("confirmCart", map[string]any{"token": token})
	booking := first(call("listBookings", map[string]any{"businessId": business}))["id"]

	arguments := map[string]any{"businessId": business, "bookingId": booking, "by": "customer"}
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "cancelBooking", Arguments: arguments})
	if err != nil || !res.IsError {
		t.Fatalf("a cancellation without its quote: %v %v", res, err)
	}
	arguments["dryRun"] = true
	quote := call("cancelBooking", arguments)["quoteId"]
	delete(arguments, "dryRun")
	arguments["quoteId"] = quote
	call("cancelBooking", arguments)
	if got := call("getBooking", map[string]any{"businessId": business,
		"bookingId": booking})["state"]; got != "cancelled" {
		t.Errorf("the booking is %v", got)
	}
	call("cancelBooking", arguments) // the same request again has the same answer, and no other effect
}
