import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  GAP_LIMIT,
  type OpenAddressCounts,
  type AddressSequence,
  type AddressNumber,
} from '#contexts/payments/domain/requests/address-numbers.js';
import { callerAddressRanges } from '#shared/platform/http/callers/caller-address-resolver.js';
import { ADDRESS_RECEIVED_TRANSFER } from './views/merchant-wallet-addresses.js';

/** @param source digest of the caller's IP address @param condition on the addresses `a` */
const openNumbersSql = (numbering: string, source: string, condition = 'true') => `
WITH newest AS MATERIALIZED (
  SELECT a.number, a.payment_request_id, ${ADDRESS_RECEIVED_TRANSFER} AS was_paid FROM payments.deposit_addresses a
  WHERE a.numbering_id = ${numbering} AND ${condition} ORDER BY a.number DESC LIMIT ${GAP_LIMIT})
SELECT count(*)::integer AS count, (count(*) FILTER (WHERE o.source = ${source}))::integer AS of_caller
FROM newest n JOIN payments.payment_requests r ON r.id = n.payment_request_id
LEFT JOIN payments.link_openings o ON o.payment_request_id = r.id
WHERE r.status = 'created' AND n.number > COALESCE((SELECT max(number) FROM newest WHERE was_paid), -1)`;

const OPEN_NUMBERS = openNumbersSql(
  '(SELECT id FROM payments.address_numbers WHERE network = $1 AND numbering = $2)',
  '$3',
);
const OPEN_NUMBERS_BESIDE_REQUEST = openNumbersSql('$2', '$3', 'a.payment_request_id <> $1');

@Injectable()
export class AddressNumbers {
  constructor(private readonly database: Database) {}

  /**
   * Locks the sequence until the unit of work ends. A rollback releases the number. Call it after all locks on
   * requests.
   */
  async reserve(
    { network, numbering }: AddressSequence,
    organization: OrganizationId,
  ): Promise<AddressNumber> {
    const [reserved] = await this.database.queryInTransaction<AddressNumber>(
      `INSERT INTO payments.address_numbers AS n (network, numbering, organization_id, next_number) VALUES ($1, $2, $3, 1)
       ON CONFLICT (network, numbering) DO UPDATE SET next_number = n.next_number + 1
       WHERE n.organization_id = excluded.organization_id
       RETURNING id AS numbering_id, next_number - 1 AS number`,
      [network, numbering, organization],
    );
    if (reserved !== undefined) return reserved;
    throw stateConflict(
      `The wallet in the settlement terms on ${network} belongs to another organization. Ask the operator of this ` +
        'service to set another wallet.',
    );
  }

  async countOpen(
    { network, numbering }: AddressSequence,
    caller: string | undefined,
  ): Promise<OpenAddressCounts> {
    const source = caller === undefined ? null : callerRangeDigestOf(caller);
    const [open] = await this.database.query<OpenAddressCounts>(OPEN_NUMBERS, [network, numbering, source]);
    return open!;
  }

  /** Exact in the unit of work that reserved the number. Null if no payer opened the request. */
  async countOpenExcept(request: PaymentRequestId): Promise<OpenAddressCounts | null> {
    const [own] = await this.database.queryInTransaction<{ numberingId: number; source: Buffer | null }>(
      `SELECT a.numbering_id, o.source FROM payments.link_openings o JOIN payments.deposit_addresses a USING (payment_request_id)
       WHERE o.payment_request_id = $1 AND a.numbering_id IS NOT NULL ORDER BY a.created_at DESC LIMIT 1`,
      [request],
    );
    if (own === undefined) return null;
    const [open] = await this.database.queryInTransaction<OpenAddressCounts>(OPEN_NUMBERS_BESIDE_REQUEST, [
      request,
      own.numberingId,
      own.source,
    ]);
    return open!;
  }
}

/**
 * Digests of the caller's /48 (8 bytes), /56 (4 bytes) and /64 (4 bytes), so that a wider range is a prefix. They
 * only keep addresses from being read by accident.
 */
export function callerRangeDigestOf(caller: string): Buffer {
  const [narrow, middle = narrow, wide = narrow] = callerAddressRanges(caller.replace('/64', ''));
  return Buffer.concat([digestOf(wide.name, 8), digestOf(middle.name, 4), digestOf(narrow.name, 4)]);
}

function digestOf(range: string, bytes: number): Buffer {
  return createHash('sha256').update(range).digest().subarray(0, bytes);
}
