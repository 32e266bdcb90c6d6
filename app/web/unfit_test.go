package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type ruleBody struct {
	At       time.Time              `json:"at"`
	Day      civil.Date             `json:"day,omitempty" format:"date"`
	Weekdays []int                  `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"2" uniqueItems:"true" doc:"0 is Sunday, 6 is Saturday."`
	Name     string                 `json:"name,omitempty" minLength:"2" maxLength:"5"`
	Code     string                 `json:"code,omitempty" pattern:"^[a-z]+$" patternDescription:"small letters"`
	Freq     string                 `json:"freq,omitempty" enum:"daily,weekly"`
	On       bool                   `json:"on,omitempty"`
	Account  op.Nullable[account]   `json:"account,omitzero"`
	Rows     []ruleRow              `json:"rows,omitempty" minItems:"1"`
	Place    op.Nullable[uuid.UUID] `json:"place,omitzero"`
	Email    string                 `json:"email,omitempty" format:"email"`
}

type ruleRow struct {
	Seats int `json:"seats" minimum:"1" doc:"How many people."`
}

type ruleIn struct {
	RowID uuid.UUID `path:"rowId"`
	Limit int       `query:"limit" minimum:"1" maximum:"200"`
	Since time.Time `query:"since"`
	Body  ruleBody
}

func rulesWorld(t testing.TB) *world {
	w := newWorld(t)
	op.Declare(w.srv.Operations, spec("createRule", "POST", "/businesses/{businessId}/rows/{rowId}", op.Spec{
		Access: op.Operator, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404, 409},
	}), func(context.Context, tenancy.Scope, *ruleIn) (seen, error) { return seen{}, nil })
	op.Declare(w.srv.Operations, spec("getRule", "GET", "/businesses/{businessId}/rows/{rowId}", op.Spec{
		Access: op.Operator, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: []int{401, 403, 404},
	}), func(context.Context, tenancy.Scope, *struct {
		RowID uuid.UUID `path:"rowId"`
	}) (seen, error) {
		return seen{}, nil
	})
	return w
}

