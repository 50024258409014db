import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Hex, encodeFunctionData } from 'viem';
import { AdvanceOutboundTransaction } from '#contexts/networks/application/outbound/advance-outbound-transaction.js';
import { SendOutboundTransaction } from '#contexts/networks/application/outbound/send-outbound-transaction.js';
import { SenderHolds } from '#contexts/networks/application/outbound/sender-holds.js';
import { VerifyCallBeforeSigning } from '#contexts/networks/application/outbound/verify-call-before-signing.js';
import { CancelOutboundTransaction } from '#contexts/networks/application/outbound/cancel-outbound-transaction.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { PostgresOutboundTransactions } from '#contexts/networks/infrastructure/persistence/postgres-outbound-transactions.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { toBase58, readTronAddress } from '#sandbox/tron/tron-address.js';
import type { BroadcastCode } from '#sandbox/tron/transaction-checks.js';
import { DeployFactory } from '#contexts/networks/application/outbound/deploy-factory.js';
import { newId } from '#shared/kernel/ids.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { startTestTron, type TestTron } from '#test/support/tron-network.js';
import { senderKeysFrom } from '../../held-keys.js';
import { tronLayer } from '../testing/tron-layer.js';
import { TronSenderKey } from './tron-sender-key.js';

const PLENTY_SUN = 1_000_000_000_000;
/** Blocks until a transaction signed now has expired and the proof of it is solid. */
const UNTIL_EXPIRED = 65;
const UNTIL_SOLID = 20;

let tron: TestTron;
let platform: TestPlatform;

beforeAll(async () => {
  [tron, platform] = await Promise.all([startTestTron(), openTestDatabase()]);
  await mine(UNTIL_SOLID);
});
afterAll(async () => {
  await tron?.stop();
  await platform?.close('any');
});
beforeEach(() => {
  for (const key of Object.keys(tron.facade.faults))
    delete (tron.facade.faults as Record<string, unknown>)[key];
  tron.facade.chain.penaltyPercent = 0;
});

async function mine(blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i += 1) await tron.facade.chain.mine();
}

/** A process with a gas key of its own, whose calls to the token pass as settlements to the factory. */
async function open({
  privateKey = newKey(),
  sun = PLENTY_SUN,
  factory = toBase58(tron.token) as string | null,
} = {}) {
  const { address } = new TronSenderKey(privateKey);
  await tron.facade.chain.anvil.setBalance(readTronAddress(address)!, sun);
  const layer = tronLayer({
    rpc_urls: [tron.facade.url],
    single_endpoint: 'accepted',
    // The calls of these tests mint tokens, which shows how often they were executed.
    ...(factory === null ? { factory: undefined } : { factory }),
    create2_prefix: '0xff',
    assets: [
      { token: toBase58(tron.token), symbol: 'USDT', name: 'Test', decimals: 6, minimum_amount: '0.01' },
    ],
  });
  const { configuration, sending: chain } = layer;
  const settings = new NetworksSettings([configuration], undefined, { kind: 'private_key', privateKey });
  const { database, clock } = platform;
  const keys = senderKeysFrom(settings);
  const sendings = new PostgresOutboundTransactions(database);
  const holds = new SenderHolds(sendings, chain);
  const chains = new SameChain({ transferPlanning: layer.transferPlanning! });
  const verify = new VerifyCallBeforeSigning(chain, chains, {} as never, null, {} as never);
  const advance = new AdvanceOutboundTransaction(sendings, chain, keys, clock, verify, holds);
  const sender = new SendOutboundTransaction(sendings, chain, keys, holds, verify);
  const cancel = new CancelOutboundTransaction(sendings, chain, keys, advance);
  const network = configuration.network;
  const deploy = new DeployFactory(sender, sendings, advance, chain, keys);
  const recipient: Hex = `0x${newKey().slice(-40)}`;
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [recipient, 1n] });
  return {
    ...{ privateKey, address, network, sendings, sender, chain },
    order: async (gasLimit = 100_000n) => {
      const id = newId<string>();
      const call = { to: toBase58(tron.token), data, value: 0n, gasLimit };
      await sender.send({ id, network, key: 'gas', purpose: 'settlement', call });
      return id;
    },
    go: async (id: string) => {
      while ((await advance.advance(id)) === 'moved');
      return (await sender.status(id))!;
    },
    step: (id: string) => advance.advance(id),
    deploy: () =>
      deploy.deploy({ network: configuration, deployment: layer.deployment, key: 'gas', send: true }),
    cancel: (id: string) => cancel.cancel({ network, sending: id, feeCeiling: null }),
    executed: () => tron.wallet.read(tron.token, TOKEN_ABI, 'balanceOf', [recipient]),
  };
}

function newKey(): string {
  return newId<string>().replaceAll('-', '').padEnd(64, '7');
}

