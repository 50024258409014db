import { describe, expect, it } from '@jest/globals';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  acceptedSubscription,
  dayAfterStart,
  endRequest,
  requestInFlightOf,
  missChargesUntil,
  newOffer,
  START,
  newWallet,
  windowEndAfter,
} from '../testing/agreed.js';
import { Charge, type ChargeRequestOutcome } from './charge.js';
import type { Subscription } from './subscription.js';

const status = ({ snapshot }: Subscription) => snapshot.status;
const charges = ({ chargesByNumber }: Subscription) =>
  chargesByNumber.map(({ snapshot }) => `${snapshot.dueAt.toISOString().slice(0, 10)} ${snapshot.status}`);
const statuses = (subscription: Subscription) => subscription.pullEvents().map(({ data }) => data.status);

describe('The acceptance of a subscription', () => {
  it('opens the first charge immediately and sets the next due date', () => {
    const subscription = acceptedSubscription();

    expect(charges(subscription)).toEqual(['2027-01-31 open']);
    expect(requestInFlightOf(subscription)).toBeDefined();
    expect(subscription.snapshot.next).toEqual({ number: 1, at: new Date('2027-02-28T10:00:00Z') });
    expect(statuses(subscription)).toEqual(['pending', 'active']);
  });

  it('opens the first charge when the trial ends', () => {
    const subscription = acceptedSubscription({ trialUntil: dayAfterStart(14) });

    expect(charges(subscription)).toEqual([]);
    expect(subscription.snapshot.next?.at).toEqual(dayAfterStart(14));
    subscription.advance(dayAfterStart(14), newId);
    expect(charges(subscription)).toEqual(['2027-02-14 open']);
  });

  it('publishes its wallet, its reference and the times that follow', () => {
    const subscription = acceptedSubscription({ trialUntil: dayAfterStart(14), referenceId: 'plan-7' });
    subscription.revoke('payer', START);

    const nextChargeAt = dayAfterStart(14).toISOString();
    expect(subscription.pullEvents().map(({ data }) => data)).toMatchObject([
      { referenceId: 'plan-7', nextChargeAt, expiresAt: dayAfterStart(1).toISOString() },
      { walletExternalId: 'wallet-1', nextChargeAt },
      { revokedBy: 'payer' },
    ]);
  });

  it('opens a charge immediately if the trial has already ended', () => {
    const subscription = newOffer({
      trialUntil: new Date(START.getTime() + 60_000),
      offeredUntil: dayAfterStart(2),
    });

    subscription.accept(newWallet(), dayAfterStart(1), newId);

    expect(charges(subscription)).toEqual(['2027-02-01 open']);
  });

  it('changes nothing if the same wallet repeats it', () => {
    const subscription = newOffer();
    const payer = newWallet();
    subscription.accept(payer, START, newId);
    subscription.pullEvents();
    const before = subscription.snapshot;

    subscription.accept(payer, dayAfterStart(5), newId);

    expect(subscription.snapshot).toBe(before);
    expect(subscription.pullEvents()).toEqual([]);
  });

  it('is rejected for another wallet, after the end of the offer and after a revocation', () => {
    expect(() => acceptedSubscription().accept(newWallet('wallet-2'), START, newId)).toThrow(
      'Another wallet',
    );
    expect(() =>
      newOffer({ offeredUntil: dayAfterStart(1) }).accept(newWallet(), dayAfterStart(1), newId),
    ).toThrow('has expired');
    const subscription = newOffer();
    subscription.revoke('merchant', START);
    expect(() => subscription.accept(newWallet(), START, newId)).toThrow('was revoked');
  });
});

describe('An offer', () => {
  it('expires if no wallet accepts it in time', () => {
    const subscription = newOffer({ offeredUntil: dayAfterStart(1), trialUntil: dayAfterStart(3) });

    subscription.advance(dayAfterStart(1), newId);

    expect(status(subscription)).toBe('expired');
    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toBeNull();
  });
});

