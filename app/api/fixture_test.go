package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/identity"
)

// decode parses the body of a response. It returns nil if it is no JSON object.
func decode(body []byte) object {
	var out object
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&out) != nil {
		return nil
	}
	return out
}

// data returns the data of a success.
func (a answer) data() object { return dig[object](decode(a.body), "data") }

// text returns a member of the data that is a string.
func (a answer) text(keys ...string) string { return dig[string](a.data(), keys...) }

// number returns a member of the data that is an integer.
func (a answer) number(keys ...string) int64 {
	n, _ := dig[json.Number](a.data(), keys...).Int64()
	return n
}

// list returns a member of the data that is an array of objects.
func (a answer) list(keys ...string) []object {
	var out []object
	for _, v := range dig[[]any](a.data(), keys...) {
		m, _ := v.(object)
		out = append(out, m)
	}
	return out
}

// reason returns details.reason of a refusal.
func (a answer) reason() string {
	return dig[string](decode(a.body), "error", "details", "reason")
}

// fields returns the invalid fields of a refusal.
func (a answer) fields() []string {
	var out []string
	for _, f := range dig[[]any](decode(a.body), "error", "details", "fields") {
		out = append(out, dig[string](f, "field"))
	}
	return out
}

// js writes a body.
func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// post creates a record and returns its data. It expects 201.
func (h *house) post(path, token string, body any) answer {
	h.t.Helper()
	c := call{method: http.MethodPost, path: path, token: token}
	if body != nil {
		c.body = js(body)
	}
	a := h.do(c)
	if a.status != http.StatusCreated && a.status != http.StatusOK {
		h.t.Fatalf("%s", a)
	}
	return a
}

// signIn signs in an address with the code mailed to it.
func (h *house) signIn(email string) (token string) {
	h.t.Helper()
	challenge, code := h.askCode(email)
	return h.token(h.post("/auth/verify", "", object{"challengeId": challenge, "code": code}).text("token"))
}

// askCode requests a code and runs the job that mails it.
func (h *house) askCode(email string) (challenge, code string) {
	h.t.Helper()
	challenge = h.post("/auth/challenges", "", object{"email": email, "channel": "email_code"}).text("challengeId")
	job := identity.CodeJob{Challenge: uuid.MustParse(challenge)}
	if err := h.people.MailCode(h.t.Context(), job); err != nil {
		h.t.Fatal(err)
	}
	mails := h.people.Mail.List(email)
	if len(mails) == 0 {
		h.t.Fatalf("no mail to %s", email)
	}
	return challenge, mails[0].Subject
}

// invite creates the token of an invite link for an address.
func (h *house) invite(email string) string {
	h.t.Helper()
	i, err := identity.CreateInvite(h.t.Context(), h.DB, email, "")
	if err != nil {
		h.t.Fatal(err)
	}
	return i.Token
}

// studio is a business opened through the API, with the ids of its records by kind.
type studio struct {
	h          *house
	owner      string // token
	ownerEmail string
	ids        map[string]string
	account    string // at the processor, once it takes cards
}

// open opens a business with two locations: the first in New York, the second in Lisbon with euros.
func (h *house) open(name string) *studio {
	h.t.Helper()
	s := &studio{h: h, ownerEmail: strings.ToLower(name) + "@example.com", ids: map[string]string{}}
	s.owner = h.signIn(s.ownerEmail)
	made := h.post("/businesses", s.owner, object{
		"inviteToken": h.invite(s.ownerEmail), "name": name, "currency": "USD", "zone": "America/New_York",
		"location": object{"name": name + " North", "address": object{"city": "New York", "country": "US"}},
	})
	s.ids["business"], s.ids["location"] = made.text("id"), made.text("location", "id")
	south := h.post(s.at("/businesses/{business}/locations"), s.owner,
		object{"name": name + " South", "zone": "Europe/Lisbon", "currency": "EUR", "taxMode": "inclusive"})
	s.ids["location2"] = south.text("id")
	return s
}

// at replaces {names} by the studio's ids.
func (s *studio) at(template string) string {
	for name, id := range s.ids {
		template = strings.ReplaceAll(template, "{"+name+"}", id)
	}
	return template
}

// add creates a record and stores its id under a name.
func (s *studio) add(name, path string, body object) answer {
	s.h.t.Helper()
	a := s.h.post(s.at(path), s.owner, body)
	s.ids[name] = a.text("id")
	return a
}

