import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { drawn } from '../support/drawn.js';
import { eventually } from '../support/eventually.js';
import { RpcProxy } from '../support/rpc/rpc-proxy.js';
import type { Ask, RpcAnswer, RpcCall } from '../support/rpc/rpc-wire.js';
import { startTestService, type TestService } from '../support/service.js';

/**
 * SIGKILLs a worker of the build at each step of a settlement. Refunds and payments by signature go through the same sender.
 * The long form is `npm run evidence -- sender-kills`.
 */
const LONG = process.env['EVIDENCE'] === 'long';
const TIMES = Number(process.env['TIMES'] ?? (LONG ? 20 : 1));
const PATIENT_MS = LONG ? 1_800_000 : 240_000;
const AMOUNT = 1_500_000n;
const UNTIL_FINAL = 6;
const BALANCE = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Keeps the worker waiting at a step, so that it does not depend on timing where the worker is killed. */
interface Held {
  isReached(settlement: string | null): Promise<boolean>;
  release(): Promise<void>;
}

interface Sent {
  readonly nonce: number;
  readonly input: Hex;
}

let service: TestService;
let proxy: RpcProxy;
let gasKey: Address;
let token: Address;
let worker: ServerProcess;

beforeAll(async () => {
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
  service = await startTestService({
    settings: { GAS_KEY: privateKey },
    // Without the native coin, no gas price is known, so every payment is settled immediately.
    network: (assets) => ({
      settlement: { every_seconds: 1, after_hours: 0 },
      assets: assets.filter(({ symbol }) => symbol !== 'ETH'),
    }),
    async rpcUrls(nodeUrl) {
      proxy = await RpcProxy.before(nodeUrl);
      return [proxy.url];
    },
  });
  gasKey = privateKeyToAddress(privateKey);
  token = tokenOf(service.assets[0]!.unique_asset_id);
  worker = service.processes.worker;
  await service.chain.rpc('anvil_setBalance', [gasKey, '0x56bc75e2d63100000']);
});
afterAll(async () => {
  await service?.stop();
  await proxy?.close();
});

/** Delays the response to a method, before or after the node executes it. */
function heldCall(
  method: string,
  when: 'before' | 'after',
  concerns: (call: RpcCall) => Promise<boolean> = async () => true,
): Held {
  let isHeld = false;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const answer = async (call: RpcCall, ask: Ask): Promise<RpcAnswer> => {
    if (!(await concerns(call))) return ask(call);
    const good = when === 'after' ? await ask(call) : null;
    isHeld = true;
    await ended;
    return good ?? { error: { code: -32_000, message: 'the caller is dead' } };
  };
  const behave = proxy.misbehave({ name: `held ${method}`, methods: [method], answer });
  return {
    isReached: async () => isHeld,
    async release() {
      behave();
      end();
    },
  };
}

