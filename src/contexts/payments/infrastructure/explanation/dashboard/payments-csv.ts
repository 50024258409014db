import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import type { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { presentListedPaymentRequest } from '../../requests/http/listed-payment-request.dto.js';

const AMOUNTS: readonly string[] = ['amount', 'received_amount'];

/** Fields of the API. The order never changes; new columns are appended. */
export const PAYMENT_CSV_COLUMNS = [
  ...(['id', 'reference_id', 'status', 'amount', 'coin_code', 'currency', 'received_amount'] as const),
  ...(['network', 'unique_asset_id', 'address', 'point_of_sale_id', 'account_id'] as const),
  ...(['created_at', 'expires_at', 'confirmed_at', 'fulfilled'] as const),
];

export function toPaymentCsvRow(request: ListedPaymentRequest, urls: CheckoutUrls): CsvCell[] {
  const listed = presentListedPaymentRequest(request, urls);
  return PAYMENT_CSV_COLUMNS.map((column) => {
    const value = listed[column];
    if (typeof value === 'boolean') return String(value);
    return value !== undefined && AMOUNTS.includes(column) ? { number: value } : value;
  });
}
