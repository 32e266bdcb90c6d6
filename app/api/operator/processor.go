package operator

import (
	"context"
	"time"

	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Processor is the business's own account at the payment processor. Customers pay the studio there directly.
type Processor struct {
	State     billing.State `json:"state" doc:"Cards can be taken in the two active states."`
	Env       billing.Env   `json:"env" blank:"true" doc:"The processor's world; empty when this deployment has no processor."`
	AccountID string        `json:"accountId" doc:"Empty when not connected." example:"acct_1N2b3C"`
	Currency  string        `json:"currency" doc:"The account's own; cards are offered at locations with this one. Empty while it is not known."`
	Due       []string      `json:"due" doc:"What the processor still asks for, in its own field names."`
	UpdatedAt *time.Time    `json:"updatedAt" doc:"When it was last read there."`
}

// Onboarding is where a studio completes its account.
type Onboarding struct {
	URL string `json:"url" format:"uri" doc:"A page of the processor, for one use within a few minutes. Ask again for another one."`
}

type processorIn struct {
	Refresh bool `query:"refresh" doc:"Read the account at the processor first, for example after the return from onboarding."`
}

type onboardingBody struct {
	ReturnURL  string `json:"returnUrl" format:"uri" maxLength:"2000" doc:"Where the studio goes when it is done or gives up. Coming back proves nothing: read the account with refresh."`
	RefreshURL string `json:"refreshUrl,omitempty" format:"uri" maxLength:"2000" doc:"Where it goes when the page is used up; returnUrl when left out."`
	Country    string `json:"country,omitempty" maxLength:"2" doc:"Of the studio, two letters; that of its first location when left out. It cannot be changed later."`
}

func (a *surface) processor() {
	declare(a, op.Spec{
		ID: "getProcessor", Method: "GET", Path: "/businesses/{businessId}/processor", Tag: "commerce", Feature: "business.manage",
		Summary: "Get the payment account", Description: "The business's account at the payment processor, as it was when it was last read there.",
	}, a.getProcessor)
	declare(a, op.Spec{
		ID: "startProcessorOnboarding", Method: "POST", Path: "/businesses/{businessId}/processor/onboarding", Tag: "commerce",
		Summary:     "Connect the payment account",
		Description: "Makes the account the first time, and returns the page where the studio completes it.",
		Feature:     "business.manage", NoReplay: true, Errors: wire.ChangeErrors,
	}, a.startOnboarding)
}

func (a *surface) getProcessor(ctx context.Context, sc tenancy.Scope, in *processorIn) (Processor, error) {
	read := a.Billing.Connection
	if in.Refresh {
		read = a.Billing.Refresh
	}
	c, err := read(ctx, sc)
	return showProcessor(c), err
}

func (a *surface) startOnboarding(ctx context.Context, sc tenancy.Scope, in *wire.Body[onboardingBody]) (Onboarding, error) {
	b := in.Body
	if b.RefreshURL == "" {
		b.RefreshURL = b.ReturnURL
	}
	var checks fault.Checks
	checks.That(wire.IsWebAddress(b.ReturnURL), "returnUrl", "Send an address that begins with https:// or http://.")
	checks.That(wire.IsWebAddress(b.RefreshURL), "refreshUrl", "Send an address that begins with https:// or http://.")
	if err := checks.Err(); err != nil {
		return Onboarding{}, err
	}
	to, err := a.Billing.Onboard(ctx, sc, billing.OnboardInput{Country: b.Country, ReturnURL: b.ReturnURL, RefreshURL: b.RefreshURL})
	return Onboarding{URL: to}, err
}

func showProcessor(c billing.Connection) Processor {
	return Processor{
		State: c.State, Env: c.Env, AccountID: c.AccountID, Currency: string(c.Currency), Due: c.Due, UpdatedAt: wire.TimeOrNull(c.UpdatedAt),
	}
}
