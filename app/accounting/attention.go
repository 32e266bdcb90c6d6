package accounting

import (
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Attention lists the open tasks about the accounting of a business.
type Attention struct {
	CompanyName string
	Reconnect   bool // the provider no longer accepts the connection, and documents wait
	Failed      int  // failed postings among the newest ones
}

// attentionMost is the number of postings, from the newest one on, among which an Attention counts failed ones.
const attentionMost = 500

// QueueAttention returns a function that queues the reading of an Attention in a trip that the caller makes anyway. It
// stays zero without business.manage, without a connection and while it is disconnected.
func (s *Service) QueueAttention(sc tenancy.Scope, a *Attention) func(*pg.Batch, *pg.View) {
	return func(b *pg.Batch, v *pg.View) {
		if policy.Require(sc, policy.BusinessManage) == nil {
			queueAttention(b, v, a)
		}
	}
}
