import { afterAll, describe, expect, it } from '@jest/globals';
import { expectNothingBut, UNDECIDED } from '#test/faults/node-round.js';
import { NodeWorld } from '#test/faults/node-world.js';
import { until } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';
import {
  brotli,
  byteOrderMark,
  gzipped,
  inCharset,
  limited,
  negotiated,
  refusesUnnamed,
  TOO_MANY,
  tooManyCalls,
} from '#test/support/rpc/rpc-encodings.js';
import { emptyPastHead, lag, narrowRanges } from '#test/support/rpc/rpc-knowledge.js';
import {
  allRemoved,
  contradicts,
  fullBlooms,
  gaps,
  noLogs,
  removedLogs,
  repeats,
  wrongBlock,
} from '#test/support/rpc/rpc-logs.js';
import type { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { missingInBatch, refusesBatches } from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';
import { waitUntil } from '#sandbox/processes/child-process.js';

/** Faults of which a payment must wait at most until they end: `test/long/node-faults.fault.ts`. The long form is `npm run evidence -- rpc-misbehaviours`. */
const LONG = process.env['EVIDENCE'] === 'long';
/** How long a misbehaviour may last before a payment is said not to complete under it. */
const LASTS_MS = 30_000;
const CALLS_PER_SECOND = 12;
/** How long an endpoint that limits calls does so before the payment. */
const LIMITED_BEFORE_MS = LONG ? 10_000 : 2_000;

interface Row {
  readonly name: string;
  readonly ways: () => Misbehaviour[];
  /** If it is the only endpoint, a payment completes only after it behaves again. */
  readonly waits?: true;
  readonly limits?: true;
  /** It may never show: this service does not do what brings it about. */
  readonly spares?: true;
}

const limit = (name: string, refused: Parameters<typeof limited>[1]): Row => ({
  name: `limits to ${CALLS_PER_SECOND} calls a second ${name}`,
  ways: () => [limited(CALLS_PER_SECOND, refused)],
  limits: true,
  spares: true,
});

const ROWS: readonly Row[] = [
  { name: 'answers 403 without a User-Agent', ways: () => [refusesUnnamed()], spares: true },
  { name: 'shows two foreign logs at one place', ways: () => [contradicts()] },
  { name: 'shows other logs at the place of the payment', ways: () => [contradicts(true)] },
  { name: 'sets all bits of its bloom filters', ways: () => [fullBlooms()] },
  { name: 'sets all those bits and shows no logs', ways: () => [fullBlooms(), noLogs()] },
  limit('by status 429', TOO_MANY),
  limit('by code -32005', tooManyCalls(-32_005, 'limit exceeded: too many requests')),
  limit('by code -32029', tooManyCalls(-32_029, 'slow down')),
  limit('by compute units', tooManyCalls(-32_000, 'your app has exceeded its compute units per second')),
  { name: 'compresses with gzip', ways: () => [gzipped()] },
  { name: 'compresses with Brotli for those who accept it', ways: () => [negotiated()], spares: true },
  { name: 'compresses with Brotli for all', ways: () => [brotli()], waits: true },
  { name: 'begins with a byte order mark', ways: () => [byteOrderMark()] },
  { name: 'names the character set utf8', ways: () => [inCharset('utf8')] },
  { name: 'names the character set latin1', ways: () => [inCharset('latin1')], waits: true },
  { name: 'lags by two blocks', ways: () => [lag(2)] },
  { name: 'lags, and has no logs past its head', ways: () => [lag(2), emptyPastHead()] },
  { name: 'skips some logs', ways: () => [gaps(3)] },
  { name: 'skips all logs', ways: () => [noLogs()] },
  { name: 'repeats logs', ways: () => [repeats()] },
  { name: 'shows removed logs too', ways: () => [removedLogs()] },
  { name: 'shows its logs as removed', ways: () => [allRemoved()] },
  { name: 'shows its logs in another block', ways: () => [wrongBlock()] },
  { name: 'refuses batches', ways: () => [refusesBatches()] },
  { name: 'leaves holes in batches', ways: () => [missingInBatch(1)], spares: true },
  { name: 'refuses ranges above two blocks', ways: () => [narrowRanges(2)] },
];

const seconds = new Map(ROWS.map(({ name }) => [name, [] as string[]]));
afterAll(() => {
  const rows = [...seconds].filter(([, measured]) => measured.length > 0);
  const lines = rows.map(([name, [one = '', two = '']]) => `| ${name} | ${one} | ${two} |`);
  const head = ['| an endpoint that | alone | beside another |', '| --- | --- | --- |'];
  process.stdout.write(`Seconds from final to completed:\n${[...head, ...lines].join('\n')}\n`);
});

describe.each(drawn([1, 2], 1))('A payment while one of %i endpoints misbehaves', (endpoints) => {
  let world: NodeWorld | undefined;
  afterAll(() => world?.stop());

  it.each(drawn(ROWS, 3))('is completed once, if the endpoint $name', async (row) => {
    world ??= await NodeWorld.start(endpoints, {
      network: () => ({ finality: { confirmations: 2 }, max_lag_seconds: 600 }),
    });
    for (const endpoint of world.endpoints) endpoint.behave();
    const early = await world.order('1');
    await world.pay(early);
    await world.confirm();
    await world.allBecome('completed', [early]);
    const endpoint = endpoints === 1 ? world.endpoints[0]! : await readFrom(world);
    const order = await world.order('10.01');

    endpoint.misbehave(...row.ways());
    if (row.limits) await world.seenStatuses([order], LIMITED_BEFORE_MS);
    await world.pay(order);
    await world.confirm();
    const begun = performance.now();
    const isCompleted = async () => (await world!.statuses([order]))[0] === 'completed';
    const mayWait = row.waits === true && endpoints === 1;
    const timeoutMs = mayWait && !LONG ? 3_000 : LASTS_MS;
    const completed = await waitUntil(isCompleted, { timeoutMs, everyMs: 10 });
    const waited = (performance.now() - begun) / 1_000;
    if (!completed) expectNothingBut(new Set(await world.statuses([order])), UNDECIDED);
    if (!row.spares) await until('it misbehaves', () => endpoint.misbehaved.size > 0);

    endpoint.behave();
    endpoint.misbehaved.clear();
    const after = await world.allBecome('completed', [order]);
    await world.expectBookedOnce([order]);
    const shown = completed ? waited.toFixed(1) : `${(after / 1_000).toFixed(1)} after it has ended`;
    const columns = seconds.get(row.name)!;
    while (columns.length < endpoints - 1) columns.push('');
    columns.push(shown);
    if (!mayWait) expect([row.name, completed]).toEqual([row.name, true]);
  });

  it('breaks no invariant', async () => {
    expect(await world!.service.breaches()).toEqual([]);
  });
});

/** The endpoint that new blocks are read from. */
async function readFrom({ endpoints }: NodeWorld): Promise<RpcProxy> {
  const before = endpoints.map((endpoint) => endpoint.callsOf('eth_getBlockByNumber'));
  const grown = () => endpoints.map((endpoint, at) => endpoint.callsOf('eth_getBlockByNumber') - before[at]!);
  await until('one of them is read from', () => Math.max(...grown()) >= 5);
  return endpoints[grown().indexOf(Math.max(...grown()))]!;
}
