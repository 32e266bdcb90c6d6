package operator

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/app/words"
)

// Policy is a set of booking and cancellation rules for offerings and locations.
type Policy struct {
	ID         uuid.UUID     `json:"id"`
	Name       string        `json:"name"`
	Rules      catalog.Rules `json:"rules"`
	Summary    []string      `json:"summary" doc:"The rules as English sentences for customers; amounts in the business's currency."`
	ArchivedAt *time.Time    `json:"archivedAt"`
	Version    int64         `json:"version"`
	CreatedAt  time.Time     `json:"createdAt"`
	UpdatedAt  time.Time     `json:"updatedAt"`
}

// LocationPolicy is the default policy of a location, for offerings without one of their own.
type LocationPolicy struct {
	PolicyID *uuid.UUID    `json:"policyId" doc:"The policy; null for the standard rules."`
	Name     string        `json:"name"`
	Rules    catalog.Rules `json:"rules"`
	Summary  []string      `json:"summary" doc:"The rules as English sentences for customers; amounts in the location's currency."`
	Version  int64         `json:"version" doc:"Version of the location."`
}

// policyRulesBody are the rules in a request. Absent rules are the standard ones.
type policyRulesBody struct {
	NoticeMinutes *int                 `json:"noticeMinutes,omitempty" minimum:"0" doc:"Lead time: minutes before the start until which it can be booked."`
	WindowDays    *int                 `json:"windowDays,omitempty" minimum:"0" doc:"Days in advance for which it can be booked; 0 for no limit."`
	PartyMin      *int                 `json:"partyMin,omitempty" minimum:"1"`
	PartyMax      *int                 `json:"partyMax,omitempty" minimum:"0" doc:"Largest party; 0 for no limit besides capacity."`
	PayAtStudio   *bool                `json:"payAtStudio,omitempty" doc:"Whether customers can book without a card and pay at the studio."`
	Deposit       *depositRulesBody    `json:"deposit,omitempty" doc:"Deposit paid when booking; the balance is due at the studio. Not together with payAtStudio."`
	Cancel        *cancelRulesBody     `json:"cancel,omitempty"`
	NoShow        *noShowRulesBody     `json:"noShow,omitempty"`
	Reschedule    *rescheduleRulesBody `json:"reschedule,omitempty"`
	Grace         *graceRulesBody      `json:"grace,omitempty"`
	Waitlist      *waitlistRulesBody   `json:"waitlist,omitempty"`
	CollectFees   *bool                `json:"collectFees,omitempty" doc:"Whether fees are charged to the saved card after their review."`
}

type depositRulesBody struct {
	Percent       *int   `json:"percent,omitempty" minimum:"0" maximum:"99" doc:"Deposit in percent of the price including tax; 0 for none."`
	Amount        *int64 `json:"amount,omitempty" minimum:"0" doc:"Deposit for each person in minor units; 0 for none."`
	NonRefundable *bool  `json:"nonRefundable,omitempty" doc:"Whether the deposit is non-refundable if the customer cancels. Further payments are refunded as usual."`

	BalanceMinutes *int `json:"balanceMinutes,omitempty" minimum:"0" doc:"Minutes before the start from which the balance due is charged to the saved card; customers without one get a payment link by email. 0 for no charge."`
}

type cancelRulesBody struct {
	Allowed          *bool  `json:"allowed,omitempty"`
	FreeUntilMinutes *int   `json:"freeUntilMinutes,omitempty" minimum:"0" doc:"Minutes before the start until which a cancellation gets a full refund."`
	LateFromMinutes  *int   `json:"lateFromMinutes,omitempty" minimum:"0" doc:"Minutes before the start from which a cancellation is late."`
	LateFeeAmount    *int64 `json:"lateFeeAmount,omitempty" minimum:"0" doc:"Late-cancellation fee in minor units."`
}

type noShowRulesBody struct {
	FeeAmount     *int64 `json:"feeAmount,omitempty" minimum:"0" doc:"No-show fee in minor units."`
	ReviewMinutes *int   `json:"reviewMinutes,omitempty" minimum:"0" doc:"Minutes of review of a fee, also for a late cancellation, before it is due."`
}

type rescheduleRulesBody struct {
	Allowed      *bool `json:"allowed,omitempty"`
	UntilMinutes *int  `json:"untilMinutes,omitempty" minimum:"0"`
	Max          *int  `json:"max,omitempty" minimum:"0" doc:"Maximum number of reschedules; 0 for no limit."`
}

type graceRulesBody struct {
	Days        *int `json:"days,omitempty" minimum:"0"`
	LateCancels *int `json:"lateCancels,omitempty" minimum:"0"`
	NoShows     *int `json:"noShows,omitempty" minimum:"0"`
}

type waitlistRulesBody struct {
	Mode          *catalog.WaitlistMode `json:"mode,omitempty"`
	OfferMinutes  *int                  `json:"offerMinutes,omitempty" minimum:"1"`
	CutoffMinutes *int                  `json:"cutoffMinutes,omitempty" minimum:"0"`
	GraceMinutes  *int                  `json:"graceMinutes,omitempty" minimum:"0"`
}

// rules returns the standard rules with those of the request: the two have the same names.
func (b *policyRulesBody) rules() (catalog.Rules, error) {
	if b == nil {
		return catalog.StandardRules(), nil
	}
	sent, err := json.Marshal(b)
	if err != nil {
		return catalog.Rules{}, err
	}
	return catalog.ReadRules(sent)
}

