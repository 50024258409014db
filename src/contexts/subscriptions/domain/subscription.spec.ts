import { describe, expect, it } from '@jest/globals';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  accepted,
  day,
  end,
  inFlight,
  missUntil,
  offer,
  START,
  wallet,
  windowAfter,
} from '../testing/agreed.js';
import { Charge, type RequestOutcome } from './charge.js';
import type { Subscription } from './subscription.js';

const status = ({ snapshot }: Subscription) => snapshot.status;
const charges = ({ chargesByNumber }: Subscription) =>
  chargesByNumber.map(({ snapshot }) => `${snapshot.dueAt.toISOString().slice(0, 10)} ${snapshot.status}`);
const statuses = (subscription: Subscription) => subscription.pullEvents().map(({ data }) => data.status);

describe('The acceptance of a subscription', () => {
  it('opens the first charge immediately and sets the next due date', () => {
    const subscription = accepted();

    expect(charges(subscription)).toEqual(['2027-01-31 open']);
    expect(inFlight(subscription)).toBeDefined();
    expect(subscription.snapshot.next).toEqual({ number: 1, at: new Date('2027-02-28T10:00:00Z') });
    expect(statuses(subscription)).toEqual(['pending', 'active']);
  });

  it('opens the first charge when the trial ends', () => {
    const subscription = accepted({ trialUntil: day(14) });

    expect(charges(subscription)).toEqual([]);
    expect(subscription.snapshot.next?.at).toEqual(day(14));
    subscription.advance(day(14), newId);
    expect(charges(subscription)).toEqual(['2027-02-14 open']);
  });

  it('opens a charge immediately if the trial has already ended', () => {
    const subscription = offer({ trialUntil: new Date(START.getTime() + 60_000), offeredUntil: day(2) });

    subscription.accept(wallet(), day(1), newId);

    expect(charges(subscription)).toEqual(['2027-02-01 open']);
  });

  it('changes nothing if the same wallet repeats it', () => {
    const subscription = offer();
    const payer = wallet();
    subscription.accept(payer, START, newId);
    subscription.pullEvents();
    const before = subscription.snapshot;

    subscription.accept(payer, day(5), newId);

    expect(subscription.snapshot).toBe(before);
    expect(subscription.pullEvents()).toEqual([]);
  });

  it('is rejected for another wallet, after the end of the offer and after a revocation', () => {
    expect(() => accepted().accept(wallet('wallet-2'), START, newId)).toThrow('Another wallet');
    expect(() => offer({ offeredUntil: day(1) }).accept(wallet(), day(1), newId)).toThrow('has expired');
    const subscription = offer();
    subscription.revoke('merchant', START);
    expect(() => subscription.accept(wallet(), START, newId)).toThrow('was revoked');
  });
});

describe('An offer', () => {
  it('expires if no wallet accepts it in time', () => {
    const subscription = offer({ offeredUntil: day(1), trialUntil: day(3) });

    subscription.advance(day(1), newId);

    expect(status(subscription)).toBe('expired');
    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toBeNull();
  });
});

