// Package ent is generated from package schema by "make gen". Nobody edits or reads it.
package ent
