import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { GAP_LIMIT, type AddressSequence } from '#contexts/payments/domain/requests/address-numbers.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';

export interface WalletAddressUsage extends AddressSequence {
  readonly numberingId: number;
  readonly organizationId: OrganizationId;
  readonly nextNumber: number;
  /** The newest addresses in a row that received nothing; at most `GAP_LIMIT` + 1. */
  readonly unused: number;
}

export interface AddressWithReference {
  readonly number: number;
  readonly address: string;
  /** The merchant's reference of the request, or the request id if it has none. */
  readonly name: string;
}

export const ADDRESS_RECEIVED_TRANSFER = `EXISTS (SELECT FROM payments.transfers t WHERE t.payment_request_id = a.payment_request_id
  AND (t.network, t.to_address, t.to_tag) = (a.network, a.address, a.tag) AND t.canonical)`;

/** Scans no more rows than the gap limit. Pruned requests were never paid. */
const WALLET_USE = `SELECT n.id AS numbering_id, n.network, n.numbering, n.organization_id, n.next_number,
  n.next_number - 1 - COALESCE(
    (SELECT max(a.number) FROM payments.deposit_addresses a
     WHERE a.numbering_id = n.id AND a.number >= n.next_number - ${GAP_LIMIT + 1} AND ${ADDRESS_RECEIVED_TRANSFER}),
    greatest(n.next_number - ${GAP_LIMIT + 2}, -1)) AS unused
  FROM payments.address_numbers n`;

const NAMED_ADDRESSES = `
(SELECT a.number, a.address, COALESCE(r.reference_id, r.id::text) AS name
 FROM payments.deposit_addresses a JOIN payments.payment_requests r ON r.id = a.payment_request_id
 WHERE a.numbering_id = $1 AND a.number >= $2 ORDER BY a.number LIMIT $3)
UNION ALL
(SELECT a.number, a.address, COALESCE(v.value ->> 'reference_id', p.id::text)
 FROM payments.pruned_addresses a JOIN payments.pruned_requests p ON p.id = a.payment_request_id
 JOIN payments.pruned_values v ON v.id = p.request_value
 WHERE a.numbering_id = $1 AND a.number >= $2 ORDER BY a.number LIMIT $3)
ORDER BY number LIMIT $3`;

@Injectable()
export class MerchantWalletAddresses {
  constructor(private readonly database: Database) {}

  /** Undefined if no address of the wallet was ever displayed. */
  async findUsage({ network, numbering }: AddressSequence): Promise<WalletAddressUsage | undefined> {
    const sql = `${WALLET_USE} WHERE n.network = $1 AND n.numbering = $2`;
    return (await this.database.query<WalletAddressUsage>(sql, [network, numbering]))[0];
  }

  listWalletUsageAfter(after: number, limit: number): Promise<WalletAddressUsage[]> {
    return this.database.query<WalletAddressUsage>(`${WALLET_USE} WHERE n.id > $1 ORDER BY n.id LIMIT $2`, [
      after,
      limit,
    ]);
  }

  /** Wallets whose software might not scan the next address. */
  async countWalletsPastGapLimit(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ network: string; wallets: number }>(
      `SELECT network, count(*)::integer AS wallets FROM (${WALLET_USE}) u WHERE unused >= ${GAP_LIMIT} GROUP BY network`,
    );
    return new Map(rows.map(({ network, wallets }) => [network, wallets]));
  }

  async findLastPaidNumber(numberingId: number): Promise<number | null> {
    const [row] = await this.database.query<{ number: number }>(
      `SELECT a.number FROM payments.deposit_addresses a
       WHERE a.numbering_id = $1 AND ${ADDRESS_RECEIVED_TRANSFER} ORDER BY a.number DESC LIMIT 1`,
      [numberingId],
    );
    return row?.number ?? null;
  }

  listWithReferences(numberingId: number, from: number, limit: number): Promise<AddressWithReference[]> {
    return this.database.query<AddressWithReference>(NAMED_ADDRESSES, [numberingId, from, limit]);
  }
}

@Injectable()
export class PostgresKnownDepositAddresses extends KnownDepositAddresses {
  constructor(private readonly database: Database) {
    super();
  }

  async isDepositAddress(address: string): Promise<boolean> {
    // The index of addresses starts with the network. Every network with an address has a cursor.
    const found = await this.database.query(
      `SELECT FROM payments.chain_cursors c
       WHERE EXISTS (SELECT FROM payments.known_addresses a WHERE a.network = c.network AND a.address = $1)`,
      [address],
    );
    return found.length > 0;
  }
}
