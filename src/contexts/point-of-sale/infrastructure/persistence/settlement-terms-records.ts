import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import type { SettlementTermsRecord } from '../../domain/settlement-terms.js';
import { OrganizationSettlementTerms } from '../../contract/points-of-sale.js';

export const TERMS_COLUMNS =
  'id, organization_id, account_id, network, settlement_address, fee_recipient, fee_basis_points, set_by, created_at';

@Injectable()
export class SettlementTermsRecords extends OrganizationSettlementTerms {
  constructor(private readonly database: Database) {
    super();
  }

  /**
   * Locks the organization's terms, so that they are numbered in the order of their commits. Changes the version of
   * every point of sale. @throws not_found
   */
  async add(terms: SettlementTermsRecord): Promise<void> {
    const locked = await this.database.queryInTransaction(
      `INSERT INTO point_of_sale.terms_versions (organization_id, version)
       SELECT $1, 1 WHERE EXISTS (SELECT FROM identity.public_accounts WHERE organization_id = $1)
       ON CONFLICT (organization_id) DO UPDATE SET version = terms_versions.version + 1
       RETURNING version`,
      [terms.organizationId],
    );
    if (locked.length === 0) throw notFound('organization');
    // A separate statement, so that the number is assigned while the lock is held.
    await this.database.queryInTransaction(...buildInsertSql('point_of_sale.settlement_terms', terms));
  }

  /** Permanent, even if the terms change. @returns false if another organization has one of the keys */
  async reserveWalletIdentifiers(
    network: string,
    keys: readonly string[],
    owner: OrganizationId,
  ): Promise<boolean> {
    // Sorted, so that concurrent claims of the same keys cannot deadlock.
    await this.database.queryInTransaction(
      `INSERT INTO point_of_sale.wallet_keys (network, key, organization_id)
       SELECT $1, key, $3 FROM unnest($2::text[]) key ORDER BY key ON CONFLICT DO NOTHING`,
      [network, keys, owner],
    );
    const foreign = await this.database.queryInTransaction(
      `SELECT FROM point_of_sale.wallet_keys WHERE network = $1 AND key = ANY ($2) AND organization_id <> $3 LIMIT 1`,
      [network, keys, owner],
    );
    return foreign.length === 0;
  }

  listCurrent(owner: OrganizationId): Promise<SettlementTermsRecord[]> {
    return this.database.query<SettlementTermsRecord>(
      `SELECT DISTINCT ON (account_id, network) ${TERMS_COLUMNS}
       FROM point_of_sale.settlement_terms WHERE organization_id = $1
       ORDER BY account_id NULLS FIRST, network, number DESC`,
      [owner],
    );
  }

  listHistory(owner: OrganizationId, network: string | null): Promise<SettlementTermsRecord[]> {
    return this.database.query<SettlementTermsRecord>(
      `SELECT ${TERMS_COLUMNS} FROM point_of_sale.settlement_terms
       WHERE organization_id = $1 AND ($2::text IS NULL OR network = $2) ORDER BY number DESC`,
      [owner, network],
    );
  }

  async settlementAddress(organization: OrganizationId, network: string): Promise<string | null> {
    const [terms] = await this.database.query<{ settlementAddress: string }>(
      `SELECT settlement_address FROM point_of_sale.settlement_terms
       WHERE organization_id = $1 AND account_id IS NULL AND network = $2 ORDER BY number DESC LIMIT 1`,
      [organization, network],
    );
    return terms?.settlementAddress ?? null;
  }
}
