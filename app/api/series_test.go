package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// patch updates a record as the owner.
func (s *studio) patch(status int, path string, body object) answer {
	s.h.t.Helper()
	return s.h.expect(status, call{method: http.MethodPatch, path: s.at(path), token: s.owner, body: js(body)})
}

// dateAt returns one date of the class from the current list of dates.
func (s *studio) dateAt(name string) map[string]any {
	s.h.t.Helper()
	for _, d := range s.h.expect(200, call{path: s.at("/offerings/{offering}/occurrences"), token: s.owner}).list("items") {
		if d["id"] == s.ids[name] {
			return d
		}
	}
	s.h.t.Fatalf("%s is gone", name)
	return nil
}

// A231: an edit of a series is quoted first: the dry run lists the rescheduled dates and their bookings, and the call
// with the quote does exactly that. Bookings follow, and for a day the edit can be undone.
func TestEditASeries(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	s.book(h.signIn("rosa@example.com"), "occurrence++")
	path := "/offerings/{offering}/series/{series}"
	was := s.dateAt("occurrence++")
	body := object{"version": 1, "scope": "following", "from": s.dateAt("occurrence+")["localDate"], "at": "13:00", "dryRun": true}
	quote := s.patch(200, path, body)
	effects := dig[object](quote.data(), "effects")
	if got := fmt.Sprintf("%d %v %v %v", len(quote.list("effects", "moved")), effects["split"], effects["notices"], effects["undoable"]); got != "4 true 1 true" {
		t.Errorf("%s: %s", got, quote)
	}
	if hit := quote.list("effects", "booked"); len(hit) != 1 || hit[0]["id"] != s.ids["occurrence++"] || hit[0]["outcome"] != "moved" {
		t.Errorf("%v", hit)
	}
	if s.dateAt("occurrence++")["startsAt"] != was["startsAt"] {
		t.Error("the dry run moved a date")
	}
	delete(body, "dryRun")
	body["quoteId"] = quote.text("quoteId")
	edited := s.patch(200, path, body)
	if edited.data()["splitFrom"] != s.ids["series"] || edited.text("at") != "13:00" {
		t.Errorf("%s", edited)
	}
	now := s.dateAt("occurrence++")
	if moved := at(now["startsAt"]).Sub(at(was["startsAt"])); moved != time.Hour || now["seriesId"] != edited.data()["id"] {
		t.Errorf("moved by %s to series %s", moved, now["seriesId"])
	}
	bookings := h.expect(200, call{path: s.at("/businesses/{business}/bookings?occurrenceId={occurrence++}"), token: s.owner}).list("items")
	if len(bookings) != 1 || bookings[0]["startsAt"] != now["startsAt"] {
		t.Errorf("the booking stayed behind: %v", bookings)
	}

	edits := h.expect(200, call{path: s.at(path + "/edits"), token: s.owner}).list("items")
	if len(edits) != 1 || edits[0]["id"] != edited.data()["editId"] || edits[0]["undoable"] != true {
		t.Errorf("%v", edits)
	}
	undo := s.at(path+"/edits/") + edited.text("editId") + "/undo"
	if a := h.post(undo, s.owner, nil); a.data()["joined"] != true || s.dateAt("occurrence++")["startsAt"] != was["startsAt"] {
		t.Errorf("%s", a)
	}
	if a := h.do(call{method: http.MethodPost, path: undo, token: s.owner}); a.status != 409 || a.reason() != "undone" {
		t.Errorf("%s", a)
	}
}

// Deleting a date with bookings is refused with the plan; the studio chooses the treatment and gets a quote.
func TestEditTakesABookedDateAway(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	s.book(h.signIn("rosa@example.com"), "occurrence+")
	day := s.dateAt("occurrence+")["localDate"]
	body := object{"version": 1, "scope": "all", "except": []any{day}}
	refused := s.patch(409, "/offerings/{offering}/series/{series}", body)
	if details := dig[object](decode(refused.body), "error", "details"); refused.reason() != "dates_booked" ||
		fmt.Sprint(details["dates"]) != fmt.Sprint([]any{day}) || details["plan"] == nil {
		t.Errorf("%s", refused)
	}
	body["onBooked"], body["dryRun"] = "cancel_and_refund", true
	if a := s.patch(200, "/offerings/{offering}/series/{series}", body); dig[object](a.data(), "effects")["undoable"] != false {
		t.Errorf("%s", a)
	}
	delete(body, "dryRun")
	s.patch(200, "/offerings/{offering}/series/{series}", body)
	if s.dateAt("occurrence+")["state"] != "cancelled" {
		t.Error("the date still takes place")
	}
	for _, wrong := range []object{
		{"version": 2, "scope": "all", "freq": "yearly"}, {"version": 2, "scope": "some"}, {"version": 2, "scope": "following"},
		{"version": 2, "scope": "all", "monthlyBy": "day"}, {"version": 2, "scope": "all", "every": 60}, {"version": 2, "scope": "all", "nonsense": 1},
	} {
		s.patch(400, "/offerings/{offering}/series/{series}", wrong)
	}
	if a := s.patch(409, "/offerings/{offering}/series/{series}", object{"version": 1, "scope": "all", "at": "10:00"}); a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
}

