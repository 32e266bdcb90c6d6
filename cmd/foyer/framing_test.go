package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestFraming requests every page of the program, as its owner, as a customer and without a session: hosted pages can
// be framed by any website with embed=1, a location's own page as the bar with embed=live, too; everything else by
// none: the pages of invited owners, the operators' sign-in, the console, the embeds' guide and their conformance
// page, the reference of the API, and every not-found page. E126.
func TestFraming(t *testing.T) {
	w, x, studios := demoWorld(t)
	harbour := studios[0]
	id := func(sql string) string {
		return apptest.Value[string](t, w, "select ("+sql+")::text from businesses b where b.business_id = $1", harbour.ID)
	}
	fill := strings.NewReplacer(
		"/manage/:business", "/manage/"+harbour.Slug, "/places/:location", "/places/"+harbour.Locations[0].ID, ":location", harbour.Locations[0].Slug,
		"/:slug", "/"+harbour.Locations[0].Slug,
		"/waitlist/:occurrence", "/waitlist/"+id("select o.id from occurrences o where o.business_id = b.business_id and starts_at > b.created_at order by starts_at limit 1"),
		"/agreements/:location", "/agreements/"+harbour.Locations[0].ID, // of the catalog, which names places by their ids
		":listing", id("select o.slug from offerings o where o.business_id = b.business_id and kind = 'class' and state = 'published' and location_id = '"+harbour.Locations[0].ID+"' order by slug limit 1"),
		":occurrence", id("select o.id from occurrences o where o.business_id = b.business_id and series_id is not null order by starts_at desc limit 1"),
		":booking", id("select o.id from bookings o join customers c on c.business_id = o.business_id and c.id = o.customer_id where o.business_id = b.business_id and o.state = 'confirmed' and c.email = '"+harbour.People["customer"].Email+"' order by o.id limit 1"),
		":customer", id("select o.id from customers o where o.business_id = b.business_id order by id limit 1"),
		":offering", id("select o.id from offerings o where o.business_id = b.business_id order by id limit 1"),
		":series", id("select o.id from series o where o.business_id = b.business_id order by id limit 1"),
		":policy", id("select o.id from policies o where o.business_id = b.business_id order by id limit 1"),
		":discount", id("select o.id from discounts o where o.business_id = b.business_id order by id limit 1"),
		":rate", id("select o.id from tax_rates o where o.business_id = b.business_id order by id limit 1"),
		":space", id("select o.id from spaces o where o.business_id = b.business_id and location_id = '"+harbour.Locations[0].ID+"' order by id limit 1"),
		":agreement", id("select o.id from agreement_documents o where o.business_id = b.business_id and location_id = '"+harbour.Locations[0].ID+"' order by id limit 1"),
		":batch",
		id("select o.id from accounting_batches o where o.business_id = b.business_id order by local_date desc limit 1"),
		":line", "0",
		":token", "none",
	)
	shown := map[string]int{} // pages that came, by the first word of their address
	for _, route := range x.web.App().GetRoutes(true) {
		path := fill.Replace(strings.Replace(route.Path, "*", "nothing", 1))
		if route.Method != http.MethodGet || strings.HasPrefix(path, "/embed/v1") || strings.HasPrefix(path, "/static/") {
			continue // fragments and files are no pages
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		hosted := !strings.HasPrefix(path, "/manage") && !strings.HasPrefix(path, "/embed/") && first != "invite" &&
			first != "docs" && first != "accounting" && // the provider's redirect
			first != "oauth" && first != "upload" // a consent and an address from a chat are never in a frame
		who := harbour.People["customer"]
		if first == "manage" {
			who = harbour.People["owner"]
		}
		for _, token := range []string{who.Token, ""} {
			for _, query := range []string{"", "?embed=1", "?embed=live"} {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+query, nil)
				if token != "" {
					r.AddCookie(&http.Cookie{Name: "foyer_session", Value: token})
				}
				answer, err := x.web.App().Test(r, -1)
				if err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
				if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
					continue
				}
				if answer.StatusCode == http.StatusOK {
					shown[first]++
				}
				want := "frame-ancestors 'none'"
				if hosted && query == "?embed=1" || query == "?embed=live" && route.Path == "/:slug" {
					want = "frame-ancestors *"
				}
				if strings.HasPrefix(route.Path, "/manage/") && strings.HasSuffix(route.Path, "/page") {
					want = "frame-ancestors 'self'" // a screen of the console shows booking pages in a frame of its own
				}
				if policy := answer.Header.Get("Content-Security-Policy"); ancestors(policy) != want {
					t.Errorf("%s: %d with the policy %q", path+query, answer.StatusCode, policy)
				}
			}
		}
	}
	for first, least := range map[string]int{"manage": 190, "my": 10, "embed": 6, harbour.Locations[0].Slug: 12} {
		if shown[first] < least {
			t.Errorf("of the pages of /%s only %d came", first, shown[first])
		}
	}
}

// ancestors returns the frame-ancestors directive of a policy.
func ancestors(policy string) string {
	var said []string
	for directive := range strings.SplitSeq(policy, ";") {
		if directive = strings.TrimSpace(directive); strings.HasPrefix(directive, "frame-ancestors") {
			said = append(said, directive)
		}
	}
	return strings.Join(said, " and ")
}
