import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, CredentialId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import { Credentials, type Credential } from '#contexts/identity/domain/credentials/credential.js';

const COLUMNS = `id, key_id, organization_id, account_id, name, roles, allowed_addresses, enabled, last_used_at,
  created_at, updated_at, CASE WHEN point_of_sale_id IS NOT NULL THEN jsonb_build_object('pointOfSaleId', point_of_sale_id,
    'pairedBy', paired_by, 'pairedAs', paired_as) END AS pairing`;
const OWN_KEY = 'organization_id = $1 AND id = $2 AND point_of_sale_id IS NULL';

@Injectable()
export class PostgresCredentials extends Credentials {
  constructor(private readonly database: Database) {
    super();
  }

  async add(credential: Credential, secretDigest: Buffer): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO identity.credentials (id, key_id, secret_digest, organization_id, account_id, name, roles,
         allowed_addresses, enabled, created_at, updated_at, point_of_sale_id, paired_by, paired_as)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        credential.id,
        credential.keyId,
        secretDigest,
        credential.organizationId,
        credential.accountId,
        credential.name,
        credential.roles,
        credential.allowedAddresses,
        credential.enabled,
        credential.createdAt,
        credential.updatedAt,
        credential.pairing?.pointOfSaleId ?? null,
        credential.pairing?.pairedBy ?? null,
        credential.pairing?.pairedAs ?? null,
      ],
    );
  }

  async read(owner: OrganizationId, id: CredentialId): Promise<Credential> {
    const [row] = await this.database.query<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials WHERE ${OWN_KEY}`,
      [owner, id],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }

  async lock(owner: OrganizationId, id: CredentialId): Promise<Credential> {
    const [row] = await this.database.queryInTransaction<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials WHERE ${OWN_KEY} FOR UPDATE`,
      [owner, id],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }

  lockOf({ organizationId, accountId }: AccountScope): Promise<Credential[]> {
    return this.database.queryInTransaction<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials WHERE organization_id = $1 AND account_id = $2 ORDER BY id FOR UPDATE`,
      [organizationId, accountId],
    );
  }

  async lockDevice(owner: OrganizationId, pointOfSale: PointOfSaleId, id: CredentialId): Promise<Credential> {
    const [row] = await this.database.queryInTransaction<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials
       WHERE organization_id = $1 AND point_of_sale_id = $2 AND id = $3 FOR UPDATE`,
      [owner, pointOfSale, id],
    );
    if (row === undefined) throw notFound('device');
    return row;
  }

  lockPairedBy(person: CollaboratorId): Promise<Credential[]> {
    return this.database.queryInTransaction<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials WHERE paired_by = $1 ORDER BY id FOR UPDATE`,
      [person],
    );
  }

  async save(credential: Credential): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE identity.credentials SET name = $3, roles = $4, allowed_addresses = $5, enabled = $6, updated_at = $7
       WHERE ${OWN_KEY}`,
      [
        credential.organizationId,
        credential.id,
        credential.name,
        credential.roles,
        credential.allowedAddresses,
        credential.enabled,
        credential.updatedAt,
      ],
    );
  }

  async remove(owner: OrganizationId, id: CredentialId): Promise<void> {
    await this.database.queryInTransaction(
      'DELETE FROM identity.credentials WHERE organization_id = $1 AND id = $2',
      [owner, id],
    );
  }

  async list(owner: OrganizationId, { page, pageSize }: PageRequest): Promise<Page<Credential>> {
    const rows = await this.database.queryReplica<PageRow<Credential>>(
      `SELECT all_of_them.total, c.*
       FROM (SELECT count(*)::int AS total FROM identity.credentials
             WHERE organization_id = $1 AND point_of_sale_id IS NULL) all_of_them
       LEFT JOIN (
         SELECT ${COLUMNS} FROM identity.credentials
         WHERE organization_id = $1 AND point_of_sale_id IS NULL ORDER BY id LIMIT $2 OFFSET $3
       ) c ON true
       ORDER BY c.id`,
      [owner, pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }

  async find(idOrKeyId: string): Promise<Credential> {
    const [row] = await this.database.query<Credential>(
      `SELECT ${COLUMNS} FROM identity.credentials 
       WHERE (key_id = $1 OR id::text = $1) AND point_of_sale_id IS NULL`,
      [idOrKeyId],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }
}
