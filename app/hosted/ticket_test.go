package hosted_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/app/web"
)

// paying is a new customer who signed in inside the frame and is at the card form.
func (s *shop) paying(t testing.TB, c class, email string) *page {
	t.Helper()
	v := s.frame(t)
	code := v.enter(s.path(c, &c.Dates[0])).form("/"+c.Slug).post().follow().form("/sign-in").post("email", email).follow()
	return code.form("/code").post("code", s.code(t, email, 0)).follow().form("/details").post("name", "Ana Ruiz").follow().want(200, "Pay $22.00")
}

// TestTicketsAreForTheFrame: a ticket signs in only inside the frame, and a cookie only outside.
func TestTicketsAreForTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com")
	v, ticket := pay.v, pay.ticket()
	my := func(query string) string { return "/my?" + web.FieldTicket + "=" + ticket + query }
	v.get(my("&embed=1")).want(200, "ana@example.com")

	outside := s.visit(t)
	for _, query := range []string{"", "&embed=0", "&embed=live", "&embed=true"} {
		outside.get(my(query)).wantTo("/my/sign-in")
	}
	outside.setCookie("foyer_session", ticket)
	outside.get("/my").wantTo("/my/sign-in")
	outside.setCookie("foyer__ticket", ticket)
	outside.get("/my").wantTo("/my/sign-in")
	if _, err := s.Identity.Authenticate(t.Context(), ticket); !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("as a bearer token: %v", err)
	}

	signedIn := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	framed := signedIn.get("/my?embed=1")
	if framed.wantTo("/my/sign-in"); len(framed.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("the frame sets %q", framed.Header.Values("Set-Cookie"))
	}
	signedIn.get("/my").want(200, "ana@example.com")
}

// TestTicketsStayWhereTheyAre: an address that was copied, shared or planted on another site comes without its
// ticket; a reload, a link and the way through history have it.
func TestTicketsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com")
	address := pay.url.RequestURI()
	for site, good := range map[string]bool{"none": false, "cross-site": false, "same-site": false, "same-origin": true, "": false} {
		v := s.frame(t)
		if v.headers.Set("Sec-Fetch-Site", site); site == "" {
			v.headers.Del("Sec-Fetch-Site")
		}
		p := v.get(address)
		if good {
			p.want(200, "Pay $22.00")
		} else {
			p.wantTo("/cart/").follow().want(200, "Your e-mail")
		}
	}
}

// TestTheFrameHasAnOrdinarySession: it is listed, ending it ends the frame's sign-in at once, and without it the
// customer signs in again on the spot.
func TestTheFrameHasAnOrdinarySession(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com")
	_, p := s.session(t, "ana@example.com", "Ana Ruiz")
	list, err := s.Identity.Sessions(t.Context(), p)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d sessions are listed (%v)", len(list), err)
	}
	for _, x := range list {
		if !x.Current {
			err = s.Identity.RevokeSession(t.Context(), p, x.ID)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	pay.v.get(pay.path()).wantTo("/cart/").follow().want(200, "Your e-mail", "Sunrise Vinyasa")

	other := s.paying(t, s.class(t, "Slow Burn", 1), "ben@example.com")
	s.Clock.Advance(2 * time.Hour)
	other.v.get(other.path()).wantTo("/cart/").follow().want(200, "Your e-mail", "Slow Burn")
}

// TestPassOfTheProcessor: the pass in the return address opens one path, for a while; opened a second time it shows
// the outcome of the payment and signs no one in.
func TestPassOfTheProcessor(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com")
	back, err := url.Parse(pay.form("/pay/card").Fields.Get("return_url"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(back.String(), pay.ticket()) {
		t.Errorf("the processor is told %s", back)
	}
	pass := back.Query().Get("_pass")
	bank := s.frame(t) // comes from the bank, and brings nothing but the address
	bank.headers.Set("Sec-Fetch-Site", "cross-site")
	for _, path := range []string{strings.TrimSuffix(back.Path, "/done") + "/pay", "/my"} {
		bank.get(path + "?embed=1&_pass=" + pass).wantTo(strings.Split(path, "/pay")[0] + "/sign-in")
		bank.get(path + "?embed=1&" + web.FieldTicket + "=" + pass).wantTo(strings.Split(path, "/pay")[0] + "/sign-in")
	}
	s.visit(t).get(back.Path + "?_pass=" + pass).wantTo(strings.TrimSuffix(back.Path, "/done") + "/sign-in")

	paid := pay.pay(apptest.CardGood).to()
	bank.headers.Set("Sec-Fetch-Site", "cross-site")
	first := bank.get(strings.TrimPrefix(paid, s.URL)).wantTo("/receipt/")
	second := bank.get(strings.TrimPrefix(paid, s.URL)).wantTo("/receipt/")
	one, two := first.follow().want(200, "You’re booked"), second.follow().want(200, "You’re booked")
	bank.headers.Set("Sec-Fetch-Site", "same-origin")
	bank.get(one.link("My bookings")).want(200, "ana@example.com")
	bank.get(two.link("My bookings")).wantTo("/my/sign-in")
}

// TestDeclineComesBackSignedIn: after a decline the customer is still signed in, though the bank redirected them.
func TestDeclineComesBackSignedIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com")
	back := pay.pay(apptest.CardDeclined)
	pay.v.headers.Set("Sec-Fetch-Site", "cross-site") // as browsers send with our own redirect, too
	pay = back.follow().want(200, "Your bank declined the card", "Pay $22.00")
	if strings.Contains(pay.path(), pay.ticket()) {
		t.Errorf("the redirect carries the ticket: %s", pay.path())
	}
	pay.v.get(pay.path()).wantTo("/cart/") // opened again
	pay.v.headers.Set("Sec-Fetch-Site", "same-origin")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
}

// TestLiveCardFormInTheFrame: the processor's script is allowed, and neither it nor the processor sees the ticket.
func TestLiveCardFormInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Live = true })
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com").want(200, "This step needs JavaScript")
	if csp := pay.Header.Get("Content-Security-Policy"); csp != view.Policy(true, true) {
		t.Errorf("the policy is %s", csp)
	}
	back := mustParse(t, html.UnescapeString(regexp.MustCompile(`data-return="([^"]*)"`).FindStringSubmatch(pay.Body)[1]))
	if back.Query().Has(web.FieldTicket) || back.Query().Get("_pass") == "" || back.Query().Get("embed") != "1" {
		t.Errorf("the processor is told %s", back)
	}
	f := pay.form("/pay")
	pay.v.check = nil // the script's question is answered in JSON
	pay.v.headers.Set("Accept", "application/json")
	if said := f.post().want(200); !strings.Contains(said.Body, "_secret_") || said.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the script is told %s", said.Body)
	}
	if refused := f.post(web.FieldTicket, "").want(http.StatusForbidden); !strings.HasPrefix(refused.Header.Get("Content-Type"), "application/json") {
		t.Errorf("without the ticket it is told %s", refused.Body)
	}
}

func mustParse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
