package accounting

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/accounting",
		Tables: []declare.Table{
			{Name: "accounting_attempts", Life: declare.Swept(attemptsKept+declare.Day, "true")},
			{Name: "accounting_batch_entries", Life: declare.Trade},
			{Name: "accounting_batches", Life: declare.Trade},
			{Name: "accounting_connections", Life: declare.Trade, Record: "Accounting connection"},
			{Name: "accounting_map_rows", Life: declare.Trade, Record: "Accounting map row"},
			{Name: "accounting_postings", Life: declare.Trade},
			{Name: "accounting_progress", Life: declare.Trade},
			{Name: "accounting_tokens", Life: declare.Trade},
		},
		Refuses: map[string][]*fault.Error{
			"connectAccounting":       {ErrNotConfigured},
			"createAccountingAccount": {ErrReconnect},
		},
		Fields: map[string]words.Console{
			"accountName": "Account", "accountSubType": "Account subtype", "accountType": "Account type",
			"category": "Category", "companyName": "Company", "connectedAt": "Connected", "connectionId": "Connection",
			"disconnectedAt": "Disconnected", "externalAccountId": "Account ID", "externalCompanyId": "Company ID",
			"homeCurrency": "Home currency", "rowKey": "Row", "startDate": "Start date",
			"startDateFrozen": "Start date cannot change",
		},
		Checks: checks,
	}
}

// checks are the data checks of this package's tables: the batches of closed days against the books.
var checks = []declare.Check{
	{
		Name: "accounting.entries", Title: "Accounting batches and the ledger",
		About: "Every ledger entry of a batched day is in one batch, and every batch has the amounts of its entries.",
		SQL: `select 'ledger_entry' as record, e.id as record_id, 'in a batch' as expected, 'in none' as found
			from ledger_entries e
			join accounting_progress g on g.business_id = $1 and g.location_id = e.location_id
			where e.business_id = $1 and e.local_date <= g.batched_through and not exists (
				select from accounting_batch_entries x where x.business_id = $1 and x.entry_id = e.id)
			union all
			select 'accounting_batch', b.id, (case b.kind when 'deposit' then d.bank else d.debits end)::text, b.amount::text
			from accounting_batches b
			join lateral (select coalesce(sum((l->>'amount')::bigint) filter (where (l->>'amount')::bigint > 0), 0) as debits,
					coalesce(sum((l->>'amount')::bigint), 0) as balance,
					coalesce(sum((l->>'amount')::bigint) filter (where l->>'category' = 'asset.bank'), 0) as bank
				from jsonb_array_elements(b.lines) l) d on true
			where b.business_id = $1 and (d.balance <> 0 or b.amount <> case b.kind when 'deposit' then d.bank else d.debits end)
			union all
			select 'accounting_batch', b.id, s.bank::text, d.bank::text
			from accounting_batches b
			join lateral (select coalesce(sum((l->>'amount')::bigint), 0) as bank from jsonb_array_elements(b.lines) l
				where l->>'category' = 'asset.bank') d on true
			join lateral (select coalesce(sum(p.amount), 0)::bigint as bank from accounting_batch_entries x
				join ledger_postings p on p.business_id = $1 and p.entry_id = x.entry_id
				join ledger_accounts a on a.business_id = $1 and a.id = p.account_id and a.code = 'asset.bank'
				where x.business_id = $1 and x.batch_id = b.id) s on true
			where b.business_id = $1 and s.bank <> d.bank`,
	},
}
