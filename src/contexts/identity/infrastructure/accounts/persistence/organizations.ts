import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import type { Organization } from '#contexts/identity/domain/accounts/account.js';

const ORGANIZATION_COLUMNS = 'id, name, approved_at, created_at, updated_at';

@Injectable()
export class Organizations {
  constructor(private readonly database: Database) {}

  async add(organization: Organization): Promise<void> {
    await this.database.queryInTransaction(...buildInsertSql('identity.organizations', organization));
  }

  async find(id: OrganizationId): Promise<Organization> {
    const [row] = await this.database.query<Organization>(
      `SELECT ${ORGANIZATION_COLUMNS} FROM identity.organizations WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw notFound('organization');
    return row;
  }

  async lockOrganizationRow(id: OrganizationId): Promise<Organization> {
    const [row] = await this.database.queryInTransaction<Organization>(
      `SELECT ${ORGANIZATION_COLUMNS} FROM identity.organizations WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (row === undefined) throw notFound('organization');
    return row;
  }

  async isApproved(id: OrganizationId): Promise<boolean> {
    const text = 'SELECT FROM identity.organizations WHERE id = $1 AND approved_at IS NOT NULL';
    return (await this.database.query(text, [id])).length > 0;
  }

  async approve(id: OrganizationId, at: Date): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE identity.organizations SET approved_at = $2, updated_at = $2 WHERE id = $1',
      [id, at],
    );
  }

  async setOrganizationTimeZone(id: OrganizationId, timeZone: string, at: Date): Promise<string> {
    const [row] = await this.database.queryInTransaction<{ before: string }>(
      `UPDATE identity.organizations o SET time_zone = $2, updated_at = $3
       FROM (SELECT time_zone AS before FROM identity.organizations WHERE id = $1 FOR UPDATE) locked
       WHERE o.id = $1 RETURNING locked.before`,
      [id, timeZone, at],
    );
    if (row === undefined) throw notFound('organization');
    return row.before;
  }

  async list({ page, pageSize }: PageRequest): Promise<Page<Organization>> {
    const rows = await this.database.query<PageRow<Organization>>(
      `SELECT all_of_them.total, o.*
       FROM (SELECT count(*)::int AS total FROM identity.organizations) all_of_them
       LEFT JOIN (SELECT ${ORGANIZATION_COLUMNS} FROM identity.organizations ORDER BY id LIMIT $1 OFFSET $2) o ON true
       ORDER BY o.id`,
      [pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }
}
