import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { toDisplayAddress, canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { UNKNOWN_SENDER_ADDRESS, NO_SENDER_LABEL } from '#contexts/networks/contract/chain-reader.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  type PayingTransaction,
  RefundableRequests,
  type RefundableRequest,
} from '#contexts/payments/contract/refundable-requests.js';

const NO_SENDERS = [UNKNOWN_SENDER_ADDRESS, NO_SENDER_LABEL];

interface ReceivedJson {
  uniqueAssetId: string;
  network: string;
  symbol: string;
  decimals: number;
  asked: string;
  paid: string;
  deposited: string;
  sender: string | null;
}

type Row = RowOf<Omit<RefundableRequest, 'merchantName' | 'received'>> & {
  merchantName: string | null;
  received: ReceivedJson[] | null;
};

/** Sender of all final transfers in an asset. Null if there are several. */
const SENDER = `
SELECT CASE WHEN count(DISTINCT t.from_address) = 1 THEN min(t.from_address) END FROM payments.transfers t
WHERE t.payment_request_id = r.id AND t.unique_asset_id = s.unique_asset_id AND t.canonical AND t.final`;

/** Amounts received in each asset. The ledger step books the complete outcome; each deposit is booked separately. */
const RECEIVED_AMOUNTS = `
SELECT jsonb_agg(jsonb_build_object('uniqueAssetId', s.unique_asset_id, 'network', s.network, 'symbol', s.currency,
    'decimals', s.decimals, 'paid', s.paid::text, 'deposited', s.deposited::text, 'sender', (${SENDER}), 'asked',
    CASE WHEN s.unique_asset_id = r.unique_asset_id THEN r.amount::text ELSE COALESCE((SELECT x.amount::text
      FROM payments.selections x WHERE x.payment_request_id = r.id AND x.unique_asset_id = s.unique_asset_id), '0') END)
  ORDER BY s.paid = 0, s.unique_asset_id)
FROM payments.public_received_sums s WHERE s.payment_request_id = r.id AND (s.paid > 0 OR s.deposited > 0)`;

const REFUNDABLE_REQUEST = `
SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.status, r.reference_id,
  COALESCE(c.merchant ->> 'name', r."order" #>> '{merchant,name}') AS merchant_name,
  (${RECEIVED_AMOUNTS}) AS received
FROM payments.payment_requests r LEFT JOIN payments.checkouts c ON c.payment_request_id = r.id
WHERE r.id = $1 AND r.organization_id = $2 AND ($3::uuid IS NULL OR r.account_id = $3)`;

/** Transfers dropped by a reorganization or replaced by another transaction also were payments of the request. */
const IS_PAID_BY = `
SELECT EXISTS (SELECT FROM payments.transfers WHERE payment_request_id = $1 AND network = $2 AND transaction_hash = $3)
  OR EXISTS (SELECT FROM payments.known_addresses WHERE payment_request_id = $1 AND network = $2 AND address = ANY ($4))
  AS is_paid_by`;

@Injectable()
export class PostgresRefundableRequests extends RefundableRequests {
  constructor(
    private readonly database: Database,
    private readonly pointsOfSale: PointsOfSale,
  ) {
    super();
  }

  async find(scope: TenantScope, id: PaymentRequestId): Promise<RefundableRequest> {
    const [row] = await this.database.query<Row>(REFUNDABLE_REQUEST, [
      id,
      scope.organizationId,
      scope.accountId,
    ]);
    if (row === undefined) throw notFound('payment request');
    const { merchantName, received, ...request } = row;
    return {
      ...withoutNulls<Omit<RefundableRequest, 'merchantName' | 'received'>>(request),
      // If a request has neither a checkout nor an order, the point of sale provides the merchant's name.
      merchantName: merchantName ?? (await this.pointsOfSale.find(scope, row.pointOfSaleId)).merchant.name,
      received: (received ?? []).map(({ asked, paid, deposited, sender, ...asset }) => ({
        asset: { ...asset, token: tokenOfAsset(asset) },
        asked: BigInt(asked),
        paid: BigInt(paid),
        deposited: BigInt(deposited),
        ...(sender !== null && !NO_SENDERS.includes(sender) && { sender: toDisplayAddress(sender) }),
      })),
    };
  }

  async isPaidBy(
    id: PaymentRequestId,
    { network, transactionHash, to }: PayingTransaction,
  ): Promise<boolean> {
    const [row] = await this.database.query<{ isPaidBy: boolean }>(IS_PAID_BY, [
      ...[id, network, transactionHash, to],
    ]);
    return row!.isPaidBy;
  }
}

/** The asset may have been removed from the catalogue. */
function tokenOfAsset({ uniqueAssetId, network }: Pick<ReceivedJson, 'uniqueAssetId' | 'network'>): string {
  return canonicalAddress(uniqueAssetId.slice(`n${network}_t`.length));
}
