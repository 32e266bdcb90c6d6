package ledger

import (
	"context"

	"foyer/app/pg"
)

// Turnovers sums up the postings of a span to accounts, each the code of one or a kind of them, in the order of day,
// location, currency, account and event; no more than most rows.
func Turnovers(ctx context.Context, r pg.Reader, s Span, accounts []string, most int) ([]Turnover, error) {
	unit := "day"
	if s.Monthly {
		unit = "month"
	}
	return pg.All[Turnover](ctx, r, `select date_trunc(@unit, p.local_date::timestamp)::date as date, e.location_id, a.currency,
			a.code as account, e.event, sum(p.amount)::bigint as amount,
			coalesce(-sum(p.amount) filter (where p.amount < 0), 0)::bigint as credit, sum(p.base)::bigint as base,
			count(*)::integer as count, count(*) filter (where p.amount < 0)::integer as credits
		from ledger_accounts a
		join ledger_postings p on p.business_id = @business and p.account_id = a.id and p.local_date between @from::date and @to::date
		join ledger_entries e on e.business_id = @business and e.id = p.entry_id
		where a.business_id = @business and a.code like any (@accounts::varchar[]) and (@currency::varchar = '' or a.currency = @currency)
			and (@everyone or e.location_id = any (@locations::uuid[]))
		group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit @most`, pg.Named{
		"business": r.Business(), "from": s.From.String(), "to": s.To.String(), "unit": unit, "accounts": accounts,
		"currency": string(s.Currency), "everyone": s.Everyone, "locations": s.Locations, "most": most,
	})
}

// Openings returns the balances of accounts at the end of the day before a span, each the code of one or a kind of
// them: of a tax at each location of the span, of another account in the whole business; no more than most rows.
//
// A snapshot is of all locations. So a tax is added up from its first posting, unless the books have one location.
func Openings(ctx context.Context, r pg.Reader, s Span, accounts []string, most int) ([]Opening, error) {
	return pg.All[Opening](ctx, r, `with books as (
			select count(*) = 1 as single, (array_agg(location_id))[1] as location_id from ledger_closings
			where business_id = @business
		), named as (
			select a.id, a.code, a.currency, a.code like @taxes as located from ledger_accounts a
			where a.business_id = @business and a.code like any (@accounts::varchar[])
				and (@currency::varchar = '' or a.currency = @currency)
		)
		select case when a.located then (select location_id from books) end as location_id, a.currency, a.code as account,
			(coalesce(s.balance, 0) + coalesce((select sum(p.amount) from ledger_postings p where p.business_id = @business
				and p.account_id = a.id and p.local_date > `+since+` and p.local_date < @from::date), 0))::bigint as amount
		from named a
		left join lateral (select s.date, s.balance from ledger_snapshots s where s.business_id = @business
			and s.account_id = a.id and s.date < @from::date order by s.date desc limit 1) s on true
		where not a.located or (select single and (@everyone or location_id = any (@locations::uuid[])) from books)
		union all
		select e.location_id, a.currency, a.code, sum(p.amount)::bigint from named a
		join ledger_postings p on p.business_id = @business and p.account_id = a.id and p.local_date < @from::date
		join ledger_entries e on e.business_id = @business and e.id = p.entry_id
		where a.located and not (select single from books) and (@everyone or e.location_id = any (@locations::uuid[]))
		group by 1, 2, 3 limit @most`, pg.Named{
		"business": r.Business(), "from": s.From.String(), "taxes": AllTaxes, "accounts": accounts,
		"currency": string(s.Currency), "everyone": s.Everyone, "locations": s.Locations, "most": most,
	})
}

// SourcesSQL is a statement of the postings to accounts in a span of days, by source (date, location_id, currency,
// code, event, source_kind, source_id, amount), for a caller that joins the payment. All of its arguments are SQL.
func SourcesSQL(business, from, to, accounts string) string {
	return `select e.local_date as date, e.location_id, a.currency, a.code, e.event, e.source_kind, e.source_id, p.amount
		from ledger_accounts a
		join ledger_postings p on p.business_id = ` + business + ` and p.account_id = a.id and p.local_date between ` + from + ` and ` + to + `
		join ledger_entries e on e.business_id = ` + business + ` and e.id = p.entry_id
		where a.business_id = ` + business + ` and a.code = any (` + accounts + `)`
}
