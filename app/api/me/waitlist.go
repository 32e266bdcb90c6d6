package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type leaveMineIn struct {
	EntryID uuid.UUID `path:"entryId" doc:"The place on a waitlist."`
}

func (a *surface) myWaitlist() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyWaitlist", Method: "GET", Path: "/me/waitlist", Tag: "me", Compact: true,
		Summary: "List own places on waitlists", Description: "In all businesses and in every state, the latest first. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403},
	}, wire.Lists(a.Cursors, "me.waitlist", wire.Own(a.Waitlist.Mine), a.ShowPlace))
	op.Declare(a.Ops, op.Spec{
		ID: "leaveMyWaitlist", Method: "DELETE", Path: "/me/waitlist/{entryId}", Tag: "me",
		Summary: "Leave a waitlist", Description: "Also while a seat is on offer, which then goes to the next in line. Leaving again changes nothing.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *leaveMineIn) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.LeaveMine(ctx, sc.Principal, in.EntryID, sc.Surface)
	})
}
