package accounting

import (
	"context"

	"github.com/google/uuid"
)

// PostTurn posts for a connection as a process does that then dies.
func (s *Service) PostTurn(ctx context.Context, business, connection uuid.UUID) error {
	return s.postTurn(ctx, dueConnection{business, connection})
}

// DocNumber is the number of a batch's document.
var DocNumber = docNumber

// Lease is how long a process has a company.
const Lease = lease
