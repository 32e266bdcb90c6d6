package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/billing"
	"foyer/billing/processor"
)

// payments mounts the account at the processor for card payments, and the alternative without one.
func (s *screens) payments() {
	s.Page("getProcessor", "/settings/payments", s.showAccount)
	s.Form("startProcessorOnboarding", "/settings/payments/connect", desk.Form{Do: s.connect, Show: s.showAccount, Inputs: []string{"country"}})
	s.Page("startProcessorOnboarding", "/settings/payments/continue", s.showContinue)
	s.Form("replaceLocationPolicy", "/settings/payments/at-studio/:location", desk.Form{Do: s.payThere})
}

// till is the data of the screen of payments.
type till struct {
	billing.Connection
	AtStudio []payThere           // locations that allow, or could allow, payment at the studio
	Waiting  []agenda.OfferingRow // drafts with a price, until there is a payment method
}

// payThere is the option to pay at the studio, of one location.
type payThere struct {
	business.Location
	May bool
}

// showAccount shows the account as last read, or, after a return from the processor, as it is now.
func (s *screens) showAccount(c *desk.Call) (ui.Screen, error) {
	read := s.Billing.Connection
	if c.Query("refresh") != "" {
		read = s.Billing.Refresh
	}
	account, err := read(c.Context(), c.Scope)
	if err != nil && c.Told(err) { // the processor is unavailable: shown as last read
		account, err = s.Billing.Connection(c.Context(), c.Scope)
	}
	v := till{Connection: account}
	if err == nil {
		err = s.fill(c, &v)
	}
	return ui.Screen{
		Title: c.UI.T("Payments"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: accountBody(c, v), Step: "payments",
	}, err
}

// fill reads the locations, and the drafts that wait for a payment method.
func (s *screens) fill(c *desk.Call, v *till) error {
	pays := map[uuid.UUID]bool{}
	for _, l := range c.Workspace.Locations {
		p, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, l.ID)
		if err != nil {
			return err
		}
		v.AtStudio = append(v.AtStudio, payThere{l, p.Rules.PayAtStudio})
		pays[l.ID] = p.Rules.PayAtStudio || v.Accepts(l.Currency)
	}
	shelf, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{})
	for _, o := range shelf {
		if o.State == catalog.Draft && o.PriceAmount != nil && pays[o.LocationID] && (o.Kind != catalog.Class || o.Dates > 0) && c.MayAt("publishOffering", o.LocationID) {
			v.Waiting = append(v.Waiting, o)
		}
	}
	return err
}

// payThere allows payment at the studio at a location: with the rules of its policy, in a policy with that option.
// Its undo assigns the former policy.
func (s *screens) payThere(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	was, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, id)
	if err != nil {
		return desk.Done{}, err
	}
	made, err := s.payingPolicy(c, id, was.Rules)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Catalog.PutLocationPolicy(ctx, c.Scope, catalog.PutLocationPolicyInput{LocationID: id, PolicyID: &made.ID, Version: was.Version})
	return desk.Done{
		To: c.To("/settings/payments"), Said: c.UI.T("Customers can book at {place} and pay on arrival.", "place", placeName(c, id)),
		Undo: &ui.Undo{Action: c.To("/settings/policies/places/" + id.String()), Fields: []view.Param{{Name: "policyId", Value: idText(was.PolicyID)}}},
	}, err
}

// payingPolicy returns the policy of a location with these rules that allows payment at the studio: an existing one,
// or a new one. It runs without the form's key: the next press continues an interrupted one.
func (s *screens) payingPolicy(c *desk.Call, place uuid.UUID, rules catalog.Rules) (catalog.Policy, error) {
	rules.PayAtStudio, rules.Deposit = true, catalog.DepositRules{} // one excludes the other
	name := c.UI.T("Pay at {place}", "place", placeName(c, place))
	all, err := s.Catalog.Policies(c.Context(), c.Scope, most)
	if err != nil {
		return catalog.Policy{}, err
	}
	for _, p := range all.Items {
		if p.ArchivedAt == nil && p.Name == name && p.Rules == rules {
			return p, nil
		}
	}
	return s.Catalog.CreatePolicy(c.Context(), c.Scope, catalog.CreatePolicyInput{Name: name, Rules: rules})
}

func (s *screens) onboard(c *desk.Call, ctx context.Context) (string, error) {
	return s.Billing.Onboard(ctx, c.Scope, billing.OnboardInput{
		Country: c.Value("country"), ReturnURL: s.BaseURL + c.To("/settings/payments", "refresh", "1"), RefreshURL: s.BaseURL + c.To("/settings/payments/continue"),
	})
}

// connect creates the account. Its page at the processor is opened from a page of ours, because a browser does not
// let a form redirect to another site (content policy), and because that page's address works once.
func (s *screens) connect(c *desk.Call, ctx context.Context) (desk.Done, error) {
	_, err := s.onboard(c, ctx)
	return desk.Done{To: c.To("/settings/payments/continue")}, err
}

func (s *screens) showContinue(c *desk.Call) (ui.Screen, error) {
	to, err := s.onboard(c, c.Context())
	if err != nil && !c.Told(err) {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Your details at the payment processor"), Area: area, Up: up(c, c.UI.T("Payments"), "/settings/payments"), Body: continueBody(c, to), Step: "payments",
	}, nil
}

// accountBadge renders a state of the account.
func accountBadge(sh ui.Shell, state processor.State) (string, ui.Tone) {
	switch state {
	case processor.StateActive:
		return sh.T("Accepting cards"), "ok"
	case processor.StatePaused:
		return sh.T("Payouts paused"), "warn"
	case processor.StateOnboarding:
		return sh.T("Setup incomplete"), "warn"
	case processor.StatePending:
		return sh.T("Under review"), "warn"
	case processor.StateRestricted:
		return sh.T("Details missing"), "bad"
	case processor.StateDisconnected:
		return sh.T("Disconnected"), "bad"
	}
	return sh.T("Not connected"), "warn"
}

// accountStory explains a state and the next step.
func accountStory(sh ui.Shell, state processor.State) string {
	switch state {
	case processor.StateActive:
		return sh.T("Customers can pay by card. The money goes to your own account at the processor, which pays it out to your bank.")
	case processor.StatePaused:
		return sh.T("Customers can pay by card, but nothing is paid out to your bank until the processor has the details it needs.")
	case processor.StateOnboarding:
		return sh.T("The account is created. Customers cannot pay by card until you give the processor your details.")
	case processor.StatePending:
		return sh.T("The processor is checking your details. This can take a day or two.")
	case processor.StateRestricted:
		return sh.T("The processor needs more information. Customers cannot pay by card until you provide it.")
	case processor.StateDisconnected:
		return sh.T("The account was disconnected at the processor. Connect it again to accept cards.")
	}
	return sh.T("Connect an account to accept cards. Without one, customers pay at the studio.")
}

// walletsStory renders the state of browser wallets. It omits pages without any.
func walletsStory(sh ui.Shell, a billing.Connection) string {
	switch {
	case a.WalletDomain == "":
		return ""
	case a.WalletTrouble != "":
		return sh.T("Google Pay only, on {domain}", "domain", a.WalletDomain)
	}
	return sh.T("Available on {domain}", "domain", a.WalletDomain)
}

func connectText(sh ui.Shell, state processor.State) string {
	if state == processor.StateNotConnected || state == processor.StateDisconnected {
		return sh.T("Connect an account")
	}
	return sh.T("Continue to processor")
}
