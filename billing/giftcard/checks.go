package giftcard

import "foyer/app/declare"

// checks are the data checks of gift cards.
var checks = []declare.Check{
	{
		Name: "gift_cards", Title: "Gift cards",
		About: "The balance of a gift card is the sum of its transactions, and each has its cause.",
		SQL: `select 'gift_cards', g.id, coalesce(t.amount, 0) || ' by its transactions', g.balance::text
			from gift_cards g
			left join (select gift_card_id, sum(amount)::bigint as amount from gift_card_transactions
				where business_id = $1 group by 1) t on t.gift_card_id = g.id
			where g.business_id = $1 and g.balance <> coalesce(t.amount, 0)
			union all
			select 'gift_card_transactions', t.id, t.before + t.amount || ' after it', t.balance::text
			from (select id, amount, balance, coalesce(sum(amount) over (partition by gift_card_id
					order by created_at, id rows between unbounded preceding and 1 preceding), 0)::bigint as before
				from gift_card_transactions where business_id = $1) t
			where t.balance <> t.before + t.amount
			union all
			select 'gift_cards', g.id, case g.state when 'active' then 'sold for ' || g.amount else 'not sold' end,
				coalesce('sold for ' || t.amount, 'not sold')
			from gift_cards g
			left join gift_card_transactions t on t.business_id = $1 and t.gift_card_id = g.id and t.kind = 'sold'
			where g.business_id = $1 and t.amount is distinct from case g.state when 'active' then g.amount end`,
	},
}