describe('A charge', () => {
  it('is paid by its request, and the next charge is opened on the next due date', () => {
    const subscription = accepted();
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(subscription.snapshot.next!.at, newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-28 open']);
    expect(subscription.snapshot.next?.at).toEqual(new Date('2027-03-31T10:00:00Z'));
    expect(status(subscription)).toBe('active');
  });

  it('makes the subscription past due if unpaid, is retried on days 1, 3 and 7, and can then be paid', () => {
    const subscription = accepted();
    const tries: (Date | null)[] = [];
    for (let n = 0; n < 4; n += 1) {
      end(subscription, 'unpaid', windowAfter(subscription.nextStepAt ?? START));
      tries.push(subscription.nextStepAt);
      subscription.advance(subscription.nextStepAt!, newId);
    }

    expect(status(subscription)).toBe('past_due');
    expect(tries).toEqual([day(1), day(3), day(7), new Date('2027-02-28T10:00:00Z')]);
    const paid = accepted();
    end(paid, 'unpaid', windowAfter(START));
    paid.advance(day(1), newId);
    end(paid, 'paid', windowAfter(day(1)));
    expect([status(paid), ...charges(paid)]).toEqual(['active', '2027-01-31 paid']);
  });

  it('is not retried on or after the next due date', () => {
    const subscription = accepted({ interval: 'P1W' });
    missUntil(subscription, day(6));

    expect(subscription.nextStepAt).toEqual(day(7));
    subscription.advance(day(7), newId);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid', '2027-02-07 open']);
  });

  it('is retried immediately, and does not count as unpaid, if its request failed', () => {
    const subscription = accepted();
    const first = inFlight(subscription);

    end(subscription, 'failed', windowAfter(START));
    subscription.advance(windowAfter(START), newId);

    expect(status(subscription)).toBe('active');
    expect(inFlight(subscription)).not.toBe(first);
    end(subscription, 'unpaid', windowAfter(windowAfter(START)));
    expect(subscription.nextStepAt).toEqual(day(1));
  });

  it('does not count as unpaid if the payment window of its request was cut short', () => {
    const subscription = accepted();
    subscription.windowCut(inFlight(subscription));

    end(subscription, 'unpaid', windowAfter(START));

    expect(status(subscription)).toBe('active');
  });

  it('is payable between two tries at the request of the payer', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));

    const asked = subscription.requestForPayer(day(0.5), newId);

    expect(subscription.requestForPayer(day(0.5), newId)).toBe(asked);
    end(subscription, 'paid', day(0.6));
    expect(status(subscription)).toBe('active');
    expect(subscription.requestForPayer(day(0.7), newId)).toBeNull();
  });

  it.each([
    ['paid', 'paid', 'active'],
    ['unpaid', 'unpaid', 'past_due'],
  ] as const)(
    'becomes %s if its request is still open on the next due date and then ends as %s',
    (outcome, becomes, then) => {
      const subscription = accepted({ interval: 'P1D' });
      end(subscription, 'unpaid', windowAfter(START));
      const late = subscription.requestForPayer(day(0.999), newId)!;
      subscription.requestOpened(late);
      subscription.advance(day(1), newId);
      const before = charges(subscription);

      subscription.requestEnded(late, outcome, windowAfter(day(0.999)));

      expect(before).toEqual(['2027-01-31 open', '2027-02-01 open']);
      expect(charges(subscription)).toEqual([`2027-01-31 ${becomes}`, '2027-02-01 open']);
      expect(status(subscription)).toBe(then);
    },
  );

  it('keeps the times of the first unpaid try and the first payment, and counts no request of the payer as a try', () => {
    const charge = Charge.due({ id: newId(), number: 0, dueAt: START, closesAt: day(28) });
    const ends = (outcome: RequestOutcome, at: Date, plan: 'planTry' | 'planForPayer') => {
      const id = newId<PaymentRequestId>();
      charge[plan](id, at);
      charge.requestEnded(id, outcome, windowAfter(at));
    };
    ends('unpaid', START, 'planTry');
    ends('unpaid', day(0.5), 'planForPayer');
    ends('unpaid', day(1), 'planTry');
    ends('paid', day(2), 'planForPayer');
    ends('paid', day(2.5), 'planForPayer');

    const { missedAt, paidAt, countedTries } = charge.snapshot;
    expect({ missedAt, paidAt, countedTries }).toEqual({
      missedAt: windowAfter(START),
      paidAt: windowAfter(day(2)),
      countedTries: 2,
    });
  });

  it('is opened only for the latest due date after an outage', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(day(5), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-05 open']);
    expect(subscription.snapshot.next).toEqual({ number: 6, at: day(6) });
  });

  it('is tried once after an outage that lasted over several tries', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));

    subscription.advance(day(4), newId);
    end(subscription, 'unpaid', windowAfter(day(4)));

    expect(subscription.nextStepAt).toEqual(day(7));
  });
});

describe('A series of three charges that stay unpaid through all tries', () => {
  it('revokes the subscription', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));

    missUntil(subscription, day(30));

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
      const subscription = accepted({ interval: 'P1D' });
      end(subscription, 'unpaid', windowAfter(START));
      missUntil(subscription, day(1.5));
      subscription.advance(day(2), newId);
      const third = inFlight(subscription);
      subscription.requestOpened(third);
      subscription.advance(day(3), newId);
      if (next === 'paid') end(subscription, 'paid', windowAfter(day(3)));

      subscription.requestEnded(third, 'unpaid', windowAfter(day(3)));

      expect(status(subscription)).toBe(then);
      expect(charges(subscription)).toHaveLength(4);
    },
  );

  it('does not revoke the subscription while a request for one of them is open', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));
    missUntil(subscription, day(1.5));
    const late = subscription.requestForPayer(day(1.999), newId)!;
    subscription.requestOpened(late);
    subscription.advance(day(2), newId);
    end(subscription, 'unpaid', windowAfter(day(2)));
    expect(status(subscription)).toBe('past_due');

    subscription.requestEnded(late, 'unpaid', windowAfter(windowAfter(day(2))));

    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription if another charge between them is paid', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));
    missUntil(subscription, day(1.5));
    subscription.advance(day(2), newId);
    end(subscription, 'paid', windowAfter(day(2)));

    missUntil(subscription, day(4.5));

    expect(status(subscription)).toBe('past_due');
    missUntil(subscription, day(5.5));
    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription if an outage prevented a try', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));
    subscription.advance(day(8), newId);
    end(subscription, 'unpaid', windowAfter(day(8)));

    missUntil(subscription, day(75));

    expect(status(subscription)).toBe('past_due');
  });
});

