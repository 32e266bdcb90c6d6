package integrity

// photoChecks are about photos: the files of one that is there are not on the way out.
var photoChecks = []check{
	{"photos", `select 'assets', a.id, 'kept', 'its files are to go' from assets a
		join asset_leftovers l on l.business_id = $1 and l.id = a.id where a.business_id = $1`},
}
