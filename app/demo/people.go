package demo

// customerNames are the customers who book online: the sign-in of the first one is printed.
var customerNames = []string{"Cleo Marsh", "Ines Rocha", "Tom Baker", "Yuki Tan", "Noor Haddad", "Max Weber"}

// firstNames and lastNames make the other customers.
var (
	firstNames = []string{
		"Amara", "Ben", "Carla", "Dev", "Elif", "Felix", "Grace", "Hugo", "Imani", "Jonas", "Kira", "Liam", "Marta", "Nadia", "Omar", "Paula",
		"Quinn", "Rosa", "Stefan", "Talia", "Umar", "Vivian", "Wes", "Ximena", "Yara", "Zane", "Alma", "Boris", "Chloe", "Dario", "Esther",
	}
	lastNames = []string{
		"Adeyemi", "Bloom", "Castillo", "Dunn", "Eriksen", "Fontaine", "Greene", "Hartmann", "Ito", "Jansen", "Kowalski", "Lindqvist", "Moreau",
		"Nguyen", "O’Brien", "Petrov", "Quigley", "Rossi", "Sørensen", "Torres", "Ueda", "Vargas", "Whitfield", "Yılmaz", "Zimmer", "Müller", "Núñez",
	}
)

// children attend Kids Club, with the last names of the customers who book for them.
var children = []string{"Leo", "Mila", "Noah", "Ada", "Finn", "Ruby", "Sami", "Tess", "Iris", "Otto", "Juno", "Kai"}