async function heldStatement(): Promise<Held> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE networks.sending_attempts IN SHARE MODE');
  return {
    isReached: () =>
      exists(`FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%INSERT INTO networks.sending_attempts%' AND pid <> pg_backend_pid()`),
    async release() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

const exists = async (from: string, values: unknown[] = []) =>
  (await service.query(`SELECT 1 ${from} LIMIT 1`, values)).length > 0;

const POINTS: readonly { readonly name: string; hold(): Promise<Held> | Held }[] = [
  {
    name: 'chosen',
    // The balance is read before a nonce is reserved.
    hold: () =>
      heldCall('eth_getBalance', 'before', async ({ params: [holder] }) => {
        if (String(holder).toLowerCase() !== gasKey.toLowerCase()) return false;
        return exists(`FROM settlement.batches b WHERE state = 'chosen'
          AND NOT EXISTS (SELECT FROM networks.sendings s WHERE s.id = b.id)`);
      }),
  },
  {
    name: 'reserved',
    hold: () =>
      heldCall('eth_maxPriorityFeePerGas', 'before', () =>
        exists(`FROM networks.sendings WHERE state = 'reserved'`),
      ),
  },
  { name: 'signed', hold: heldStatement },
  { name: 'stored', hold: () => heldCall('eth_sendRawTransaction', 'before') },
  {
    name: 'sent',
    async hold() {
      await service.chain.rpc('evm_setAutomine', [false]);
      const held = heldCall('eth_sendRawTransaction', 'after');
      return {
        isReached: held.isReached,
        async release() {
          await held.release();
          await service.chain.rpc('evm_setAutomine', [true]);
        },
      };
    },
  },
  {
    name: 'mined',
    hold: () =>
      heldCall('eth_getTransactionReceipt', 'after', ({ params: [hash] }) =>
        exists('FROM networks.sending_attempts WHERE hash = $1', [hash]),
      ),
  },
  {
    name: 'recorded',
    hold: () => ({
      isReached: (settlement) =>
        exists(`FROM networks.sendings WHERE state = 'mined' AND id = $1`, [settlement]),
      release: async () => undefined,
    }),
  },
];

async function delivered(): Promise<bigint> {
  let sum = 0n;
  for (const holder of [SANDBOX_TERMS.settlementAddress, SANDBOX_TERMS.feeRecipient]) {
    const data = encodeFunctionData({ abi: BALANCE, functionName: 'balanceOf', args: [holder] });
    sum += BigInt(await service.chain.rpc<string>('eth_call', [{ to: token, data }, 'latest']));
  }
  return sum;
}

async function sentTransactions(): Promise<Sent[]> {
  type Block = { transactions: { from: Hex; nonce: Hex; input: Hex }[] };
  const head = Number(await service.chain.rpc('eth_blockNumber'));
  const found: Sent[] = [];
  for (let number = 0; number <= head; number += 1) {
    const block = await service.chain.rpc<Block>('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
    for (const { from, nonce, input } of block.transactions)
      if (from.toLowerCase() === gasKey.toLowerCase()) found.push({ nonce: Number(nonce), input });
  }
  return found.sort((one, other) => one.nonce - other.nonce);
}

async function killOnce({ hold }: (typeof POINTS)[number]): Promise<void> {
  const [before, balance] = [await sentTransactions(), await delivered()];
  const held = await hold();
  const request = await service.api.post<{ id: string; address: Address }>(
    `/v1/pos/${service.seed.posId}/payment-request`,
    { amount: '1.5', unique_asset_id: service.assets[0]!.unique_asset_id },
  );
  await service.wallet.send(token, request.address, AMOUNT);
  await service.chain.mine(UNTIL_FINAL);
  const batches = () =>
    service.query<{ id: string; state: string; input: string }>(
      `SELECT b.id, b.state, '0x' || encode(b.data, 'hex') AS input FROM settlement.batches b
       JOIN settlement.batch_payouts p ON p.batch_id = b.id WHERE p.payment_request_id = $1
       ORDER BY b.created_at DESC`,
      [request.id],
    );
  await eventually(
    async () => held.isReached((await batches())[0]?.id ?? null),
    (isReached) => isReached,
    60_000,
  );
  process.kill(worker.pid, 'SIGKILL');
  // Leases have tests of their own.
  await service.query(`UPDATE platform.leases SET expires_at = clock_timestamp()`);
  await held.release();
  worker = await service.anotherWorker();

  const [batch, ...others] = await eventually(
    async () => {
      await service.chain.mineWhileWaiting(UNTIL_FINAL);
      return batches();
    },
    ([newest]) => newest?.state === 'final',
  );

  expect(others).toEqual([]);
  expect(await delivered()).toBe(balance + AMOUNT);
  const sent = await sentTransactions();
  expect(sent.slice(before.length).map(({ input }) => input)).toEqual([batch!.input]);
  expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, nonce) => nonce));
}

describe('A settlement whose worker is killed', () => {
  it.each(drawn(POINTS, 2))(
    'is mined exactly once if the worker dies after it is $name',
    async (point) => {
      for (let time = 0; time < TIMES; time += 1) await killOnce(point);

      expect(await service.breaches()).toEqual([]);
    },
    PATIENT_MS,
  );
});
