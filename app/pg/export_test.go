package pg

// HotTexts are the hot statements of the packages that a test has, as Postgres takes them.
func HotTexts() []string { return hotTexts }
