package stripe

import (
	"cmp"
	"context"
	"foyer/billing/processor"

	"github.com/stripe/stripe-go/v79"
)

// RegisterDomain registers a domain on an account; Apple Pay is offered there from then on. A registered one is
// validated again: Stripe may find now the file that it did not find before.
func (s *Adapter) RegisterDomain(ctx context.Context, in processor.NewDomain) (processor.Domain, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "register domain"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Domain{}, err
	}
	params := &stripe.PaymentMethodDomainListParams{DomainName: stripe.String(in.Name)}
	params.Context = ctx
	params.SetStripeAccount(in.Account)
	known := s.api.PaymentMethodDomains.List(params)
	var d *stripe.PaymentMethodDomain
	for d == nil && known.Next() {
		if k := known.PaymentMethodDomain(); k.DomainName == in.Name {
			d = k
		}
	}
	err := known.Err()
	switch {
	case err != nil:
	case d == nil:
		d, err = s.api.PaymentMethodDomains.New(&stripe.PaymentMethodDomainParams{Params: call(ctx, in.Account, in.Key), DomainName: stripe.String(in.Name)})
	case !d.Enabled:
		d, err = s.api.PaymentMethodDomains.Update(d.ID, &stripe.PaymentMethodDomainParams{Params: call(ctx, in.Account, ""), Enabled: stripe.Bool(true)})
	}
	if err == nil && domainTrouble(d) != "" {
		d, err = s.api.PaymentMethodDomains.Validate(d.ID, &stripe.PaymentMethodDomainValidateParams{Params: call(ctx, in.Account, "")})
	}
	if err != nil {
		return processor.Domain{}, failed(op, err)
	}
	return processor.Domain{ID: d.ID, Trouble: domainTrouble(d)}, nil
}

func domainTrouble(d *stripe.PaymentMethodDomain) string {
	a := d.ApplePay
	if a == nil || a.Status == stripe.PaymentMethodDomainApplePayStatusActive {
		return ""
	}
	if a.StatusDetails == nil {
		return string(a.Status)
	}
	return cmp.Or(a.StatusDetails.ErrorMessage, string(a.Status))
}
