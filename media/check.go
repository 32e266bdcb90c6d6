package media

import "foyer/app/declare"

// counted is a check about photos: the files of an existing one are not scheduled for deletion.
var counted = declare.Check{
	Name: "photos", Title: "Photos", About: "Files of existing photos are not due for deletion.",
	SQL: `select 'assets', a.id, 'kept', 'its files are to go' from assets a
	join asset_leftovers l on l.business_id = $1 and l.id = a.id where a.business_id = $1`,
}
