import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  readOn,
  recorded,
  stateOf,
  threeSelections,
  timeOf,
  newStatuses,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';

const now = timeOf(2);
const later = timeOf(200);
const [dollars, euros, others] = threeSelections([100n, 80n, 60n]);

describe('Paying to the address of an earlier choice', () => {
  it.each([
    [59n, 'underpaid', LAST_OTHER_BLOCK + 1, LAST_BLOCK + 1],
    [60n, 'completed', 5, 1],
    [61n, 'overpaid', 5, 1],
  ])(
    'with %s of 60 makes that the asset, and it %s by its own amount and terms',
    (amount, outcome, readUpTo, other) => {
      const request = chosenRequest(others, dollars);

      request.receive([transferTo(others, amount, 4)], now);
      const seen = stateOf(request);
      const events = request.pullEvents();
      request.judge(readOn({ [NETWORK]: other, [OTHER_NETWORK]: readUpTo }), later);

      expect(seen).toEqual(['processing', others.uniqueAssetId, amount]);
      expect(events.map(({ type, data }) => [type, data])).toEqual([
        [
          'payment_request.asset_selected',
          expect.objectContaining({
            network: OTHER_NETWORK,
            uniqueAssetId: others.uniqueAssetId,
            amount: '60',
            to: others.depositAddress.address,
          }),
        ],
        ['payment_request.status_changed', expect.objectContaining({ status: 'processing' })],
      ]);
      expect(stateOf(request)).toEqual([outcome, others.uniqueAssetId, amount]);
      expect(request.pullEvents()[1]!.data).toMatchObject({
        network: OTHER_NETWORK,
        uniqueAssetId: others.uniqueAssetId,
        expectedAmount: '60',
        receivedAmount: amount.toString(),
        feeBasisPoints: 250,
        to: others.depositAddress.address.toLowerCase(),
      });
    },
  );

  it('is distinguished by the asset where two assets of one network share the address', () => {
    const request = chosenRequest(dollars, euros);

    request.receive([transferTo(dollars, 100n, 4)], now);

    expect(dollars.depositAddress.address).toBe(euros.depositAddress.address);
    expect(stateOf(request)).toEqual(['processing', dollars.uniqueAssetId, 100n]);
  });

  it.each([
    ['in an asset that was never chosen', transferTo(euros, 80n, 4)],
    ['in an asset that was shown with another address', { ...transferTo(others, 60n, 4), to: '0xelsewhere' }],
    ['on another network', { ...transferTo(others, 60n, 4), network: NETWORK }],
    ['after its own network’s grace', transferTo(dollars, 100n, LAST_BLOCK + 1)],
  ])('does not count %s', (_what, arrived) => {
    const request = chosenRequest(dollars, others);

    request.receive([arrived], now);

    expect(stateOf(request)).toEqual(['created', others.uniqueAssetId, 0n]);
    expect(request.snapshot().transfers).toEqual([recorded(arrived, false)]);
    expect(newStatuses(request)).toEqual([]);
  });

  it('counts for its own network’s grace, however short the other one is', () => {
    const request = chosenRequest(others, dollars);

    request.receive([transferTo(others, 60n, LAST_OTHER_BLOCK)], now);

    expect(stateOf(request)).toEqual(['processing', others.uniqueAssetId, 60n]);
  });

  it('counts once a reorganisation has taken everything back that was paid in another', () => {
    const request = chosenRequest(others, dollars);
    request.receive([transferTo(dollars, 100n, 3)], now);
    request.lose(request.snapshot().transfers, now);
    const emptied = stateOf(request);
    request.pullEvents();

    request.receive([transferTo(others, 60n, 4)], now);
    request.judge(readOn({ [NETWORK]: 4, [OTHER_NETWORK]: 4 }), now);

    expect(emptied).toEqual(['processing', dollars.uniqueAssetId, 0n]);
    expect(stateOf(request)).toEqual(['completed', others.uniqueAssetId, 60n]);
    expect(newStatuses(request)).toEqual(['completed', 'ledger step']);
  });

  it('tells how much has arrived where no step is taken', () => {
    const request = chosenRequest(others);
    request.receive([transferTo(others, 10n, 3)], now);
    request.pullEvents();

    request.receive([transferTo(others, 20n, 4)], now);
    request.lose(request.snapshot().transfers.slice(1), now);

    expect(request.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.received_changed', { receivedAmount: '30' }],
      ['payment_request.received_changed', { receivedAmount: '10' }],
    ]);
  });
});
