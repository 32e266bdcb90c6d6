package owed

import (
	"foyer/app/checkout"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/billing"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB       *pg.DB
	Billing  *billing.Service
	Orders   *order.Service
	Checkout *checkout.Service
	Plans    *plan.Service
	Mail     mail.Sender
	// ChargeMail writes the mail about the charge of an amount due, done or failed, in the person's language.
	ChargeMail func(ChargeMail) mail.Message
}

// Service records payments at the desk and collects amounts due. It is safe for concurrent use.
type Service struct {
	db         *pg.DB
	billing    *billing.Service
	order      *order.Service
	checkout   *checkout.Service
	plans      *plan.Service
	mail       mail.Sender
	chargeMail func(ChargeMail) mail.Message
}

// New returns a Service. It panics if an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil || o.Orders == nil || o.Checkout == nil || o.Plans == nil || o.Mail == nil ||
		o.ChargeMail == nil {
		panic("owed: an option is missing")
	}
	return &Service{
		db: o.DB, billing: o.Billing, order: o.Orders, checkout: o.Checkout, plans: o.Plans, mail: o.Mail,
		chargeMail: o.ChargeMail,
	}
}

// Register adds the jobs and the sweep of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.ChargeDue)
	jobs.Handle(r, s.MailCharge)
	jobs.Sweep(r, "owed.charges", chargesEvery, s.ChargeAll)
	jobs.Sweep(r, "owed.renewals", renewalsEvery, s.RenewDue)
}
