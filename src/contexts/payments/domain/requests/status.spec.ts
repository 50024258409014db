import { describe, expect, it } from '@jest/globals';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import { DOLLAR, NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  offeredRequest,
  readOn,
  readTo,
  threeSelections,
  timeOf,
  newStatuses,
  transfer,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';
import { PaymentRequest } from './payment-request.js';
import { isEnded, STATUS_TRANSITIONS } from './status.js';

const now = timeOf(200);
const past = LAST_BLOCK + 1;
const bothRead = readOn({ [NETWORK]: past, [OTHER_NETWORK]: LAST_OTHER_BLOCK + 1 });

const [dollars, , others] = threeSelections([100n, 80n, 60n]);

/** A request in this status. If it has a selected asset, it has addresses on two networks. */
function requestIn(status: PaymentRequestStatus): PaymentRequest {
  const request = status === 'pending' ? offeredRequest() : chosenRequest(others, dollars);
  const ways: Record<PaymentRequestStatus, () => void> = {
    pending: () => undefined,
    created: () => undefined,
    processing: () => request.recordTransfers([transfer(40n, 3)], now),
    completed: () => (request.recordTransfers([transfer(100n, 3)], now), request.evaluate(readTo(3), now)),
    overpaid: () => (request.recordTransfers([transfer(101n, 3)], now), request.evaluate(readTo(3), now)),
    underpaid: () => (request.recordTransfers([transfer(99n, 3)], now), request.evaluate(readTo(past), now)),
    expired: () => request.evaluate(bothRead, now),
    failed: () => undefined,
  };
  ways[status]();
  if (request.snapshot().status === status) return request;
  return PaymentRequest.restore({ ...request.snapshot(), status });
}

describe('The lifecycle of a payment request', () => {
  const verbs: Record<string, (request: PaymentRequest) => void> = {
    'sees a part': (request) => request.recordTransfers([transfer(1n, 4)], now),
    'sees it all': (request) => request.recordTransfers([transfer(100n, 4)], now),
    'is read to block 4': (request) => request.evaluate(readTo(4), now),
    'is paid at an earlier address': (request) => request.recordTransfers([transferTo(others, 60n, 4)], now),
    'is read past one deadline': (request) =>
      request.evaluate(readOn({ [NETWORK]: past, [OTHER_NETWORK]: 4 }), now),
    'is read past the deadline': (request) => request.evaluate(bothRead, now),
    'is chosen for again': (request) => {
      try {
        request.select(others, timeOf(5));
      } catch (refusal) {
        expect(refusal).toMatchObject({ code: 'state_conflict' });
      }
    },
    'is looked at by the clock': (request) => request.expireUnselected(now),
    'is closed': (request) => request.closeWindow(timeOf(1)),
    fails: (request) => request.fail(now),
    'loses everything': (request) => request.removeLostTransfers(request.snapshot().transfers, now),
  };
  const statuses = Object.keys(STATUS_TRANSITIONS) as PaymentRequestStatus[];

  it.each(statuses.filter(isEnded))('does not leave the ended status %s', (status) => {
    for (const act of Object.values(verbs)) {
      const request = requestIn(status);
      request.pullEvents();

      act(request);

      expect([request.snapshot().status, newStatuses(request)]).toEqual([status, []]);
    }
  });

  it('makes exactly the transitions of the table', () => {
    const made = new Set<string>();
    for (const from of ['pending', 'created', 'processing'] as const) {
      for (const [first, second] of Object.values(verbs).flatMap((a) =>
        Object.values(verbs).map((b) => [a, b] as const),
      )) {
        const request = requestIn(from);
        first(request);
        second(request);
        const path = request
          .snapshot()
          .history.map(({ status }) => status)
          .filter((status) => status !== 'confirmed');
        path.slice(1).forEach((to, step) => made.add(`${path[step]!} → ${to}`));
      }
    }

    expect([...made].sort()).toEqual([
      'created → expired',
      'created → failed',
      'created → processing',
      'pending → created',
      'pending → expired',
      'pending → failed',
      'processing → completed',
      'processing → expired',
      'processing → failed',
      'processing → overpaid',
      'processing → underpaid',
    ]);
  });

  it('rejects a transition that is not in the table', () => {
    const request = PaymentRequest.restore({
      ...requestIn('created').snapshot(),
      status: 'pending',
      finalTransfers: [transfer(100n, 3)],
      sums: [{ uniqueAssetId: DOLLAR.uniqueAssetId, network: NETWORK, seen: 100n, final: 0n, finalTo: -1 }],
    });

    expect(() => request.evaluate(readTo(3), now)).toThrow('cannot go from pending to completed');
  });
});