func TestCancelRestoreAndSubstituteADate(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	s.book(h.signIn("rosa@example.com"), "occurrence+")
	_, ben := s.join("ben@example.com")
	date := s.at("/offerings/{offering}/occurrences/{occurrence+}")
	quote := h.expect(200, call{method: "POST", path: date + "/cancel", token: s.owner, body: `{"reason":"storm","notify":true,"dryRun":true}`})
	if len(quote.list("effects", "booked")) != 1 || len(quote.list("effects", "removed")) != 1 || s.dateAt("occurrence+")["state"] != "scheduled" {
		t.Errorf("%s", quote)
	}
	for body, want := range map[string]string{`{"dryRun":true}`: "1", `{"notify":true,"dryRun":true}`: "1", `{"notify":false,"dryRun":true}`: "0"} {
		a := h.expect(200, call{method: "POST", path: date + "/cancel", token: s.owner, body: body})
		if got := fmt.Sprint(dig[object](a.data(), "effects")["notices"]); got != want {
			t.Errorf("%s sends %s mails", body, got)
		}
	}
	for query, want := range map[string]string{"": "1", "&notify=true": "1", "&notify=false": "0"} {
		a := h.expect(200, call{method: "DELETE", path: s.at("/offerings/{offering}/series/{series}?onBooked=cancel_and_refund&dryRun=true") + query, token: s.owner})
		if got := fmt.Sprint(dig[object](a.data(), "effects")["notices"]); got != want {
			t.Errorf("ending the series with %q sends %s mails", query, got)
		}
	}
	cancelled := h.post(date+"/cancel", s.owner, object{"reason": "storm", "notify": true, "quoteId": quote.text("quoteId")})
	if cancelled.text("state") != "cancelled" || cancelled.text("cancelReason") != "storm" {
		t.Errorf("%s", cancelled)
	}
	if a := h.do(call{method: "POST", path: date + "/cancel", token: s.owner}); a.status != 409 || a.reason() != "cancelled" {
		t.Errorf("%s", a)
	}
	if a := h.post(date+"/restore", s.owner, nil); a.text("state") != "scheduled" {
		t.Errorf("%s", a)
	}
	if a := h.post(date+"/substitute", s.owner, object{"memberId": ben, "notify": object{"original": false}}); a.data()["memberId"] != ben || a.number("notices") != 1 {
		t.Errorf("%s", a)
	}
	edited := s.patch(200, "/offerings/{offering}/occurrences/{occurrence+}", object{"version": s.dateAt("occurrence+")["version"], "minutes": 30, "capacity": 4})
	if fmt.Sprint(edited.data()["overrides"]) != "[memberId minutes capacity onlineCapacity]" || edited.text("editId") == "" {
		t.Errorf("%s", edited)
	}
	a := h.do(call{method: "POST", path: s.at("/offerings/{offering}/series"), token: s.owner, body: js(object{
		"freq": "daily", "every": 2, "start": s.dateAt("occurrence+")["localDate"], "at": "12:00", "count": 3, "memberId": ben,
	})})
	if a.status != 409 || a.reason() != "staff_busy" || len(dig[[]any](decode(a.body), "error", "details", "conflicts")) != 1 {
		t.Errorf("%s", a)
	}
}

func at(v any) time.Time {
	t, err := time.Parse(time.RFC3339, v.(string))
	if err != nil {
		panic(err)
	}
	return t
}

// Many dates get an instructor in one call, with a quote like any other change; if the instructor is busy the refusal
// lists the dates.
func TestAssignAnInstructor(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	_, ben := s.join("ben@example.com")
	path := s.at("/offerings/{offering}/occurrences/assign")
	body := object{"occurrenceIds": []string{s.ids["occurrence+"], s.ids["occurrence++"]}, "memberId": ben, "dryRun": true}
	quote := h.expect(200, call{method: "POST", path: path, token: s.owner, body: js(body)})
	if dates := quote.list("effects", "dates"); len(dates) != 2 || dates[0]["outcome"] != "assigned" || s.dateAt("occurrence+")["memberId"] == ben {
		t.Errorf("%s", quote)
	}
	delete(body, "dryRun")
	body["quoteId"] = quote.text("quoteId")
	done := h.post(path, s.owner, body)
	if done.data()["memberId"] != ben || len(done.list("dates")) != 2 || done.text("editId") == "" || s.dateAt("occurrence++")["memberId"] != ben {
		t.Errorf("%s", done)
	}
	for _, wrong := range []object{{}, {"occurrenceIds": []string{}, "memberId": ben}, {"occurrenceIds": []string{s.ids["occurrence"]}, "memberId": ben, "onBusy": "maybe"}} {
		if a := h.do(call{method: "POST", path: path, token: s.owner, body: js(wrong)}); a.status != 400 {
			t.Errorf("%s", a)
		}
	}
}
