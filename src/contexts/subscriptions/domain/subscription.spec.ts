import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
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
import type { Subscription } from './subscription.js';

const status = ({ snapshot }: Subscription) => snapshot.status;
const charges = ({ chargesByNumber }: Subscription) =>
  chargesByNumber.map(({ snapshot }) => `${snapshot.dueAt.toISOString().slice(0, 10)} ${snapshot.status}`);
const statuses = (subscription: Subscription) => subscription.pullEvents().map(({ data }) => data.status);

describe('Accepting a subscription', () => {
  it('opens the first charge at once, and names the date after it', () => {
    const subscription = accepted();

    expect(charges(subscription)).toEqual(['2027-01-31 open']);
    expect(inFlight(subscription)).toBeDefined();
    expect(subscription.snapshot.next).toEqual({ number: 1, at: new Date('2027-02-28T10:00:00Z') });
    expect(statuses(subscription)).toEqual(['pending', 'active']);
  });

  it('charges first at the end of a trial', () => {
    const subscription = accepted({ trialUntil: day(14) });

    expect(charges(subscription)).toEqual([]);
    expect(subscription.snapshot.next?.at).toEqual(day(14));
    subscription.advance(day(14), newId);
    expect(charges(subscription)).toEqual(['2027-02-14 open']);
  });

  it('charges at once where the trial has ended before', () => {
    const subscription = offer({ trialUntil: new Date(START.getTime() + 60_000), offeredUntil: day(2) });

    subscription.accept(wallet(), day(1), newId);

    expect(charges(subscription)).toEqual(['2027-02-01 open']);
  });

  it('again by the same wallet changes nothing', () => {
    const subscription = offer();
    const payer = wallet();
    subscription.accept(payer, START, newId);
    subscription.pullEvents();
    const before = subscription.snapshot;

    subscription.accept(payer, day(5), newId);

    expect(subscription.snapshot).toBe(before);
    expect(subscription.pullEvents()).toEqual([]);
  });

  it('is refused to another wallet', () => {
    expect(() => accepted().accept(wallet('wallet-2'), START, newId)).toThrow('Another wallet');
  });

  it('is refused from the end of the offer on, also before that was noticed', () => {
    expect(() => offer({ offeredUntil: day(1) }).accept(wallet(), day(1), newId)).toThrow('has expired');
  });

  it('is refused once the merchant has revoked', () => {
    const subscription = offer();
    subscription.revoke('merchant', START);

    expect(() => subscription.accept(wallet(), START, newId)).toThrow('was revoked');
  });
});

describe('An offer', () => {
  it('expires where no wallet has accepted it in time', () => {
    const subscription = offer({ offeredUntil: day(1), trialUntil: day(3) });

    subscription.advance(day(1), newId);

    expect(status(subscription)).toBe('expired');
    expect(subscription.snapshot.next).toBeUndefined();
    expect(subscription.nextStepAt).toBeNull();
  });
});

describe('A charge', () => {
  it('is paid by its request, and the next one is opened on the next due date', () => {
    const subscription = accepted();
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(subscription.snapshot.next!.at, newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-28 open']);
    expect(subscription.snapshot.next?.at).toEqual(new Date('2027-03-31T10:00:00Z'));
    expect(status(subscription)).toBe('active');
  });

  it('that is unpaid makes it past due, is tried again on days 1, 3 and 7, and is then left', () => {
    const subscription = accepted();
    const tries: (Date | null)[] = [];
    for (let n = 0; n < 4; n += 1) {
      end(subscription, 'unpaid', windowAfter(subscription.nextStepAt ?? START));
      tries.push(subscription.nextStepAt);
      subscription.advance(subscription.nextStepAt!, newId);
    }

    expect(status(subscription)).toBe('past_due');
    expect(tries).toEqual([day(1), day(3), day(7), new Date('2027-02-28T10:00:00Z')]);
  });

  it('that is paid by a retry makes it active again', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));
    subscription.advance(day(1), newId);

    end(subscription, 'paid', windowAfter(day(1)));

    expect(status(subscription)).toBe('active');
    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
  });

  it('is not tried again on or after the next due date', () => {
    const subscription = accepted({ interval: 'P1W' });
    missUntil(subscription, day(6));

    expect(subscription.nextStepAt).toEqual(day(7));
    subscription.advance(day(7), newId);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid', '2027-02-07 open']);
  });

  it('whose request did not stand open for its whole window is tried again at once, and not missed', () => {
    const subscription = accepted();
    const first = inFlight(subscription);

    end(subscription, 'failed', windowAfter(START));
    subscription.advance(windowAfter(START), newId);

    expect(status(subscription)).toBe('active');
    expect(inFlight(subscription)).not.toBe(first);
    end(subscription, 'unpaid', windowAfter(windowAfter(START)));
    expect(subscription.nextStepAt).toEqual(day(1));
  });

  it('whose request ends early is not missed by it', () => {
    const subscription = accepted();
    subscription.windowCut(inFlight(subscription));

    end(subscription, 'unpaid', windowAfter(START));

    expect(status(subscription)).toBe('active');
  });

  it('can be paid between two tries, where the payer asks', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));

    const asked = subscription.requestForPayer(day(0.5), newId);

    expect(subscription.requestForPayer(day(0.5), newId)).toBe(asked);
    end(subscription, 'paid', day(0.6));
    expect(status(subscription)).toBe('active');
    expect(subscription.requestForPayer(day(0.7), newId)).toBeNull();
  });

  it('of the previous date is paid by a request that is still open', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));
    const late = subscription.requestForPayer(day(0.999), newId)!;
    subscription.requestOpened(late);
    subscription.advance(day(1), newId);

    subscription.requestEnded(late, 'paid', windowAfter(day(0.999)));

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 open']);
    expect(status(subscription)).toBe('active');
  });

  it('is opened for the latest due date alone after an outage', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'paid', windowAfter(START));

    subscription.advance(day(5.5), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-05 open']);
    expect(subscription.snapshot.next).toEqual({ number: 6, at: day(6) });
  });

  it('is tried once for several tries that an outage has missed', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));

    subscription.advance(day(4), newId);
    end(subscription, 'unpaid', windowAfter(day(4)));

    expect(subscription.nextStepAt).toEqual(day(7));
  });
});

