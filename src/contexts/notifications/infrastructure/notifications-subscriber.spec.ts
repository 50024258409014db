import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestConfirmed } from '#contexts/payments/contract/payment-request-events.js';
import { bookedEvent, confirmedPayment } from '#contexts/ledger/testing/movements.js';
import { toNotification, type PaymentRequestOutcome } from './notifications-subscriber.js';

const confirmed = (receivedAmount: bigint) =>
  ({
    ...bookedEvent(confirmedPayment({ receivedAmount }), new Date()),
    id: newId<string>(),
  }) as PublishedEvent<PaymentRequestConfirmed>;
const outcome = (status: string, underpaymentAccepted = false): PaymentRequestOutcome => ({
  status,
  underpaymentAccepted,
});

describe('The notification of a confirmed payment', () => {
  it.each([
    [10_000_000n, outcome('completed'), 'completed', 'completed'],
    [11_000_000n, outcome('overpaid'), 'completed', 'overpaid'],
    [9_000_000n, outcome('underpaid'), 'underpaid', 'underpaid'],
    [9_900_000n, outcome('underpaid', true), 'completed', 'accepted'],
    [9_000_000n, undefined, 'underpaid', 'underpaid'],
    [10_000_000n, undefined, 'completed', 'completed'],
  ])(
    'follows the outcome of the request: received %s, outcome %j, kind %s, state %s',
    (received, known, kind, state) => {
      expect(toNotification(confirmed(received), known)).toMatchObject({
        kind,
        state,
        money: { amount: received, currency: 'USDC' },
      });
    },
  );
});
