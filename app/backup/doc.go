// Package backup writes the product's database and photos into one file, and restores such a file.
//
// # Terms
//
//   - backup: one zip file, named by its date, with database.dump (pg_dump's custom format), the photos below media/
//     and manifest.json. The manifest comes last, so that a truncated file has none.
//   - manifest: the content of the file and its requirements: migration, Postgres's version, the fingerprint of the
//     secret, the number of rows of each table.
//   - fingerprint: identifies a secret without revealing it. The secret itself is never in a backup.
//
// # Invariants
//
//   - A backup is one moment: pg_dump and the row counts of the manifest read the same snapshot, while people book.
//   - A backup is whole: it is written to a temporary file and renamed when all of it is on the disk, readable by its
//     owner only. It is made as a role that bypasses row-level security, because any other would see no rows.
//   - A restore is atomic: schema, rows and the comparison with the manifest are one transaction. Nothing is changed
//     before the whole file has been read and its requirements are met.
//   - A restore runs as foyer_owner and needs no superuser; the roles exist before (migrate.RolesSQL).
//
// It does not create roles or databases, does not migrate, and does not verify the restored rows: its caller does
// (cmd/foyer/restore.go).
package backup
