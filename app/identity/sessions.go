package identity

import (
	"context"

	"foyer/app/tenancy"
)

// Sessions lists the caller's live sessions, the newest first, MaxSessions at most. Errors: ErrSignIn, ErrKeyRefused.
func (s *Service) Sessions(ctx context.Context, p tenancy.Principal) ([]Session, error) {
	person, err := PersonOf(p)
	if err != nil {
		return nil, err
	}
	list, err := liveSessions(ctx, s.db.View(noBusiness), person)
	for i := range list {
		list[i].Current = list[i].ID == p.Session
	}
	return list, err
}
