// Package names is the one rule for text that names somebody or something: how a name is kept, which names are one
// person's, and how a name is searched for. What is compared in SQL is compared by a column that a function of this
// package wrote.
package names
