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

// Policy is rules of booking and cancelling that offerings and locations share.
type Policy struct {
	ID         uuid.UUID     `json:"id"`
	Name       string        `json:"name"`
	Rules      catalog.Rules `json:"rules"`
	Summary    []string      `json:"summary" doc:"The rules in plain words, as customers see them; amounts in the business's currency."`
	ArchivedAt *time.Time    `json:"archivedAt"`
	Version    int64         `json:"version"`
	CreatedAt  time.Time     `json:"createdAt"`
	UpdatedAt  time.Time     `json:"updatedAt"`
}

// LocationPolicy is what holds at a location for offerings without a policy of their own.
type LocationPolicy struct {
	PolicyID *uuid.UUID    `json:"policyId" doc:"Null: the standard rules."`
	Name     string        `json:"name"`
	Rules    catalog.Rules `json:"rules"`
	Summary  []string      `json:"summary" doc:"The rules in plain words, as customers see them; amounts in the location's currency."`
	Version  int64         `json:"version" doc:"The location's."`
}

// policyRulesBody are rules as a request sends them: what is left out is as in the standard rules.
type policyRulesBody struct {
	NoticeMinutes *int                 `json:"noticeMinutes,omitempty" minimum:"0" doc:"Nobody books later than so many minutes before the start."`
	WindowDays    *int                 `json:"windowDays,omitempty" minimum:"0" doc:"How many days ahead can be booked; 0: as far as there are times."`
	PartyMin      *int                 `json:"partyMin,omitempty" minimum:"1"`
	PartyMax      *int                 `json:"partyMax,omitempty" minimum:"0" doc:"0: as many as there is room for."`
	PayAtStudio   *bool                `json:"payAtStudio,omitempty" doc:"Customers may book without a card and pay when they come."`
	Deposit       *depositRulesBody    `json:"deposit,omitempty" doc:"What is paid when it is booked; the rest is due at the studio. Not beside payAtStudio."`
	Cancel        *cancelRulesBody     `json:"cancel,omitempty"`
	NoShow        *noShowRulesBody     `json:"noShow,omitempty"`
	Reschedule    *rescheduleRulesBody `json:"reschedule,omitempty"`
	Forgive       *forgiveRulesBody    `json:"forgive,omitempty"`
	Waitlist      *waitlistRulesBody   `json:"waitlist,omitempty"`
	CollectFees   *bool                `json:"collectFees,omitempty" doc:"Fees are charged to the card that the customer had the studio keep, when their review is over."`
}

type depositRulesBody struct {
	Percent *int   `json:"percent,omitempty" minimum:"0" maximum:"99" doc:"Percent of the price, with tax, that is paid when it is booked; 0: the price is not split so."`
	Amount  *int64 `json:"amount,omitempty" minimum:"0" doc:"What is paid for each person when it is booked, in minor units; 0: the price is not split so."`
	Kept    *bool  `json:"kept,omitempty" doc:"The deposit does not come back when the customer cancels, however early; what was paid besides it does, as for any price."`

	BalanceMinutes *int `json:"restMinutes,omitempty" minimum:"0" doc:"The rest is charged to the card that the customer had the studio keep from so many minutes before the start on; who has none is mailed the way to pay. 0: it is not."`
}

type cancelRulesBody struct {
	Allowed          *bool  `json:"allowed,omitempty"`
	FreeUntilMinutes *int   `json:"freeUntilMinutes,omitempty" minimum:"0" doc:"The price comes back until so many minutes before the start."`
	LateFromMinutes  *int   `json:"lateFromMinutes,omitempty" minimum:"0" doc:"A cancellation is late from so many minutes before the start."`
	LateFeeAmount    *int64 `json:"lateFeeAmount,omitempty" minimum:"0" doc:"Minor units."`
}

