// Package names has the rules for names of people and things: storing, matching and searching them. SQL compares
// columns that a function of this package wrote.
package names