describe('A charge', () => {
  it('is paid by its request, and the next charge is opened on the next due date', () => {
    const subscription = acceptedSubscription();
    endRequest(subscription, 'paid', windowEndAfter(START));

    subscription.advance(subscription.snapshot.next!.at, newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-28 open']);
    expect(subscription.snapshot.next?.at).toEqual(new Date('2027-03-31T10:00:00Z'));
    expect(status(subscription)).toBe('active');
  });

  it('makes the subscription past due if unpaid, is retried on days 1, 3 and 7, and can then be paid', () => {
    const subscription = acceptedSubscription();
    const tries: (Date | null)[] = [];
    for (let n = 0; n < 4; n += 1) {
      endRequest(subscription, 'unpaid', windowEndAfter(subscription.nextStepAt ?? START));
      tries.push(subscription.nextStepAt);
      subscription.advance(subscription.nextStepAt!, newId);
    }

    expect(status(subscription)).toBe('past_due');
    expect(tries).toEqual([
      dayAfterStart(1),
      dayAfterStart(3),
      dayAfterStart(7),
      new Date('2027-02-28T10:00:00Z'),
    ]);
    const paid = acceptedSubscription();
    endRequest(paid, 'unpaid', windowEndAfter(START));
    paid.advance(dayAfterStart(1), newId);
    endRequest(paid, 'paid', windowEndAfter(dayAfterStart(1)));
    expect([status(paid), ...charges(paid)]).toEqual(['active', '2027-01-31 paid']);
  });

  it('is paid, also after its next request was planned, if the merchant accepts its unpaid request', () => {
    const subscription = acceptedSubscription();
    const underpaid = requestInFlightOf(subscription);
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    subscription.advance(dayAfterStart(1), newId);
    const before = status(subscription);

    subscription.recordRequestAccepted(underpaid, dayAfterStart(2));

    expect([before, status(subscription)]).toEqual(['past_due', 'active']);
    const [charge] = subscription.chargesByNumber.map(({ snapshot }) => snapshot);
    expect(charge).toMatchObject({ status: 'paid', paidAt: dayAfterStart(2), countedTries: 1 });
    expect(charge!.requests.map((request) => request.status)).toEqual(['accepted', 'dropped']);
  });

  it('is paid if the merchant accepts a request whose window was cut short, while the next request stays open', () => {
    const subscription = acceptedSubscription();
    const underpaid = requestInFlightOf(subscription);
    subscription.recordPaymentWindowCut(underpaid);
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    const next = subscription.planPayerRequest(windowEndAfter(START), newId)!;
    subscription.recordRequestOpened(next);

    subscription.recordRequestAccepted(underpaid, dayAfterStart(0.1));

    const [charge] = subscription.chargesByNumber.map(({ snapshot }) => snapshot);
    expect(charge).toMatchObject({ status: 'paid', countedTries: 0 });
    expect(charge!.requests.map((request) => request.status)).toEqual(['accepted', 'open']);
    expect(subscription.planPayerRequest(dayAfterStart(0.2), newId)).toBeNull();
  });

  it('is paid by an acceptance after the subscription was revoked, which stays revoked', () => {
    const subscription = acceptedSubscription();
    const underpaid = requestInFlightOf(subscription);
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    subscription.revoke('merchant', dayAfterStart(0.5));

    subscription.recordRequestAccepted(underpaid, dayAfterStart(2));

    expect([status(subscription), ...charges(subscription)]).toEqual(['revoked', '2027-01-31 paid']);
  });

  it('is not retried on or after the next due date', () => {
    const subscription = acceptedSubscription({ interval: 'P1W' });
    missChargesUntil(subscription, dayAfterStart(6));

    expect(subscription.nextStepAt).toEqual(dayAfterStart(7));
    subscription.advance(dayAfterStart(7), newId);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid', '2027-02-07 open']);
  });

  it('is retried immediately, and does not count as unpaid, if its request failed', () => {
    const subscription = acceptedSubscription();
    const first = requestInFlightOf(subscription);

    endRequest(subscription, 'failed', windowEndAfter(START));
    subscription.advance(windowEndAfter(START), newId);

    expect(status(subscription)).toBe('active');
    expect(requestInFlightOf(subscription)).not.toBe(first);
    endRequest(subscription, 'unpaid', windowEndAfter(windowEndAfter(START)));
    expect(subscription.nextStepAt).toEqual(dayAfterStart(1));
  });

  it('does not count as unpaid if the payment window of its request was cut short', () => {
    const subscription = acceptedSubscription();
    subscription.recordPaymentWindowCut(requestInFlightOf(subscription));

    endRequest(subscription, 'unpaid', windowEndAfter(START));

    expect(status(subscription)).toBe('active');
  });

  it('is payable between two tries at the request of the payer', () => {
    const subscription = acceptedSubscription();
    endRequest(subscription, 'unpaid', windowEndAfter(START));

    const asked = subscription.planPayerRequest(dayAfterStart(0.5), newId);

    expect(subscription.planPayerRequest(dayAfterStart(0.5), newId)).toBe(asked);
    endRequest(subscription, 'paid', dayAfterStart(0.6));
    expect(status(subscription)).toBe('active');
    expect(subscription.planPayerRequest(dayAfterStart(0.7), newId)).toBeNull();
  });

  it('is payable on its due date before the worker opens it', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'paid', dayAfterStart(0.1));

    expect(subscription.planPayerRequest(dayAfterStart(1), newId)).not.toBeNull();
    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 open']);
  });

  it.each([
    ['paid', 'paid', 'active'],
    ['unpaid', 'unpaid', 'past_due'],
  ] as const)(
    'becomes %s if its request is still open on the next due date and then ends as %s',
    (outcome, becomes, then) => {
      const subscription = acceptedSubscription({ interval: 'P1D' });
      endRequest(subscription, 'unpaid', windowEndAfter(START));
      const late = subscription.planPayerRequest(dayAfterStart(0.999), newId)!;
      subscription.recordRequestOpened(late);
      subscription.advance(dayAfterStart(1), newId);
      const before = charges(subscription);

      subscription.recordRequestEnded(late, outcome, windowEndAfter(dayAfterStart(0.999)));

      expect(before).toEqual(['2027-01-31 open', '2027-02-01 open']);
      expect(charges(subscription)).toEqual([`2027-01-31 ${becomes}`, '2027-02-01 open']);
      expect(status(subscription)).toBe(then);
    },
  );

  it('keeps the times of the first unpaid try and the first payment, and counts no request of the payer as a try', () => {
    const charge = Charge.create({ id: newId(), number: 0, dueAt: START, closesAt: dayAfterStart(28) });
    const ends = (outcome: ChargeRequestOutcome, at: Date, plan: 'planAttempt' | 'planPayerRequest') => {
      const id = newId<PaymentRequestId>();
      charge[plan](id, at);
      charge.recordRequestEnded(id, outcome, windowEndAfter(at));
    };
    ends('unpaid', START, 'planAttempt');
    ends('unpaid', dayAfterStart(0.5), 'planPayerRequest');
    ends('unpaid', dayAfterStart(1), 'planAttempt');
    ends('paid', dayAfterStart(2), 'planPayerRequest');
    ends('paid', dayAfterStart(2.5), 'planPayerRequest');

    const { missedAt, paidAt, countedTries } = charge.snapshot;
    expect({ missedAt, paidAt, countedTries }).toEqual({
      missedAt: windowEndAfter(START),
      paidAt: windowEndAfter(dayAfterStart(2)),
      countedTries: 2,
    });
  });

  it('is opened only for the latest due date after an outage', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'paid', windowEndAfter(START));

    subscription.advance(dayAfterStart(5), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-05 open']);
    expect(subscription.snapshot.next).toEqual({ number: 6, at: dayAfterStart(6) });
  });

  it('is tried once after an outage that lasted over several tries', () => {
    const subscription = acceptedSubscription();
    endRequest(subscription, 'unpaid', windowEndAfter(START));

    subscription.advance(dayAfterStart(4), newId);
    endRequest(subscription, 'unpaid', windowEndAfter(dayAfterStart(4)));

    expect(subscription.nextStepAt).toEqual(dayAfterStart(7));
  });
});

