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

describe('A request with several selections', () => {
  it('is completed if one selection is paid in full, whatever was received before in another asset', () => {
    const request = chosenRequest(euros, dollars);
    request.recordTransfers([transferTo(euros, 1n, 3)], now);
    const dusty = stateOf(request);

    request.recordTransfers([transferTo(dollars, 100n, 4)], now);
    const paid = stateOf(request);
    request.evaluate(finalTo(4), later);

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

  it('selects the asset with the largest share of its amount', () => {
    const request = chosenRequest(dollars, others);
    request.recordTransfers([transferTo(dollars, 40n, 3)], now);
    const first = stateOf(request);
    request.pullEvents();

    request.recordTransfers([transferTo(others, 30n, 4)], now);

    expect([first, stateOf(request)]).toEqual([
      ['processing', dollars.uniqueAssetId, 40n],
      ['processing', others.uniqueAssetId, 30n],
    ]);
    expect(request.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.asset_selected', expect.objectContaining({ amount: '60' })],
      ['payment_request.received_changed', { receivedAmount: '30' }],
    ]);
  });

  it('keeps the selected asset if two shares are equal', () => {
    const request = chosenRequest(dollars, euros);

    request.recordTransfers([transferTo(dollars, 50n, 3), transferTo(euros, 40n, 3)], now);

    expect(stateOf(request)).toEqual(['processing', euros.uniqueAssetId, 40n]);
  });

  it.each([
    ['the earlier block', [transferTo(euros, 80n, 5), transferTo(dollars, 100n, 4)], 'dollars'],
    ['the larger share in one block', [transferTo(euros, 80n, 4), transferTo(dollars, 101n, 4)], 'dollars'],
    [
      'the earlier block on two networks',
      [transferTo(others, 60n, 3), transferTo(dollars, 100n, 4)],
      'others',
    ],
    [
      'the larger share in blocks of one time on two networks',
      [transferTo(others, 61n, 4), transferTo(dollars, 100n, 4)],
      'others',
    ],
  ])('decides between several full payments: %s', (_which, arrived, winner) => {
    const request = chosenRequest(dollars, euros, others);
    request.recordTransfers(arrived, now);

    request.evaluate(finalTo(6), later);

    const expected = winner === 'dollars' ? dollars : others;
    expect(request.snapshot().selected!.uniqueAssetId).toBe(expected.uniqueAssetId);
    expect(countedOf(request).filter(([, counted]) => counted)).toHaveLength(1);
  });

  it('decides by the largest share after the deadline of all networks', () => {
    const request = chosenRequest(dollars, others);
    request.recordTransfers([transferTo(dollars, 49n, 3), transferTo(others, 30n, LAST_OTHER_BLOCK)], now);

    request.evaluate(readOn({ [NETWORK]: LAST_OTHER_BLOCK + 1, [OTHER_NETWORK]: LAST_OTHER_BLOCK }), later);
    const waiting = request.snapshot().status;
    request.evaluate(pastAll, later);

    expect(waiting).toBe('processing');
    expect(stateOf(request)).toEqual(['underpaid', others.uniqueAssetId, 30n]);
  });

  it.each([
    ['in full', [transferTo(dollars, 100n, 4), transferTo(euros, 5n, 4, 1)], 'completed'],
    ['in part', [transferTo(dollars, 40n, 4), transferTo(euros, 5n, 5)], 'underpaid'],
  ])('names the last transfer in the asset that is paid %s', (_, arrived, status) => {
    const request = chosenRequest(euros, dollars);
    request.recordTransfers(arrived, now);
    request.pullEvents();

    request.evaluate(pastAll, later);

    expect(request.snapshot().status).toBe(status);
    const [, confirmed] = request.pullEvents();
    expect(confirmed!.data).toMatchObject({ transactionHash: arrived[0]!.transactionHash });
  });

  it('ignores sums below the minimum in each asset: no status, no event, no outcome', () => {
    const request = chosenRequest(euros, dollars);
    request.recordTransfers([transferTo(euros, 4n, 3), transferTo(dollars, 4n, 3)], now);
    const open = stateOf(request);
    const events = request.pullEvents();

    request.evaluate(readOn({ [NETWORK]: [LAST_BLOCK + 1, 2], [OTHER_NETWORK]: [LAST_BLOCK + 1, 2] }), later);

    expect([open, events]).toEqual([['created', dollars.uniqueAssetId, 0n], []]);
    expect(stateOf(request)).toEqual(['expired', dollars.uniqueAssetId, 0n]);
    expect(countedOf(request)).toEqual([
      [4n, false],
      [4n, false],
    ]);
  });

  it('counts a sum once it reaches the minimum, and stops when a reorganization takes it below', () => {
    const request = chosenRequest(euros, dollars);
    request.recordTransfers([transferTo(dollars, 4n, 3)], now);
    request.recordTransfers([transferTo(dollars, 1n, 4)], now);
    const reached = stateOf(request);

    request.removeLostTransfers(request.snapshot().transfers.slice(1), now);
    const below = stateOf(request);
    request.evaluate(pastAll, later);

    expect([reached, below]).toEqual([
      ['processing', dollars.uniqueAssetId, 5n],
      ['processing', dollars.uniqueAssetId, 0n],
    ]);
    expect(stateOf(request)).toEqual(['expired', dollars.uniqueAssetId, 0n]);
  });

  it('allows the merchant to end it if it received only dust', () => {
    const request = chosenRequest(dollars);
    request.recordTransfers([transferTo(dollars, 4n, 3)], now);

    request.expireNow(timeOf(4));

    expect(request.snapshot().expiresAt).toEqual(timeOf(4));
  });

  it('counts the full requested amount even if it is below the minimum', () => {
    const request = openRequest(3n, undefined, 5n);
    request.recordTransfers([transfer(3n, 3)], now);

    request.evaluate(finalTo(3), later);

    expect(request.snapshot().status).toBe('completed');
  });

  it('subtracts transfers that a reorganization removed, even final ones', () => {
    const request = chosenRequest(euros, dollars);
    request.recordTransfers([transferTo(euros, 30n, 3), transferTo(dollars, 90n, 5)], now);
    request.evaluate(finalTo(6), later);

    request.removeLostTransfers(request.snapshot().transfers.slice(1), now);
    const shown = stateOf(request);
    request.recordTransfers([transferTo(dollars, 100n, 5)], now);
    request.evaluate(finalTo(6), later);

    expect(shown).toEqual(['processing', euros.uniqueAssetId, 30n]);
    expect(stateOf(request)).toEqual(['completed', dollars.uniqueAssetId, 100n]);
  });
});

describe('The selection of an asset after a transfer', () => {
  it.each([
    ['possible', 4n, null],
    ['rejected', 5n, 'A payment has already been detected'],
  ])('depends on whether the minimum of 5 smallest units is reached: %s after %s', (_, amount, refused) => {
    const request = chosenRequest(dollars);
    request.recordTransfers([transferTo(dollars, amount, 3)], now);

    const choose = () => request.select(euros, timeOf(4));

    if (refused !== null) expect(choose).toThrow(refused);
    else {
      expect(choose).not.toThrow();
      expect(stateOf(request)).toEqual(['created', euros.uniqueAssetId, 0n]);
    }
  });
});
