package integrity

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/audit"
	"foyer/app/declare"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Difference is a stored value that differs from the rows it is derived from.
type Difference struct {
	Check    string    `json:"check"`
	Record   string    `json:"record"` // kind of record: its table
	RecordID uuid.UUID `json:"recordId"`
	Expected string    `json:"expected"`
	Found    string    `json:"found"`
}

// Report is the result of the data check of one business.
type Report struct {
	Differences []Difference // ordered by check and record
	CheckedAt   time.Time
}

// perCheck limits the reported differences of one check.
const perCheck = 200

// check is a statement that returns the differences of business $1: record, record_id, expected and found.
type check struct{ name, sql string }

// checks are the statements about rows of several domains; the audit log's seals and the checks that each domain
// declares on its own tables are added.
var checks = slices.Concat(seatChecks, claimChecks, waitlistChecks, moneyChecks, bookChecks)

// with returns checks and those that domains declare.
func with(declared []declare.Check) []check {
	out := slices.Clone(checks)
	for _, c := range declared {
		out = append(out, check{c.Name, c.SQL})
	}
	return out
}

// checkSeals is the name of the check of the audit log.
const checkSeals = "audit_seals"

// Names lists the checks in the order of a report.
func Names(declared ...declare.Check) []string {
	out := []string{checkSeals}
	for _, c := range with(declared) {
		out = append(out, c.name)
	}
	slices.Sort(out)
	return out
}

// Check runs every check on the business of the caller's scope now. It needs business.manage.
func (s *Service) Check(ctx context.Context, sc tenancy.Scope) (Report, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Report{}, err
	}
	return CheckBusiness(ctx, s.db.View(sc.Tenant), s.declared...)
}

// CheckBusiness runs every check on the business of v, including those that domains declare.
func CheckBusiness(ctx context.Context, v *pg.View, declared ...declare.Check) (Report, error) {
	checks := with(declared)
	found := make([][]Difference, len(checks))
	b := v.Batch()
	for i, c := range checks {
		pg.QueueAll(b, &found[i], `select '`+c.name+`' as check, d.* from (`+c.sql+`) as d (record, record_id, expected, found)
			order by d.record, d.record_id, d.found limit $2`, v.Business(), perCheck)
	}
	if err := b.Send(ctx); err != nil {
		return Report{}, err
	}
	breaks, err := audit.Verify(ctx, v)
	if err != nil {
		return Report{}, err
	}
	r := Report{Differences: append([]Difference{}, slices.Concat(found...)...), CheckedAt: v.Now()}
	for _, x := range breaks {
		r.Differences = append(r.Differences, Difference{checkSeals, "audit_seals", x.Seal, x.Expected, x.Found})
	}
	slices.SortStableFunc(r.Differences, func(a, b Difference) int { return cmp.Compare(a.Check, b.Check) })
	return r, nil
}

// Service counts again on demand and every night.
type Service struct {
	db       *pg.DB
	log      *slog.Logger
	declared []declare.Check
}

// New returns the service, with the checks that domains declare. The nightly differences are logged to log.
func New(db *pg.DB, log *slog.Logger, declared ...declare.Check) *Service {
	return &Service{db, log, declared}
}

// Register adds the sweep of this package.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "integrity.nightly", 10*time.Minute, s.Nightly)
}
