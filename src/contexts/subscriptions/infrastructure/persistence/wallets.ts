import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId, type WalletId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { Wallet } from '../../domain/subscription-snapshot.js';

const SELECT_WALLETS = `SELECT id, external_id FROM subscriptions.wallets`;

@Injectable()
export class Wallets {
  constructor(private readonly database: Database) {}

  async findOrAdd(organizationId: OrganizationId, externalId: string): Promise<Wallet> {
    await this.database.queryInTransaction(
      `INSERT INTO subscriptions.wallets (id, organization_id, external_id) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id, external_id) DO NOTHING`,
      [newId<WalletId>(), organizationId, externalId],
    );
    return (await this.byExternalId(organizationId, externalId))!;
  }

  async byExternalId(organizationId: OrganizationId, externalId: string): Promise<Wallet | null> {
    const [wallet] = await this.database.query<Wallet>(
      `${SELECT_WALLETS} WHERE organization_id = $1 AND external_id = $2`,
      [organizationId, externalId],
    );
    return wallet ?? null;
  }

  async find(organizationId: OrganizationId, id: WalletId): Promise<Wallet> {
    const [wallet] = await this.database.query<Wallet>(
      `${SELECT_WALLETS} WHERE organization_id = $1 AND id = $2`,
      [organizationId, id],
    );
    if (wallet === undefined) throw notFound('wallet');
    return wallet;
  }
}
