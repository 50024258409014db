import { Injectable } from '@nestjs/common';
import { notFound, stateConflict, type DomainError } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import {
  type Page,
  type PageRequest,
  MAX_CHOICES,
  type ChoiceSearch,
  type Choices,
} from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { OLDEST_FIRST } from '#shared/platform/database/list-order.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';
import {
  AccountNames,
  type NamedAccount,
  AccountDirectory,
} from '#contexts/identity/contract/account-directory.js';

const ACCOUNT_COLUMNS =
  'id, organization_id, external_id, name, underpayment_tolerance, created_at, updated_at';

const OWNED_ACCOUNT_CONDITION = 'organization_id = $1 AND id = $2 AND deleted_at IS NULL';

/** The external id of a deleted account stays reserved, because old records refer to it. */
@Injectable()
export class MerchantAccounts extends AccountDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  /** @throws state_conflict if the organization already uses the external id */
  async add(account: Account): Promise<void> {
    const added = await this.database.queryInTransaction(
      ...buildInsertSql(
        'identity.accounts',
        account,
        'ON CONFLICT (organization_id, external_id) DO NOTHING RETURNING id',
      ),
    );
    if (added.length === 0) throw externalIdTaken(account.externalId);
  }

  find(owner: AccountScope): Promise<Account> {
    return this.readOne(
      `SELECT ${ACCOUNT_COLUMNS} FROM identity.accounts WHERE ${OWNED_ACCOUNT_CONDITION}`,
      owner,
    );
  }

  lockMerchantAccountRow(owner: AccountScope): Promise<Account> {
    return this.readOne(
      `SELECT ${ACCOUNT_COLUMNS} FROM identity.accounts WHERE ${OWNED_ACCOUNT_CONDITION} FOR UPDATE`,
      owner,
    );
  }

  /**
   * Waits for transactions that are creating an object: they hold the shared lock of `identity.public_hold_account`.
   */
  async lockAgainstNewObjects(owner: AccountScope): Promise<Account> {
    // The row lock fails for an account outside the scope, so only a permitted deletion blocks other transactions.
    const account = await this.lockMerchantAccountRow(owner);
    await this.database.queryInTransaction('SELECT identity.public_exclude_new_objects($1)', [account.id]);
    return account;
  }

  async delete({ organizationId, accountId }: AccountScope, at: Date): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE identity.accounts SET deleted_at = $3, updated_at = $3 WHERE ${OWNED_ACCOUNT_CONDITION}`,
      [organizationId, accountId, at],
    );
  }

  /**
   * The caller must have locked the account and the organization, so that no concurrent change takes the external id.
   * @throws state_conflict
   */
  async save(account: Account): Promise<void> {
    const { id, organizationId, externalId, name, updatedAt } = account;
    const saved = await this.database.queryInTransaction(
      `UPDATE identity.accounts SET external_id = $3, name = $4, updated_at = $5, underpayment_tolerance = $6
       WHERE ${OWNED_ACCOUNT_CONDITION} AND NOT EXISTS (
         SELECT FROM identity.accounts other WHERE other.organization_id = $1 AND other.external_id = $3 AND other.id <> $2)
       RETURNING id`,
      [organizationId, id, externalId, name, updatedAt, account.underpaymentTolerance],
    );
    if (saved.length === 0) throw externalIdTaken(externalId);
  }

  private async readOne(text: string, { organizationId, accountId }: AccountScope): Promise<Account> {
    const [row] = await this.database.query<Account>(text, [organizationId, accountId]);
    if (row === undefined) throw notFound('account');
    return row;
  }

  async list({ organizationId, accountId }: TenantScope, page: PageRequest): Promise<Page<Account>> {
    const rows = await this.database.queryReplica<PageRow<Account>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT * FROM identity.accounts
         WHERE organization_id = $1 AND ($2::uuid IS NULL OR id = $2) AND deleted_at IS NULL
       )
       SELECT all_of_them.total, a.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT ${ACCOUNT_COLUMNS} FROM visible WHERE ${OLDEST_FIRST.pagingSql(3)}) a ON true
       ORDER BY a.id`,
      [organizationId, accountId, ...OLDEST_FIRST.parameters(page)],
    );
    return OLDEST_FIRST.page(rows, page, (account) => account);
  }

  async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identity.accounts WHERE ${OWNED_ACCOUNT_CONDITION}`,
      [organization, account],
    );
    return rows.length === 1;
  }
}

function externalIdTaken(externalId: string | null): DomainError {
  return stateConflict(
    `external_id: ${externalId} is already used by another account of the organization, which may have been deleted. Choose another id.`,
  );
}

@Injectable()
export class PostgresAccountNames extends AccountNames {
  constructor(private readonly database: Database) {
    super();
  }

  async searchChoices(
    organizationId: OrganizationId,
    { typed = '' }: ChoiceSearch,
  ): Promise<Choices<NamedAccount>> {
    const rows = await this.database.query<NamedAccount & { readonly total: number }>(
      `SELECT id, name, count(*) OVER ()::int AS total FROM (
         SELECT id, name, bool_or(id::text = $2) OVER () AND count(*) OVER () <= ${MAX_CHOICES} AS of_a_short_list
         FROM identity.accounts WHERE organization_id = $1 AND deleted_at IS NULL) a
       WHERE of_a_short_list OR $2 = '' OR id::text = $2 OR position($2 IN lower(name)) > 0
       ORDER BY name, id LIMIT ${MAX_CHOICES}`,
      [organizationId, typed.trim().toLowerCase()],
    );
    return { items: rows, total: rows[0]?.total ?? 0 };
  }

  async namesOf(
    organizationId: OrganizationId,
    ids: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, string | null>> {
    const rows = await this.database.query<NamedAccount>(
      'SELECT id, name FROM identity.accounts WHERE organization_id = $1 AND id = ANY ($2::uuid[])',
      [organizationId, [...new Set(ids)]],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
