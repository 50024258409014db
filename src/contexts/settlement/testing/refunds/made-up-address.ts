import { newId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';

/** An address of the request on its asset's network that pays out to `settlementAddress`, beside the organization's own terms. */
export function makeUpAddress(
  database: Database,
  { id, organizationId, accountId, received }: RefundableRequest,
  settlementAddress: string,
  organizationTerms: string,
): Promise<void> {
  const { network, uniqueAssetId } = received[0]!.asset;
  return database.run(async () => {
    // Payments and terms are made up: no constraint finds the rest of them.
    await database.query('SET LOCAL session_replication_role = replica');
    await database.query(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at) VALUES ($1, $2, $3, $4, '0x' || repeat('0', 40), 0, 'test', now())`,
      [newId(), organizationId, network, organizationTerms],
    );
    await database.query(
      `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
         unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '{}', $7, $8, '0x' || repeat('0', 40), 0, now())`,
      [
        ...[network, `0x${id.replaceAll('-', '').padStart(40, '0')}`, id, organizationId, accountId],
        ...[uniqueAssetId, newId(), settlementAddress],
      ],
    );
  });
}
