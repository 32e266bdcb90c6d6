package migrate

import (
	"context"
	_ "embed"
	"strings"

	"github.com/jackc/pgx/v5"
)

// rolesSQL is what an administrator runs once, connected to the product's database.
//
//go:embed roles.sql
var rolesSQL string

// RolesSQL is the statement list that "foyer migrate roles" prints: roles, grants between them, and the rights on the
// database named.
func RolesSQL(database string) string {
	return strings.ReplaceAll(rolesSQL, "{database}", pgx.Identifier{database}.Sanitize())
}

// Bootstrap makes the roles and the database on a server of our own, as its superuser. It may run again.
func Bootstrap(ctx context.Context, superURL func(database string) string, database string) error {
	admin, err := pgx.Connect(ctx, superURL("postgres"))
	if err != nil {
		return err
	}
	defer admin.Close(ctx)
	var exists bool
	if err := admin.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{database}.Sanitize()+" encoding 'UTF8' template template0"); err != nil {
			return err
		}
	}
	conn, err := pgx.Connect(ctx, superURL(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, RolesSQL(database))
	return err
}
