package api_test

import "testing"

// TestReminderSetting checks the reminders of a location: a day and two hours before by default.
func TestReminderSetting(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	path := s.at("/locations/{location}")
	if got := js(h.expect(200, call{path: path, token: s.owner}).data()["reminders"]); got != "[1440,120]" {
		t.Errorf("at first %s", got)
	}
	patch := func(status int, minutes any) answer {
		t.Helper()
		version := h.expect(200, call{path: path, token: s.owner}).data()["version"]
		return h.expect(status, call{method: "PATCH", path: path, token: s.owner, body: js(object{"version": version, "reminders": minutes})})
	}
	if got := js(patch(200, []int{60, 2880, 60}).data()["reminders"]); got != "[2880,60]" {
		t.Errorf("kept %s", got)
	}
	if got := patch(400, []int{60, 14}).fields(); len(got) != 1 || got[0] != "body.reminders[1]" {
		t.Errorf("wrong fields %v", got)
	}
	patch(400, []int{15, 30, 45, 60, 75})
	if got := js(patch(200, []int{}).data()["reminders"]); got != "[]" {
		t.Errorf("taken away: %s", got)
	}
	made := h.post(s.at("/businesses/{business}/locations"), s.owner, object{"name": "Uptown", "reminders": []int{}})
	if got := js(made.data()["reminders"]); got != "[]" {
		t.Errorf("made with %s", got)
	}
}
