import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Database } from '#shared/platform/database/database.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { InternalTransferCheck } from '../../contract/native-balances.js';

/** Inserts in a fixed order, so that two concurrent statements for the same addresses cannot deadlock. */
const REQUEST_COMPARISON_SQL = `
WITH asked AS (
  INSERT INTO payments.balance_looks (network, address, asked_at)
  SELECT $1, a.address, platform.now() FROM (SELECT DISTINCT address FROM UNNEST($2::text[]) u (address)) a ORDER BY a.address
  ON CONFLICT (network, address) DO UPDATE SET asked_at = platform.now()
    WHERE balance_looks.asked_at IS NULL AND balance_looks.compared_at < $3)
SELECT address FROM payments.balance_looks WHERE network = $1 AND address = ANY ($2::text[]) AND compared_at >= $3`;

@Injectable()
export class PostgresInternalTransferCheck extends InternalTransferCheck {
  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {
    super();
  }

  async requestComparison(
    network: string,
    addresses: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>> {
    if (addresses.length === 0 || !this.hidesTransfers(network)) return new Set(addresses);
    const asked = addresses.map(canonicalAddress);
    const rows = await this.database.query<{ address: string }>(REQUEST_COMPARISON_SQL, [
      network,
      asked,
      since,
    ]);
    const compared = new Set(rows.map(({ address }) => address));
    return new Set(addresses.filter((address) => compared.has(canonicalAddress(address))));
  }

  private hidesTransfers(network: string): boolean {
    if (this.catalogue.network(network)?.hidesNativeTransfers !== true) return false;
    return this.catalogue.assets().some((asset) => asset.network === network && isNative(asset));
  }
}