describe('Three charges in a row, unpaid through all their tries,', () => {
  it('revoke the subscription', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));

    missUntil(subscription, day(30));

    expect(charges(subscription)).toEqual(['2027-01-31 unpaid', '2027-02-01 unpaid', '2027-02-02 unpaid']);
    expect(statuses(subscription)).toEqual(['pending', 'active', 'past_due', 'revoked']);
    expect(subscription.snapshot.revokedBy).toBe('unpaid');
  });

  it('revoke it also where the next one was opened before the end of the third was heard of', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));
    missUntil(subscription, day(1.5));
    subscription.advance(day(2), newId);
    const third = inFlight(subscription);
    subscription.requestOpened(third);
    subscription.advance(day(3), newId);

    subscription.requestEnded(third, 'unpaid', day(3));

    expect(status(subscription)).toBe('revoked');
    expect(charges(subscription)).toHaveLength(4);
  });

  it('do not revoke it where the next one is paid before the end of the third is heard of', () => {
    const subscription = accepted({ interval: 'P1D' });
    end(subscription, 'unpaid', windowAfter(START));
    missUntil(subscription, day(1.5));
    subscription.advance(day(2), newId);
    const third = inFlight(subscription);
    subscription.requestOpened(third);
    subscription.advance(day(3), newId);
    end(subscription, 'paid', windowAfter(day(3)));

    subscription.requestEnded(third, 'unpaid', windowAfter(day(3)));

    expect(status(subscription)).toBe('active');
    expect(charges(subscription)).toHaveLength(4);
  });

  it('are not in a row with a paid one between them', () => {
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

  it('do not, where an outage has kept a try from being made', () => {
    const subscription = accepted();
    end(subscription, 'unpaid', windowAfter(START));
    subscription.advance(day(8), newId);
    end(subscription, 'unpaid', windowAfter(day(8)));

    missUntil(subscription, day(75));

    expect(status(subscription)).toBe('past_due');
  });
});

describe('The end of a subscription', () => {
  it('is its completion, once the last charge is paid', () => {
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

  it('waits for the last due date, where a payment is heard of first after an outage', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(1.5) });

    end(subscription, 'paid', day(1.6));
    subscription.advance(day(1.6), newId);

    expect(charges(subscription)).toEqual(['2027-01-31 paid', '2027-02-01 open']);
    expect(status(subscription)).toBe('active');
  });

  it('leaves what is owed payable until the next date would have come, and then revokes', () => {
    const subscription = accepted({ interval: 'P1D', endsAt: day(0.5) });
    end(subscription, 'unpaid', windowAfter(START));
    subscription.advance(day(0.5), newId);

    expect(status(subscription)).toBe('past_due');
    expect(subscription.requestForPayer(day(0.9), newId)).not.toBeNull();
    end(subscription, 'unpaid', day(0.95));
    subscription.advance(day(1), newId);

    expect(status(subscription)).toBe('revoked');
  });
});

describe('Revoking', () => {
  it('stops all charges; what is open runs out, and may still be paid', () => {
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

  it('drops a request that was not opened yet, and follows it if it was after all', () => {
    const subscription = accepted();
    const planned = inFlight(subscription);
    subscription.revoke('merchant', START);
    expect(charges(subscription)).toEqual(['2027-01-31 unpaid']);

    subscription.requestOpened(planned);
    subscription.requestEnded(planned, 'paid', windowAfter(START));

    expect(charges(subscription)).toEqual(['2027-01-31 paid']);
  });

  it('is allowed to the wallet that has accepted alone', () => {
    expect(() => accepted().revokeByWallet(wallet('wallet-2'), START)).toThrow('has not accepted');
    expect(() => offer().revokeByWallet(wallet(), START)).toThrow('has not accepted');
  });

  it('of an ended subscription changes nothing', () => {
    const subscription = offer();
    subscription.advance(day(1), newId);
    subscription.pullEvents();

    subscription.revoke('merchant', day(2));

    expect(status(subscription)).toBe('expired');
    expect(subscription.pullEvents()).toEqual([]);
  });
});
