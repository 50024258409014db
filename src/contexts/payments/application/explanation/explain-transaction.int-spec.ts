import { describe, expect, it } from '@jest/globals';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { FoundTransaction } from '#contexts/networks/contract/transaction-lookup.js';
import { presentTransaction } from '../../infrastructure/explanation/http/transaction-explanation.dto.js';
import { DOLLAR, NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  HASH,
  inBlock,
  withReadNetworks,
  type ExplainedWorld,
  SCAM,
  transfer,
} from '../../testing/explanation/explaining-transactions.js';
import { randomHex } from '../../testing/requests/stored-payments.js';

let world: ExplainedWorld;
withReadNetworks((furnished) => {
  world = furnished;
});

describe('Explaining a transaction that was recorded', () => {
  it('names each transfer with its request, without asking a node', async () => {
    const request = await world.stored.request(world.tenant, {
      received_amount: '4000000',
      status: 'processing',
    });
    const hash = await world.stored.transfer(request, { amount: '4000000' });

    const answer = presentTransaction(await world.told(hash));

    expect(answer).toMatchObject({
      transaction_hash: hash,
      code: 'received',
      summary: expect.stringContaining(
        `paid payment request ${request.id}: 4 USDX in block 12 of sandbox counts`,
      ),
      transfers: [
        {
          ...{
            transaction_hash: hash,
            amount: '4',
            to: addressForPeople(request.address),
            code: 'confirming',
          },
          payment_request: {
            id: request.id,
            point_of_sale_id: request.posId,
            reference_id: 'order-1042',
            status: 'processing',
            code: 'short_by',
          },
        },
      ],
      unrecorded: [],
      networks: [{ network: NETWORK, read_to_block: 20, final_block: 15 }],
    });
    expect(answer.networks[0]).not.toHaveProperty('node');
    expect(world.lookup.asked).toEqual([]);
  });

  it('names none but its own transfers', async () => {
    const [first, second] = [
      await world.stored.request(world.tenant),
      await world.stored.request(world.tenant),
    ];
    const hash = await world.stored.transfer(first);
    await world.stored.transfer(second, { transaction_hash: hash, index: 4 });
    await world.stored.transfer(second);

    const { payments, summary } = await world.told(hash);

    expect(payments.map(({ of }) => of.request.id).sort()).toEqual([first.id, second.id].sort());
    expect(summary).toBe(
      'This transaction made 2 transfers to your addresses; each is listed with its request.',
    );
  });

  it('names one that was recorded while nodes were asked', async () => {
    const request = await world.stored.request(world.tenant);
    const hash = randomHex(32);
    world.lookup.beforeAnswer = async () => {
      world.lookup.beforeAnswer = async () => undefined;
      await world.stored.transfer(request, { transaction_hash: hash });
    };

    expect((await world.told(hash)).code).toBe('received');
  });
});