describe('A series of three charges that stay unpaid through all tries', () => {
  it('revokes the subscription', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'unpaid', windowEndAfter(START));

    missChargesUntil(subscription, dayAfterStart(30));

    expect(charges(subscription)).toEqual(['2027-01-31 unpaid', '2027-02-01 unpaid', '2027-02-02 unpaid']);
    expect(statuses(subscription)).toEqual(['pending', 'active', 'past_due', 'revoked']);
    expect(subscription.snapshot.revokedBy).toBe('unpaid');
  });

  it.each([
    ['revokes', 'unpaid', 'revoked'],
    ['does not revoke', 'paid', 'active'],
  ] as const)(
    '%s the subscription if the next charge is %s before the third is known to be unpaid',
    (_, next, then) => {
      const subscription = acceptedSubscription({ interval: 'P1D' });
      endRequest(subscription, 'unpaid', windowEndAfter(START));
      missChargesUntil(subscription, dayAfterStart(1.5));
      subscription.advance(dayAfterStart(2), newId);
      const third = requestInFlightOf(subscription);
      subscription.recordRequestOpened(third);
      subscription.advance(dayAfterStart(3), newId);
      if (next === 'paid') endRequest(subscription, 'paid', windowEndAfter(dayAfterStart(3)));

      subscription.recordRequestEnded(third, 'unpaid', windowEndAfter(dayAfterStart(3)));

      expect(status(subscription)).toBe(then);
      expect(charges(subscription)).toHaveLength(4);
    },
  );

  it('does not revoke the subscription while a request for one of them is open', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    missChargesUntil(subscription, dayAfterStart(1.5));
    const late = subscription.planPayerRequest(dayAfterStart(1.999), newId)!;
    subscription.recordRequestOpened(late);
    subscription.advance(dayAfterStart(2), newId);
    endRequest(subscription, 'unpaid', windowEndAfter(dayAfterStart(2)));
    expect(status(subscription)).toBe('past_due');

    subscription.recordRequestEnded(late, 'unpaid', windowEndAfter(windowEndAfter(dayAfterStart(2))));

    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription if another charge between them is paid', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    missChargesUntil(subscription, dayAfterStart(1.5));
    subscription.advance(dayAfterStart(2), newId);
    endRequest(subscription, 'paid', windowEndAfter(dayAfterStart(2)));

    missChargesUntil(subscription, dayAfterStart(4.5));

    expect(status(subscription)).toBe('past_due');
    missChargesUntil(subscription, dayAfterStart(5.5));
    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription if one of them was paid after its last try', () => {
    const subscription = acceptedSubscription({ interval: 'P1D' });
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    missChargesUntil(subscription, dayAfterStart(1.5));
    subscription.planPayerRequest(dayAfterStart(1.6), newId);
    endRequest(subscription, 'paid', dayAfterStart(1.7));

    missChargesUntil(subscription, dayAfterStart(2.5));

    expect(status(subscription)).toBe('past_due');
  });

  it('does not revoke the subscription if an outage prevented a try', () => {
    const subscription = acceptedSubscription();
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    subscription.advance(dayAfterStart(8), newId);
    endRequest(subscription, 'unpaid', windowEndAfter(dayAfterStart(8)));

    missChargesUntil(subscription, dayAfterStart(75));

    expect(status(subscription)).toBe('past_due');
  });
});

