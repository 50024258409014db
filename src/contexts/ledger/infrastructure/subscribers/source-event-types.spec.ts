import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { anOwner, emptiedAddress, refundEvent, settlementEvent } from '../../testing/source-events.js';
import { toSourceEvent } from './source-event-types.js';

describe('The event of a refund as read by the ledger', () => {
  it('is ignored before the approval of the refund', () => {
    const pending = refundEvent(anOwner(), newId(), { paymentRequestId: newId(), status: 'pending' });

    expect(toSourceEvent({ ...pending, id: newId() })).toBeNull();
  });
});

describe('The event of a settlement as read by the ledger', () => {
  it('has the sum of the full amounts of each address, and omits addresses with zero', () => {
    const [twice, once, empty] = ['0xaa', '0xbb', '0xcc'].map((address) => ({
      paymentRequestId: newId<string>(),
      address,
    }));
    const again = { ...emptiedAddress(twice!, 4n, 5_000), address: '0xAA' };
    const addresses = [
      emptiedAddress(twice!, 6n, 5_000),
      emptiedAddress(once!, 5n),
      again,
      emptiedAddress(empty!, 0n),
    ];

    const source = toSourceEvent({
      ...settlementEvent(anOwner(), newId(), 'processing', addresses),
      id: newId(),
    });

    expect(source).toMatchObject({
      payouts: [
        { ...twice, gross: 10n, feeBasisPoints: 5_000 },
        { ...once, gross: 5n, feeBasisPoints: 0 },
      ],
    });
  });
});
