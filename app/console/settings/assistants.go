package settings

import (
	"context"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/oauth"
	"foyer/app/view"
)

const assistantsAt = "/settings/assistants"

// assistants mounts the connected assistants: the caller's own, or everybody's for those who manage the team.
func (s *screens) assistants() {
	s.Page("listAssistants", assistantsAt, s.showAssistants)
	s.Page("disconnectAssistant", assistantsAt+"/:assistant/disconnect", s.showDisconnect)
	s.Form("disconnectAssistant", assistantsAt+"/:assistant/disconnect", desk.Form{Do: s.disconnect,
		Show: s.showDisconnect})
}

// assistantsView is the list, with the address that an assistant is given.
type assistantsView struct {
	List    []oauth.Connection
	Address string
}

func (s *screens) showAssistants(c *desk.Call) (ui.Screen, error) {
	v := assistantsView{Address: s.BaseURL + oauth.ResourcePath}
	for in := most; ; {
		page, err := s.OAuth.Connections(c.Context(), c.Scope, in)
		if err != nil {
			return ui.Screen{}, err
		}
		v.List = append(v.List, page.Items...)
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	return ui.Screen{
		Title: c.UI.T("Connected assistants"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"),
		Body: assistantsBody(c, v),
		Lead: c.UI.T("An assistant acts for the person who connected it, with that person’s permissions in this business."),
	}, nil
}

func (s *screens) assistant(c *desk.Call) (oauth.Connection, error) {
	id, err := c.ID("assistant")
	if err != nil {
		return oauth.Connection{}, err
	}
	return s.OAuth.Connection(c.Context(), c.Scope, id)
}

func (s *screens) showDisconnect(c *desk.Call) (ui.Screen, error) {
	a, err := s.assistant(c)
	return ui.Screen{
		Title: c.UI.T("Disconnect {assistant}", "assistant", a.Client), Area: area,
		Up: up(c, c.UI.T("Connected assistants"), assistantsAt), Body: disconnectBody(c, a),
	}, err
}

func (s *screens) disconnect(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("assistant")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(assistantsAt), Said: c.UI.T("Assistant disconnected. Its next request is refused.")},
		s.OAuth.Disconnect(ctx, c.Scope, id)
}

// whose is the person that an assistant acts for.
func whose(a oauth.Connection) string {
	if a.PersonName != "" {
		return a.PersonName
	}
	return a.PersonEmail
}

// assistantUse renders the last call of an assistant.
func assistantUse(sh ui.Shell, a oauth.Connection) string {
	if a.UsedAt == nil {
		return sh.T("Never used")
	}
	return sh.ShortWhen(*a.UsedAt)
}

// deeds is the address of what an assistant changed.
func deeds(c *desk.Call, a oauth.Connection) view.Link {
	return view.Link{Text: c.UI.T("Activity"), Href: c.To("/settings/changes?assistant=" + a.ID.String())}
}
