package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// pathless are the definer functions that set no search_path.
var pathless = []string{"find_location", "find_offering", "find_api_key", "find_cart"}

// tenant are the tables with a business: c, and a is their column business_id.
const tenant = ` from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
		where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace `

// rule lists what breaks it: names of tables, functions or roles.
type rule struct{ says, sql string }

// wall is what the wall between businesses needs of every table there is, so that a new one cannot forget it.
var wall = []rule{
	{"row-level security is enabled and forced", `select c.relname::text` + tenant + `
		and not (c.relrowsecurity and c.relforcerowsecurity)`},
	{"the tenant policy has both sides and names the three roles", `select c.relname::text` + tenant + `
		and not exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'tenant' and p.cmd = 'ALL'
			and p.roles::text[] @> array['foyer_owner', 'foyer_app', 'foyer_job'] and cardinality(p.roles) = 3
			and p.qual like '%( SELECT COALESCE((NULLIF(current_setting(''app.business_id''::text, true), ''''::text))::uuid, app.current_business())%'
			and p.with_check = p.qual)`},
	{"other policies are look-ups of foyer_lookup", `select p.tablename || '.' || p.policyname from pg_policies p
		where p.policyname <> 'tenant' and not (p.policyname = 'lookup' and p.roles::text[] = array['foyer_lookup'] and p.cmd = 'SELECT')`},
	{"business_id is never null", `select c.relname::text` + tenant + ` and not a.attnotnull`},
	{"every table has a primary key", `select c.relname::text from pg_class c where c.relkind in ('r', 'p')
		and c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`},
	{"foyer_owner owns every table", `select c.relname::text from pg_class c where c.relkind in ('r', 'p', 'v')
		and c.relnamespace = 'public'::regnamespace and pg_get_userbyid(c.relowner) <> 'foyer_owner'`},
	{"the serving roles hold DML rights only", `select table_name || ' ' || grantee || ' ' || privilege_type
		from information_schema.role_table_grants where table_schema = 'public' and grantee in ('foyer_app', 'foyer_job', 'PUBLIC')
		and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`},
	{"foyer_lookup reads named columns only", `select table_name || ' ' || privilege_type
		from information_schema.role_table_grants where grantee = 'foyer_lookup'`},
	{"a foreign key between tenant tables carries the business", `select k.conname::text from pg_constraint k
		join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'business_id'
		join pg_attribute b on b.attrelid = k.confrelid and b.attname = 'business_id'
		where k.contype = 'f' and not (k.conkey[1] = a.attnum and k.confkey[1] = b.attnum)`},
	{"a view asks as its caller", `select relname::text from pg_class where relkind = 'v'
		and relnamespace in ('public'::regnamespace, 'app'::regnamespace)
		and coalesce(array_to_string(reloptions, ','), '') not like '%security_invoker=true%'`},
	{"a definer function belongs to foyer_lookup, pins its path and is not public", `select p.proname::text from pg_proc p
		where p.pronamespace in ('app'::regnamespace, 'public'::regnamespace) and p.prosecdef
		and (pg_get_userbyid(p.proowner) <> 'foyer_lookup' or p.proconfig is null and p.proname::text <> all (array['` + strings.Join(pathless, `', '`) + `']) or has_function_privilege('public', p.oid, 'execute'))`},
	// The role that backups are made with has to see past it; it changes nothing.
	{"no role that serves, owns or looks up may bypass the wall", `select rolname::text from pg_roles
		where rolname in ('foyer_owner', 'foyer_app', 'foyer_job', 'foyer_lookup') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`},
}

