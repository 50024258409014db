import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder } from '#shared/platform/database/list-order.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { SettlementTermsRecord } from '../../domain/settlement-terms.js';
import { TERMS_COLUMNS } from './settlement-terms-records.js';

/** New deposit addresses of the account commit to these terms. */
export interface EffectiveSettlementTerms extends SettlementTermsRecord {
  /** How often the owner of these terms set terms for the network. */
  readonly version: number;
}

const ORDER_BY_NETWORK = new ListOrder('ASC', [{ column: 'network', kind: 'name' }]);

/** Same order as `FIND` in postgres-points-of-sale.ts, which new deposit addresses use. */
const SELECT_TERMS_IN_FORCE = `
WITH numbered AS (
  SELECT *, count(*) OVER (PARTITION BY network, account_id ORDER BY number)::integer AS version
  FROM point_of_sale.settlement_terms
  WHERE organization_id = $1 AND (account_id = $2 OR account_id IS NULL)
), in_force AS (
  SELECT DISTINCT ON (network) * FROM numbered ORDER BY network, account_id NULLS LAST, number DESC
)
SELECT all_of_them.total, ${TERMS_COLUMNS}, t.version
FROM (SELECT count(*)::integer AS total FROM in_force) all_of_them
LEFT JOIN (SELECT * FROM in_force WHERE ${ORDER_BY_NETWORK.pagingSql(3)}) t ON true
ORDER BY t.network`;

@Injectable()
export class SettlementAddressQueries {
  constructor(
    private readonly database: Database,
    private readonly chains: Chains,
  ) {}

  /** One record per network; without an account only those of the organization. Wallets are shortened, because their key reveals everything the merchant receives. */
  async listEffectiveTerms(
    { organizationId, accountId }: TenantScope,
    page: PageRequest,
  ): Promise<Page<EffectiveSettlementTerms>> {
    const rows = await this.database.queryReplica<PageRow<EffectiveSettlementTerms>>(SELECT_TERMS_IN_FORCE, [
      organizationId,
      accountId,
      ...ORDER_BY_NETWORK.parameters(page),
    ]);
    return ORDER_BY_NETWORK.page(rows, page, (terms) => ({
      ...terms,
      settlementAddress: this.displayAddressOf(terms),
    }));
  }

  private displayAddressOf({ network, settlementAddress }: EffectiveSettlementTerms): string {
    return (
      this.chains.find(network)?.wallets?.walletOfSettlementAddress(settlementAddress).shortened ??
      settlementAddress
    );
  }
}
