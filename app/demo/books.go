package demo

import (
	"context"
	"fmt"
	"net/url"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/tenancy"
)

// postedDays is the number of days before today that the connected studio posts to its accounting.
const postedDays = 10

// connectBooks connects each studio that has a company at the accounting provider. A studio that was connected before,
// by an earlier start or by its owner, is left as it is.
func (d Demo) connectBooks(ctx context.Context, made []Business) error {
	if d.Ledger == nil {
		return nil
	}
	for i, plan := range studios {
		if plan.company == "" || i >= len(made) {
			continue
		}
		owner, err := d.member(ctx, made[i], "owner")
		if err != nil {
			return err
		}
		live, err := d.Accounting.Live(ctx, owner)
		if err == nil && live == nil {
			err = books{d, owner, plan}.open(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: accounting: %w", plan.name, err)
		}
	}
	return nil
}

// member returns the scope of a person of a studio with their session.
func (d Demo) member(ctx context.Context, b Business, role string) (tenancy.Scope, error) {
	tenant, err := uuid.Parse(b.ID)
	if err != nil {
		return tenancy.Scope{}, err
	}
	p, err := d.Identity.Authenticate(ctx, b.People[role].Token)
	if err != nil {
		return tenancy.Scope{}, err
	}
	sc := tenancy.Visitor(p, tenant, tenancy.SurfaceCLI)
	sc.Grants, _, _, err = d.Business.Admit(ctx, p, tenant)
	return sc, err
}

// books are the books of a studio, on the way to its company at the accounting provider.
type books struct {
	Demo
	owner tenancy.Scope
	plan  studioPlan
}

// open connects the studio, confirms an account for each row of the map and posts the last days. The books of the
// company are closed on the first of them, so that its documents fail.
func (b books) open(ctx context.Context) error {
	return inOrder(ctx, b.closeDays, b.connect, b.confirm, b.closeFirst, b.Accounting.PostDue)
}

// closeDays closes the past days and puts their entries into batches. It is done before the studio is connected, as in
// a studio that has run for some weeks: days before the start date then have no posting at all.
func (b books) closeDays(ctx context.Context) error {
	if err := b.Closer.CloseDays(ctx); err != nil {
		return err
	}
	for range days/28 + 1 { // a sweep batches a month of each location
		if err := b.Accounting.BatchDays(ctx); err != nil {
			return err
		}
	}
	return nil
}

// connect does what the owner does here and at the provider, and sets the start date some days back.
func (b books) connect(ctx context.Context) error {
	authorize, err := b.Accounting.Begin(ctx, b.owner)
	if err != nil {
		return err
	}
	callback, err := b.Ledger.Approve(authorize, b.plan.company)
	if err != nil {
		return err
	}
	u, err := url.Parse(callback)
	if err != nil {
		return err
	}
	q := u.Query()
	to, err := b.Accounting.Returned(ctx, accounting.Return{
		State: q.Get("state"), Code: q.Get("code"), Company: q.Get("realmId"),
	})
	if err != nil {
		return err
	}
	outcome, err := b.Accounting.Complete(ctx, b.owner, to.Attempt)
	if err != nil {
		return err
	}
	if outcome != accounting.OutcomeConnected {
		return fmt.Errorf("the attempt to connect has the outcome %s", outcome)
	}
	start, err := b.start()
	if err == nil {
		_, err = b.Accounting.SetStartDate(ctx, b.owner, start.String())
	}
	return err
}

// start returns the first day that is posted.
func (b books) start() (civil.Date, error) {
	zone, err := civil.LoadZone(b.plan.zone)
	return civil.LocalDate(b.Clock.Now(), zone).AddDays(-postedDays), err
}

// confirm confirms the proposed accounts, and creates accounts for the other rows.
func (b books) confirm(ctx context.Context) error {
	m, err := b.Accounting.Map(ctx, b.owner)
	if err != nil {
		return err
	}
	var proposed []accounting.Choice
	for _, row := range m.Rows {
		if row.Proposed != nil {
			proposed = append(proposed, accounting.Choice{Row: row.Row, AccountID: row.Proposed.ID})
		}
	}
	if len(proposed) > 0 {
		if m, err = b.Accounting.Confirm(ctx, b.owner, proposed); err != nil {
			return err
		}
	}
	for _, row := range m.Rows {
		if row.Confirmed != nil {
			continue
		}
		if _, err := b.Accounting.Create(ctx, b.owner, accounting.CreateInput{Row: row.Row}); err != nil {
			return fmt.Errorf("%s: %w", row.Key(), err)
		}
	}
	return nil
}

// closeFirst closes the books of the company on the first day that has a document.
func (b books) closeFirst(ctx context.Context) error {
	start, err := b.start()
	if err != nil {
		return err
	}
	list, err := b.Accounting.Batches(ctx, b.owner, accounting.BatchFilter{
		From: start, Page: paging.In[accounting.BatchKey]{Limit: paging.Max},
	})
	if err != nil || len(list.Items) == 0 {
		return err
	}
	first := list.Items[len(list.Items)-1]
	return b.Ledger.CloseBooks(b.plan.company, first.LocalDate.String())
}
