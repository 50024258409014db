import { describe, expect, it } from '@jest/globals';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import { isPaymentRequestFulfilled } from '../../domain/events/merchant-events.js';
import {
  newAccount,
  creditReversed,
  acceptedAsPaid,
  depositReceived,
  refundChanged,
  settlementChanged,
  statusChanged,
  subscriptionChanged,
} from '../../testing/payment-events.js';
import { toMerchantEvents, serializeMerchantEventBody, type MerchantEventSource } from './notifications.js';

const account = newAccount();
const account_id = account.accountId;
const [request, pointOfSaleId] = [newId<string>(), newId<string>()];
const unique_asset_id = 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const paid = { currency: 'USDC', network: 'polygon', unique_asset_id };
const dataOf = (event: MerchantEventSource) =>
  (JSON.parse(serializeMerchantEventBody(event)) as { data: Record<string, unknown> }).data;
const recorded = (...events: MerchantEventSource[]) =>
  toMerchantEvents(events.map((event) => ({ id: newId(), ...event })) as unknown as PublishedEvent[]);

describe('The body of a notification', () => {
  it('contains the status of a payment request, in canonical JSON', () => {
    const event = statusChanged(account, { pointOfSaleId, referenceId: 'Ñ/"😀' }, request);

    expect(serializeMerchantEventBody(event)).toBe(
      `{"data":{"account_id":"${account_id}","external_reference_id":"Ñ/\\"😀",` +
        `"notification_type":"payment_request_status_update","payment_request_id":"${request}",` +
        `"payment_request_type":"fixed","point_of_sale_id":"${pointOfSaleId}","status":"completed"}}`,
    );
  });

  it('contains the amount of a deposit and the reason, without absent values and without a status', () => {
    const deposit = { pointOfSaleId, amount: '5000001', reason: 'late' as const, transactionHash: undefined };

    expect(dataOf(depositReceived(account, deposit, request))).toEqual({
      notification_type: 'payment_request_deposit',
      ...{ payment_request_id: request, point_of_sale_id: pointOfSaleId, account_id, ...paid },
      ...{ amount: '5.000001', reason: 'late', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
    });
    expect(dataOf(depositReceived(account, { referenceId: 'order-7' }))).toMatchObject({
      ...{ external_reference_id: 'order-7', transaction_hash: expect.any(String) },
    });
  });

  it('contains a negative amount for a reversal, and the remaining amount', () => {
    const reversal = { before: '10000000', after: '500000', postedAs: 'payment_in' as const };

    const data = dataOf(creditReversed(account, reversal, request));

    expect(data).toMatchObject({ amount: '-9.5', remaining_amount: '0.5', reverses: 'payment_in' });
    expect(data).toMatchObject({ notification_type: 'payment_request_adjustment', ...paid });
    expect(data).not.toHaveProperty('status');
  });

  it('contains the payment request of a refund', () => {
    const refund = newId<string>();

    expect(dataOf(refundChanged(account, 'completed', refund, request))).toEqual({
      ...{ notification_type: 'refund_status_update', status: 'completed', account_id },
      ...{ refund_id: refund, payment_request_id: request, point_of_sale_id: expect.any(String) },
    });
  });

  it('contains the amounts of a settlement and counts its payment requests', () => {
    const settlement = newId<string>();

    expect(dataOf(settlementChanged(account, 'completed', settlement))).toEqual({
      notification_type: 'settlement_status_update',
      ...{ settlement_id: settlement, status: 'completed', account_id, ...paid },
      ...{ amount: '24.75', fee_amount: '0.25', payment_count: 1, transaction_hash: expect.any(String) },
      settlement_address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    });
  });

  it('contains the schedule of a subscription, and its id if there is no reference', () => {
    const subscription = newId<string>();
    const wallet = { walletExternalId: 'wallet-1', nextChargeAt: '2027-02-28T10:00:00.000Z' };
    const always = {
      ...{ notification_type: 'subscription_status_update', subscription_id: subscription, interval: 'P1M' },
      ...{ account_id, point_of_sale_id: expect.any(String), amount: '5', ...paid },
    };
    const data = (change: Parameters<typeof subscriptionChanged>[1]) =>
      dataOf(subscriptionChanged(account, change, subscription));

    expect(data({ status: 'pending', expiresAt: '2027-02-01T10:00:00.000Z' })).toEqual({
      ...{ ...always, status: 'pending', external_reference_id: subscription },
      expires_at: '2027-02-01T10:00:00.000Z',
    });
    expect(data({ referenceId: 'member-77', ...wallet, revokedBy: 'payer' })).toEqual({
      ...{ ...always, status: 'active', external_reference_id: 'member-77', wallet_external_id: 'wallet-1' },
      ...{ next_charge_at: '2027-02-28T10:00:00.000Z', revoked_by: 'payer' },
    });
  });
});

describe('The log of a merchant', () => {
  it('includes only the statuses that merchants are notified of', () => {
    const requests = ['pending', 'created', 'processing', 'completed', 'underpaid', 'overpaid', 'expired', 'failed'] as const; // prettier-ignore
    const refunds = ['pending', 'processing', 'completed', 'failed'] as const;
    const settlements = ['processing', 'completed', 'failed'] as const;
    const statuses = (...events: MerchantEventSource[]) =>
      recorded(...events).map(({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status);

    expect(statuses(...requests.map((status) => statusChanged(account, { status })))).toEqual([
      ...['processing', 'completed', 'underpaid', 'overpaid'],
    ]);
    expect(statuses(...refunds.map((status) => refundChanged(account, status)))).toEqual(refunds.slice(1));
    expect(statuses(...settlements.map((status) => settlementChanged(account, status)))).toEqual(
      settlements.slice(1),
    );
  });

  it('names the payment request of each event, except for settlements and subscriptions', () => {
    const events = recorded(
      statusChanged(account, {}, request),
      depositReceived(account, {}, request),
      creditReversed(account, {}, request),
      refundChanged(account, 'completed', newId(), request),
      settlementChanged(account, 'completed'),
      subscriptionChanged(account),
    );

    expect(events.map(({ eventType, paymentRequestId }) => [eventType, paymentRequestId])).toEqual([
      ...['payment_request', 'deposit', 'adjustment', 'refund'].map((type) => [type, request]),
      ...[['settlement', null], ['subscription', null]], // prettier-ignore
    ]);
  });

  it('says whether the payment request is fulfilled, outside the body', () => {
    const underpaid = { status: 'underpaid' as const, pointOfSaleId };
    const events = recorded(
      ...(['processing', 'completed', 'overpaid'] as const).map((status) =>
        statusChanged(account, { status }),
      ),
      statusChanged(account, underpaid, request),
      statusChanged(account, { ...underpaid, underpaymentAccepted: true }, request),
      acceptedAsPaid(account, { pointOfSaleId }, request),
      depositReceived(account),
    );

    expect(events.map(isPaymentRequestFulfilled)).toEqual([false, true, true, false, true, true, undefined]);
    expect(events[5]!.body).toBe(events[4]!.body);
    expect(events[4]!.body).not.toContain('accepted');
  });
});