// guards are the constraints and indexes that keep seats and money right.
var guards = []string{
	"occurrences_seats", "occurrences_online_seats", "occurrences_rule_date_key", "holds_one_live", "holds_limit",
	"payments_one_open", "payments_attempt_key", "payments_amounts", "payments_sim", "refunds_one_automatic",
	"order_tenders_state", "refunds_one_void", "drawers_one_open",
	"claims_member_once", "claims_space_once", "closures_once", "occurrences_offered", "waitlist_entries_once", "fees_one",
	"balance_transactions_external_key", "balance_transactions_net", "disputes_external_key", "dispute_answers_one", "payouts_external_key",
	"processor_listings_account_key", "refunds_external_key", "reconciliations_difference", "credits_balance",
	"credit_transactions_kind", "credit_transactions_tender_key", "credit_transactions_refund_key", "refunds_of",
	"refunds_at_once",
	"payments_choice", "processor_customers_customer_key", "saved_cards_method_key", "saved_cards_once", "saved_cards_consent",
	"ledger_entries_source_key", "ledger_postings_amount", "ledger_postings_entry_fkey", "ledger_postings_account_fkey",
	"orders_cart_key", "orders_amounts", "order_lines_amounts", "order_discounts_once", "discounts_code_key", "discounts_worth", "assets_bytes_key", "asset_placements_once", "webhook_events_pkey", "slugs_pkey", "member_roles_once", "customers_person_key",
	"agreement_copies_number_key", "agreement_copies_document_key", "agreement_copies_content", "agreement_listings_once", "agreement_listings_document_fkey",
	"accounting_connections_one", "accounting_batches_content_key", "accounting_batch_entries_pkey",
	"accounting_postings_batch_key", "accounting_map_rows_key",
	"product_variants_choices_key", "product_variants_sku_key", "product_variants_barcode_key", "stock_levels_held",
	"stock_levels_least", "stock_moves_number_key", "stock_moves_sold_once", "stock_moves_kind",
	"cart_items_variant_fkey", "order_lines_variant_fkey", "stock_moves_return_key",
	"gift_cards_code_key", "gift_cards_balance", "gift_cards_state", "gift_card_transactions_kind",
	"gift_card_transactions_line_key", "gift_card_transactions_tender_key", "gift_card_transactions_refund_key",
	"order_tenders_gift_card_fkey", "cart_tenders_gift_card_fkey", "order_lines_gift_card_fkey",
	"memberships_line_key", "grants_benefit_key", "grants_balance", "grants_value", "redemptions_kind",
	"redemptions_line_key", "redemptions_refund_key", "order_lines_credits", "order_lines_grant_fkey",
	"order_lines_plan_fkey", "cart_items_plan_fkey",
	"oauth_clients_client_id_key", "oauth_codes_hash_key", "oauth_tokens_hash_key",
	"agreement_acceptances_copy_fkey", "agreement_acceptances_cart_key", "agreement_acceptances_booking_key", "agreement_acceptances_paper_key", "agreement_acceptances_source",
}

// triggers keep what is booked from being deleted, and the books in balance; those that write the audit log come beside them.
var triggers = []string{
	"bookings.keep_booked",
	"ledger_entries.balanced", "ledger_entries.in_the_books", "ledger_postings.balanced", "ledger_postings.in_the_books",
}

// Audit walks the catalog of a database of this build's version, as the owner role, and returns what is not as the product
// needs it, one line each: a hole in the wall between businesses, a guard of seats or money or a trigger that is gone. The changes of
// rows of the tables named are written to the audit log.
func Audit(ctx context.Context, ownerURL string, audited ...string) ([]string, error) {
	triggers := slices.Clone(triggers)
	for _, table := range audited {
		triggers = append(triggers, table+".audit")
	}
	conn, err := pgx.Connect(ctx, ownerURL)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	list := func(sql string, args ...any) ([]string, error) {
		rows, err := conn.Query(ctx, sql, args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	var faults []string
	for _, r := range wall {
		broken, err := list(r.sql)
		if err != nil {
			return nil, fmt.Errorf("migrate: audit: %s: %w", r.says, err)
		}
		for _, what := range broken {
			faults = append(faults, r.says+": not "+what)
		}
	}
	gone, err := list(`select g from unnest($1::text[]) g where g not in (select conname from pg_constraint)
		and g not in (select indexname from pg_indexes where schemaname = 'public')`, guards)
	for _, name := range gone {
		faults = append(faults, "constraint or index "+name+" is gone")
	}
	if err != nil {
		return nil, err
	}
	gone, err = list(`select g from unnest($1::text[]) g where g not in (select c.relname || '.' || t.tgname
		from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and t.tgenabled <> 'D')`, triggers)
	for _, name := range gone {
		faults = append(faults, "trigger "+name+" is gone")
	}
	return faults, err
}
