import { posOf } from '../accounts/points-of-sale.js';
import { organizationOf, type Heard } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { isUuid, textOf, timeOf, type Json } from '../known/values.js';
import { newRequest, WINDOW, type PaymentRequest, type Span } from './payment-request.js';

/**
 * A request that is shown and that no answer has told of: one whose creation was not answered, or one that the service made by
 * itself, for a charge or for a payer.
 */
export function adopt(record: Json, heard: Heard, known: Known): PaymentRequest | undefined {
  const id = textOf(record.id);
  if (!isUuid(record.id)) {
    known.findings.differ('the id of a payment request', `payment request ${id}`, 'a UUID', record.id);
    return undefined;
  }
  const posId = textOf(record.point_of_sale_id) || (heard.params.pos ?? '');
  const isCheckout = record.session_id !== undefined || record.coin_code !== undefined;
  const explained = known.unanswered.explain(
    id,
    ({ kind, parent, body }) =>
      parent === posId &&
      kind === (isCheckout ? 'checkout' : 'direct') &&
      body.reference_id === record.reference_id &&
      Number(body.amount) === Number(record.amount),
    timeOf(record.created_at),
  );
  const isByService = known.makers.pointsOfSale.has(posId) || posId === '';
  if (explained === undefined && !isByService) {
    known.findings.differ(
      'every request was created by somebody',
      `payment request ${id}`,
      'a creation',
      record,
    );
  }
  const made: Span = { from: explained?.sentAt ?? 0, to: heard.exchange.at };
  const request = foundRequest(id, posId, record, made, isCheckout, organizationOf(heard), known);
  request.isByService = explained === undefined && !isCheckout;
  return request;
}

/** A request of which nothing but its own record is known. */
export function foundRequest(
  id: string,
  posId: string,
  record: Json,
  made: Span,
  isCheckout: boolean,
  organizationId: string | null,
  known: Known,
): PaymentRequest {
  // Payers are shown sessions without the POS.
  const pos = posId === '' ? undefined : posOf(posId, organizationId, known);
  if (pos !== undefined && typeof record.account_id === 'string') pos.accountId ??= record.account_id;
  const facts = {
    id,
    posId,
    accountId: textOf(record.account_id) || (pos?.accountId ?? ''),
    organizationId: pos?.organizationId || (organizationId ?? ''),
    isCheckout,
    made,
    answer: record,
  };
  const request = newRequest(facts, 'pending', -1);
  request.createdAt = timeOf(record.created_at);
  const expires = timeOf(record.expires_at);
  request.expiry =
    expires === null
      ? [{ from: made.from + WINDOW, to: made.to + WINDOW }]
      : [{ from: expires, to: expires }];
  request.referenceId = typeof record.reference_id === 'string' ? record.reference_id : undefined;
  request.isStrange = true;
  request.isFound = true;
  known.requests.set(id, request);
  pos?.requests.push(request);
  return request;
}
