package dispute

import (
	"context"
	"time"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// EvidenceSoon is the time before its deadline from which an unanswered dispute needs attention.
const EvidenceSoon = 7 * 24 * time.Hour

// Attention lists the open tasks about the payments of a studio.
type Attention struct {
	Account  billing.Connection // with its Trouble, if any; zero if there is none or the caller cannot resolve it
	Disputes []Dispute          // with a deadline within EvidenceSoon, the earliest first; attentionMost at most
}

// attentionMost is the maximum number of disputes in an Attention.
const attentionMost = 20

// Attention returns the open tasks that the caller may do: the account for business.manage, disputes for
// payment.refund and payment.view without a limit, all in the whole business. It is empty for other callers. It makes
// one trip to the database at most.
func (s *Service) Attention(ctx context.Context, sc tenancy.Scope) (a Attention, err error) {
	v := s.db.View(sc.Tenant)
	b := v.Batch()
	s.QueueAttention(sc, &a)(b, v)
	err = b.Send(ctx)
	return a, err
}

// QueueAttention is Attention in a trip that the caller makes anyway. The returned function queues the reading into
// a, for the caller's business.
func (s *Service) QueueAttention(sc tenancy.Scope, a *Attention) func(*pg.Batch, *pg.View) {
	return func(b *pg.Batch, v *pg.View) {
		if s.processor == nil {
			return
		}
		if policy.Require(sc, policy.BusinessManage) == nil {
			billing.QueueConnection(b, v, s.billing.Env(), &a.Account)
		}
		if maySubmit(sc) == nil && policy.RequireFull(sc, policy.PaymentView) == nil {
			queueDueSoon(b, v, s.billing.Env(), &a.Disputes)
		}
	}
}
