package api_test

import (
	"cmp"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/web/op"
)

// unaudited are the writes without an event in a business's log, each with its reason. A write that is neither here
// nor leaves an event fails TestEveryWriteIsAudited.
var unaudited = map[string]string{
	"createChallenge": ofNobody, "verifyChallenge": ofNobody, "logout": ofNobody, "deleteSession": ofNobody, "updateProfile": ofNobody,
	"createCart": ofACart, "addCartItem": ofACart, "updateCartItem": ofACart, "removeCartItem": ofACart,
	"applyCartCode": ofACart, "removeCartCode": ofACart, "useCartCredit": ofACart, "useCartGiftCard": ofACart,
	"removeCartGiftCard": ofACart, "chooseCartPlan": ofACart, "holdCart": ofACart, "releaseHold": ofACart,
	"searchAvailability": aQuestion, "explainAvailability": aQuestion,
	"findGiftCard": aQuestion, "getGiftCardBalance": aQuestion,
	"freeHold": ofACart, "retryAccountingPosting": postedAgain, "syncAccounting": postedAgain,
	"createUploadLink": notYet,
}

const (
	ofNobody  = "a person's own sign-in and profile belong to no business"
	ofACart   = "what is looked at and kept for some minutes is no change; the order and the bookings it becomes are told"
	aQuestion = "a question that needs a body"

	postedAgain = "it changes no record: the same document is tried again"
	notYet      = "it changes no record: the upload does, as a call of its own operation"
)

// audited holds the preparations of a sample so that it changes something: a body of its own, or an action before it.
type audited struct {
	body  func(s *studio) object
	first func(s *studio, customer string)
}

func sql(statement string) func(*studio, string) {
	return func(s *studio, _ string) { s.h.t.Helper(); s.h.SQL(s.h.t, statement) }
}

// renewing sells a membership to the customer at the desk.
func renewing(s *studio, _ string) {
	s.h.t.Helper()
	s.add("monthly", "/businesses/{business}/plans", object{
		"name": "Monthly", "kind": "membership", "priceAmount": 6000, "validCount": 1, "validUnit": "month",
		"benefits": []object{{"credits": 4}},
	})
	s.post("/businesses/{business}/plans/{monthly}/publish", nil)
	s.post("/businesses/{business}/sales", object{
		"plans": []string{s.ids["monthly"]}, "locationId": s.ids["location"], "customerId": s.ids["customer"],
		"tenders": []object{{"method": "cash"}},
	})
	s.ids["membership"] = apptest.Value[string](s.h.t, s.h.World,
		"select id::text from memberships where business_id = $1 and kind = 'membership'", s.ids["business"])
	s.ids["spare membership"] = s.ids["membership"]
}

// freezable is renewing with a plan that customers can freeze.
func freezable(s *studio, customer string) {
	renewing(s, customer)
	s.h.SQL(s.h.t, `update memberships set sold = sold || '{"freeze": {"allowed": true}}' where kind = 'membership'`)
}

// frozen is renewing with a freeze that is to come.
func frozen(s *studio, customer string) {
	renewing(s, customer)
	s.post("/businesses/{business}/customers/{customer}/plans/{membership}/freeze", object{
		"version": 1, "startsOn": s.soon(3),
	})
}

// withAnnual is renewing with another plan, to which it can change.
func withAnnual(s *studio, customer string) {
	renewing(s, customer)
	s.add("annual", "/businesses/{business}/plans", object{
		"name": "Annual", "kind": "membership", "priceAmount": 60000, "validCount": 1, "validUnit": "year",
		"benefits": []object{{"credits": 4}}, "soldOnline": true,
	})
	s.post("/businesses/{business}/plans/{annual}/publish", nil)
	s.h.expect(200, call{method: http.MethodPatch, path: s.at("/businesses/{business}/plans/{monthly}"), token: s.owner,
		body: js(object{"version": 2, "changeIds": []string{s.ids["annual"]}})})
}

func toAnnual(s *studio) object { return object{"version": 1, "planId": s.ids["annual"]} }

func toAnnualOwn(s *studio) object { return object{"planId": s.ids["annual"]} }

// changing is withAnnual with a change that is to come.
func changing(s *studio, customer string) {
	withAnnual(s, customer)
	s.post("/businesses/{business}/customers/{customer}/plans/{membership}/change", toAnnual(s))
}

// payable makes a saved card one that the studio can charge.
func payable(s *studio, _ string) {
	s.h.t.Helper()
	s.connect()
	s.h.SQL(s.h.t, "update saved_cards set account = $1 where business_id = $2", s.account, s.ids["business"])
}

