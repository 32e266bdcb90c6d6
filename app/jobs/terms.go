package jobs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// The queues, by purpose. Each has workers of its own, so that what hangs in one delays nothing in another. Rule 52 of
// security.md.
const (
	queueMoney    = "money"    // refunds and what else is asked of the card processor
	queueWebhooks = "webhooks" // what the processor has told
	queueMail     = "mail"
	queueUpkeep   = "upkeep" // the rest: nobody sits and waits for it
)

// queues says how many jobs of each queue a process runs at once, and how often it looks for one that nothing woke it for.
// A job holds a connection only while it talks to the database, so that 13 of them, River's own and the sweeps find room in 16.
// The processor and the mail server are waited for without one.
//
// River's own queue is where binaries put everything before there were queues, and it is still worked: what an old server puts
// in beside a new worker is done. The other way round an old worker knows no queue but that one, and what a new server puts in
// waits for the first new worker, without a try lost; so workers are replaced before servers (docs/operations.md), and
// "serve --with-worker" works what it puts in.
var queues = map[string]river.QueueConfig{
	queueMoney:         {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueWebhooks:      {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueMail:          {MaxWorkers: 4, FetchPollInterval: time.Second}, // people sit and wait for codes
	queueUpkeep:        {MaxWorkers: 2, FetchPollInterval: pollSlowest},
	river.QueueDefault: {MaxWorkers: 1, FetchPollInterval: pollSlowest},
}

const pollSlowest = 5 * time.Second

// terms are what holds for all jobs of a kind.
type terms struct {
	queue string
	life  time.Duration // by the injected clock; what is not done by then is dropped; 0: it never is
}

const day = 24 * time.Hour

// kinds is every kind of job. A mail lives as long as it is worth reading; whether its words still hold is looked at besides,
// when it is written. Money and events have no end here: sweeps go on with what jobs gave up.
var kinds = map[string]terms{
	"identity.code":           {queueMail, 10 * time.Minute}, // the code's own life
	"booking.notice":          {queueMail, day},
	"booking.team_notice":     {queueMail, day},
	"booking.reminder":        {queueMail, day},
	"booking.waitlist_letter": {queueMail, day},
	"checkout.confirmation":   {queueMail, 3 * day},
	"checkout.late_refund":    {queueMail, 7 * day},
	"checkout.fee":            {queueMail, 7 * day},
	"business.team_invite":    {queueMail, 7 * day},
	"billing.dispute_notice":  {queueMail, 3 * day},
	"billing.account_notice":  {queueMail, 3 * day},

	"billing.refund":      {queueMoney, 0},
	"billing.cancel":      {queueMoney, 0},
	"billing.held":        {queueMoney, 0},
	"billing.account":     {queueMoney, 0},
	"billing.detach":      {queueMoney, 0},
	"billing.return_fee":  {queueMoney, 0},
	"billing.answer":      {queueMoney, 0},
	"billing.domain":      {queueMoney, 0},
	"checkout.charge_fee": {queueMoney, 0},
	"billing.webhook":     {queueWebhooks, 0},

	"booking.waitlist_round": {queueUpkeep, 0},
	"media.sizes":            {queueUpkeep, 0},
	"media.remove":           {queueUpkeep, 0},
}

// termsOf are those of a kind. One that is not listed is upkeep; a test of the whole program finds it.
func termsOf(kind string) terms {
	if t, ok := kinds[kind]; ok {
		return t
	}
	return terms{queue: queueUpkeep}
}

// tag is what River keeps beside the arguments of a job for us.
type tag struct {
	Until time.Time `json:"until,omitzero"` // by the injected clock
}

// tagOf is the tag of a job that is enqueued now.
func (t terms) tagOf(now time.Time) ([]byte, error) {
	if t.life == 0 {
		return []byte("{}"), nil
	}
	return json.Marshal(tag{now.Add(t.life).UTC()})
}

// endOf is when a job is dropped that has this tag; zero: never.
func endOf(metadata []byte) (time.Time, error) {
	var t tag
	if err := json.Unmarshal(metadata, &t); err != nil {
		return t.Until, fmt.Errorf("jobs: what is kept beside a job: %w", err)
	}
	return t.Until, nil
}
