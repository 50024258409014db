import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** Statuses of a refund that a merchant is notified of: `pending` is the merchant's own doing. */
export const NOTIFIED_REFUND_STATUSES: readonly string[] = ['processing', 'completed', 'failed'];

export interface RefundNotice {
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly status: string;
  readonly pointOfSaleId: string;
  readonly accountId: string;
}

/** The body of a delivery, as the very text that is sent and signed. Described in docs/api/webhooks.md. */
export function refundBody(notice: RefundNotice): string {
  return canonicalJson({
    data: {
      notification_type: 'refund_status_update',
      refund_id: notice.refundId,
      payment_request_id: notice.paymentRequestId,
      status: notice.status,
      point_of_sale_id: notice.pointOfSaleId,
      account_id: notice.accountId,
    },
  });
}
