package accounting_test

import (
	"context"
	"sync"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/sealed"
)

// spy notes the tokens that a provider issues.
type spy struct {
	*ledgeronline.Client
	seen *[]string
}

var spying sync.Mutex

func (s spy) note(t ledgeronline.Tokens) {
	spying.Lock()
	defer spying.Unlock()
	*s.seen = append(*s.seen, t.Access.Reveal(), t.Refresh.Reveal())
}

func (s spy) Exchange(ctx context.Context, code, company string) (ledgeronline.Tokens, error) {
	t, err := s.Client.Exchange(ctx, code, company)
	if err == nil {
		s.note(t)
	}
	return t, err
}

func (s spy) Refresh(ctx context.Context, refresh sealed.Secret) (ledgeronline.Tokens, error) {
	t, err := s.Client.Refresh(ctx, refresh)
	if err == nil {
		s.note(t)
	}
	return t, err
}