var auditedSamples = map[string]audited{
	"completeAccounting": {body: func(s *studio) object { return object{"attemptId": s.accountingAttempt()} }},
	"updateAccountingConnection": {body: func(s *studio) object {
		return object{"startDate": s.h.Clock.Now().AddDate(0, 0, -3).Format(time.DateOnly)}
	}},
	"createBusiness": {body: func(s *studio) object {
		return object{"inviteToken": s.h.invite(s.ownerEmail), "name": "Second", "currency": "USD", "zone": "UTC"}
	}},
	"resumeBusiness": {first: func(s *studio, _ string) { s.post("/businesses/{business}/pause", nil) }},
	"closeBusiness":  {body: func(*studio) object { return object{"cancelBookings": true} }},
	"archiveLocation": {first: func(s *studio, _ string) {
		s.post("/businesses/{business}/close", object{"cancelBookings": true})
		s.post("/businesses/{business}/resume", nil)
	}},
	"reactivateTeamMember":     {first: sql("update members set deactivated_at = now() where name = '' or not exists (select from member_roles r where r.member_id = members.id and r.role = 'owner')")},
	"assignInstructor":         {first: sql("delete from claims; update occurrences set member_id = null")},
	"publishOffering":          {first: sql("update offerings set state = 'draft'")},
	"unpublishOffering":        {first: sql("update offerings set state = 'published', published_at = now(), price_amount = 0")},
	"archiveOffering":          {first: sql("update offerings set state = 'draft'; update series set due_at = null, ended_at = now(); delete from claims; update occurrences set state = 'cancelled' where taken = 0")},
	"placeAsset":               {body: func(s *studio) object { return object{"subject": "business", "subjectId": s.ids["business"]} }},
	"restoreAgreement":         {first: sql("update agreement_documents set archived_at = now()")},
	"acceptCartAgreements":     {first: sql("update agreement_documents set every_listing = true, round = round + 1")}, // rosa has agreed to the round before
	"signMyAgreements":         {first: sql("update agreement_documents set every_listing = true, round = round + 1")},
	"createProductVariant":     {first: sql("update product_variants set archived_at = now()")},
	"publishPlan":              {first: sql("update plans set state = 'draft'")},
	"archivePlan":              {first: sql("update plans set state = 'draft'")},
	"cancelPlan":               {first: renewing},
	"cancelMyPlan":             {first: renewing},
	"renewMyPlan":              {first: renewing},
	"freezePlan":               {first: renewing},
	"unfreezePlan":             {first: frozen},
	"freezeMyPlan":             {first: freezable},
	"unfreezeMyPlan":           {first: frozen},
	"changePlan":               {body: toAnnual, first: withAnnual},
	"changeMyPlan":             {body: toAnnualOwn, first: withAnnual},
	"withdrawPlanChange":       {first: changing},
	"withdrawMyPlanChange":     {first: changing},
	"restoreDiscount":          {first: sql("update discounts set archived_at = now()")},
	"restoreOffering":          {first: sql("update offerings set state = 'archived'")},
	"startProcessorOnboarding": {first: sql("delete from processor_accounts")},
	"replaceStylesheet": {first: sql(`insert into stylesheets (id, business_id, location_id, css, version, created_at, updated_at)
		select gen_random_uuid(), business_id, id, '', version, now(), now() from locations`)},
	"startPayment": {
		body:  func(*studio) object { return object{"quotedTotal": 2500} },
		first: func(s *studio, customer string) { s.connect(); s.sell(customer, 2500) },
	},
	"replaceOfferingStaff": {
		body:  func(s *studio) object { return object{"memberIds": []string{s.ids["spare member"]}} },
		first: sql("update offerings set kind = 'appointment' where state = 'draft'"),
	},
	"replaceOfferingSpaces": {
		body:  func(s *studio) object { return object{"spaceIds": []string{s.ids["space"]}} },
		first: sql("update offerings set kind = 'appointment' where state = 'draft'"),
	},
	"chargeFee":              {first: payable},
	"collectCustomerBalance": {first: payable},
	"submitDisputeEvidence": {first: func(s *studio, _ string) {
		s.h.expect(200, call{method: http.MethodPut, path: s.at("/businesses/{business}/disputes/{dispute}/evidence"), token: s.owner,
			body: js(object{"version": s.h.versionOf(s.at("/disputes/{dispute}/evidence")), "words": saidToTheBank})})
	}},
	"cancelBooking":     {first: spare("confirmed", false)},
	"rescheduleBooking": {first: spare("confirmed", false)},
	"approveBooking":    {first: spare("requested", false)},
	"declineBooking":    {first: spare("requested", false)},
	"updateBooking":     {first: spare("confirmed", false)},
	"checkInBooking":    {first: spare("confirmed", true)},
	"undoCheckIn":       {first: spare("checked_in", true)},
	"markNoShow":        {first: spare("confirmed", true)},
	"undoNoShow":        {first: spare("no_show", true)},
	"bulkCheckIn":       {first: spare("confirmed", true)},
	"bulkCancel":        {first: spare("confirmed", false)},
	"cancelMyBooking": {first: func(s *studio, customer string) {
		s.book(customer, "occurrence+++")
		s.ids["my booking"] = apptest.Value[string](s.h.t, s.h.World, "select id::text from bookings where occurrence_id = $1 and state = 'confirmed'", s.ids["occurrence+++"])
	}},
	"rescheduleMyBooking": {first: func(s *studio, _ string) { s.ids["my booking"] = s.ids["booking"] }},
	"restoreOccurrence": {first: func(s *studio, _ string) {
		s.post("/offerings/{spare offering}/occurrences/{spare occurrence}/cancel", object{})
	}},
	"updateWalkins": {body: func(*studio) object { return object{"version": stale, "on": false} }},
	"checkInWalkin": {first: func(s *studio, _ string) { s.doorOpen() }},
	"checkOutWalkin": {first: func(s *studio, _ string) {
		s.doorOpen()
		s.post("/locations/{location}/walkins/check-ins", s.bodies("checkInWalkin"))
		s.ids["spare booking"] = apptest.Value[string](s.h.t, s.h.World, "select id::text from bookings where offering_id = $1 and checked_in_at is not null", s.ids["offering"])
	}},
	"openDrawer": {first: func(s *studio, _ string) {
		s.post("/locations/{location}/drawers/{drawer}/close", s.bodies("closeDrawer"))
	}},
	"createSettlement": {first: func(s *studio, _ string) { s.takes("", "other") }},
	"addToWaitlist":    {first: sql(full)},
	"joinWaitlist":     {first: sql(full)},
	"reorderWaitlist": {first: func(s *studio, _ string) {
		other := apptest.Value[string](s.h.t, s.h.World, "select id::text from customers where business_id = $1 and id <> $2 limit 1", s.ids["business"], s.ids["customer"])
		s.h.Clock.Advance(time.Minute)
		s.ids["entry"], _ = s.waits("spare occurrence", other)
	}},
	"acceptWaitlistOffer":  {first: offered},
	"declineWaitlistOffer": {first: offered},
	"confirmCart":          {first: func(s *studio, customer string) { s.sell(customer, 0) }},
}

