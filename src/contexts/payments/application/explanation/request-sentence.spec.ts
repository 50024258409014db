import { describe, expect, it } from '@jest/globals';
import {
  ADDRESS,
  at,
  BEHIND,
  DOLLARS,
  dollars,
  FINAL,
  OTHER_DOLLARS,
  reading,
  toExplain,
  withoutChoice,
} from '../../testing/explanation/request-to-explain.js';
import type { RequestToExplain } from './explanation-view.js';
import { explainRequest } from './request-sentence.js';

const LATE = dollars(3, { counted: false, blockTime: at('12:12:20') });
const EUROS = dollars(3, { counted: false, uniqueAssetId: 'nsandbox_tEURX', currency: 'EURX' });

/** Code and sentence. */
function told(request: RequestToExplain): [string, string] {
  const { code, summary } = explainRequest(request);
  return [code, summary];
}

describe('Explaining a request that is not paid yet', () => {
  it('says that nothing was seen, and up to where that is known', () => {
    expect(told(toExplain())).toEqual([
      'unseen',
      `No payment of 10 USDX to ${ADDRESS} on sandbox was detected; sandbox was read up to block 20 (2026-01-31 12:02:00 UTC). ` +
        'Transfers in a block by 2026-01-31 12:09:00 UTC count.',
    ]);
  });

  it('says how far each network was read on which an address was shown', () => {
    const [code, summary] = told(toExplain({ networks: [reading(), reading({ toBlock: 7 }, 'polygon')] }));

    expect(code).toBe('unseen');
    expect(summary).toContain('sandbox was read up to block 20');
    expect(summary).toContain('polygon was read up to block 7');
  });

  it('says that what had been seen is gone', () => {
    const [code, summary] = told(toExplain({ status: 'processing' }));

    expect(code).toBe('unseen');
    expect(summary).toContain('The transfer seen before was in a block that the chain replaced.');
  });

  it('says where transfers are followed before their block that what is first seen in time counts, and how it can go', () => {
    const networks = [{ ...reading(), followsPending: true }];
    const [unseen, gone] = (['created', 'processing'] as const).map((status) =>
      explainRequest(toExplain({ status, networks })),
    );

    expect(unseen!.summary).toContain('Transfers first seen by 2026-01-31 12:09:00 UTC count.');
    expect(gone!.summary).toContain(
      'The transfer seen before was replaced by another transaction, expired, or was in a block that the chain replaced.',
    );
  });

  it('says how much of what was received is in no block yet', () => {
    const pending = dollars(4, { blockNumber: Infinity, confirmations: 0 });
    const transfers = [pending, dollars(6)];
    const { code, summary, facts } = explainRequest(toExplain({ status: 'processing', transfers }));

    expect([code, facts.confirmations]).toEqual(['confirming', 0]);
    expect(summary).toBe(
      '10 USDX of 10 USDX was received; 4 USDX of it in a transfer that is not in a block yet.',
    );
  });

  it('says that the network is behind rather than that nothing was sent', () => {
    expect(told(toExplain({ networks: [BEHIND] }))).toEqual([
      'network_behind',
      `No payment of 10 USDX to ${ADDRESS} on sandbox was detected yet, but sandbox is 1 hour 2 minutes behind: sandbox was ` +
        'read up to block 20 (2026-01-31 12:02:00 UTC). Payments made in the meantime are found later and count by their block time.',
    ]);
  });

  it('says that a network is not read at all', () => {
    const [code, summary] = told(toExplain({ networks: [{ network: 'sandbox', isBehind: true }] }));

    expect(code).toBe('network_behind');
    expect(summary).toContain('but sandbox is not being read');
  });

  it('says how much is missing, and until when it counts', () => {
    const { code, summary, facts } = explainRequest(
      toExplain({ status: 'processing', transfers: [dollars(4), dollars(0.5, { confirmations: 1 })] }),
    );

    expect([code, summary]).toEqual([
      'short_by',
      '4.5 USDX of 10 USDX was received, 5.5 USDX is missing; transfers in a block by 2026-01-31 12:09:00 UTC count.',
    ]);
    expect(facts).toMatchObject({ missingAmount: 5_500_000n, confirmations: 1, requiredConfirmations: 12 });
    expect(facts.excessAmount).toBeUndefined();
  });

  it('names what is missing even where the network is behind: waiting alone does not cure it', () => {
    const request = toExplain({ status: 'processing', transfers: [dollars(4)], networks: [BEHIND] });

    expect(explainRequest(request).code).toBe('short_by');
  });

  it('says how many confirmations there are, of the transfer that has the fewest', () => {
    const transfers = [dollars(4, { confirmations: 3 }), dollars(6), dollars(0.5, FINAL)];
    const { code, summary, facts } = explainRequest(toExplain({ status: 'processing', transfers }));

    expect([code, summary]).toEqual([
      'confirming',
      '10.5 USDX of 10 USDX was received and has 2 of 12 confirmations; it is final after the last one.',
    ]);
    expect(facts).toMatchObject({ excessAmount: 500_000n, confirmations: 2, requiredConfirmations: 12 });
  });

  it('says that the outcome follows where all is final', () => {
    const [code, summary] = told(toExplain({ status: 'processing', transfers: [dollars(10, FINAL)] }));

    expect(code).toBe('confirming');
    expect(summary).toContain('is final; the outcome follows shortly');
  });

  it('says that a large amount waits for a second source', () => {
    const transfers = [dollars(10, { awaitsCrossCheck: true, confirmations: 12 })];

    expect(told(toExplain({ status: 'processing', transfers }))).toEqual([
      'awaiting_agreement',
      '10 USDX of 10 USDX was received; an amount this large is final only after a second source confirms it.',
    ]);
  });

  it('says that what came inside a contract call waits for a second look at balances', () => {
    const internal = { kind: 'balance', awaitsCrossCheck: true } as const;

    expect(told(toExplain({ status: 'processing', transfers: [dollars(10, internal)] }))).toEqual([
      'awaiting_agreement',
      '10 USDX of 10 USDX was received; a transfer inside a contract call is final only after a second balance check.',
    ]);
  });

  it('says both where it waits for both', () => {
    const transfers = (['log', 'balance'] as const).map((kind) =>
      dollars(5, { kind, awaitsCrossCheck: true }),
    );

    expect(told(toExplain({ status: 'processing', transfers }))[1]).toBe(
      '10 USDX of 10 USDX was received; an amount this large is final only after a second source confirms it, and a transfer inside a contract call is final only after a second balance check.',
    );
  });

  it('says that the sources of its network disagree, and since when', () => {
    const networks = [reading({ disagreesSince: at('12:01:00') })];
    const request = toExplain({ status: 'processing', transfers: [dollars(10)], networks });

    expect(told(request)).toEqual([
      'awaiting_agreement',
      '10 USDX of 10 USDX was received, but two sources of sandbox have disagreed since 2026-01-31 12:01:00 UTC; nothing becomes final until they agree.',
    ]);
  });

  it('does not mind that another network than the one it is paid on disagrees', () => {
    const networks = [reading(), reading({ disagreesSince: at('12:01:00') }, 'polygon')];
    const request = toExplain({ status: 'processing', transfers: [dollars(10)], networks });

    expect(explainRequest(request).code).toBe('confirming');
  });

  it('says that a paid request waits for a network that is behind', () => {
    const request = toExplain({ status: 'processing', transfers: [dollars(10)], networks: [BEHIND] });

    expect(told(request)).toEqual([
      'network_behind',
      '10 USDX of 10 USDX was received, but sandbox is 1 hour 2 minutes behind: sandbox was read up to block 20 (2026-01-31 12:02:00 UTC).',
    ]);
  });

  it('says that another asset came', () => {
    expect(told(toExplain({ transfers: [EUROS], networks: [BEHIND] }))).toEqual([
      'other_asset',
      '10 USDX has not been received. 3 EURX in block 19 of sandbox is not the requested asset: 10 USDX on sandbox. It does not count. It becomes a deposit of the account once this request has ended.',
    ]);
  });

  it('says that a payment came too late, before another asset that came too', () => {
    const [code, summary] = told(toExplain({ transfers: [EUROS, LATE] }));

    expect(code).toBe('late');
    expect(summary).toContain(
      '3 USDX in block 19 of sandbox was received at 2026-01-31 12:12:20 UTC, 3 minutes 20 seconds after the deadline (2026-01-31 12:09:00 UTC).',
    );
  });

  it('names what else arrived, too', () => {
    const [, summary] = told(toExplain({ status: 'processing', transfers: [dollars(4), EUROS, LATE] }));

    expect(summary).toMatch(/ In addition, 2 transfers arrived that do not count\.$/);
  });

  it('says that the payer has not chosen an asset', () => {
    expect(told(withoutChoice())).toEqual([
      'asset_not_selected',
      'The payer has not chosen an asset yet and has until 2026-01-31 12:08:00 UTC; no address is assigned yet.',
    ]);
    expect(told(withoutChoice({ now: at('12:08:00') }))[1]).toContain('has until');
    expect(told(withoutChoice({ now: at('12:08:01') }))[1]).toContain('had until');
  });
});

describe('Explaining by the asset that was chosen', () => {
  it('lists what else could have been paid', () => {
    const request = toExplain({ offered: [DOLLARS, OTHER_DOLLARS], transfers: [EUROS] });

    expect(explainRequest(request).summary).toContain('10 USDX on sandbox, or 10 USDX on polygon');
  });
});
