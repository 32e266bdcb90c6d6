package web_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// An operator list with cursor pagination: the input embeds web.Page, and the store reads one row more than
// requested.

type memberRow struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

type listMembersIn struct {
	op.Page
	Q string `query:"q" maxLength:"100" doc:"Part of the name."`
}

type memberKey struct {
	Name string    `json:"n"`
	ID   uuid.UUID `json:"i"`
}

func declareList(r *op.Registry, cursors op.Cursors, find func(q string, after memberKey, most int) []memberRow) {
	op.Declare(r, op.Spec{
		ID: "listMembers", Method: "GET", Path: "/businesses/{businessId}/members", Tag: "catalog",
		Summary: "List members", Description: "Members of the business, by name.",
		Access: op.Operator, Feature: "crm.view", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404}, Compact: true,
	}, func(_ context.Context, sc tenancy.Scope, in *listMembersIn) (op.List[memberRow], error) {
		list := op.ListKey("members", in.Q)
		var after memberKey
		if _, err := cursors.Decode(list, sc.Tenant, in.Cursor, &after); err != nil {
			return op.List[memberRow]{}, err
		}
		rows := find(in.Q, after, in.Limit+1)
		page := paging.Of(rows, in.Limit, func(m memberRow) memberKey { return memberKey{m.Name, m.ID} })
		return op.List[memberRow]{Items: page.Items, NextCursor: nextCursor(cursors, list, sc.Tenant, page.Next)}, nil
	})
}

// A storefront write: public, counted in both windows, with a replay for requests with Idempotency-Key.

type addItemBody struct {
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	Seats        int       `json:"seats" minimum:"1" maximum:"20"`
}

type addItemIn struct{ Body addItemBody }

type cartView struct {
	Items []uuid.UUID `json:"items"`
}

var errSlotTaken = fault.New(fault.Conflict, "slot_taken", "These seats have just been taken.")

func declareCartItem(r *op.Registry, left int) {
	op.Declare(r, op.Spec{
		ID: "addCartItem", Method: "POST", Path: "/storefront/carts/{token}/items", Tag: "storefront",
		Summary: "Add an item to a cart", Description: "Adds seats on one date. Nothing is held yet.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite,
		Success: http.StatusCreated, Errors: []int{400, 404, 409},
	}, func(_ context.Context, _ tenancy.Scope, in *addItemIn) (cartView, error) {
		if in.Body.Seats > left {
			return cartView{}, errSlotTaken.With("left", left)
		}
		return cartView{Items: []uuid.UUID{in.Body.OccurrenceID}}, nil
	})
}

// A change of a record with a version, for signed-in people only.

type patchMemberIn struct {
	MemberID uuid.UUID `path:"memberId"`
	Body     patchMemberBody
}

type patchMemberBody struct {
	Name      *string                `json:"name,omitempty" minLength:"1" maxLength:"100"`
	ManagerID op.Nullable[uuid.UUID] `json:"managerId,omitzero"`
	Version   int64                  `json:"version"`
}

func declarePatch(r *op.Registry, current int64) {
	op.Declare(r, op.Spec{
		ID: "updateMember", Method: "PATCH", Path: "/businesses/{businessId}/members/{memberId}", Tag: "catalog",
		Summary: "Change a member", Description: "Members that are left out stay as they are.",
		Access: op.OperatorSession, Feature: "business.manage", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404, 409}, Versioned: true,
	}, func(_ context.Context, _ tenancy.Scope, in *patchMemberIn) (memberRow, error) {
		if in.Body.Version != current {
			return memberRow{}, fault.New(fault.Conflict, "stale_version", "Somebody else changed this.").With("version", current)
		}
		name := "Ada"
		if in.Body.Name != nil {
			name = *in.Body.Name
		}
		return memberRow{ID: in.MemberID, Name: name}, nil
	})
}

// TestDeclarations runs the three of them.
func TestDeclarations(t *testing.T) {
	w := newWorld(t)
	declareList(w.srv.Operations, w.srv.Cursors, func(_ string, after memberKey, most int) []memberRow {
		all := []memberRow{{uptown, "Ada"}, {downtown, "Bob"}, {elsewhere, "Cleo"}}
		for len(all) > 0 && all[0].Name <= after.Name {
			all = all[1:]
		}
		return all[:min(most, len(all))]
	})
	declareCartItem(w.srv.Operations, 3)
	declarePatch(w.srv.Operations, 7)

	at := "/businesses/" + studio.String() + "/members"
	var page op.List[memberRow]
	w.do(req{path: at + "?limit=2", token: studioKey}).data(t, 200, &page)
	if len(page.Items) != 2 || page.NextCursor == nil {
		t.Fatalf("%+v", page)
	}
	next := *page.NextCursor
	w.do(req{path: at + "?q=other&cursor=" + next, token: studioKey}).refused(t, 400)
	w.do(req{path: at + "?cursor=" + next, token: studioKey}).data(t, 200, &page)
	if len(page.Items) != 1 || page.Items[0].Name != "Cleo" || page.NextCursor != nil {
		t.Errorf("%+v", page)
	}

	item := func(seats int) req {
		return req{method: "POST", path: "/storefront/carts/cart-token/items", body: fmt.Sprintf(`{"occurrenceId":%q,"seats":%d}`, uptown, seats)}
	}
	w.do(item(2)).data(t, 201, nil)
	if e := w.do(item(4)).refused(t, 409); e.Error.Details["reason"] != "slot_taken" || e.Error.Details["left"] != 3.0 {
		t.Errorf("%+v", e)
	}
	if f := w.do(item(0)).refused(t, 400).fields(); len(f) != 1 || f[0] != "body.seats" {
		t.Errorf("%v", f)
	}

	patch := req{method: "PATCH", path: at + "/" + uptown.String(), token: ownerToken, body: `{"managerId":null,"version":7}`}
	w.do(patch).data(t, 200, nil)
	patch.body = `{"version":6}`
	w.do(patch).refused(t, 409)
	patch.token = studioKey
	w.do(patch).refused(t, 403)
}
