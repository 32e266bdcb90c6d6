package giftcard

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/giftcard"
)

// MailJob mails the code of a gift card.
type MailJob struct {
	Business uuid.UUID `json:"business"`
	Card     uuid.UUID `json:"card"`
}

// Kind returns the job's name in the outbox.
func (MailJob) Kind() string { return "giftcard.mail" }

// Terms returns the terms of the job's kind.
func (MailJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// Letter is the content of the mail with a gift card.
type Letter struct {
	giftcard.Mail
	BusinessName string
	Location     business.Location
}

// SendDue is the sweep giftcard.send: each card whose day has come is mailed. It can run in several processes at once.
func (s *Service) SendDue(ctx context.Context) error {
	return s.o.DB.EachOf(ctx, "select business_id from app.gift_cards_due($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error {
			return pg.Do(ctx, s.o.DB, business, func(tx *pg.Tx) error {
				due, err := giftcard.DueNow(ctx, tx)
				list := make([]jobs.Args, len(due))
				for i, id := range due {
					list[i] = MailJob{business, id}
				}
				if err != nil || len(list) == 0 {
					return err
				}
				return jobs.EnqueueAllTx(ctx, tx, list)
			})
		}, s.o.DB.Clock().Now())
}

// MailCard is the job giftcard.mail. A card whose code was replaced meanwhile is mailed with the new one. The code
// leaves the database once the mail is sent: a job that runs once more sends none.
func (s *Service) MailCard(ctx context.Context, job MailJob) error {
	v := s.o.DB.View(job.Business)
	m, found, err := s.o.Cards.ToMail(ctx, v, job.Card)
	if err != nil || !found {
		return err
	}
	b, l, _, err := business.StudioOf(ctx, v, m.LocationID)
	if err != nil {
		return err
	}
	if err := s.o.Mail.Send(ctx, s.o.Write(Letter{Mail: m, BusinessName: b.Name, Location: l})); err != nil {
		return err
	}
	return pg.Do(ctx, s.o.DB, job.Business, func(tx *pg.Tx) error { return giftcard.SentTx(ctx, tx, m) })
}
