package billing

import (
	"context"
	"time"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// AnswerSoon is how long before its deadline a dispute that nobody has answered needs somebody.
const AnswerSoon = 7 * 24 * time.Hour

// Attention is what needs somebody about the money of a studio.
type Attention struct {
	Account  Connection // its Trouble, if it has one; zero where there is none or the caller cannot mend it
	Disputes []Dispute  // to be answered within AnswerSoon, the first to be answered first; attentionMost at most
}

// attentionMost is how many disputes are told at once.
const attentionMost = 20

// Attention returns what needs somebody, each for who can do something about it: the account for business.manage, disputes for payment.refund
// and payment.view without a limit, all in the whole business. For everybody else there is nothing. One trip at most.
func (s *Service) Attention(ctx context.Context, sc tenancy.Scope) (a Attention, err error) {
	v := s.db.View(sc.Tenant)
	b := v.Batch()
	s.QueueAttention(sc, &a)(b, v)
	err = b.Send(ctx)
	return a, err
}

// QueueAttention is Attention in a trip that somebody makes anyway: what it returns queues the reading into a, of the caller's business.
func (s *Service) QueueAttention(sc tenancy.Scope, a *Attention) func(*pg.Batch, *pg.View) {
	return func(b *pg.Batch, v *pg.View) {
		if s.processor == nil {
			return
		}
		if policy.Require(sc, policy.BusinessManage) == nil {
			queueAccount(b, v, s.Env(), &a.Account)
		}
		if mayAnswer(sc) == nil && mayView(sc) == nil {
			queueDueSoon(b, v, s.Env(), &a.Disputes)
		}
	}
}
