package media

import "foyer/app/declare"

// counted is about photos: the files of one that is there are not on the way out.
var counted = declare.Check{
	Name: "photos", Title: "Photos", About: "The files of every photo stay as long as the photo.",
	SQL: `select 'assets', a.id, 'kept', 'its files are to go' from assets a
	join asset_leftovers l on l.business_id = $1 and l.id = a.id where a.business_id = $1`,
}
