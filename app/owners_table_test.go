package app_test

// Why a package writes a table beside its owner: where seats move, one statement does the whole of it under one row lock, and
// an owner's verb would be a second trip inside the lock that everybody waits for.
const (
	seatCounters = "the guarded counter of seats feeds the insert of bookings in one statement, and is given back in the one that ends them: only taken, taken_online, and the state of a single whose last seat goes; when that seat is forgotten, so is the single"
	offerCounter = "an entry's offer and the counter of seats on offer change in one statement: only offered, taken and taken_online"
	seatInOne    = "a place that finds its taker is one statement: entry, seat, hold and booking, under the date's lock"
	stayInOne    = "a stay at the door is one statement: seat, booking and both of its transitions"
	lastSeat     = "a single whose last seat is freed frees its person and space in the same statement"
)

// owners is whose every table is. A new line, and a new reader, is a design decision.
var owners = map[string]table{
	"api_keys":             {owner: "app/business"},
	"audit_events":         {owner: "app/audit"},
	"audit_seals":          {owner: "app/audit"},
	"booking_transitions":  {owner: "app/booking", readers: []string{"app/integrity"}},
	"bookings":             {owner: "app/booking", beside: map[string]string{"app/waitlist": seatInOne, "app/walkin": stayInOne}, readers: []string{"app/agenda", "app/availability", "app/checkout", "app/crm", "app/integrity", "app/notice", "app/penalty"}},
	"balance_transactions": {owner: "billing", readers: []string{"app/integrity"}},
	"businesses":           {owner: "app/business", readers: []string{"app/availability", "app/booking", "app/catalog", "app/checkout", "app/integrity", "app/notice", "app/schedule", "app/waitlist", "app/walkin"}},
	"cart_items":           {owner: "app/checkout", readers: []string{"app/booking"}},
	"carts":                {owner: "app/checkout", readers: []string{"app/booking"}},
	"challenges":           {owner: "app/identity"},
	"claims":               {owner: "app/claim", beside: map[string]string{"app/booking": lastSeat}, readers: []string{"app/availability", "app/integrity", "app/schedule", "app/walkin"}},
	"closures":             {owner: "app/availability", readers: []string{"app/walkin"}},
	"customers":            {owner: "app/crm", readers: []string{"app/agenda", "app/booking", "app/checkout", "app/notice", "app/penalty", "app/waitlist", "app/walkin"}},
	"disputes":             {owner: "billing"},
	"failed_mails":         {owner: "app/notice", readers: []string{"app/agenda"}},
	"holds":                {owner: "app/booking", beside: map[string]string{"app/waitlist": seatInOne}, readers: []string{"app/checkout", "app/integrity"}},
	"integrity_reports":    {owner: "app/integrity"},
	"invites":              {owner: "app/identity"},
	"ledger_accounts":      {owner: "billing/ledger", readers: []string{"app/integrity"}},
	"ledger_closings":      {owner: "billing/ledger"},
	"ledger_entries":       {owner: "billing/ledger", readers: []string{"app/integrity"}},
	"ledger_postings":      {owner: "billing/ledger", readers: []string{"app/integrity"}},
	"ledger_snapshots":     {owner: "billing/ledger", readers: []string{"app/integrity"}},
	"location_hours":       {owner: "app/business", readers: []string{"app/agenda", "app/availability", "app/walkin"}},
	"locations":            {owner: "app/business", readers: []string{"app/agenda", "app/availability", "app/booking", "app/catalog", "app/checkout", "app/integrity", "app/notice", "app/penalty", "app/schedule", "app/waitlist", "app/walkin", "billing", "billing/ledger"}},
	"member_hours":         {owner: "app/availability"},
	"member_roles":         {owner: "app/business"},
	"members":              {owner: "app/business", readers: []string{"app/agenda", "app/availability", "app/booking", "app/catalog", "app/checkout", "app/claim", "app/crm", "app/notice", "app/schedule", "app/waitlist"}},
	"occurrences":          {owner: "app/schedule", beside: map[string]string{"app/booking": seatCounters, "app/waitlist": offerCounter, "app/walkin": stayInOne}, readers: []string{"app/agenda", "app/availability", "app/checkout", "app/claim", "app/crm", "app/integrity", "app/notice"}},
	"offering_members":     {owner: "app/catalog", readers: []string{"app/availability"}},
	"offering_spaces":      {owner: "app/catalog", readers: []string{"app/availability", "app/walkin"}},
	"offerings":            {owner: "app/catalog", readers: []string{"app/agenda", "app/availability", "app/booking", "app/checkout", "app/claim", "app/integrity", "app/notice", "app/penalty", "app/schedule", "app/waitlist", "app/walkin"}},
	"order_lines":          {owner: "app/checkout", readers: []string{"app/integrity"}},
	"orders":               {owner: "app/checkout", readers: []string{"app/booking", "app/integrity"}},
	"payments":             {owner: "billing", readers: []string{"app/business", "app/checkout", "app/integrity", "app/notice"}},
	"payouts":              {owner: "billing"},
	"penalties":            {owner: "app/penalty", readers: []string{"app/agenda", "app/checkout", "app/notice"}},
	"persons":              {owner: "app/identity", readers: []string{"app/business", "app/checkout", "app/notice", "app/waitlist"}},
	"policies":             {owner: "app/catalog", readers: []string{"app/agenda", "app/availability", "app/booking", "app/checkout", "app/schedule", "app/waitlist", "app/walkin"}},
	"processor_accounts":   {owner: "billing", readers: []string{"app/checkout"}},
	"processor_listings":   {owner: "billing", readers: []string{"app/integrity"}},
	"quotes":               {owner: "app/pg"},
	"rate_windows":         {owner: "app/pg"},
	"refunds":              {owner: "billing", readers: []string{"app/checkout", "app/integrity"}},
	"booking_reminders":    {owner: "app/notice"},
	"replays":              {owner: "app/pg"},
	"series":               {owner: "app/schedule"},
	"series_edits":         {owner: "app/schedule"},
	"saved_views":          {owner: "app/business"},
	"sessions":             {owner: "app/identity"},
	"slugs":                {owner: "app/business"},
	"space_blocks":         {owner: "app/availability", readers: []string{"app/claim", "app/walkin"}},
	"space_hours":          {owner: "app/availability", readers: []string{"app/walkin"}},
	"spaces":               {owner: "app/business", readers: []string{"app/agenda", "app/availability", "app/booking", "app/catalog", "app/checkout", "app/claim", "app/integrity", "app/notice", "app/schedule", "app/waitlist", "app/walkin"}},
	"stylesheets":          {owner: "app/business"},
	"tax_rates":            {owner: "app/business", readers: []string{"app/catalog", "app/checkout"}},
	"tie_outs":             {owner: "billing", readers: []string{"app/integrity"}},
	"time_off":             {owner: "app/availability", readers: []string{"app/claim"}},
	"waitlist_entries":     {owner: "app/waitlist", readers: []string{"app/agenda", "app/booking", "app/integrity", "app/notice", "app/schedule"}},
	"waitlist_transitions": {owner: "app/waitlist", readers: []string{"app/integrity"}},
	"waitlist_rounds":      {owner: "app/booking", readers: []string{"app/schedule", "app/waitlist"}},
	"webhook_events":       {owner: "billing"},
}