describe('The end of a subscription', () => {
  it('completes the subscription after the last charge is paid', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(1.5) });
    endRequest(subscription, 'paid', windowEndAfter(START));
    subscription.advance(dayAfterStart(1), newId);
    endRequest(subscription, 'paid', windowEndAfter(dayAfterStart(1)));

    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toEqual(dayAfterStart(1.5));
    subscription.advance(dayAfterStart(1.5), newId);

    expect(status(subscription)).toBe('completed');
    expect(subscription.nextStepAt).toBeNull();
  });

  it('charges nothing on its own date', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(1) });
    endRequest(subscription, 'paid', windowEndAfter(START));

    subscription.advance(dayAfterStart(1), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
    expect(status(subscription)).toBe('completed');
  });

  it('waits for a charge that is open', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(1.001) });
    endRequest(subscription, 'paid', windowEndAfter(START));
    subscription.advance(dayAfterStart(1), newId);
    subscription.advance(dayAfterStart(1.001), newId);

    expect(status(subscription)).toBe('active');
    expect(subscription.nextStepAt).toBeNull();
    endRequest(subscription, 'paid', windowEndAfter(dayAfterStart(1)));
    expect(status(subscription)).toBe('completed');
  });

  it('waits for the charge of the last due date, even if an earlier payment is read late after an outage', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(1.5) });

    endRequest(subscription, 'paid', dayAfterStart(1.6));
    subscription.advance(dayAfterStart(1.6), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 open']);
    expect(status(subscription)).toBe('active');
  });

  it('leaves the last charge payable until what would be the next due date, then revokes the subscription', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(0.5) });
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    subscription.advance(dayAfterStart(0.5), newId);

    expect(status(subscription)).toBe('past_due');
    expect(subscription.planPayerRequest(dayAfterStart(0.9), newId)).not.toBeNull();
    endRequest(subscription, 'unpaid', dayAfterStart(0.95));
    subscription.advance(dayAfterStart(1), newId);

    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription while a request for the last charge is open', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(0.5) });
    endRequest(subscription, 'unpaid', windowEndAfter(START));
    const late = subscription.planPayerRequest(dayAfterStart(0.999), newId)!;
    subscription.recordRequestOpened(late);
    subscription.advance(dayAfterStart(1), newId);
    expect(status(subscription)).toBe('past_due');

    subscription.recordRequestEnded(late, 'paid', windowEndAfter(dayAfterStart(0.999)));

    expect(status(subscription)).toBe('completed');
  });

  it('prevents charges for later due dates, even if an outage lasts beyond it', () => {
    const subscription = acceptedSubscription({ interval: 'P1D', endsAt: dayAfterStart(1.5) });
    endRequest(subscription, 'paid', windowEndAfter(START));

    subscription.advance(dayAfterStart(2.5), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 unpaid']);
    expect(status(subscription)).toBe('completed');
  });
});