describe('The end of a subscription', () => {
  it('completes the subscription after the last charge is paid', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1.5) });
    end(subscription, 'paid', windowAfter(START));
    subscription.advance(day(1), newId);
    end(subscription, 'paid', windowAfter(day(1)));

    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toEqual(day(1.5));
    subscription.advance(day(1.5), newId);

    expect(status(subscription)).toBe('completed');
    expect(subscription.nextStepAt).toBeNull();
  });

  it('charges nothing on its own date', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1) });
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(day(1), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
    expect(status(subscription)).toBe('completed');
  });

  it('waits for a charge that is open', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1.001) });
    end(subscription, 'paid', windowAfter(START));
    subscription.advance(day(1), newId);
    subscription.advance(day(1.001), newId);

    expect(status(subscription)).toBe('active');
    expect(subscription.nextStepAt).toBeNull();
    end(subscription, 'paid', windowAfter(day(1)));
    expect(status(subscription)).toBe('completed');
  });

  it('waits for the charge of the last due date, even if an earlier payment is read late after an outage', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1.5) });

    end(subscription, 'paid', day(1.6));
    subscription.advance(day(1.6), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 open']);
    expect(status(subscription)).toBe('active');
  });

  it('leaves the last charge payable until what would be the next due date, then revokes the subscription', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(0.5) });
    end(subscription, 'unpaid', windowAfter(START));
    subscription.advance(day(0.5), newId);

    expect(status(subscription)).toBe('past_due');
    expect(subscription.requestForPayer(day(0.9), newId)).not.toBeNull();
    end(subscription, 'unpaid', day(0.95));
    subscription.advance(day(1), newId);

    expect(status(subscription)).toBe('revoked');
  });

  it('does not revoke the subscription while a request for the last charge is open', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(0.5) });
    end(subscription, 'unpaid', windowAfter(START));
    const late = subscription.requestForPayer(day(0.999), newId)!;
    subscription.requestOpened(late);
    subscription.advance(day(1), newId);
    expect(status(subscription)).toBe('past_due');

    subscription.requestEnded(late, 'paid', windowAfter(day(0.999)));

    expect(status(subscription)).toBe('completed');
  });

  it('prevents charges for later due dates, even if an outage lasts beyond it', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1.5) });
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(day(2.5), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 unpaid']);
  });
});

describe('A revocation', () => {
  it('stops all charges, but an open request can still be paid', () => {
    const subscription = accepted();
    const open = inFlight(subscription);
    subscription.requestOpened(open);

    subscription.revoke('payer', day(0.001));
    subscription.requestEnded(open, 'paid', windowAfter(START));

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
    expect(subscription.snapshot).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toBeNull();
    expect(subscription.requestForPayer(day(40), newId)).toBeNull();
  });

  it('drops a planned request, but records a payment if it was opened anyway', () => {
    const subscription = accepted();
    const planned = inFlight(subscription);
    subscription.revoke('merchant', START);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid']);

    subscription.requestOpened(planned);
    subscription.requestEnded(planned, 'paid', windowAfter(START));

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
  });

  it('is allowed only for the wallet that has accepted the subscription', () => {
    expect(() => accepted().revokeByWallet(wallet('wallet-2'), START)).toThrow('has not accepted');
    expect(() => offer().revokeByWallet(wallet(), START)).toThrow('has not accepted');
  });

  it('changes nothing after the end of the subscription', () => {
    const subscription = offer();
    subscription.advance(day(1), newId);
    subscription.pullEvents();

    subscription.revoke('merchant', day(2));

    expect(status(subscription)).toBe('expired');
    expect(subscription.pullEvents()).toEqual([]);
  });
});
