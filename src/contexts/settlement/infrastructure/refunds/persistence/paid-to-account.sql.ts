/**
 * Whether an address of the payment request on that network pays out to another settlement address than the organization's
 * own terms ever named: what it collects is then the account's, and its refunds are paid by the organization all the same.
 */
export function isPaidToAccount(paymentRequest: string, network: string): string {
  return `EXISTS (SELECT FROM payments.public_known_addresses a
    WHERE a.payment_request_id = ${paymentRequest} AND a.network = ${network}
      AND NOT EXISTS (SELECT FROM point_of_sale.public_settlement_terms t
        WHERE t.organization_id = a.organization_id AND t.account_id IS NULL AND t.network = a.network
          AND lower(t.settlement_address) = lower(a.settlement_address)))`;
}