describe('A revocation', () => {
  it('stops all charges, but an open request can still be paid', () => {
    const subscription = acceptedSubscription();
    const open = requestInFlightOf(subscription);
    subscription.recordRequestOpened(open);

    subscription.revoke('payer', dayAfterStart(0.001));
    subscription.recordRequestEnded(open, 'paid', windowEndAfter(START));

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
    expect(subscription.snapshot).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toBeNull();
    expect(subscription.planPayerRequest(dayAfterStart(40), newId)).toBeNull();
  });

  it('drops a planned request, but records a payment if it was opened anyway', () => {
    const subscription = acceptedSubscription();
    const planned = requestInFlightOf(subscription);
    subscription.revoke('merchant', START);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid']);

    subscription.recordRequestOpened(planned);
    subscription.recordRequestEnded(planned, 'paid', windowEndAfter(START));
    subscription.recordRequestOpened(planned);

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
    expect(subscription.chargesByNumber[0]!.snapshot.requests).toMatchObject([{ status: 'paid' }]);
  });

  it('is allowed only for the wallet that has accepted the subscription', () => {
    expect(() => acceptedSubscription().revokeByWallet(newWallet('wallet-2'), START)).toThrow(
      'has not accepted',
    );
    expect(() => newOffer().revokeByWallet(newWallet(), START)).toThrow('has not accepted');
  });

  it('changes nothing after the end of the subscription', () => {
    const subscription = newOffer();
    subscription.advance(dayAfterStart(1), newId);
    subscription.pullEvents();

    subscription.revoke('merchant', dayAfterStart(2));

    expect(status(subscription)).toBe('expired');
    expect(subscription.pullEvents()).toEqual([]);
  });
});