// full is a state in which every date is full and every waitlist is empty.
const full = `delete from waitlist_transitions; delete from waitlist_entries; update offerings set state = 'published', published_at = created_at;
	update occurrences set offered = 0, taken = capacity, taken_online = online_capacity`

// offered offers a seat to the waiting entry.
func offered(s *studio, _ string) {
	s.h.t.Helper()
	s.h.SQL(s.h.t, "update offerings set state = 'published', published_at = created_at")
	s.h.SQL(s.h.t, "update occurrences set capacity = capacity + 1, offered = offered + 1 where id in (select occurrence_id from waitlist_entries where state = 'waiting')")
	s.h.SQL(s.h.t, "update waitlist_entries set state = 'offered', offered_at = $1, offer_until = $2 where state = 'waiting'",
		s.h.Clock.Now(), s.h.Clock.Now().Add(time.Hour))
}

// doorOpen adds a room by the person that accepts walk-ins at any hour.
func (s *studio) doorOpen() {
	h := s.h
	h.t.Helper()
	s.add("offering", "/locations/{location}/offerings", object{
		"kind": "rental", "name": "Open room", "durationMinutes": 60, "price": 0, "capacity": 5, "walkins": true,
	})
	always := []object{}
	for day := range 7 {
		always = append(always, object{"weekday": day, "opens": "00:00", "closes": "24:00"})
	}
	for path, body := range map[string]object{
		"/offerings/{offering}/spaces": {"spaceIds": []string{s.ids["space"]}}, "/locations/{location}/hours": {"intervals": always},
	} {
		h.expect(200, call{method: "PUT", path: s.at(path), token: s.owner, body: js(body)})
	}
	h.post(s.at("/offerings/{offering}/publish"), s.owner, nil)
}

