import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** Statuses that a merchant is notified of; the others are for polling (docs/api/webhooks.md, "Register"). */
export const NOTIFIED_STATUSES: readonly string[] = ['processing', 'completed', 'underpaid', 'overpaid'];

export interface PaymentRequestNotice {
  readonly paymentRequestId: string;
  readonly paymentRequestType: string;
  readonly externalReferenceId?: string;
  readonly status: string;
  readonly pointOfSaleId: string;
  readonly accountId: string;
}

/** The body of a delivery, as the very text that is sent and signed. Described in docs/api/webhooks.md. */
export function notificationBody(notice: PaymentRequestNotice): string {
  return canonicalJson({
    data: {
      notification_type: 'payment_request_status_update',
      payment_request_id: notice.paymentRequestId,
      payment_request_type: notice.paymentRequestType,
      external_reference_id: notice.externalReferenceId,
      status: notice.status,
      point_of_sale_id: notice.pointOfSaleId,
      account_id: notice.accountId,
    },
  });
}
