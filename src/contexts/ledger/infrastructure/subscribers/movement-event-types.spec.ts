import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { bookedEvent, confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { toMovement } from './movement-event-types.js';

const [PAID_AT, PUBLISHED_AT] = [new Date('2030-01-31T23:59:59Z'), new Date('2030-02-01T00:05:00Z')];

describe('A movement read from an event', () => {
  it('is dated by the block if it is a payment or a deposit, and by the event if it is a reversal', () => {
    const deposit = receivedDeposit({ occurredAt: PAID_AT });
    const movements = [
      confirmedPayment({ occurredAt: PAID_AT }),
      deposit,
      reversalOf(deposit),
      receivedDeposit(),
    ];

    const read = movements.map((each) => toMovement({ ...bookedEvent(each, PUBLISHED_AT), id: newId() }));

    expect(read.map(({ occurredAt }) => occurredAt)).toEqual([PAID_AT, PAID_AT, PUBLISHED_AT, PUBLISHED_AT]);
  });

  it('has addresses in the spelling of EIP-55', () => {
    const { from, to } = toMovement({ ...bookedEvent(confirmedPayment(), PAID_AT), id: newId() });

    expect([from, to]).toEqual([
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ]);
  });
});