type createPolicyBody struct {
	Name  string           `json:"name" minLength:"1" maxLength:"80" doc:"Name, unique among the policies in use." example:"Strict"`
	Rules *policyRulesBody `json:"rules,omitempty" doc:"The rules. Absent rules are the standard ones."`
}

// PolicyPath is the path of a policy.
type PolicyPath struct {
	PolicyID uuid.UUID `path:"policyId" doc:"The policy."`
}

func (p *PolicyPath) id() uuid.UUID { return p.PolicyID }

type updatePolicyIn struct {
	PolicyPath
	Body updatePolicyBody
}

type updatePolicyBody struct {
	Version int64            `json:"version" minimum:"1" doc:"Version of the policy that was read."`
	Name    *string          `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Rules   *policyRulesBody `json:"rules,omitempty" doc:"The rules. Replaces all of them: absent rules become the standard ones."`
}

type replaceLocationPolicyBody struct {
	PolicyID *uuid.UUID `json:"policyId" doc:"The policy; null for the standard rules."`
	Version  int64      `json:"version,omitempty" minimum:"1" doc:"Version of the location that was read. Without it there is no version check."`
}

func (a *surface) policies() {
	declare(a, op.Spec{
		ID: "listPolicies", Method: "GET", Path: "/businesses/{businessId}/policies", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "List policies",
		Description: "Returns the booking and cancellation policies of the business, without archived ones.",
	}, wire.Lists(a.Cursors, "policies", a.Catalog.Policies, showPolicy))
	declare(a, op.Spec{
		ID: "createPolicy", Method: "POST", Path: "/businesses/{businessId}/policies", Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Create a policy", Description: "The policy has no effect until a location or an offering uses it.",
	}, a.createPolicy)
	declare(a, op.Spec{
		ID: "getPolicy", Method: "GET", Path: "/businesses/{businessId}/policies/{policyId}", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Get a policy", Description: "Returns a policy, archived or not.",
	}, wire.ByName(a.Catalog.Policy, (*PolicyPath).id, showPolicy))
	declare(a, op.Spec{
		ID: "updatePolicy", Method: "PATCH", Path: "/businesses/{businessId}/policies/{policyId}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary:     "Update a policy",
		Description: "Applies to new bookings: existing bookings keep the policy they were made under.",
	}, a.updatePolicy)
	declare(a, op.Spec{
		ID: "archivePolicy", Method: "POST", Path: "/businesses/{businessId}/policies/{policyId}/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Archive a policy", Description: "Takes it out of use. Refused while a location or an offering uses it.",
	}, wire.ByName(a.Catalog.ArchivePolicy, (*PolicyPath).id, showPolicy))
	declare(a, op.Spec{
		ID: "getLocationPolicy", Method: "GET", Path: "/locations/{id}/policies", Tag: "locations", Feature: "location.view",
		Summary:     "Get the default policy",
		Description: "Returns the policy of offerings without one of their own. There always is one.",
	}, wire.AtLocation(a.Catalog.LocationPolicy, showLocationPolicy))
	declare(a, op.Spec{
		ID: "replaceLocationPolicy", Method: "PUT", Path: "/locations/{id}/policies", Tag: "locations", Feature: "catalog.manage",
		Summary:     "Replace the default policy",
		Description: "Sets the policy of offerings without one of their own. The version of the location increases.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[replaceLocationPolicyBody]) (LocationPolicy, error) {
		p, err := a.Catalog.PutLocationPolicy(ctx, sc, catalog.PutLocationPolicyInput{
			LocationID: sc.Location, PolicyID: in.Body.PolicyID, Version: in.Body.Version,
		})
		return showLocationPolicy(p), err
	})
}

func (a *surface) createPolicy(ctx context.Context, sc tenancy.Scope, in *wire.Body[createPolicyBody]) (Policy, error) {
	rules, err := in.Body.Rules.rules()
	if err != nil {
		return Policy{}, err
	}
	p, err := a.Catalog.CreatePolicy(ctx, sc, catalog.CreatePolicyInput{Name: in.Body.Name, Rules: rules})
	return showPolicy(p), err
}

func (a *surface) updatePolicy(ctx context.Context, sc tenancy.Scope, in *updatePolicyIn) (Policy, error) {
	change := catalog.UpdatePolicyInput{ID: in.PolicyID, Version: in.Body.Version, Name: in.Body.Name}
	if in.Body.Rules != nil {
		rules, err := in.Body.Rules.rules()
		if err != nil {
			return Policy{}, err
		}
		change.Rules = &rules
	}
	p, err := a.Catalog.UpdatePolicy(ctx, sc, change)
	return showPolicy(p), err
}

func showPolicy(p catalog.Policy) Policy {
	return Policy{
		ID: p.ID, Name: p.Name, Rules: p.Rules, Summary: p.Rules.Summary("", p.Currency, words.In("en")), ArchivedAt: p.ArchivedAt,
		Version: p.Version, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

func showLocationPolicy(p catalog.LocationPolicy) LocationPolicy {
	return LocationPolicy{
		PolicyID: p.PolicyID, Name: p.Name, Rules: p.Rules, Summary: p.Rules.Summary("", p.Currency, words.In("en")), Version: p.Version,
	}
}