describe('Explaining a transaction of which nothing was recorded', () => {
  it('tells that nobody knows it, and up to where each network was read', async () => {
    const answer = presentTransaction(await world.told());

    expect(answer).toMatchObject({
      code: 'not_ours',
      transfers: [],
      unrecorded: [],
      networks: [
        { network: NETWORK, read_to_block: 20, node: { transaction: 'unknown' } },
        { network: OTHER_NETWORK, read_to_block: 7, node: { transaction: 'unknown' } },
      ],
    });
    expect(answer.summary).toMatch(
      /^No transfer from this transaction to your addresses was found; no node of sandbox, polygon knows it; sandbox was read up to block 20 \(.*UTC\), polygon was read up to block 7 \(.*UTC\)\.$/,
    );
    expect(world.lookup.asked).toEqual([`${NETWORK} ${HASH}`, `${OTHER_NETWORK} ${HASH}`]);
  });

  it('tells which node did not answer', async () => {
    world.lookup.answers.set(OTHER_NETWORK, 'silent');

    const { code, summary, networks } = await world.told();

    expect(code).toBe('not_ours');
    expect(summary).toContain('no node of sandbox knows it; no node of polygon answered in time');
    expect(networks.map(({ node }) => node!.kind)).toEqual(['unknown', 'no_answer']);
  });

  it.each<[string, FoundTransaction, string]>([
    ['pending', inBlock(null), 'pending on sandbox and not in a block yet'],
    ['reverted', { ...inBlock(12), succeeded: false }, 'failed on sandbox and moved nothing'],
    [
      'to_nobody_here',
      inBlock(12, transfer(randomHex(20))),
      'it is in a block of sandbox, and did not pay any of your addresses',
    ],
  ])('tells that it is %s', async (code, found, words) => {
    world.lookup.answers.set(NETWORK, found);

    const answer = await world.told();

    expect(answer.code).toBe(code);
    expect(answer.summary).toContain(words);
  });

  it('tells that its block is still to be read', async () => {
    const request = await world.stored.request(world.tenant);
    world.lookup.answers.set(NETWORK, inBlock(21, transfer(request.address)));

    const answer = presentTransaction(await world.told());

    expect(answer).toMatchObject({
      code: 'not_read_yet',
      summary: expect.stringMatching(
        /^5 USDX to 0x.* is in block 21 of sandbox, and sandbox was read up to block 20/,
      ),
      unrecorded: [
        {
          ...{
            network: NETWORK,
            to: addressForPeople(request.address),
            token: addressForPeople(DOLLAR.token),
          },
          unique_asset_id: DOLLAR.uniqueAssetId,
          currency: 'USDX',
          amount: '5',
          smallest_units: '5000000',
          shown_on: [NETWORK],
          payment_request_id: request.id,
          point_of_sale_id: request.posId,
        },
      ],
    });
    expect(answer.networks[0]!.node).toEqual({ transaction: 'included', block_number: 21 });
  });

  it('tells that its block was read without it', async () => {
    const request = await world.stored.request(world.tenant);
    world.lookup.answers.set(NETWORK, inBlock(20, transfer(request.address)));

    expect((await world.told()).code).toBe('not_recorded');
  });

  it('says that its token is not collected, whatever decimals that may have', async () => {
    const request = await world.stored.request(world.tenant);
    world.lookup.answers.set(NETWORK, inBlock(20, transfer(request.address, { token: SCAM })));

    const answer = presentTransaction(await world.told());

    expect(answer).toMatchObject({
      code: 'token_not_supported',
      summary: expect.stringContaining(`5000000 smallest units of token ${SCAM}`),
      unrecorded: [{ token: addressForPeople(SCAM), smallest_units: '5000000' }],
    });
    expect(answer.unrecorded[0]!.amount).toBeUndefined();
  });

  it('says that native coin is not collected', async () => {
    const request = await world.stored.request(world.tenant);
    world.lookup.answers.set(
      NETWORK,
      inBlock(20, transfer(request.address, { kind: 'call', token: 'native' })),
    );

    const { code, summary } = await world.told();

    expect(code).toBe('token_not_supported');
    expect(summary).toContain('5000000 smallest units of the native coin');
  });

  it('tells that it was sent on another network than the address was shown for', async () => {
    const request = await world.stored.request(world.tenant);
    world.lookup.answers.set(OTHER_NETWORK, inBlock(3, transfer(request.address)));

    const { code, summary, unrecorded } = await world.told();

    expect(code).toBe('other_network');
    expect(summary).toContain(
      `was sent on polygon, but that address was shown for sandbox (payment request ${request.id})`,
    );
    expect(unrecorded).toMatchObject([{ network: OTHER_NETWORK, shownOn: [NETWORK] }]);
  });

  it('names what can still count before what cannot', async () => {
    const request = await world.stored.request(world.tenant);
    const scam = transfer(request.address, { token: SCAM });
    world.lookup.answers.set(NETWORK, inBlock(21, scam, transfer(request.address, { index: 1 })));

    const { code, unrecorded } = await world.told();

    expect([code, unrecorded.length]).toEqual(['not_read_yet', 2]);
  });
});
