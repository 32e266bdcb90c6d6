package stripe

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v79"

	"foyer/app/money"
	"foyer/billing/processor"
)

// Countries in which the platform may not collect an application fee from accounts of another country.
var countriesRefused = map[string]bool{"BR": true}

// CreateAccount creates an account for a studio with the set of properties that Stripe calls Standard: the studio
// pays Stripe's fees and bears losses, has the full dashboard, and enters its details at Stripe and not with us.
func (s *Adapter) CreateAccount(ctx context.Context, in processor.NewAccount) (processor.Account, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "create account"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Account{}, err
	}
	if countriesRefused[in.Country] {
		return processor.Account{}, &processor.Error{Op: op, Param: "country", Detail: in.Country, Kind: processor.ErrCountryRefused}
	}
	a, err := s.api.Accounts.New(&stripe.AccountParams{
		Params:  call(ctx, "", in.Key),
		Country: stripe.String(in.Country),
		Email:   text(in.Email),
		Controller: &stripe.AccountControllerParams{
			Fees:                  &stripe.AccountControllerFeesParams{Payer: stripe.String("account")},
			Losses:                &stripe.AccountControllerLossesParams{Payments: stripe.String("stripe")},
			StripeDashboard:       &stripe.AccountControllerStripeDashboardParams{Type: stripe.String("full")},
			RequirementCollection: stripe.String("stripe"),
		},
		Metadata: map[string]string{"business_id": in.Business},
	})
	if err != nil {
		err = failed(op, err)
		if e, ok := err.(*processor.Error); ok && e.Kind == processor.ErrRefused && e.Param == "country" {
			e.Kind = processor.ErrCountryRefused
		}
		return processor.Account{}, err
	}
	return s.account(a), nil
}

// AccountLink creates a single-use address where the studio completes its account. Stripe stores no result for its
// key, since every call creates another link, so it has none.
func (s *Adapter) AccountLink(ctx context.Context, in processor.NewLink) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	l, err := s.api.AccountLinks.New(&stripe.AccountLinkParams{
		Params:     call(ctx, "", ""),
		Account:    stripe.String(in.Account),
		ReturnURL:  stripe.String(in.ReturnURL),
		RefreshURL: stripe.String(in.RefreshURL),
		Type:       stripe.String("account_onboarding"),
	})
	if err != nil {
		err = failed("create account link", err)
		refusesAddress(err)
		return "", err
	}
	return l.URL, nil
}

// refusesAddress makes the refusal of a return address name its field in the request: the processor accepts fewer
// addresses than there are, live ones with https only for example.
func refusesAddress(err error) {
	var e *processor.Error
	if !errors.As(err, &e) || e.Kind != processor.ErrRefused {
		return
	}
	if field, ok := map[string]string{"return_url": "returnUrl", "refresh_url": "refreshUrl"}[e.Param]; ok {
		e.Kind = processor.ErrAddressRefused.And(field, processor.ErrAddressRefused.Message)
	}
}

// GetAccount reads an account and computes its state. An account that we lost access to is data too.
func (s *Adapter) GetAccount(ctx context.Context, id string) (processor.Account, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	a, err := s.api.Accounts.GetByID(id, &stripe.AccountParams{Params: call(ctx, "", "")})
	if err != nil {
		err = failed("get account", err)
		if errors.Is(err, processor.ErrAccountDisconnected) || errors.Is(err, processor.ErrUnknownObject) {
			return processor.Account{ID: id, Env: s.env, State: processor.StateDisconnected}, nil
		}
		return processor.Account{}, err
	}
	return s.account(a), nil
}

func (s *Adapter) account(a *stripe.Account) processor.Account {
	out := processor.Account{
		ID:              a.ID,
		Env:             s.env,
		Country:         a.Country,
		DefaultCurrency: money.Currency(strings.ToUpper(string(a.DefaultCurrency))),
		Business:        a.Metadata["business_id"],
	}
	f := facts{submitted: a.DetailsSubmitted, charges: a.ChargesEnabled, payouts: a.PayoutsEnabled}
	if c := a.Capabilities; c != nil {
		f.cards = c.CardPayments == stripe.AccountCapabilityStatusActive
	}
	if r := a.Requirements; r != nil {
		out.Due = append(append(out.Due, r.PastDue...), missing(r.CurrentlyDue, r.PastDue)...)
		f.due, f.disabledReason = len(out.Due) > 0, string(r.DisabledReason)
		if r.CurrentDeadline != 0 {
			out.DueBy = time.Unix(r.CurrentDeadline, 0).UTC()
		}
	}
	out.State = f.state()
	return out
}

// missing returns the entries of list that are not in known: Stripe lists overdue requirements in both.
func missing(list, known []string) []string {
	seen := map[string]bool{}
	for _, k := range known {
		seen[k] = true
	}
	var out []string
	for _, v := range list {
		if !seen[v] {
			out = append(out, v)
		}
	}
	return out
}

// text returns an optional parameter: an empty one is not sent, because Stripe reads an empty value as "remove it".
func text(v string) *string {
	if v == "" {
		return nil
	}
	return &v
}

// facts are the fields of a processor account that determine its state.
type facts struct {
	submitted      bool
	charges        bool
	payouts        bool
	cards          bool   // the card capability is active
	due            bool   // something is due now or overdue
	disabledReason string // why charges are off
}

// awaitingProcessor is the disabled reason without a requirement for the studio.
const awaitingProcessor = "requirements.pending_verification"

func (f facts) state() processor.State {
	switch {
	case !f.submitted:
		return processor.StateOnboarding
	case f.charges && f.cards && f.payouts:
		return processor.StateActive
	case f.charges && f.cards:
		return processor.StatePaused
	case f.due || (f.disabledReason != "" && f.disabledReason != awaitingProcessor):
		return processor.StateRestricted
	}
	return processor.StatePending
}
