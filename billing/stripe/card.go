package stripe

import (
	"context"
	"errors"
	"foyer/billing/processor"

	"github.com/stripe/stripe-go/v79"
)

// CreateCustomer creates a customer of the studio's account.
func (s *Adapter) CreateCustomer(ctx context.Context, in processor.NewCustomer) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "create customer"
	if err := mustKey(op, in.Key); err != nil {
		return "", err
	}
	c, err := s.api.Customers.New(&stripe.CustomerParams{Params: call(ctx, in.Account, in.Key), Metadata: in.Metadata})
	if err != nil {
		return "", failed(op, err)
	}
	return c.ID, nil
}

// PreparePayment sets the customer of a payment, and whether its card is saved. An empty setup_future_usage unsets
// that.
func (s *Adapter) PreparePayment(ctx context.Context, in processor.Preparation) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "prepare payment"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Intent{}, err
	}
	usage := ""
	if in.SaveCard {
		usage = string(stripe.PaymentIntentSetupFutureUsageOffSession)
	}
	pi, err := s.api.PaymentIntents.Update(in.Payment, &stripe.PaymentIntentParams{
		Params: call(ctx, in.Account, in.Key), Customer: text(in.Customer), SetupFutureUsage: stripe.String(usage),
	})
	return s.changed(op, in.Account, pi, err)
}

// ConfirmPayment charges a saved card.
func (s *Adapter) ConfirmPayment(ctx context.Context, in processor.Confirmation) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "confirm payment"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Intent{}, err
	}
	params := &stripe.PaymentIntentConfirmParams{
		Params: call(ctx, in.Account, in.Key), PaymentMethod: stripe.String(in.Method), ReturnURL: text(in.ReturnURL),
	}
	if in.OffSession {
		params.OffSession = stripe.Bool(true)
	}
	pi, err := s.api.PaymentIntents.Confirm(in.Payment, params)
	out, err := s.changed(op, in.Account, pi, err)
	var e *processor.Error
	if errors.As(err, &e) && e.Param == "payment_method" {
		e.Kind = processor.ErrCardRemoved
	}
	refusesAddress(err)
	return out, err
}

// changed is intent of a call that a final payment refuses.
func (s *Adapter) changed(op, account string, pi *stripe.PaymentIntent, err error) (processor.Intent, error) {
	in, err := s.intent(op, account, pi, err)
	if e, ok := err.(*processor.Error); ok && e.Code == string(stripe.ErrorCodePaymentIntentUnexpectedState) {
		e.Kind = processor.ErrPaymentFinal
	}
	return in, err
}

// GetMethod reads a card.
func (s *Adapter) GetMethod(ctx context.Context, account, id string) (processor.CardMethod, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	m, err := s.api.PaymentMethods.Get(id, &stripe.PaymentMethodParams{Params: call(ctx, account, "")})
	if err != nil {
		return processor.CardMethod{}, failed("get card", err)
	}
	return method(m), nil
}

// ListMethods reads the cards of a customer.
func (s *Adapter) ListMethods(ctx context.Context, account, customer string) ([]processor.CardMethod, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	params := &stripe.PaymentMethodListParams{Customer: stripe.String(customer), Type: stripe.String(string(stripe.PaymentMethodTypeCard))}
	params.Context = ctx
	params.SetStripeAccount(account)
	var out []processor.CardMethod
	list := s.api.PaymentMethods.List(params)
	for list.Next() {
		out = append(out, method(list.PaymentMethod()))
	}
	return out, failed("list cards", list.Err())
}

// DetachMethod detaches a card from its customer. Stripe refuses it for a card without one, and that is no error.
func (s *Adapter) DetachMethod(ctx context.Context, account, id, key string) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "detach card"
	if err := mustKey(op, key); err != nil {
		return err
	}
	_, err := s.api.PaymentMethods.Detach(id, &stripe.PaymentMethodDetachParams{Params: call(ctx, account, key)})
	if err = failed(op, err); errors.Is(err, processor.ErrRefused) {
		if m, readErr := s.GetMethod(ctx, account, id); readErr == nil && m.Customer == "" {
			return nil
		}
	}
	return err
}

func method(m *stripe.PaymentMethod) processor.CardMethod {
	out := processor.CardMethod{ID: m.ID}
	if m.Customer != nil {
		out.Customer = m.Customer.ID
	}
	if c := m.Card; c != nil {
		out.Card = processor.Card{
			Brand: string(c.Brand), Last4: c.Last4, ExpMonth: int(c.ExpMonth), ExpYear: int(c.ExpYear), Fingerprint: c.Fingerprint,
		}
	}
	return out
}
