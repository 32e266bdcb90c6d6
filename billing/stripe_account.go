package billing

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v79"

	"foyer/app/money"
)

// Countries in which the platform may not collect an application fee from accounts of another country.
var countriesRefused = map[string]bool{"BR": true}

// CreateAccount creates an account for a studio with the set of properties that Stripe calls Standard: the studio
// pays Stripe's fees and bears losses, has the full dashboard, and enters its details at Stripe and not with us.
func (s *Stripe) CreateAccount(ctx context.Context, in NewAccount) (Account, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "create account"
	if err := mustKey(op, in.Key); err != nil {
		return Account{}, err
	}
	if countriesRefused[in.Country] {
		return Account{}, &ProcessorError{Op: op, Param: "country", Detail: in.Country, kind: ErrCountryRefused}
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
		if e, ok := err.(*ProcessorError); ok && e.kind == ErrProcessorRefused && e.Param == "country" {
			e.kind = ErrCountryRefused
		}
		return Account{}, err
	}
	return s.account(a), nil
}

// AccountLink creates a single-use address where the studio completes its account. Stripe stores no result for its
// key, since every call creates another link, so it has none.
func (s *Stripe) AccountLink(ctx context.Context, in NewLink) (string, error) {
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
	var e *ProcessorError
	if !errors.As(err, &e) || e.kind != ErrProcessorRefused {
		return
	}
	if field, ok := map[string]string{"return_url": "returnUrl", "refresh_url": "refreshUrl"}[e.Param]; ok {
		e.kind = ErrAddressRefused.And(field, ErrAddressRefused.Message)
	}
}

// GetAccount reads an account and computes its state. An account that we lost access to is data too.
func (s *Stripe) GetAccount(ctx context.Context, id string) (Account, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	a, err := s.api.Accounts.GetByID(id, &stripe.AccountParams{Params: call(ctx, "", "")})
	if err != nil {
		err = failed("get account", err)
		if errors.Is(err, ErrAccountDisconnected) || errors.Is(err, ErrUnknownObject) {
			return Account{ID: id, Env: s.env, State: StateDisconnected}, nil
		}
		return Account{}, err
	}
	return s.account(a), nil
}

func (s *Stripe) account(a *stripe.Account) Account {
	out := Account{
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