// TestMessages: the message about invalid input is in plain words, with the name of the field, and complete by
// itself. A66, A67.
func TestMessages(t *testing.T) {
	w := rulesWorld(t)
	at := "/businesses/" + studio.String() + "/rows/" + uptown.String()
	const ok = `"at":"2026-03-08T14:30:00Z"`
	for body, want := range map[string]string{
		`{}`:                                 "`at` is missing.",
		`{"at":"8 March"}`:                   "`at` must be a time like 2026-03-08T14:30:00Z.",
		`{"at":5}`:                           "`at` must be a string, and is a number.",
		`{"at":null}`:                        "`at` is null: leave it out, or send a value.",
		`{` + ok + `,"day":"2026-02-30"}`:    "`day` must be a date like 2026-03-08.",
		`{` + ok + `,"weekdays":[7]}`:        "`weekdays[0]` must be at most 6. 0 is Sunday, 6 is Saturday.",
		`{` + ok + `,"weekdays":[-1]}`:       "`weekdays[0]` must be at least 0. 0 is Sunday, 6 is Saturday.",
		`{` + ok + `,"weekdays":[0.5]}`:      "`weekdays[0]` must be a whole number, and is a number with a fraction.",
		`{` + ok + `,"weekdays":["Sunday"]}`: "`weekdays[0]` must be a whole number, and is a string.",
		`{` + ok + `,"weekdays":[[]]}`:       "`weekdays[0]` must be a whole number, and is a list.",
		`{` + ok + `,"weekdays":[1,2,3]}`:    "`weekdays` must have at most 2 entries, and has 3.",
		`{` + ok + `,"weekdays":[1,1]}`:      "`weekdays` names something twice.",
		`{` + ok + `,"weekdays":3}`:          "`weekdays` must be a list, and is a number.",
		`{` + ok + `,"name":"äöüäöü"}`:       "`name` must have at most 5 characters, and has 6.",
		`{` + ok + `,"name":"a"}`:            "`name` must have at least 2 characters, and has 1.",
		`{` + ok + `,"name":""}`:             "`name` must not be empty.",
		`{` + ok + `,"rows":[]}`:             "`rows` must not be empty.",
		`{` + ok + `,"rows":[{"seats":0}]}`:  "`rows[0].seats` must be at least 1. How many people.",
		`{` + ok + `,"rows":[{}]}`:           "`rows[0].seats` is missing.",
		`{` + ok + `,"rows":[7]}`:            "`rows[0]` must be an object, and is a number.",
		`{` + ok + `,"code":"Q1"}`:           "`code` must be small letters.",
		`{` + ok + `,"freq":"yearly"}`:       "`freq` must be one of: \"daily, weekly\".",
		`{` + ok + `,"on":"yes"}`:            "`on` must be true or false, and is a string.",
		`{` + ok + `,"on":{}}`:               "`on` must be true or false, and is an object.",
		`{` + ok + `,"account":{"name":1}}`:  "`account.id` is missing; `account.name` must be a string, and is a number.",
		`{` + ok + `,"account":true}`:        "`account` must be an object, and is true.",
		`{` + ok + `,"place":"here"}`:        "`place` must be an id like 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b.",
		`{` + ok + `,"email":"x"}`:           "`email` must be an e-mail address like name@example.com.",
		`{` + ok + `,"At":1}`:                "`At` is not a field of this request.",
		`{` + ok + `,"name":"a","code":"1","freq":"x","on":1,"email":"x"}`: "`code` must be small letters; " +
			"`email` must be an e-mail address like name@example.com; `freq` must be one of: \"daily, weekly\"; and 2 more.",
		`[]`: "The body must be an object, and is a list.",
		`{`:  "The body is not valid JSON.",
	} {
		e := w.do(req{method: "POST", path: at, token: ownerToken, body: body}).refused(t, 400)
		if want = strings.ReplaceAll(want, `"daily, weekly"`, "daily, weekly"); e.Error.Message != want {
			t.Errorf("%s\n got %s\nwant %s", body, e.Error.Message, want)
		}
	}
	for query, want := range map[string]string{
		"limit=many":          "`limit` must be a whole number.",
		"limit=201":           "`limit` must be at most 200.",
		"limit=0":             "`limit` must be at least 1.",
		"since=yesterday":     "`since` must be a time like 2026-03-08T14:30:00Z.",
		"limit=10&limit=many": "",
	} {
		r := w.do(req{method: "POST", path: at + "?" + query, token: ownerToken, body: `{` + ok + `}`})
		if want == "" {
			r.data(t, 200, nil)
		} else if e := r.refused(t, 400); e.Error.Message != want {
			t.Errorf("%s\n got %s\nwant %s", query, e.Error.Message, want)
		}
	}
}

// TestSlugForAnID: an invalid id is refused with the status that the operation lists, and with the same message
// whether or not a record exists. A20, A47.
func TestSlugForAnID(t *testing.T) {
	w := rulesWorld(t)
	const id = "`rowId` must be an id like 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
	for value, want := range map[string]string{
		"flow-yoga": id + ", and looks like a slug: records are named by id here.",
		"yoga":      id + ", and looks like a slug: records are named by id here.",
		"17":        id + ".",
		"Flow":      id + ".",
	} {
		path := "/businesses/" + studio.String() + "/rows/" + value
		listed := w.do(req{method: "POST", path: path, token: ownerToken, body: `{"at":"2026-03-08T14:30:00Z"}`}).refused(t, 400)
		unlisted := w.do(req{path: path, token: ownerToken}).refused(t, 404)
		if listed.Error.Message != want || unlisted.Error.Message != want || len(unlisted.Error.Details) != 0 {
			t.Errorf("%s\n got %s\n and %s\nwant %s", value, listed.Error.Message, unlisted.Error.Message, want)
		}
	}
	business := "/businesses/flow-yoga/rows/" + uptown.String()
	if e := w.do(req{path: business, token: ownerToken}).refused(t, 404); !strings.Contains(e.Error.Message, "`businessId` must be an id") {
		t.Errorf("%s", e.Error.Message)
	}
	unknownID := w.do(req{path: "/businesses/" + unknown.String() + "/rows/" + uptown.String(), token: ownerToken}).refused(t, 404)
	if unknownID.Error.Message != "Not found." {
		t.Errorf("an unknown id: %s", unknownID.Error.Message)
	}
}
