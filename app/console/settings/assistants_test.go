package settings_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/app/oauth"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/policy"
)

const assistantsPath = "/settings/assistants"

// connections returns the assistants of the studio, as its owner lists them.
func connections(t *testing.T, s *consoletest.Studio) []oauth.Connection {
	t.Helper()
	page, err := s.OAuth.Connections(t.Context(), s.Owner, paging.In[uuid.UUID]{})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

var tableRow = regexp.MustCompile(`(?s)<tr>.*?</tr>`)

// rowOf returns the HTML of the table row with a text; empty when there is none.
func rowOf(p *consoletest.Page, text string) string {
	for _, row := range tableRow.FindAllString(p.Body, -1) {
		if strings.Contains(row, text) {
			return row
		}
	}
	return ""
}

// rename renames the location as sc.
func rename(t *testing.T, s *consoletest.Studio, sc tenancy.Scope, name string) {
	t.Helper()
	l, err := s.Services.Business.Location(t.Context(), sc, s.Location.ID)
	if err == nil {
		_, err = s.Services.Business.UpdateLocation(tenancy.Acting(t.Context(), sc), sc,
			business.UpdateLocationInput{LocationID: l.ID, Version: l.Version, Name: &name})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestNoAssistantIsConnected: the empty screen has the address for an assistant, and the steps to connect one, for
// every role.
func TestNoAssistantIsConnected(t *testing.T) {
	s := consoletest.Open(t)
	for _, role := range policy.Roles() {
		c := s.As(t, role)
		if !c.Get("/settings").Is(t, 200).Has(assistantsPath) {
			t.Errorf("the settings do not lead a %s to the assistants", role)
		}
		page := c.Get(assistantsPath).Is(t, 200).Shows(t, "No connected assistants", "Connect an assistant",
			"and choose this business.")
		if !strings.Contains(page.Body, `value="`+s.URL+oauth.ResourcePath+`" readonly`) {
			t.Errorf("a %s is not shown the address", role)
		}
	}
}

// TestWhoseAssistantsAreListed: whoever manages the team sees all assistants with their person, the host that they
// were connected from and their use; any other role sees its own, and leads to the activity log only if it may read it.
func TestWhoseAssistantsAreListed(t *testing.T) {
	s := consoletest.Open(t)
	const desk, viewer, accountant = "desk@team.example.com", "viewer@team.example.com", "books@team.example.com"
	s.SQL(t, "update persons set name = 'Olga Owner' where id = $1", s.Owner.Actor.ID)
	s.ConnectAssistant(t, s.Owner, "Claude").Calls(t)
	ofDesk := s.ConnectAssistant(t, s.Join(t, desk, apptest.Everywhere(policy.FrontDesk)), "Desk <b>helper</b>")
	ofViewer := s.ConnectAssistant(t, s.Join(t, viewer, apptest.At(policy.Viewer, s.Location.ID)), "ChatGPT")
	ofBooks := s.ConnectAssistant(t, s.Join(t, accountant, apptest.Everywhere(policy.Accountant)), "Ledger helper")

	all := s.As(t, consoletest.Owner).Get(assistantsPath).Is(t, 200).Silent(t, "No connected assistants")
	for name, wants := range map[string][]string{
		"Claude": {"Olga Owner", "assistant.example", "Wed 10 Jun", "Wed 10 Jun, 8:00"},
		"Desk &lt;b&gt;helper&lt;/b&gt;": {desk, "assistant.example", "Never used", assistantsPath + "/" +
			ofDesk.ID.String() + "/disconnect"},
		"ChatGPT": {viewer, "Never used", "/settings/changes?assistant=" + ofViewer.ID.String()},
	} {
		row := rowOf(all, name)
		for _, want := range wants {
			if !strings.Contains(row, want) {
				t.Errorf("the row of %s lacks %q: %s", name, want, row)
			}
		}
	}
	if strings.Contains(all.Body, "<b>helper") {
		t.Error("the name of an assistant is read as markup")
	}

	for email, of := range map[string]struct {
		own    consoletest.Assistant
		name   string
		others []string
		reads  bool // the activity log
	}{
		desk:       {own: ofDesk, name: "Desk <b>helper</b>", others: []string{"Claude", "ChatGPT", "Ledger helper"}},
		viewer:     {own: ofViewer, name: "ChatGPT", others: []string{"Desk", "Ledger helper"}},
		accountant: {own: ofBooks, name: "Ledger helper", others: []string{"Desk", "ChatGPT"}, reads: true},
	} {
		page := s.SignedIn(t, email).Get(assistantsPath).Is(t, 200)
		rows := tableRow.FindAllString(page.Body, -1)
		if len(rows) == 0 {
			t.Errorf("%s sees no assistant", email)
		}
		list := strings.Join(rows, "")
		for _, other := range append(of.others, "Olga Owner") {
			if strings.Contains(list, other) {
				t.Errorf("%s sees %s: %s", email, other, list)
			}
		}
		page.Shows(t, of.name)
		if !page.Has(assistantsPath + "/" + of.own.ID.String() + "/disconnect") {
			t.Errorf("%s cannot disconnect %s", email, of.name)
		}
		if got := page.Has("/settings/changes"); got != of.reads {
			t.Errorf("%s is led to the activity log: %t", email, got)
		}
	}
}

// TestActivityOfAnAssistant: the link of an assistant leads to its changes alone, under the name of its person and its
// own.
func TestActivityOfAnAssistant(t *testing.T) {
	s := consoletest.Open(t)
	claude, gpt := s.ConnectAssistant(t, s.Owner, "Claude"), s.ConnectAssistant(t, s.Owner, "ChatGPT")
	rename(t, s, s.Owner, "Quay")
	rename(t, s, gpt.Calls(t), "Lighthouse")
	rename(t, s, claude.Calls(t), "Pier")
	owner := s.As(t, consoletest.Owner)
	link := ""
	for _, l := range owner.Get(assistantsPath).Is(t, 200).Links() {
		if strings.HasSuffix(l, "/settings/changes?assistant="+claude.ID.String()) {
			link = l
		}
	}
	if link == "" {
		t.Fatal("no link leads to the activity of Claude")
	}
	page := owner.Get(link).Is(t, 200).Shows(t, "Changes by one assistant only.", "via Claude", "Lighthouse → Pier")
	page.Silent(t, "via ChatGPT", "Quay → Lighthouse", "Harbour → Quay")
	// Another filter keeps the assistant, and Show all leaves it.
	filtered := owner.Send(page.Form("/settings/changes"), "record", "locations").Is(t, 200)
	filtered.Shows(t, "Changes by one assistant only.", "Lighthouse → Pier").Silent(t, "via ChatGPT")
	owner.Get("/settings/changes").Is(t, 200).Shows(t, "via Claude", "via ChatGPT", "Quay → Lighthouse", "Harbour → Quay")
	owner.Get("/settings/changes?assistant="+uuid.NewString()).Is(t, 200).Shows(t, "No changes match.")
}

// TestDisconnectingAsksFirst: the first press says what it ends and ends nothing; the second does, and says so. Sent
// twice it does no more, and a form from another tab finds nothing.
func TestDisconnectingAsksFirst(t *testing.T) {
	s := consoletest.Open(t)
	claude := s.ConnectAssistant(t, s.Owner, "Claude")
	s.Clock.Advance(30 * time.Minute)
	claude.Calls(t)
	owner := s.As(t, consoletest.Owner)
	path := assistantsPath + "/" + claude.ID.String() + "/disconnect"
	list := owner.Get(assistantsPath).Is(t, 200)
	page := owner.Get(list.Link(path)).Is(t, 200)
	page.Shows(t, "Disconnect Claude", "Requests of Claude are refused immediately", "Last used: Wed 10 Jun, 8:30",
		s.Owner.Email, "Keep it")
	if page.Link(assistantsPath) == "" {
		t.Error("Keep it does not lead back")
	}
	if !claude.Admitted(t) {
		t.Fatal("the question ended the connection")
	}
	form, other := page.Form(path), owner.Get(path).Form(path)
	owner.Send(form).Is(t, 200).Shows(t, "Assistant disconnected. Its next request is refused.", "No connected assistants")
	if claude.Admitted(t) || len(connections(t, s)) != 0 {
		t.Error("the assistant is still connected")
	}
	owner.Send(form).Is(t, 200).Shows(t, "No connected assistants")
	owner.Send(other).Is(t, 404)
	owner.Get(path).Is(t, 404)
	if by := apptest.Value[string](t, s.World, "select ended_by from oauth_families"); by != "disconnected" {
		t.Errorf("ended by %q", by)
	}
}

// TestAssistantsOfOthersAreNotFound: a connection of another person, another business or nobody is not found, whether
// it is asked for or ended; whoever manages the team ends those of the whole team.
func TestAssistantsOfOthersAreNotFound(t *testing.T) {
	s := consoletest.Open(t)
	const email = "desk@team.example.com"
	ofOwner := s.ConnectAssistant(t, s.Owner, "Claude")
	ofDesk := s.ConnectAssistant(t, s.Join(t, email, apptest.Everywhere(policy.FrontDesk)), "Desk helper")
	foreign := s.ConnectAssistant(t, s.World.Studio(t).Owner, "Foreign helper")
	owner, desk := s.As(t, consoletest.Owner), s.SignedIn(t, email)
	missing := func(c *consoletest.Client, id string) {
		t.Helper()
		path := assistantsPath + "/" + id + "/disconnect"
		c.Get(path).Is(t, 404).Silent(t, "helper", "Claude")
		c.Post(path, url.Values{web.FieldToken: {c.Token()}, web.FieldKey: {uuid.NewString()[:22]}}).Is(t, 404)
	}
	missing(desk, ofOwner.ID.String())
	for _, id := range []string{foreign.ID.String(), uuid.NewString(), "claude"} {
		missing(owner, id)
	}
	if !ofOwner.Admitted(t) || !foreign.Admitted(t) {
		t.Fatal("a connection that was not found has ended")
	}
	path := assistantsPath + "/" + ofDesk.ID.String() + "/disconnect"
	owner.Send(owner.Get(path).Is(t, 200).Shows(t, email).Form(path)).Is(t, 200).Shows(t, "Assistant disconnected.",
		"Claude")
	desk.Get(assistantsPath).Is(t, 200).Shows(t, "No connected assistants")
	if ofDesk.Admitted(t) {
		t.Error("an assistant that the owner disconnected goes on")
	}
}
