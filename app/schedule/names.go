package schedule

// InstructorAndSpaceSQL are the names of the instructor and the space of a date or a series, beside which InstructorAndSpaceJoinSQL stands:
// empty where none is named. An edit or a substitute is written to the date itself, so that nothing of its series is asked. Somebody who
// has left the team stays named: they taught the dates that are over.
const InstructorAndSpaceSQL = `coalesce(instructors.name, '') as instructor, coalesce(rooms.name, '') as space`

// InstructorAndSpaceJoinSQL joins the instructor and the space of a row that has member_id and space_id: the member is instructors, the
// space is rooms. Business is SQL; empty, it is the wall's to say.
func InstructorAndSpaceJoinSQL(business, row string) string {
	return InstructorJoinSQL(business, row+".member_id") + SpaceJoinSQL(business, row+".space_id")
}

// InstructorJoinSQL joins a member, whose id is SQL, as instructors.
func InstructorJoinSQL(business, member string) string {
	return "\n\tleft join members instructors on " + ofBusiness("instructors", business) + "instructors.id = " + member
}

// SpaceJoinSQL joins a space, whose id is SQL, as rooms.
func SpaceJoinSQL(business, space string) string {
	return "\n\tleft join spaces rooms on " + ofBusiness("rooms", business) + "rooms.id = " + space
}

func ofBusiness(table, business string) string {
	if business == "" {
		return ""
	}
	return table + ".business_id = " + business + " and "
}

// TaughtBySQL reports whether a person, whose id is SQL, is the instructor of InstructorJoinSQL and still on the team.
func TaughtBySQL(person string) string {
	return `coalesce(instructors.person_id = ` + person + ` and instructors.deactivated_at is null, false)`
}
