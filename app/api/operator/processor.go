package operator

import (
	"context"
	"time"

	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/processor"
)

// Processor is the business's own account at the payment processor. Customers pay the studio there directly.
type Processor struct {
	State     processor.State `json:"state" doc:"State of the account. Cards can be accepted in the two active states."`
	Env       processor.Env   `json:"env" blank:"true" doc:"Environment of the processor; empty if this deployment has no processor."`
	AccountID string          `json:"accountId" doc:"The processor's id of the account; empty if not connected." example:"acct_1N2b3C"`
	Currency  string          `json:"currency" doc:"Currency of the account. Cards are offered at locations with this currency. Empty while unknown."`
	Due       []string        `json:"due" doc:"Requirements of the processor that are still open, in its own field names."`
	UpdatedAt *time.Time      `json:"updatedAt" doc:"When it was last read from the processor."`
}

// Onboarding is the onboarding link of a payment account.
type Onboarding struct {
	URL string `json:"url" format:"uri" doc:"URL of the processor, for one use within a few minutes. Call again for another one."`
}

type processorIn struct {
	Refresh bool `query:"refresh" doc:"Read the account from the processor first, for example after the return from onboarding."`
}

type onboardingBody struct {
	ReturnURL  string `json:"returnUrl" format:"uri" maxLength:"2000" doc:"Return address after onboarding, completed or not. A return proves nothing: read the account with refresh."`
	RefreshURL string `json:"refreshUrl,omitempty" format:"uri" maxLength:"2000" doc:"Return address for an expired link. The default is returnUrl."`
	Country    string `json:"country,omitempty" maxLength:"2" doc:"Country of the studio, two letters. The default is that of its first location. It cannot change later."`
}

func (a *surface) processor() {
	declare(a, op.Spec{
		ID: "getProcessor", Method: "GET", Path: "/businesses/{businessId}/processor", Tag: "commerce", Feature: "business.manage",
		Summary:     "Get the payment account",
		Description: "Returns the business's account at the payment processor, as last read from there.",
	}, a.getProcessor)
	declare(a, op.Spec{
		ID: "startProcessorOnboarding", Method: "POST", Path: "/businesses/{businessId}/processor/onboarding", Tag: "commerce",
		Summary:     "Connect the payment account",
		Description: "Creates the account on the first call, and returns the onboarding link.",
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
	checks.That(wire.IsWebAddress(b.ReturnURL), "returnUrl", "Send an address that starts with https:// or http://.")
	checks.That(wire.IsWebAddress(b.RefreshURL), "refreshUrl", "Send an address that starts with https:// or http://.")
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