// class adds a published class with dates every day at noon from tomorrow, and stores the ids of offering, series and
// first occurrence under names with that suffix.
func (s *studio) class(suffix string, price int64, seats int, more ...object) {
	s.h.t.Helper()
	place := "{location" + suffix + "}"
	if s.ids["location"+suffix] == "" {
		place = "{location}"
	}
	s.add("offering"+suffix, "/locations/"+place+"/offerings", object{
		"kind": "class", "name": "Flow " + suffix, "durationMinutes": 60, "price": price, "capacity": seats,
	})
	series := object{"weekdays": []int{0, 1, 2, 3, 4, 5, 6}, "start": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly), "at": "12:00", "count": 5}
	for _, m := range more {
		for k, v := range m {
			series[k] = v
		}
	}
	s.add("series"+suffix, "/offerings/{offering"+suffix+"}/series", series)
	if price > 0 {
		s.connect()
	}
	s.h.post(s.at("/offerings/{offering"+suffix+"}/publish"), s.owner, nil)
	dates := s.h.expect(http.StatusOK, call{path: s.at("/offerings/{offering" + suffix + "}/occurrences"), token: s.owner}).list("items")
	if len(dates) != 5 {
		s.h.t.Fatalf("%d dates", len(dates))
	}
	for i, d := range dates {
		s.ids[fmt.Sprintf("occurrence%s", strings.Repeat("+", i)+suffix)] = d["id"].(string)
	}
}

// connect lets the studio accept cards.
func (s *studio) connect() {
	s.h.t.Helper()
	if s.account != "" {
		return
	}
	s.h.post(s.at("/businesses/{business}/processor/onboarding"), s.owner, object{"returnUrl": "https://studio.example/back"})
	account := s.h.expect(http.StatusOK, call{path: s.at("/businesses/{business}/processor"), token: s.owner}).text("accountId")
	if err := s.h.sim.Activate(account); err != nil {
		s.h.t.Fatal(err)
	}
	a := s.h.expect(http.StatusOK, call{path: s.at("/businesses/{business}/processor?refresh=true"), token: s.owner})
	if a.text("state") != "active" {
		s.h.t.Fatalf("the account is %s", a.body)
	}
	s.account = account
}

// restrict has the processor disable card payments again.
func (s *studio) restrict() {
	s.h.t.Helper()
	if err := s.h.sim.Restrict(s.account, "external_account"); err != nil {
		s.h.t.Fatal(err)
	}
	s.h.expect(http.StatusOK, call{path: s.at("/businesses/{business}/processor?refresh=true"), token: s.owner})
}

// join adds a person to the team and signs them in.
func (s *studio) join(email string, roles ...object) (token, member string) {
	s.h.t.Helper()
	if roles == nil {
		roles = []object{}
	}
	a := s.h.post(s.at("/businesses/{business}/team"), s.owner, object{"email": email, "bookable": true, "roles": roles})
	return s.h.signIn(email), a.text("id")
}

// key makes an API key.
func (s *studio) key(features ...string) (key, id string) {
	s.h.t.Helper()
	body := object{"name": "machine"}
	if features != nil {
		body["features"] = features
	}
	a := s.h.post(s.at("/businesses/{business}/api-keys"), s.owner, body)
	s.h.secret(a.text("key"))
	return a.text("key"), a.text("id")
}

// cart creates a cart at the first location with seats on some dates, and returns its token.
func (s *studio) cart(occurrences ...string) string {
	s.h.t.Helper()
	token := s.h.token(s.h.post("/storefront/carts", "", object{"locationId": s.ids["location"]}).text("token"))
	for _, o := range occurrences {
		s.h.post("/storefront/carts/"+token+"/items", "", object{"occurrenceId": s.ids[o]})
	}
	return token
}

// book books a free date, or pays for it, and returns the receipt's token.
func (s *studio) book(session string, occurrences ...string) (receipt string) {
	s.h.t.Helper()
	token := s.cart(occurrences...)
	s.h.post("/storefront/carts/"+token+"/hold", session, nil)
	total := s.h.expect(http.StatusOK, call{path: "/storefront/carts/" + token}).number("totals", "total")
	if total > 0 {
		p := s.h.post("/storefront/carts/"+token+"/payment", session, object{"quotedTotal": total})
		s.h.pay(p.text("clientSecret"))
	}
	return s.h.token(s.h.post("/storefront/carts/"+token+"/confirm", session, nil).text("receiptToken"))
}

// pay fills in the card form, as the customer's browser does.
func (h *house) pay(clientSecret string) {
	h.t.Helper()
	h.token(clientSecret)
	if _, err := h.sim.PayByCard(clientSecret, "4242424242424242"); err != nil {
		h.t.Fatal(err)
	}
}

// parse parses a valid id.
func parse(id string) uuid.UUID { return uuid.MustParse(id) }
