// Package ent is generated from package schema by "make gen". Nobody edits or reads it.
package ent

//go:generate go run -mod=mod entgo.io/ent/cmd/ent generate --target . --feature sql/lock,sql/upsert,sql/modifier,sql/versioned-migration ../schema
