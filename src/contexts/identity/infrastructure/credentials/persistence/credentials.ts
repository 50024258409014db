import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, CredentialId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import { namedParameterStatement } from '#shared/platform/database/sql-statements.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';

const CREDENTIAL_COLUMNS = `id, key_id, organization_id, account_id, name, roles, allowed_addresses, enabled, last_used_at,
  created_at, updated_at, CASE WHEN point_of_sale_id IS NOT NULL THEN jsonb_build_object('pointOfSaleId', point_of_sale_id,
    'pairedBy', paired_by, 'pairedAs', paired_as) END AS pairing`;
const API_KEY_CONDITION = 'organization_id = $1 AND id = $2 AND point_of_sale_id IS NULL';
const SAVE_CREDENTIAL = namedParameterStatement<Credential>(`
UPDATE identity.credentials
SET name = $name, roles = $roles, allowed_addresses = $allowedAddresses, enabled = $enabled, updated_at = $updatedAt
WHERE organization_id = $organizationId AND id = $id AND point_of_sale_id IS NULL`);

/** Methods exclude devices unless their comment mentions devices. */
@Injectable()
export class Credentials {
  constructor(private readonly database: Database) {}

  async add({ pairing, lastUsedAt: _, ...credential }: Credential, secretDigest: Buffer): Promise<void> {
    await this.database.queryInTransaction(
      ...buildInsertSql('identity.credentials', { ...credential, ...pairing, secretDigest }),
    );
  }

  async read(owner: OrganizationId, id: CredentialId): Promise<Credential> {
    const [row] = await this.database.query<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials WHERE ${API_KEY_CONDITION}`,
      [owner, id],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }

  /** @throws not_found, also for a credential of another organization */
  async lockCredentialRow(owner: OrganizationId, id: CredentialId): Promise<Credential> {
    const [row] = await this.database.queryInTransaction<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials WHERE ${API_KEY_CONDITION} FOR UPDATE`,
      [owner, id],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }

  /** Includes devices. */
  lockOfAccount({ organizationId, accountId }: AccountScope): Promise<Credential[]> {
    return this.database.queryInTransaction<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials WHERE organization_id = $1 AND account_id = $2 ORDER BY id FOR UPDATE`,
      [organizationId, accountId],
    );
  }

  /** @throws not_found, also for API keys and another point of sale's devices */
  async lockDeviceCredentialRow(
    owner: OrganizationId,
    pointOfSale: PointOfSaleId,
    id: CredentialId,
  ): Promise<Credential> {
    const [row] = await this.database.queryInTransaction<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials
       WHERE organization_id = $1 AND point_of_sale_id = $2 AND id = $3 FOR UPDATE`,
      [owner, pointOfSale, id],
    );
    if (row === undefined) throw notFound('device');
    return row;
  }

  lockPairedBy(person: CollaboratorId): Promise<Credential[]> {
    return this.database.queryInTransaction<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials WHERE paired_by = $1 ORDER BY id FOR UPDATE`,
      [person],
    );
  }

  /** The other fields are immutable. */
  async save(credential: Credential): Promise<void> {
    await this.database.queryInTransaction(...SAVE_CREDENTIAL(credential));
  }

  /** Also removes devices. */
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
         SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials
         WHERE organization_id = $1 AND point_of_sale_id IS NULL ORDER BY id LIMIT $2 OFFSET $3
       ) c ON true
       ORDER BY c.id`,
      [owner, pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }

  async find(idOrKeyId: string): Promise<Credential> {
    const [row] = await this.database.query<Credential>(
      `SELECT ${CREDENTIAL_COLUMNS} FROM identity.credentials 
       WHERE (key_id = $1 OR id::text = $1) AND point_of_sale_id IS NULL`,
      [idOrKeyId],
    );
    if (row === undefined) throw notFound('credential');
    return row;
  }
}
