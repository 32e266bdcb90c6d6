package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web"
)

type leaveMineIn struct {
	EntryID uuid.UUID `path:"entryId" doc:"The place on a waitlist."`
}

func (a *surface) myWaitlist() {
	web.Op(a.Ops, web.Spec{
		ID: "listMyWaitlist", Method: "GET", Path: "/me/waitlist", Tag: "me", Compact: true,
		Summary: "List own places on waitlists", Description: "In all businesses and in every state, the latest first. API keys are refused.",
		Access: web.Session, Errors: []int{400, 401, 403},
	}, wire.Lists(a.Cursors, "me.waitlist", wire.Own(a.Waitlist.Mine), a.ShowPlace))
	web.Op(a.Ops, web.Spec{
		ID: "leaveMyWaitlist", Method: "DELETE", Path: "/me/waitlist/{entryId}", Tag: "me",
		Summary: "Leave a waitlist", Description: "Also while a seat is on offer, which then goes to the next in line. Leaving again changes nothing.",
		Access: web.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *leaveMineIn) (web.NoContent, error) {
		return web.NoContent{}, a.Waitlist.LeaveMine(ctx, sc.Principal, in.EntryID, sc.Surface)
	})
}
