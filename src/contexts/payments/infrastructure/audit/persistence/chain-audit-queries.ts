import { Injectable } from '@nestjs/common';
import type {
  Derivation,
  AddressDerivationInput,
  DepositTerms,
  Recipient,
} from '#contexts/networks/contract/deposit-addresses.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { ExpectedTokenContent } from '#contexts/payments/application/requests/payment-token-issuer.js';
import { Database } from '#shared/platform/database/database.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';

export interface AuditedBlock {
  readonly network: string;
  readonly number: number;
  readonly hash: string;
}

export interface StoredDepositAddress extends Recipient {
  readonly source: AddressDerivationInput;
  readonly terms: DepositTerms;
  readonly derivation: Derivation;
}

/** Transfers received minus payouts. */
export interface RecordedBalance {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Negative if more was paid out than the recorded transfers explain. */
  readonly amount: bigint;
}

export interface AuditedAddressBatch {
  readonly addresses: readonly StoredDepositAddress[];
  /** Balances in the assets offered at each address, and in every asset received or paid out there. */
  readonly balances: readonly RecordedBalance[];
}

export interface StoredNaspipToken extends ExpectedTokenContent {
  readonly token: string;
  readonly createdAt: Date;
}

export interface StoredTransfer extends Omit<ChainTransfer, 'token'> {
  readonly id: string;
  readonly uniqueAssetId: string;
  readonly blockHash: string;
}

interface AddressRow {
  address: string;
  tag: string;
  paymentRequestId: PaymentRequestId;
  settlementAddress: string;
  feeRecipient: string;
  feeBasisPoints: number;
  derivation: Derivation;
  number: number | null;
}

/** Queries each table by its own index, because a view over both would be scanned in full. */
const NEXT_ADDRESSES = `SELECT address FROM (
    (SELECT DISTINCT address FROM payments.deposit_addresses WHERE network = $1 AND address > $2 ORDER BY address LIMIT $3)
    UNION
    (SELECT DISTINCT address FROM payments.pruned_addresses WHERE network = $1 AND address > $2 ORDER BY address LIMIT $3)
  ) known ORDER BY address LIMIT $3`;

@Injectable()
export class ChainAuditQueries {
  constructor(private readonly database: Database) {}

  async findFinalBlock(network: string): Promise<AuditedBlock | null> {
    const [row] = await this.database.query<{ number: number; hash: string }>(
      `SELECT b.number, b.hash FROM payments.chain_cursors c
       JOIN payments.blocks b ON b.network = c.network AND b.number = c.final_number WHERE c.network = $1`,
      [network],
    );
    return row === undefined ? null : { network, ...row };
  }

  /** Read by the watcher, and not removed by a reorganization. */
  async isStillCanonical({ network, number, hash }: AuditedBlock): Promise<boolean> {
    const sql = 'SELECT 1 FROM payments.blocks WHERE network = $1 AND number = $2 AND hash = $3';
    return (await this.database.query(sql, [network, number, hash])).length > 0;
  }

  /** Sorted ascending. @param after last address of the previous call; empty string to start */
  async listAddresses(
    { network, number }: AuditedBlock,
    after: string,
    limit: number,
  ): Promise<AuditedAddressBatch> {
    const page = await this.database.query<{ address: string }>(NEXT_ADDRESSES, [network, after, limit]);
    const asked = page.map(({ address }) => address);
    const rows = await this.database.query<AddressRow>(
      `SELECT address, tag, payment_request_id, settlement_address, fee_recipient, fee_basis_points, derivation, number
       FROM payments.known_addresses WHERE network = $1 AND address = ANY ($2::text[]) ORDER BY address`,
      [network, asked],
    );
    const balances = await this.database.query<{
      address: string;
      uniqueAssetId: string;
      amount: bigint;
    }>(
      `WITH a AS (SELECT * FROM payments.deposit_addresses WHERE network = $1 AND address = ANY ($2::text[]))
       SELECT address, unique_asset_id, sum(amount) AS amount FROM (
         SELECT address, unique_asset_id, 0::numeric AS amount FROM a
         UNION ALL
         SELECT g.address, v.value ->> 'unique_asset_id', 0 FROM payments.pruned_addresses g
           JOIN payments.pruned_values v ON v.id = g.selection_value
           WHERE g.network = $1 AND g.address = ANY ($2::text[])
         UNION ALL
         SELECT s.address, s.unique_asset_id, 0 FROM payments.selections s
           JOIN a ON a.payment_request_id = s.payment_request_id AND (a.network, a.address) = (s.network, s.address)
         UNION ALL
         SELECT a.address, t.unique_asset_id, t.amount FROM payments.transfers t
           JOIN a ON a.payment_request_id = t.payment_request_id
             AND (a.network, a.address, a.tag) = (t.network, t.to_address, t.to_tag)
           WHERE t.canonical AND t.block_number <= $3
         UNION ALL
         SELECT p.address, p.unique_asset_id, - p.to_settlement - p.to_fee FROM payments.payouts p
           WHERE p.network = $1 AND p.address = ANY ($2::text[]) AND p.canonical AND p.block_number <= $3) held
       GROUP BY address, unique_asset_id ORDER BY address, unique_asset_id`,
      [network, asked, number],
    );
    return {
      addresses: rows.map(({ address, tag, paymentRequestId, number, derivation, ...terms }) => ({
        address,
        ...(tag === '' ? {} : { tag }),
        source: { requestId: paymentRequestId, ...(number === null ? {} : { number }) },
        derivation,
        terms,
      })),
      balances,
    };
  }

  /** Skips sessions of payment links that were pruned and restored, because they have no token. */
  async listNaspipTokens(network: string, after: string, limit: number): Promise<StoredNaspipToken[]> {
    const rows = await this.database.query<
      Omit<StoredNaspipToken, 'amount'> & { amount: bigint; decimals: number }
    >(
      `SELECT r.id, r.token, r.created_at, r.unique_asset_id, r.amount, r.decimals,
         c.payment_request_id IS NOT NULL AS may_name_url, COALESCE((SELECT s.address FROM payments.selections s
             WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id),
           (SELECT min(a.address) FROM payments.deposit_addresses a
             WHERE a.payment_request_id = r.id AND a.network = r.network), '') AS address
       FROM payments.payment_requests r LEFT JOIN payments.checkouts c ON c.payment_request_id = r.id
       WHERE r.network = $1 AND r.id::text > $2 AND NOT (r.token = '' AND c.payment_link_id IS NOT NULL)
       ORDER BY r.id::text LIMIT $3`,
      [network, after, limit],
    );
    return rows.map(({ amount, decimals, ...row }) => ({ ...row, amount: formatAmount(amount, decimals) }));
  }

  /** Omits transfers that were reversed or that no receipt can prove. `seed` determines the order. */
  async listTransfers({ network, number }: AuditedBlock, seed: string, after: string, limit: number) {
    const rows = await this.database.query<StoredTransfer & { sampleKey: string; tag: string }>(
      `SELECT * FROM (SELECT md5(id::text || $3) || id AS sample_key, id, kind, transaction_hash, index,
           unique_asset_id, from_address AS "from", to_address AS "to", to_tag AS tag, amount,
           block_hash
         FROM payments.transfers WHERE network = $1 AND canonical AND kind <> 'balance' AND block_number <= $2) t
       WHERE sample_key > $4 ORDER BY sample_key LIMIT $5`,
      [network, number, seed, after, limit],
    );
    return rows.map(({ tag, ...row }) => (tag === '' ? row : { ...row, toTag: tag }));
  }
}
