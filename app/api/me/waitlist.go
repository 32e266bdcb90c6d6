package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type leaveMineIn struct {
	EntryID uuid.UUID `path:"entryId" doc:"The waitlist entry."`
}

func (a *surface) myWaitlist() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyWaitlist", Method: "GET", Path: "/me/waitlist", Tag: "me",
		Summary:     "List own waitlist entries",
		Description: "Returns the entries in all businesses and in every state, latest first. API keys are refused.",
		Access:      op.Session, Errors: []int{400, 401, 403},
	}, wire.Lists(a.Cursors, "me.waitlist", wire.Own(a.Waitlist.Mine), a.ShowWaitlistEntry))
	op.Declare(a.Ops, op.Spec{
		ID: "leaveMyWaitlist", Method: "DELETE", Path: "/me/waitlist/{entryId}", Tag: "me",
		Summary: "Leave a waitlist", Description: "An open offer goes to the next entry. Repeating the call changes nothing.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *leaveMineIn) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.LeaveMine(ctx, sc.Principal, in.EntryID, sc.Surface)
	})
}