// sell adds a seat of a class at that price to the studio's cart and holds it.
func (s *studio) sell(customer string, price int64) {
	s.h.t.Helper()
	s.class(fmt.Sprint(" at ", price), price, 5)
	s.ids["cart"] = s.cart("occurrence at " + fmt.Sprint(price))
	s.h.post("/storefront/carts/"+s.ids["cart"]+"/hold", customer, nil)
}

// TestEveryWriteIsAudited: every operation that changes something of a business leaves an event with its actor and
// surface, and none attributed to the product itself. Each call is made in the studio of the previous ones, and in a
// fresh one if that has worn out: only there a call fails the test.
func TestEveryWriteIsAudited(t *testing.T) {
	h := open(t)
	written := map[string]bool{}
	var s *studio // until a write finds nothing to change in it any more
	var rosa string
	fresh := func() {
		s = h.open(fmt.Sprint("Harbour", len(written)))
		rosa = h.signIn("rosa@example.com")
		s.furnish(rosa, h.signIn("ben@example.com")) // a day later: the next one has sign-in codes of its own
	}
	operations := slices.Clone(h.operations)
	slices.SortStableFunc(operations, func(a, b op.Spec) int { // those with a preparation wear it out first
		return cmp.Compare(arranges(a), arranges(b))
	})
	for _, spec := range operations {
		if spec.Method == http.MethodGet {
			continue
		}
		written[spec.ID] = true
		if unaudited[spec.ID] != "" {
			continue
		}
		t.Run(spec.ID, func(t *testing.T) {
			if s != nil && attempt(t, func(t testing.TB) bool { h.t = t; return s.writes(spec, rosa) == "" }) {
				return
			}
			h.t = t
			fresh()
			if problem := s.writes(spec, rosa); problem != "" {
				t.Error(problem)
			}
		})
	}
	for id := range unaudited {
		if !written[id] {
			t.Errorf("%s is no write", id)
		}
	}
	for id := range auditedSamples {
		if !written[id] {
			t.Errorf("%s is no write", id)
		}
	}
}

// arranges returns 1 for an operation whose sample has a preparation.
func arranges(spec op.Spec) int {
	if auditedSamples[spec.ID].first != nil {
		return 1
	}
	return 0
}

// attempt reports whether f returns true without an error. Errors of f concern an attempt, and fail nothing.
func attempt(t testing.TB, f func(testing.TB) bool) bool {
	tried, ok := &trying{TB: t}, false
	done := make(chan struct{})
	go func() {
		defer close(done)
		ok = f(tried)
	}()
	<-done
	return ok && !tried.failed
}

// trying is a test that an attempt may fail.
type trying struct {
	testing.TB
	failed bool
}

func (t *trying) Error(...any)          { t.failed = true }
func (t *trying) Errorf(string, ...any) { t.failed = true }
func (t *trying) Fatal(...any)          { t.failed = true; runtime.Goexit() }
func (t *trying) Fatalf(string, ...any) { t.failed = true; runtime.Goexit() }

// writes makes the call of an operation that should change something, and returns the faults of its events.
func (s *studio) writes(spec op.Spec, customer string) string {
	s.h.t.Helper()
	h, sample := s.h, auditedSamples[spec.ID]
	if sample.first != nil {
		sample.first(s, customer)
	}
	body := s.bodies(spec.ID)
	if sample.body != nil {
		body = sample.body(s)
	}
	token, email := s.owner, s.ownerEmail
	if spec.Access != op.Operator && spec.Access != op.OperatorSession && spec.Access != op.Member && !strings.HasPrefix(spec.Path, "/businesses") {
		token, email = customer, "rosa@example.com"
	}
	c := call{method: spec.Method, path: s.fill(spec, ""), token: token}
	if body != nil {
		if _, versioned := body["version"]; versioned {
			body = with(body, "version", h.versionOf(c.path))
		}
		c.body = js(body)
	}
	before := apptest.Value[int64](h.t, h.World, "select coalesce(max(seq), 0) from audit_events")
	if a := h.do(c); a.status < 200 || a.status > 299 {
		return a.String() + "\nauditedSamples needs an entry with which this call does something"
	}
	events := apptest.Values[string](h.t, h.World, `select concat_ws(' ', action, record, 'by', actor_kind, p.email, 'through', surface)
		from audit_events e left join persons p on p.id = e.actor_id where seq > $1 order by seq`, before)
	if len(events) == 0 {
		return spec.ID + " left no event: audit its table (app.audited), or say in unaudited why not"
	}
	for _, e := range events {
		if !strings.HasSuffix(e, " by person "+email+" through api") {
			return e
		}
	}
	return ""
}

