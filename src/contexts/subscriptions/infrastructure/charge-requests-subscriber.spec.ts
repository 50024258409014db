import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { toChargeRequestUpdates } from './charge-requests-subscriber.js';

const fact = (type: string, data: object) => {
  const event = { type, data, aggregateId: 'r', id: newId(), occurredAt: new Date(0) };
  return toChargeRequestUpdates(event as unknown as Parameters<typeof toChargeRequestUpdates>[0]);
};
const of = { requestId: 'r', at: new Date(0) };

describe('The payment request of a charge', () => {
  it.each([
    ['pending', []],
    ['created', [{ ...of, fact: 'opened' }]],
    ['processing', []],
    ['completed', [{ ...of, fact: 'ended', outcome: 'paid' }]],
    ['overpaid', [{ ...of, fact: 'ended', outcome: 'paid' }]],
    ['underpaid', [{ ...of, fact: 'ended', outcome: 'unpaid' }]],
    ['expired', [{ ...of, fact: 'ended', outcome: 'unpaid' }]],
    ['failed', [{ ...of, fact: 'ended', outcome: 'failed' }]],
  ])('leads to facts about the charge when it becomes %s: %j', (status, facts) => {
    expect(fact('payment_request.status_changed', { status })).toEqual(facts);
  });

  it('pays the charge with an accepted underpayment, and has no outcome when only the window is closed', () => {
    const accepted = { status: 'underpaid', underpaymentAccepted: true };

    expect(fact('payment_request.status_changed', accepted)).toEqual([
      { ...of, fact: 'ended', outcome: 'paid' },
    ]);
    expect(fact('payment_request.accepted_as_paid', accepted)).toEqual([{ ...of, fact: 'accepted' }]);
    expect(fact('payment_request.window_closed', {})).toEqual([{ ...of, fact: 'window_cut' }]);
  });
});
