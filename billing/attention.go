package billing

import (
	"context"
	"time"

	"foyer/app/tenancy"
	"foyer/policy"
)

// AnswerSoon is how long before its deadline a dispute that nobody has answered needs somebody.
const AnswerSoon = 7 * 24 * time.Hour

// Attention is what needs somebody about the money of a studio.
type Attention struct {
	Account  Connection // zero when nothing is wrong with it (Connection.Trouble)
	Disputes []Dispute  // to be answered within AnswerSoon, the first to be answered first; attentionMost at most
}

// attentionMost is how many disputes are told at once.
const attentionMost = 20

// Attention returns what needs somebody, each for who can do something about it: the account for business.manage, disputes for payment.refund
// and payment.view without a limit, all in the whole business. For everybody else there is nothing. One trip at most.
func (s *Service) Attention(ctx context.Context, sc tenancy.Scope) (Attention, error) {
	manages := policy.Require(sc, policy.BusinessManage) == nil
	answers := mayAnswer(sc) == nil && mayView(sc) == nil
	if s.processor == nil || !manages && !answers {
		return Attention{}, nil
	}
	account, disputes, err := readAttention(ctx, s.db.View(sc.Tenant), s.Env(), manages, answers)
	if err != nil || account.Trouble() == TroubleNone {
		account = Connection{}
	}
	return Attention{account, disputes}, err
}
