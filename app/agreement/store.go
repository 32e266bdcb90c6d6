package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

const copyColumns = `k.id, k.document_id, k.number, k.kind, k.format, k.body, k.language, k.translations, k.file_key, k.sha256, k.bytes, k.page_count, k.actor_name, k.created_at, k.html`

// asJSON returns an expression of a copy k as Copy reads it; body, translations and html are expressions of its text.
func asJSON(body, translations, html string) string {
	return `jsonb_build_object('id', k.id, 'document_id', k.document_id, 'number', k.number, 'kind', k.kind, 'format', k.format, 'body', ` + body + `,
		'language', k.language, 'translations', ` + translations + `,
		'file_key', k.file_key, 'sha256', encode(k.sha256, 'base64'), 'bytes', k.bytes, 'page_count', k.page_count, 'actor_name', k.actor_name,
		'created_at', k.created_at, 'html', ` + html + `)`
}

// listings is an expression of the offerings listed for a document d.
const listings = `coalesce((select jsonb_agg(x.offering_id order by x.offering_id) from agreement_listings x
		where x.business_id = d.business_id and x.document_id = d.id), '[]')`

// selectDocuments reads documents of the business $1, with their current copies.
var selectDocuments = `select d.id, d.location_id, d.name, d.show, d.frequency, d.every_listing, d.position, d.round, d.copy_number, d.archived_at,
		d.version, d.created_at, d.updated_at, ` + listings + ` as offering_ids, ` + asJSON("k.body", "k.translations", "null") + ` as copy
	from agreement_documents d
	join agreement_copies k on k.business_id = d.business_id and k.document_id = d.id and k.number = d.copy_number
	where d.business_id = $1 `

func documentsAt(ctx context.Context, r pg.Reader, location uuid.UUID, archived bool) ([]Document, error) {
	return pg.All[Document](ctx, r, selectDocuments+`and d.location_id = $2 and (d.archived_at is not null) = $3
		order by d.position, d.created_at, d.id limit $4`, r.Business(), location, archived, DocumentsMax)
}

// findDocument reads a document of a location. One of another location is not found. A171.
func findDocument(ctx context.Context, r pg.Reader, location, id uuid.UUID) (Document, error) {
	return pg.Found(pg.One[Document](ctx, r, selectDocuments+`and d.location_id = $2 and d.id = $3`, r.Business(), location, id))
}

// lockDocument locks a document's row until the transaction ends, and reads it as it is then.
func lockDocument(ctx context.Context, tx *pg.Tx, location, id uuid.UUID) (Document, error) {
	_, err := tx.Exec(ctx, `select from agreement_documents where business_id = $1 and id = $2 for no key update`, tx.Business(), id)
	if err != nil {
		return Document{}, err
	}
	return findDocument(ctx, tx, location, id)
}

func countAt(ctx context.Context, tx *pg.Tx, location uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, `select count(*)::int from agreement_documents where business_id = $1 and location_id = $2`, tx.Business(), location)
}

func offeringsKnown(ctx context.Context, tx *pg.Tx, location uuid.UUID, ids []uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select count(*) = cardinality($3::uuid[]) from offerings where business_id = $1 and location_id = $2 and id = any($3)`,
		tx.Business(), location, ids)
}

func (d *Document) named(tx *pg.Tx) pg.Named {
	return pg.Named{
		"business": tx.Business(), "id": d.ID, "name": d.Name, "show": d.Show, "frequency": d.Frequency,
		"every": d.EveryListing, "position": d.Position, "round": d.Round, "copy": d.CopyNumber, "archived": d.ArchivedAt,
		"version": d.Version, "at": d.UpdatedAt,
	}
}

func insertDocument(ctx context.Context, tx *pg.Tx, d Document) error {
	args := d.named(tx)
	args["location"] = d.LocationID
	_, err := tx.Exec(ctx, `insert into agreement_documents (id, business_id, location_id, name, show, frequency, every_listing, position, copy_number,
			round, archived_at, version, created_at, updated_at)
		values (@id, @business, @location, @name, @show, @frequency, @every, @position, @copy, @round, @archived, @version, @at, @at)`, args)
	return err
}

// saveDocument writes a changed document as its next version. The row is locked.
func saveDocument(ctx context.Context, tx *pg.Tx, d *Document) error {
	d.Version, d.UpdatedAt = d.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update agreement_documents set name = @name, show = @show, frequency = @frequency, every_listing = @every,
			position = @position, copy_number = @copy, round = @round, archived_at = @archived, version = @version, updated_at = @at
		where business_id = @business and id = @id`, d.named(tx))
	return err
}

