package web_test

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web"
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

// spec fills in what every declaration needs.
func spec(id, method, path string, s web.Spec) web.Spec {
	s.ID, s.Method, s.Path = id, method, path
	s.Summary, s.Description = "Summary of "+id, "Description of "+id+"."
	if s.Tag == "" {
		s.Tag = "catalog"
	}
	return s
}

var gated = []int{401, 403, 404}

// accessWorld declares one operation of each kind.
func accessWorld(w *world) *web.Registry {
	r := w.srv.Operations
	web.Op(r, spec("getCatalog", "GET", "/businesses/{businessId}/catalog", web.Spec{
		Access: web.Operator, Feature: "catalog.manage", Target: web.InBusiness("businessId"), Errors: gated,
	}), look)
	web.Op(r, spec("postCatalog", "POST", "/businesses/{businessId}/catalog", web.Spec{
		Access: web.Operator, Feature: "catalog.manage", Target: web.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
	}), func(_ context.Context, sc tenancy.Scope, _ *bodyIn) (seen, error) { return show(sc), nil })
	web.Op(r, spec("getPlace", "GET", "/locations/{id}", web.Spec{
		Access: web.Operator, Feature: "catalog.manage", Target: web.InLocation("id"), Errors: gated,
	}), look)
	web.Op(r, spec("archiveDocument", "POST", "/locations/{id}/documents/{documentId}/archive", web.Spec{
		Access: web.Operator, Feature: "catalog.manage", Target: web.InLocation("id"), Errors: gated,
	}), func(_ context.Context, sc tenancy.Scope, in *documentIn) (seen, error) {
		if in.DocumentID != uptown {
			return seen{}, fault.Missing()
		}
		return show(sc), nil
	})
	web.Op(r, spec("createKey", "POST", "/businesses/{businessId}/api-keys", web.Spec{
		Access: web.OperatorSession, Feature: "business.manage", Target: web.InBusiness("businessId"), Errors: gated, Success: 201,
	}), look)
	web.Op(r, spec("getFeatures", "GET", "/businesses/{businessId}/features", web.Spec{
		Access: web.Member, Feature: "location.view", Target: web.InBusiness("businessId"), Errors: gated,
	}), look)
	web.Op(r, spec("getProfile", "GET", "/me/profile", web.Spec{Access: web.Session, Errors: []int{401, 403}}), look)
	web.Op(r, spec("getTimes", "GET", "/storefront/offerings/{offeringId}/times", web.Spec{
		Access: web.Public, Target: web.InOffering("offeringId"), Rate: web.RateStorefront, Errors: []int{404}, Tag: "storefront",
	}), look)
	web.Op(r, spec("holdCart", "POST", "/storefront/carts/{token}/hold", web.Spec{
		Access: web.StorefrontSession, Target: web.InCart("token"), Rate: web.RateStorefront, Errors: []int{401, 404}, Tag: "storefront",
	}), look)
	web.Op(r, spec("getAgreed", "GET", "/storefront/offerings/{offeringId}/agreements", web.Spec{
		Access: web.StorefrontSession, Target: web.InOffering("offeringId"), AnyTarget: true, Rate: web.RateStorefront, Errors: []int{401, 404}, Tag: "storefront",
	}), look)
	return r
}

type bodyIn struct{ Body noteBody }

type noteBody struct {
	Note  string `json:"note" minLength:"1" maxLength:"200"`
	Count int64  `json:"count,omitempty" minimum:"0"`
}