describe('An outbound transaction on TRON', () => {
  it('is included, becomes final when its block is solid, and costs what the receipt says', async () => {
    const process = await open();
    const id = await process.order();

    expect((await process.go(id)).state).toBe('broadcast');
    await mine(1);
    expect(await process.go(id)).toMatchObject({ state: 'mined', succeeded: true, gasCost: null });
    await mine(UNTIL_SOLID);
    const final = await process.go(id);

    const before = PLENTY_SUN;
    const left = await tron.facade.chain.anvil.balance(readTronAddress(process.address)!);
    expect(final).toMatchObject({ state: 'final', succeeded: true, gasCost: BigInt(before - left) });
    expect(final.transactionHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await process.executed()).toBe(1n);
  });

  it('is signed again only after its expiration is proven, if its broadcast was lost', async () => {
    const process = await open();
    tron.facade.faults.losesBroadcasts = true;
    const id = await process.order();
    await process.go(id);
    await mine(UNTIL_EXPIRED - 10);
    await process.go(id);
    const waiting = await process.sendings.attempts(id);

    await mine(10);
    tron.facade.faults.losesBroadcasts = false;
    await process.go(id);
    const renewed = await process.sendings.attempts(id);
    await mine(1 + UNTIL_SOLID);

    expect([waiting.length, renewed.length]).toEqual([1, 2]);
    expect((await process.go(id)).state).toBe('final');
    expect(await process.executed()).toBe(1n);
  });

  it('is not signed again by a process that was away while it was included', async () => {
    const process = await open();
    const id = await process.order();
    await process.go(id);
    await mine(UNTIL_EXPIRED + UNTIL_SOLID);

    expect((await process.go(id)).state).toBe('final');
    expect(await process.sendings.attempts(id)).toHaveLength(1);
    expect(await process.executed()).toBe(1n);
  });

  it('is not signed again while an endpoint has lost the receipt of its transaction', async () => {
    const process = await open();
    const id = await process.order();
    await process.go(id);
    await mine(UNTIL_EXPIRED + UNTIL_SOLID);
    const { inclusion } = tron.facade.chain;
    tron.facade.chain.inclusion = () => undefined;
    try {
      await process.go(id);
    } finally {
      tron.facade.chain.inclusion = inclusion;
    }

    expect(await process.sendings.attempts(id)).toHaveLength(1);
    expect((await process.sender.status(id))!.state).not.toBe('final');
    expect((await process.go(id)).state).toBe('final');
  });

  it('becomes pending again after a reorganization drops it, and is executed once', async () => {
    const process = await open();
    await mine(3);
    const id = await process.order();
    await process.go(id);
    await mine(1);
    await process.go(id);
    await tron.facade.chain.reorganize(3, false);

    expect((await process.go(id)).state).toBe('broadcast');
    await mine(1 + UNTIL_SOLID);
    expect((await process.go(id)).state).toBe('final');
    expect(await process.executed()).toBe(1n);
  });

  it.each<BroadcastCode>([
    'SERVER_BUSY',
    'CONTRACT_VALIDATE_ERROR',
    'DUP_TRANSACTION_ERROR',
    'TAPOS_ERROR',
    'TRANSACTION_EXPIRATION_ERROR',
    'BANDWITH_ERROR',
    'NOT_ENOUGH_EFFECTIVE_CONNECTION',
    'OTHER_ERROR',
  ])('is executed once after a node answered its broadcasts with %s', async (code) => {
    const process = await open();
    tron.facade.faults.broadcastCode = code;
    const id = await process.order();
    const { response } = await process.go(id);
    await mine(2);
    await process.go(id);
    tron.facade.faults.broadcastCode = undefined;
    await process.go(id);
    await mine(1 + UNTIL_SOLID);

    expect(response).toContain(code);
    expect((await process.go(id)).state).toBe('final');
    expect(await process.sendings.attempts(id)).toHaveLength(1);
    expect(await process.executed()).toBe(1n);
  });

  it('ends as reverted if its energy does not suffice, and is not repeated', async () => {
    const process = await open();
    const id = await process.order(10_000n);
    await process.go(id);
    await mine(1 + UNTIL_SOLID);

    expect(await process.go(id)).toMatchObject({ state: 'reverted', succeeded: false });
    expect(await process.executed()).toBe(0n);
  });

  it('is refused without TRX for it, and accepted with delegated energy and TRX for its bytes', async () => {
    const process = await open({ sun: 2_000_000 });
    await expect(process.order()).rejects.toThrow('holds 2000000');

    tron.facade.chain.resources.setEnergyLimit(readTronAddress(process.address)!, 200_000);
    const id = await process.order();
    await process.go(id);
    await mine(1 + UNTIL_SOLID);
    expect((await process.go(id)).state).toBe('final');
  });

  it('is cancelled before it is signed, and otherwise only after it has expired', async () => {
    const process = await open();
    const [unsigned, signed] = [await process.order(), await process.order()];
    tron.facade.faults.losesBroadcasts = true;
    await process.go(signed);

    await process.cancel(unsigned);
    await expect(process.cancel(signed)).rejects.toThrow('can still be included');
    await mine(UNTIL_EXPIRED);
    await process.cancel(signed);

    for (const id of [unsigned, signed]) expect((await process.go(id)).state).toBe('cancelled');
    expect(await process.executed()).toBe(0n);
  });

  it('is executed once although every step is repeated by a second process', async () => {
    const process = await open();
    const other = await open({ privateKey: process.privateKey });
    const ids = [await process.order(), await process.order(), await process.order()];
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(ids.flatMap((id) => [process.step(id), other.step(id)]));
      await mine(round < 6 ? 1 : 4);
    }

    for (const id of ids) expect((await process.go(id)).state).toBe('final');
    expect(await process.executed()).toBe(3n);
  });
});

describe('The factory of deposit addresses on TRON', () => {
  it('is deployed by one transaction, and then derives the addresses of the service', async () => {
    const process = await open({ factory: null });
    const deploying = process.deploy();
    let isDone = false;
    void deploying.finally(() => (isDone = true)).catch(() => undefined);
    while (!isDone) {
      await mine(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { factory, outcome, transactionHash } = await deploying;

    expect({ outcome, transactionHash }).toEqual({
      outcome: 'deployed',
      transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await (await open({ factory: factory! })).deploy()).toMatchObject({
      outcome: 'already_there',
      transactionHash: null,
    });
  });

  it('is not deployed where another contract is configured', async () => {
    await expect((await open()).deploy()).rejects.toThrow('there is no forwarder factory at T');
  });
});
