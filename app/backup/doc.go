// Package backup writes the product's database and photos into one file, and puts such a file back.
//
// # Words
//
//   - backup: one zip file, named by its date, with database.dump (pg_dump's custom format), the photos below media/ and
//     manifest.json. The manifest comes last, so that a file that was cut off has none.
//   - manifest: what is in the file and what it needs: migration, Postgres's version, the fingerprint of the secret, how
//     many rows each table has.
//   - fingerprint: tells whether two secrets are the same one and reveals neither. The secret itself is never in a backup.
//
// # What always holds
//
//   - A backup is one moment: pg_dump and the rows that the manifest counts read the same snapshot, while people book.
//   - A backup is whole: it is written aside and renamed when all of it is on the disk, readable by its owner only. It is
//     made as a role that row-level security does not bind, because anybody else would see no rows.
//   - A restore happens or does not: schema, rows and the comparison with the manifest are one transaction. Nothing is
//     touched before the whole file has been read and what it needs is there.
//   - A restore runs as foyer_owner and needs no superuser; the roles are there before (migrate.RolesSQL).
//
// It makes no roles or databases, does not migrate, and does not look at what it restored: who calls it does
// (cmd/foyer/restore.go).
package backup