type noShowRulesBody struct {
	FeeAmount     *int64 `json:"feeAmount,omitempty" minimum:"0" doc:"Minor units."`
	ReviewMinutes *int   `json:"reviewMinutes,omitempty" minimum:"0" doc:"How long the studio looks at a fee, also for a late cancellation, before it is asked for."`
}

type rescheduleRulesBody struct {
	Allowed      *bool `json:"allowed,omitempty"`
	UntilMinutes *int  `json:"untilMinutes,omitempty" minimum:"0"`
	Max          *int  `json:"max,omitempty" minimum:"0" doc:"0: as often as they like."`
}

type forgiveRulesBody struct {
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

// rules are the standard rules with what was sent in their place: the two have the same names.
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
	Name  string           `json:"name" minLength:"1" maxLength:"80" doc:"Unique among the policies in use." example:"Strict"`
	Rules *policyRulesBody `json:"rules,omitempty" doc:"What is left out is as in the standard rules."`
}

// PolicyPath names a policy.
type PolicyPath struct {
	PolicyID uuid.UUID `path:"policyId" doc:"The policy."`
}

func (p *PolicyPath) id() uuid.UUID { return p.PolicyID }

type updatePolicyIn struct {
	PolicyPath
	Body updatePolicyBody
}

type updatePolicyBody struct {
	Version int64            `json:"version" minimum:"1" doc:"Of the policy that was read."`
	Name    *string          `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Rules   *policyRulesBody `json:"rules,omitempty" doc:"As a whole: what is left out becomes as in the standard rules."`
}

type replaceLocationPolicyBody struct {
	PolicyID *uuid.UUID `json:"policyId" doc:"Null: the standard rules."`
	Version  int64      `json:"version,omitempty" minimum:"1" doc:"Of the location that was read; left out: whatever it is."`
}

func (a *surface) policies() {
	declare(a, op.Spec{
		ID: "listPolicies", Method: "GET", Path: "/businesses/{businessId}/policies", Tag: "catalog", Feature: "catalog.manage",
		Summary: "List policies", Description: "The rules of booking and cancelling that offerings and locations share; archived ones are left out.",
	}, wire.Lists(a.Cursors, "policies", a.Catalog.Policies, showPolicy))
	declare(a, op.Spec{
		ID: "createPolicy", Method: "POST", Path: "/businesses/{businessId}/policies", Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Add a policy", Description: "Nothing uses it until a location or an offering names it.",
	}, a.createPolicy)
	declare(a, op.Spec{
		ID: "getPolicy", Method: "GET", Path: "/businesses/{businessId}/policies/{policyId}", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Get a policy", Description: "One policy, archived or not.",
	}, wire.ByName(a.Catalog.Policy, (*PolicyPath).id, showPolicy))
	declare(a, op.Spec{
		ID: "updatePolicy", Method: "PATCH", Path: "/businesses/{businessId}/policies/{policyId}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Change a policy", Description: "Holds for what is booked from now on: bookings keep the rules they were made under.",
	}, a.updatePolicy)
	declare(a, op.Spec{
		ID: "archivePolicy", Method: "POST", Path: "/businesses/{businessId}/policies/{policyId}/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Archive a policy", Description: "Takes it out of use. Not while a location or an offering names it.",
	}, wire.ByName(a.Catalog.ArchivePolicy, (*PolicyPath).id, showPolicy))
	declare(a, op.Spec{
		ID: "getLocationPolicy", Method: "GET", Path: "/locations/{id}/policies", Tag: "locations", Feature: "location.view",
		Summary: "Get the default policy", Description: "What holds for offerings without a policy of their own. There is always something.",
	}, wire.AtLocation(a.Catalog.LocationPolicy, showLocationPolicy))
	declare(a, op.Spec{
		ID: "replaceLocationPolicy", Method: "PUT", Path: "/locations/{id}/policies", Tag: "locations", Feature: "catalog.manage",
		Summary: "Choose the default policy", Description: "For offerings without a policy of their own. The location's version goes up.",
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
