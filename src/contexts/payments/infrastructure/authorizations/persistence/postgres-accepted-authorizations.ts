import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import {
  AcceptedTransferAuthorizations,
  type SignedTransferAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import { type AuthorizationRow, AUTHORIZATION_COLUMNS, toSignedAuthorization } from './authorization-rows.js';

/**
 * The address must also appear in an append-only event, because table rows could be changed. The request may have
 * ended: a reserved nonce blocks all later nonces of the gas key.
 */
const ORDERED_AUTHORIZATION = `SELECT ${AUTHORIZATION_COLUMNS} FROM payments.authorizations a
WHERE a.id = $1 AND a.state IN ('queued', 'sent')
  AND EXISTS (SELECT FROM payments.known_addresses k
    WHERE (k.network, k.address, k.payment_request_id, k.organization_id, k.account_id)
      = (a.network, a.to_address, a.payment_request_id, a.organization_id, a.account_id))
  AND EXISTS (SELECT FROM platform.events e CROSS JOIN LATERAL
      (SELECT CASE e.type WHEN 'payment_request.asset_selected' THEN e.data ELSE e.data #> '{opened,asked}' END AS shown) asked
    WHERE e.aggregate_id = a.payment_request_id AND e.organization_id = a.organization_id AND e.account_id = a.account_id
      AND e.type IN ('payment_request.asset_selected', 'payment_request.status_changed')
      AND (asked.shown ->> 'network', asked.shown ->> 'uniqueAssetId', asked.shown ->> 'to')
        = (a.network, a.unique_asset_id, a.to_address)
      AND (asked.shown ->> 'amount')::numeric >= a.value)`;

@Injectable()
export class PostgresAcceptedAuthorizations extends AcceptedTransferAuthorizations {
  constructor(private readonly database: Database) {
    super();
  }

  async find(id: string): Promise<SignedTransferAuthorization | null> {
    const [row] = await this.database.query<AuthorizationRow>(ORDERED_AUTHORIZATION, [id]);
    if (row === undefined) return null;
    const { network, token, authorization, signature } = toSignedAuthorization(row);
    return { network, token, authorization, signature };
  }
}
