import { describe, expect, it } from '@jest/globals';
import type { FetchedBlock } from '#contexts/networks/contract/chain-reader.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { transfer } from '#contexts/payments/testing/requests/payment-request-builder.js';
import type { IncomingTransfers } from './reading/match-incoming-transfers.js';
import type { RecordedPayout } from '../domain/recorded-payouts.js';
import { limitedToOneIteration } from './iteration-limits.js';

const [one, other] = ['one', 'other'] as PaymentRequestId[];
const blocks = [4, 5, 6].map((number) => ({ header: { number } })) as FetchedBlock[];
const transfersInBlock = (count: number, block: number) =>
  Array.from({ length: count }, (_, index) => transfer(1n, block, index));
const paidOut = { transactionHash: '0x', logIndex: 0 } as RecordedPayout;

function limitBlocks(
  arrived: ReadonlyMap<PaymentRequestId, ReturnType<typeof transfersInBlock>>,
  most: number,
) {
  const payouts = [4, 5, 6].map((blockNumber) => ({ ...paidOut, blockNumber }));
  const turn = limitedToOneIteration(
    blocks,
    { byRequest: arrived as IncomingTransfers['byRequest'], payouts },
    most,
  );
  return {
    blocks: turn.blocks.map(({ header }) => header.number),
    arrived: [...turn.incoming.byRequest].map(([id, list]) => [id, list.length]),
    payouts: turn.incoming.payouts.map(({ blockNumber }) => blockNumber),
  };
}

describe('The range of blocks of one iteration', () => {
  it('contains at least one block, and more as long as their transfers and payouts fit', () => {
    const all = new Map([
      [one!, [...transfersInBlock(2, 4), ...transfersInBlock(2, 5), ...transfersInBlock(2, 6)]],
      [other!, [...transfersInBlock(1, 5), ...transfersInBlock(2, 6)]],
    ]);

    expect([12, 11, 1].map((most) => limitBlocks(all, most))).toEqual([
      {
        blocks: [4, 5, 6],
        arrived: [
          ['one', 6],
          ['other', 3],
        ],
        payouts: [4, 5, 6],
      },
      {
        blocks: [4, 5],
        arrived: [
          ['one', 4],
          ['other', 1],
        ],
        payouts: [4, 5],
      },
      { blocks: [4], arrived: [['one', 2]], payouts: [4] },
    ]);
  });
});