// actorID returns the actor's id; nil for the system.
func actorID(by tenancy.Actor) *uuid.UUID {
	if by.ID == uuid.Nil {
		return nil
	}
	return &by.ID
}

func insertCopy(ctx context.Context, tx *pg.Tx, k Copy, by tenancy.Actor) error {
	_, err := tx.Exec(ctx, `insert into agreement_copies (id, business_id, document_id, number, kind, format, body, language, translations, file_key, sha256, bytes,
			page_count, html, actor_kind, actor_id, actor_name, created_at)
		values (@id, @business, @document, @number, @kind, @format, @body, @language, @translations, @key, @sum, @bytes, @pages, @html, @actor_kind, @actor, @actor_name, @now)`, pg.Named{
		"id": k.ID, "business": tx.Business(), "document": k.DocumentID, "number": k.Number, "kind": k.Kind, "format": k.Format, "body": k.Body,
		"language": k.Language, "translations": orNone(k.Translations),
		"key": k.FileKey, "sum": k.SHA256, "bytes": k.Bytes, "pages": k.PageCount, "html": k.Pages, "actor_kind": by.Kind, "actor": actorID(by),
		"actor_name": by.Name, "now": tx.Now(),
	})
	return err
}

func orNone(list []Translation) []Translation {
	if list == nil {
		return []Translation{}
	}
	return list
}

func copiesOf(ctx context.Context, r pg.Reader, document uuid.UUID) ([]Copy, error) {
	return pg.All[Copy](ctx, r, `select `+copyColumns+` from agreement_copies k where k.business_id = $1 and k.document_id = $2
		order by k.number desc limit 200`, r.Business(), document)
}

// setOfferings writes the offerings of a document.
func setOfferings(ctx context.Context, tx *pg.Tx, d Document) error {
	_, err := tx.Exec(ctx, `with gone as (
			delete from agreement_listings where business_id = $1 and document_id = $2 and offering_id <> all ($4)
		)
		insert into agreement_listings (id, business_id, location_id, document_id, offering_id)
		select n.id, $1, $3, $2, n.offering_id from unnest($5::uuid[], $4::uuid[]) as n (id, offering_id)
		on conflict (business_id, offering_id, document_id) do nothing`,
		tx.Business(), d.ID, d.LocationID, d.OfferingIDs, pg.NewIDs(len(d.OfferingIDs)))
	return err
}

// setDocuments replaces the documents of an offering, and increments the version of each one changed thereby. It
// returns false without any write when the offering or one of them is not of the location. The rows of the offering
// and of the documents are locked, in that order.
func setDocuments(ctx context.Context, tx *pg.Tx, location, offering uuid.UUID, documents []uuid.UUID) (bool, error) {
	known, err := pg.One[bool](ctx, tx, `select exists (select from (select from offerings where business_id = $1 and location_id = $2 and id = $3 for no key update) o)
		and (select count(*) from agreement_documents where business_id = $1 and location_id = $2 and id = any($4)) = cardinality($4::uuid[])`,
		tx.Business(), location, offering, documents)
	if err != nil || !known {
		return false, err
	}
	if _, err := tx.Exec(ctx, `select from agreement_documents d where d.business_id = $1 and (d.id = any($3)
			or d.id in (select x.document_id from agreement_listings x where x.business_id = $1 and x.offering_id = $2))
		order by d.id for no key update`, tx.Business(), offering, documents); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, `with gone as (
			delete from agreement_listings where business_id = $1 and offering_id = $3 and document_id <> all ($4) returning document_id
		), come as (
			insert into agreement_listings (id, business_id, location_id, offering_id, document_id)
			select n.id, $1, $2, $3, n.document_id from unnest($5::uuid[], $4::uuid[]) as n (id, document_id)
			on conflict (business_id, offering_id, document_id) do nothing returning document_id
		)
		update agreement_documents set version = version + 1, updated_at = $6
		where business_id = $1 and id in (select document_id from gone union all select document_id from come)`,
		tx.Business(), location, offering, documents, pg.NewIDs(len(documents)), tx.Now())
	return true, err
}
