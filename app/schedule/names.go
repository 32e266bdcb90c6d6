package schedule

// InstructorAndSpaceSQL selects the names of the instructor and the space of a date or a series, with
// InstructorAndSpaceJoinSQL: empty where none is named. An edit or a substitute is written to the date itself, so
// that its series is not read. A former member of the team stays named on the past dates.
const InstructorAndSpaceSQL = `coalesce(instructors.name, '') as instructor, coalesce(rooms.name, '') as space`

// InstructorAndSpaceJoinSQL joins the instructor and the space of a row with member_id and space_id: the member is
// instructors, the space is rooms. business is SQL; if it is empty, row-level security selects the business.
func InstructorAndSpaceJoinSQL(business, row string) string {
	return InstructorJoinSQL(business, row+".member_id") + SpaceJoinSQL(business, row+".space_id")
}

// InstructorJoinSQL joins a member as instructors. member is the SQL of its id.
func InstructorJoinSQL(business, member string) string {
	return "\n\tleft join members instructors on " + ofBusiness("instructors", business) + "instructors.id = " + member
}

// SpaceJoinSQL joins a space as rooms. space is the SQL of its id.
func SpaceJoinSQL(business, space string) string {
	return "\n\tleft join spaces rooms on " + ofBusiness("rooms", business) + "rooms.id = " + space
}

func ofBusiness(table, business string) string {
	if business == "" {
		return ""
	}
	return table + ".business_id = " + business + " and "
}

// TaughtBySQL reports whether a person is the instructor of InstructorJoinSQL and still on the team. person is the
// SQL of its id.
func TaughtBySQL(person string) string {
	return `coalesce(instructors.person_id = ` + person + ` and instructors.deactivated_at is null, false)`
}
