package pg

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// setTenant tells a transaction whose rows it sees and who acts, in one statement. The trigger app.audit reads the actor.
const setTenant = "select set_config('app.business_id', $1, true), set_config('app.actor', $2, true)"

// visitorKind is what the audit log calls somebody without a credential.
const visitorKind = "visitor"

// actor is app.actor: what the audit log says about the one who acts.
type actor struct {
	Kind    string    `json:"kind"`
	ID      uuid.UUID `json:"id,omitzero"`
	Name    string    `json:"name"`
	Surface string    `json:"surface"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
}

// actor is who acts in this transaction, as JSON. The time is in whole microseconds, as every column has it.
func (tx *Tx) actor() (string, error) {
	a := actor{
		Kind: string(tx.acting.Kind), ID: tx.acting.ID, Name: tx.acting.Name, Surface: string(tx.surface),
		Reason: tx.reason, At: tx.now.Truncate(time.Microsecond),
	}
	if tx.acting.Kind == tenancy.ActorNobody {
		a.Kind = visitorKind
	}
	body, err := json.Marshal(a)
	return string(body), err
}

// Because gives the reason of the changes that follow in this transaction, for the audit log: the words of whoever acts.
// As the first thing in a transaction it costs nothing, later a trip.
func (tx *Tx) Because(ctx context.Context, reason string) error {
	tx.reason = reason
	if tx.conn == nil || tx.business == uuid.Nil {
		return nil
	}
	body, err := tx.actor()
	if err == nil {
		_, err = tx.conn.Exec(ctx, "select set_config('app.actor', $1, true)", body)
	}
	return err
}
