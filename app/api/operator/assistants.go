package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/oauth"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Assistant is a connected assistant: a program that a person allowed to act for them in the business.
type Assistant struct {
	ID           uuid.UUID  `json:"id"`
	Name         string     `json:"name" doc:"Name that the assistant gave itself." example:"Claude"`
	RedirectHost string     `json:"redirectHost" doc:"Host that it was connected through." example:"claude.ai"`
	PersonID     uuid.UUID  `json:"personId" doc:"Person it acts for."`
	PersonName   string     `json:"personName" doc:"Name of that person; may be empty."`
	ConnectedAt  time.Time  `json:"connectedAt" doc:"When the person connected it."`
	UsedAt       *time.Time `json:"usedAt" doc:"Time of its last call, to the minute; null before the first."`
}

type assistantIn struct {
	AssistantID uuid.UUID `path:"assistantId" doc:"The connected assistant."`
}

// assistants declares the connected assistants of a business: each person's own.
func (a *surface) assistants() {
	declare(a, op.Spec{
		ID: "listAssistants", Method: "GET", Path: "/businesses/{businessId}/assistants", Tag: "business",
		Feature: "location.view",
		Summary: "List connected assistants",
		Description: "Returns the assistants that act for people of the business, newest first: the caller's own, or " +
			"with team.manage all of them. An API key has none.",
	}, wire.Lists(a.Cursors, "assistants", a.OAuth.Connections, showAssistant))
	declare(a, op.Spec{
		ID: "disconnectAssistant", Method: "DELETE", Path: "/businesses/{businessId}/assistants/{assistantId}",
		Tag:     "business",
		Feature: "location.view", NoReplay: true,
		Summary:     "Disconnect an assistant",
		Description: "The next call of an assistant that listAssistants returns is refused.",
	}, func(ctx context.Context, sc tenancy.Scope, in *assistantIn) (op.NoContent, error) {
		return op.NoContent{}, a.OAuth.Disconnect(ctx, sc, in.AssistantID)
	})
}

func showAssistant(c oauth.Connection) Assistant {
	return Assistant{
		ID: c.ID, Name: c.Client, RedirectHost: c.RedirectHost, PersonID: c.PersonID, PersonName: c.PersonName,
		ConnectedAt: c.ConnectedAt, UsedAt: c.UsedAt,
	}
}
