import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  readOn,
  readTo,
  threeSelections,
  timeOf,
  newStatuses,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';

const now = timeOf(2);
const later = timeOf(200);
const [dollars, , others] = threeSelections([100n, 80n, 60n]);

describe('A request with addresses on two networks', () => {
  const past = LAST_BLOCK + 1;
  const otherPast = LAST_OTHER_BLOCK + 1;

  it.each([[[dollars, others]], [[others, dollars]]])(
    'expires once both are read past the deadline and their own grace, whichever is selected',
    (selections) => {
      const request = chosenRequest(...selections);
      const after = (sandbox: number, other: number) => {
        request.judge(readOn({ [NETWORK]: [sandbox, null], [OTHER_NETWORK]: [other, null] }), later);
        return request.snapshot().status;
      };

      expect(after(past, LAST_OTHER_BLOCK)).toBe('created');
      expect(after(LAST_BLOCK, otherPast)).toBe('created');
      expect(after(past, past)).toBe('created');
      expect(after(past, otherPast)).toBe('expired');
      expect(newStatuses(request)).toEqual(['expired']);
    },
  );

  it('does not wait for a network that is no longer read', () => {
    const request = chosenRequest(others, dollars);

    request.judge(readTo(past, null), later);

    expect(request.snapshot().status).toBe('expired');
  });

  it('is not decided while the network of the selected asset is no longer read', () => {
    const request = chosenRequest(others, dollars);

    request.judge(readOn({ [OTHER_NETWORK]: otherPast }), later);

    expect(request.snapshot().status).toBe('created');
  });

  it('is underpaid once no other network can bring a larger share', () => {
    const request = chosenRequest(others, dollars);
    request.receive([transferTo(dollars, 99n, 3)], now);

    request.judge(readOn({ [NETWORK]: past, [OTHER_NETWORK]: LAST_OTHER_BLOCK }), later);
    const waiting = request.snapshot().status;
    request.judge(readOn({ [NETWORK]: past, [OTHER_NETWORK]: otherPast }), later);

    expect([waiting, request.snapshot().status]).toEqual(['processing', 'underpaid']);
  });

  it('waits for finality on both when what was seen has disappeared', () => {
    const request = chosenRequest(others, dollars);
    request.receive([transferTo(others, 60n, 3)], now);
    request.lose(request.snapshot().transfers, now);
    request.receive([transferTo(dollars, 100n, 3)], now);
    request.lose(request.snapshot().transfers, now);
    const after = (final: number | null) => {
      request.judge(readOn({ [NETWORK]: past, [OTHER_NETWORK]: [otherPast, final] }), later);
      return request.snapshot().status;
    };

    expect([after(null), after(LAST_OTHER_BLOCK), after(otherPast)]).toEqual([
      'processing',
      'processing',
      'expired',
    ]);
  });
});

describe('Closing the window of a request with several addresses', () => {
  it('tells the new end, once, and nothing where a payment was seen', () => {
    const [closed, paying] = [chosenRequest(dollars, others), chosenRequest(dollars, others)];
    paying.receive([transferTo(others, 1n, 3)], now);
    paying.pullEvents();

    for (const request of [closed, closed, paying]) request.closeWindow(timeOf(10));

    expect(closed.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.window_closed', { expiresAt: timeOf(10).toISOString() }],
    ]);
    expect(paying.pullEvents()).toEqual([]);
  });

  it('keeps the longest grace, and each network its own', () => {
    const request = chosenRequest(dollars, others);

    request.closeWindow(timeOf(10));
    request.receive([transferTo(dollars, 100n, 17)], later);
    request.receive([transferTo(others, 60n, 34)], later);

    expect(request.snapshot().countsUntil).toEqual(timeOf(34));
    expect(request.snapshot().transfers.map(({ counted }) => counted)).toEqual([false, true]);
  });
});