// versionOf returns the version of the record at the end of a path.
func (h *house) versionOf(path string) int64 {
	h.t.Helper()
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if at := slices.Index(segments, "evidence"); at > 0 { // 0 while no draft is saved
		return apptest.Value[int64](h.t, h.World, "select coalesce(max(version), 0) from dispute_answers where dispute_id::text = $1", segments[at-1])
	}
	for at := len(segments) - 1; at >= 0; at-- {
		for _, table := range apptest.Values[string](h.t, h.World, `select table_name from information_schema.columns
			where table_schema = 'public' and column_name = 'version' order by table_name`) {
			id := "id"
			if table == "businesses" {
				id = "business_id"
			}
			found := apptest.Values[int64](h.t, h.World, "select version from "+table+" where "+id+"::text = $1", segments[at])
			if len(found) == 1 {
				return found[0]
			}
		}
	}
	h.t.Fatalf("no record with a version in %s", path)
	return 0
}

// TestAuditLog: the list has actor, surface, reason and fields under their API names, filters and pages; a key never
// reads it, and the accountant does.
func TestAuditLog(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	accountant, _ := s.join("books@example.com", object{"role": "accountant"})
	key, _ := s.key()
	h.Clock.Advance(time.Hour)
	since := h.Clock.Now()
	path := s.at("/locations/{location}/spaces")
	room := h.post(path, s.owner, object{"name": "Blue", "capacity": 3}).text("id")
	h.expect(200, call{method: "PATCH", path: path + "/" + room, token: s.owner, body: js(object{"version": 1, "capacity": 4})})

	log := s.at("/businesses/{business}/audit")
	list := func(query string) []object {
		t.Helper()
		return h.expect(200, call{path: log + query, token: accountant}).list("items")
	}
	events := list("?from=" + since.Format(time.RFC3339))
	if len(events) != 2 {
		t.Fatalf("%v", events)
	}
	e := events[0]
	change := dig[[]any](e, "changes")[0].(object)
	if e["action"] != "update" || e["record"] != "spaces" || e["recordId"] != room || e["surface"] != "api" ||
		e["locationId"] != s.ids["location"] || dig[string](e, "actor", "kind") != "person" || change["field"] != "capacity" ||
		fmt.Sprint(change["before"], " to ", change["after"]) != "3 to 4" {
		t.Errorf("%v", e)
	}
	owner := dig[string](e, "actor", "id")
	for query, want := range map[string]int{
		"?actor=" + owner + "&from=" + since.Format(time.RFC3339): 2, "?actor=" + s.ids["location"]: 0,
		"?record=spaces": 2, "?recordId=" + room: 2, "?record=spaces&surface=hosted": 0,
		"?record=spaces&to=" + since.Format(time.RFC3339): 0, "?record=locations&locationId=" + s.ids["location2"]: 2,
	} {
		if got := list(query); len(got) != want {
			t.Errorf("%s: %d, want %d", query, len(got), want)
		}
	}
	all, pages := h.walk(log, accountant, "items", "recordId", 200, func() {})
	if by3, n := h.walk(log, accountant, "items", "recordId", 3, func() {}); pages != 1 || !slices.Equal(by3, all) || n != (len(all)+2)/3 {
		t.Errorf("%d pages of %v, want %v", n, by3, all)
	}
	h.expect(403, call{path: log, token: key})
	h.expect(400, call{path: log + "?record=no such", token: accountant})
	h.expect(400, call{path: log + "?from=2026-06-11T00:00:00Z&to=2026-06-10T00:00:00Z", token: accountant})
}

// TestIntegrity: a studio that did business has no differences; a difference is reported.
func TestIntegrity(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	h.SQL(t, "delete from payments") // they were written beside the books
	look := func() answer {
		t.Helper()
		return h.expect(200, call{path: s.at("/businesses/{business}/integrity"), token: s.owner})
	}
	if a := look(); len(a.list("differences")) != 0 || a.text("checkedAt") == "" {
		t.Errorf("%s", a)
	}
	h.SQL(t, "update occurrences set taken = taken + 1 where id = $1", s.ids["occurrence"])
	found := look().list("differences")
	if len(found) != 1 || found[0]["check"] != "seats" || found[0]["recordId"] != s.ids["occurrence"] {
		t.Errorf("%v", found)
	}
}
