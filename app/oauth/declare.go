package oauth

import (
	"foyer/app/declare"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/oauth",
		Tables: []declare.Table{
			{Name: "oauth_clients", Life: declare.Swept(clientsKept+declare.Day, "x.used_at is null")},
			{Name: "oauth_codes", Life: declare.Swept(codesKept+declare.Day, "true")},
			{Name: "oauth_families", Life: declare.Trade, Record: "Connected assistant"},
			{Name: "oauth_tokens", Life: declare.Swept(RefreshLife+tokensKept+declare.Day, "true")},
		},
		Fields: map[string]words.Console{
			"clientName": "Assistant", "redirectHost": "Connects through", "endedAt": "Disconnected", "endedBy": "Ended by",
		},
		Checks: checks,
	}
}

// checks are the data checks of this package's tables.
var checks = []declare.Check{
	{
		Name: "oauth.refresh", Title: "Connected assistants and their tokens",
		About: "Every connected assistant has one refresh token at most that can be used.",
		SQL: `select 'oauth_family' as record, f.id as record_id, '1' as expected, count(t.id)::text as found
			from oauth_families f join oauth_tokens t on t.business_id = $1 and t.family_id = f.id
			where f.business_id = $1 and f.ended_at is null and t.kind = 'refresh' and t.used_at is null
			group by f.id having count(t.id) > 1`,
	},
}
