import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  readOn,
  stateOf,
  threeSelections,
  timeOf,
  newStatuses,
  openRequest,
  transfer,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';
import { PaymentRequest } from './payment-request.js';

const now = timeOf(2);
const later = timeOf(200);
const [dollars, euros, others] = threeSelections([100n, 80n, 60n]).map((selection) => ({
  ...selection,
  minimumAmount: 5n,
})) as ReturnType<typeof threeSelections>;

const finalTo = (block: number) => readOn({ [NETWORK]: block, [OTHER_NETWORK]: block });
const pastAll = finalTo(LAST_OTHER_BLOCK + 1);

function countedOf(request: PaymentRequest): [bigint, boolean][] {
  return request.snapshot().transfers.map(({ amount, counted }) => [amount, counted]);
}

describe('Sums of several selections', () => {
  it('let a full payment complete the request, whatever a stranger sent before in another asset', () => {
    const request = chosenRequest(euros, dollars);
    request.receive([transferTo(euros, 1n, 3)], now);
    const dusty = stateOf(request);

    request.receive([transferTo(dollars, 100n, 4)], now);
    const paid = stateOf(request);
    request.judge(finalTo(4), later);

    expect([dusty, paid]).toEqual([
      ['created', dollars.uniqueAssetId, 0n],
      ['processing', dollars.uniqueAssetId, 100n],
    ]);
    expect(stateOf(request)).toEqual(['completed', dollars.uniqueAssetId, 100n]);
    expect(countedOf(request)).toEqual([
      [1n, false],
      [100n, true],
    ]);
    expect(newStatuses(request)).toEqual(['processing', 'completed', 'ledger step']);
  });

  it('show the selection with the largest share in value, and what was received in it', () => {
    const request = chosenRequest(dollars, others);
    request.receive([transferTo(dollars, 40n, 3)], now);
    const first = stateOf(request);
    request.pullEvents();

    request.receive([transferTo(others, 30n, 4)], now);

    expect([first, stateOf(request)]).toEqual([
      ['processing', dollars.uniqueAssetId, 40n],
      ['processing', others.uniqueAssetId, 30n],
    ]);
    expect(request.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.asset_selected', expect.objectContaining({ amount: '60' })],
      ['payment_request.received_changed', { receivedAmount: '30' }],
    ]);
  });

  it('keep what is shown where two shares are equal', () => {
    const request = chosenRequest(dollars, euros);

    request.receive([transferTo(dollars, 50n, 3), transferTo(euros, 40n, 3)], now);

    expect(stateOf(request)).toEqual(['processing', euros.uniqueAssetId, 40n]);
  });

  it.each([
    [
      'the first one whose block is final',
      [transferTo(euros, 80n, 5), transferTo(dollars, 100n, 4)],
      'dollars',
    ],
    [
      'of two in one block the larger share',
      [transferTo(euros, 80n, 4), transferTo(dollars, 101n, 4)],
      'dollars',
    ],
    [
      'of two equal ones in one block the one chosen first',
      [transferTo(euros, 80n, 4), transferTo(dollars, 100n, 4)],
      'dollars',
    ],
    [
      'of two networks the one whose block is earlier',
      [transferTo(others, 60n, 3), transferTo(dollars, 100n, 4)],
      'others',
    ],
    [
      'of two networks with blocks of one time the larger share',
      [transferTo(others, 61n, 4), transferTo(dollars, 100n, 4)],
      'others',
    ],
  ])('that are full decide the request by %s', (_which, arrived, winner) => {
    const request = chosenRequest(dollars, euros, others);
    request.receive(arrived, now);

    request.judge(finalTo(6), later);

    const expected = winner === 'dollars' ? dollars : others;
    expect(request.snapshot().selected!.uniqueAssetId).toBe(expected.uniqueAssetId);
    expect(countedOf(request).filter(([, counted]) => counted)).toHaveLength(1);
  });

  it('leave it to a smaller part that becomes full later, before the deadline', () => {
    const request = chosenRequest(dollars, euros);
    request.receive([transferTo(dollars, 99n, 3), transferTo(euros, 20n, 3)], now);
    request.judge(finalTo(4), later);

    request.receive([transferTo(euros, 60n, 6)], now);
    request.judge(finalTo(6), later);

    expect(stateOf(request)).toEqual(['completed', euros.uniqueAssetId, 80n]);
  });

  it('let the largest share decide at the deadline of all networks, by its own amount', () => {
    const request = chosenRequest(dollars, others);
    request.receive([transferTo(dollars, 49n, 3), transferTo(others, 30n, LAST_OTHER_BLOCK)], now);

    request.judge(readOn({ [NETWORK]: LAST_OTHER_BLOCK + 1, [OTHER_NETWORK]: LAST_OTHER_BLOCK }), later);
    const waiting = request.snapshot().status;
    request.judge(pastAll, later);

    expect(waiting).toBe('processing');
    expect(stateOf(request)).toEqual(['underpaid', others.uniqueAssetId, 30n]);
  });

  it.each([
    ['transfers', [4n], [[4n, false]]],
    [
      'transfers in several assets',
      [4n, 4n],
      [
        [4n, false],
        [4n, false],
      ],
    ],
  ])(
    'are nothing while %s stay below the minimum: no status, no event, no outcome',
    (_what, amounts, left) => {
      const request = chosenRequest(euros, dollars);
      request.receive(
        amounts.map((amount, i) => transferTo([euros, dollars][i]!, amount, 3)),
        now,
      );
      const open = stateOf(request);
      const events = request.pullEvents();

      request.judge(readOn({ [NETWORK]: [LAST_BLOCK + 1, 2], [OTHER_NETWORK]: [LAST_BLOCK + 1, 2] }), later);

      expect([open, events]).toEqual([['created', dollars.uniqueAssetId, 0n], []]);
      expect(stateOf(request)).toEqual(['expired', dollars.uniqueAssetId, 0n]);
      expect(countedOf(request)).toEqual(left);
    },
  );

  it('count from the beginning once they reach the minimum, and stop when a reorganisation takes them below it', () => {
    const request = chosenRequest(euros, dollars);
    request.receive([transferTo(dollars, 4n, 3)], now);
    request.receive([transferTo(dollars, 1n, 4)], now);
    const reached = stateOf(request);

    request.lose(request.snapshot().transfers.slice(1), now);
    const below = stateOf(request);
    request.judge(pastAll, later);

    expect([reached, below]).toEqual([
      ['processing', dollars.uniqueAssetId, 5n],
      ['processing', dollars.uniqueAssetId, 0n],
    ]);
    expect(stateOf(request)).toEqual(['expired', dollars.uniqueAssetId, 0n]);
  });

  it('end a request without a payment that was stored when a sum below the minimum was one', () => {
    const request = chosenRequest(euros, dollars);
    request.receive([transferTo(dollars, 4n, 3)], now);
    const stored = PaymentRequest.restore({
      ...request.snapshot(),
      status: 'processing',
      receivedAmount: 4n,
    });

    stored.judge(pastAll, later);

    expect(stateOf(stored)).toEqual(['expired', dollars.uniqueAssetId, 0n]);
    expect(stored.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.received_changed', { receivedAmount: '0' }],
      ['payment_request.status_changed', expect.objectContaining({ status: 'expired' })],
      ['payment_request.deposit_received', expect.anything()],
    ]);
  });

  it('leave a request that only dust came to for its merchant to end', () => {
    const request = chosenRequest(dollars);
    request.receive([transferTo(dollars, 4n, 3)], now);

    request.expireNow(timeOf(4));

    expect(request.snapshot().expiresAt).toEqual(timeOf(4));
  });

  it('are a payment if they are all that was requested, even below the minimum', () => {
    const request = openRequest(3n, undefined, 5n);
    request.receive([transfer(3n, 3)], now);

    request.judge(finalTo(3), later);

    expect(request.snapshot().status).toBe('completed');
  });

  it('count many transfers below the minimum that together pay in full', () => {
    const request = chosenRequest(euros, dollars);
    for (let block = 3; block < 23; block += 1) request.receive([transferTo(euros, 4n, block)], now);

    request.judge(finalTo(LAST_BLOCK), later);

    expect(stateOf(request)).toEqual(['completed', euros.uniqueAssetId, 80n]);
  });

  it('are one unit too much where one unit too much came', () => {
    const request = chosenRequest(euros, dollars);
    request.receive([transferTo(dollars, 1n, 4), transferTo(dollars, 100n, 4, 1)], now);

    request.judge(finalTo(4), later);

    expect(stateOf(request)).toEqual(['overpaid', dollars.uniqueAssetId, 101n]);
  });

  it('take off what a reorganisation takes away, also beyond what was final', () => {
    const request = chosenRequest(euros, dollars);
    request.receive([transferTo(euros, 30n, 3), transferTo(dollars, 90n, 5)], now);
    request.judge(finalTo(6), later);

    request.lose(request.snapshot().transfers.slice(1), now);
    const shown = stateOf(request);
    request.receive([transferTo(dollars, 100n, 5)], now);
    request.judge(finalTo(6), later);

    expect(shown).toEqual(['processing', euros.uniqueAssetId, 30n]);
    expect(stateOf(request)).toEqual(['completed', dollars.uniqueAssetId, 100n]);
  });
});

describe('The choice of an asset', () => {
  it.each([
    ['open', 'less than the least payment of the asset', 4n, null],
    ['settled', 'the least payment', 5n, 'A payment has already been detected'],
  ])('is left %s by %s', (_what, _amount, amount, refused) => {
    const request = chosenRequest(dollars);
    request.receive([transferTo(dollars, amount, 3)], now);

    const choose = () => request.select(euros, timeOf(4));

    if (refused !== null) expect(choose).toThrow(refused);
    else {
      expect(choose).not.toThrow();
      expect(stateOf(request)).toEqual(['created', euros.uniqueAssetId, 0n]);
    }
  });
});
