package web_test

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// The operations below stand for every kind of access. Their handlers show the scope they were given.

type seen struct {
	Actor    string     `json:"actor"`
	Kind     string     `json:"kind"`
	Tenant   uuid.UUID  `json:"tenant"`
	Location *uuid.UUID `json:"location"`
	Visitor  string     `json:"visitor"`
	Surface  string     `json:"surface"`
}

func show(sc tenancy.Scope) seen {
	s := seen{Actor: sc.Name, Kind: string(sc.Kind), Tenant: sc.Tenant, Visitor: sc.Visitor, Surface: string(sc.Surface)}
	if sc.Location != uuid.Nil {
		s.Location = &sc.Location
	}
	return s
}

type none struct{}

func look(_ context.Context, sc tenancy.Scope, _ *none) (seen, error) { return show(sc), nil }

type documentIn struct {
	DocumentID uuid.UUID `path:"documentId"`
}

// spec fills in the required fields of a declaration.
func spec(id, method, path string, s op.Spec) op.Spec {
	s.ID, s.Method, s.Path = id, method, path
	s.Summary, s.Description = "Summary of "+id, "Description of "+id+"."
	if s.Tag == "" {
		s.Tag = "catalog"
	}
	return s
}

var gated = []int{401, 403, 404}

// accessWorld declares one operation of each kind.
func accessWorld(w *world) *op.Registry {
	r := w.srv.Operations
	op.Declare(r, spec("getCatalog", "GET", "/businesses/{businessId}/catalog", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: gated,
	}), look)
	op.Declare(r, spec("postCatalog", "POST", "/businesses/{businessId}/catalog", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
	}), func(_ context.Context, sc tenancy.Scope, _ *bodyIn) (seen, error) { return show(sc), nil })
	op.Declare(r, spec("getPlace", "GET", "/locations/{id}", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InLocation("id"), Errors: gated,
	}), look)
	op.Declare(r, spec("archiveDocument", "POST", "/locations/{id}/documents/{documentId}/archive", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InLocation("id"), Errors: gated,
	}), func(_ context.Context, sc tenancy.Scope, in *documentIn) (seen, error) {
		if in.DocumentID != uptown {
			return seen{}, fault.Missing()
		}
		return show(sc), nil
	})
	op.Declare(r, spec("createKey", "POST", "/businesses/{businessId}/api-keys", op.Spec{
		Access: op.OperatorSession, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: gated, Success: 201,
	}), look)
	op.Declare(r, spec("getFeatures", "GET", "/businesses/{businessId}/features", op.Spec{
		Access: op.Member, Feature: "location.view", Target: op.InBusiness("businessId"), Errors: gated,
	}), look)
	op.Declare(r, spec("getProfile", "GET", "/me/profile", op.Spec{Access: op.Session, Errors: []int{401, 403}}), look)
	op.Declare(r, spec("getTimes", "GET", "/storefront/offerings/{offeringId}/times", op.Spec{
		Access: op.Public, Target: op.InOffering("offeringId"), Rate: op.RateStorefront, Errors: []int{404}, Tag: "storefront",
	}), look)
	op.Declare(r, spec("holdCart", "POST", "/storefront/carts/{token}/hold", op.Spec{
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{401, 404}, Tag: "storefront",
	}), look)
	op.Declare(r, spec("getAgreed", "GET", "/storefront/offerings/{offeringId}/agreements", op.Spec{
		Access: op.StorefrontSession, Target: op.InOffering("offeringId"), AnyTarget: true, Rate: op.RateStorefront, Errors: []int{401, 404}, Tag: "storefront",
	}), look)
	return r
}

type bodyIn struct{ Body noteBody }

type noteBody struct {
	Note  string `json:"note" minLength:"1" maxLength:"200"`
	Count int64  `json:"count,omitempty" minimum:"0"`
}
