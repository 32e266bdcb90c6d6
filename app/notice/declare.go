package notice

import "foyer/app/declare"

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/notice",
		Tables: []declare.Table{
			{
				Name: "booking_reminders", Life: declare.Swept(8*declare.Day+14*declare.Day, "true"),
				Readers: []string{"app/sales"},
			},
			{
				Name: "failed_mails", Life: declare.Swept(31*declare.Day, "true"), Record: "Mail that nobody got",
				Readers: []string{"app/agenda"},
			},
		},
	}
}
