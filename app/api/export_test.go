package api

// DocumentOf is Document with other examples.
var DocumentOf = document
