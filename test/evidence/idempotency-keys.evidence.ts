import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { newId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { copyShop } from '../support/copied-shop.js';
import { HostileHttp, inParallel, type Received, type Sent } from '../support/hostile/hostile-http.js';
import { valid } from '../support/hostile/hostile-probes.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import {
  createdWith,
  KEYED,
  markedRequest,
  ONLINE,
  OTHERS,
  underKey,
  type KeyedCreation,
  type KeyedShop,
} from '../support/keyed-operations.js';
import { eventually } from '../support/eventually.js';
import { describeExpiry, describeRepetitions } from './keyed-repetitions.js';
import { WithholdingProxy } from '../support/withholding-proxy.js';

/** The long form is `npm run evidence -- idempotency-keys`. */
const LONG = process.env['EVIDENCE'] === 'long';
const SEED = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
const AT_ONCE = 100;
const KEYS = LONG ? 1_000 : OTHERS.length + 1;
const KILLS = LONG ? 200 : 2;
/** Each other kind has the same share of the rest. */
const ONLINE_SHARE = LONG ? 0.7 : 0.25;

let world: HostileWorld;
let shop: KeyedShop;
/** Two processes. */
let apis: HostileHttp[];

beforeAll(async () => {
  world = await HostileWorld.start();
  const { service, home } = world;
  const urls = [service.apiUrl, await service.anotherApi()];
  apis = urls.map((url) => new HostileHttp(url, AT_ONCE / urls.length));
  const physicalPosId = await copyShop(service, { type: 'physical' });
  shop = { world, proofs: await world.proofs(home.credential), physicalPosId };
});

afterAll(async () => {
  apis?.forEach((api) => api.close());
  await world?.stop();
});

/** Creations are drawn by the seed, in an order of its own: each kind at least once. */
function drawnCreations(count: number): KeyedCreation[] {
  const random = new SeededRandom(SEED);
  process.stdout.write(`The creations are drawn with SEED=${SEED}.\n`);
  const online = Math.round(count * ONLINE_SHARE);
  const all = Array.from({ length: count }, (_, n) =>
    n < online ? ONLINE : OTHERS[(n - online) % OTHERS.length]!,
  );
  return random.shuffled(all);
}

type Answered = { id: string; secret?: string; claim_url?: string };
const dataOf = ({ json }: Received) => (json?.['data'] ?? {}) as Answered;
const isReplay = ({ headers }: Received) => headers['idempotency-replayed'] === 'true';
const without = ({ secret: _, claim_url: __, ...data }: Answered) => JSON.stringify(data);

/** @returns what is wrong with the answers to one request that was sent many times at once, and then once more */
function flaws(answers: readonly Received[], again: Received): string[] {
  const good = answers.filter(({ status }) => status === 200);
  const others = answers.filter(({ status }) => status !== 200);
  const first = good.filter((answer) => !isReplay(answer));
  const distinct = new Set([...good, again].map((answer) => without(dataOf(answer))));
  return [
    ...others.filter(({ json }) => json?.['code'] !== 'idempotency_in_progress').map(({ text }) => text),
    ...others.filter(({ headers }) => headers['retry-after'] !== '1').map(() => 'without Retry-After'),
    ...(first.length === 1 ? [] : [`${first.length} answers that are no replay`]),
    ...(distinct.size === 1 ? [] : [...distinct]),
    ...(again.status === 200 && isReplay(again) ? [] : [`no replay afterwards: ${again.text}`]),
    ...[...good.filter(isReplay), again]
      .filter((answer) => 'secret' in dataOf(answer) || 'claim_url' in dataOf(answer))
      .map(() => 'a replay with a secret'),
  ];
}

describe('A repetition of a request', () => describeRepetitions(() => shop));

describe(`${AT_ONCE} posts at once under one key, to two processes`, () => {
  it('execute once, and all that are answered are answered alike', async () => {
    const creations = drawnCreations(KEYS).map((creation, n) => ({ creation, mark: `${SEED} at once ${n}` }));
    const found: unknown[] = [];
    /** Each mark has the one id that was answered. */
    const answered = new Map<string, string[]>();
    const tally = { first: 0, replayed: 0, inProgress: 0 };

    for (const { creation, mark } of creations) {
      const sent = markedRequest(shop, creation, mark, newId());
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => apis[n % apis.length]!.send(sent)),
      );
      const again = await apis[0]!.send(sent);
      const wrong = flaws(answers, again);
      if (wrong.length > 0) found.push([creation.kind, mark, wrong.slice(0, 5)]);
      answered.set(mark, [dataOf(again).id]);
      for (const answer of answers)
        tally[answer.status !== 200 ? 'inProgress' : isReplay(answer) ? 'replayed' : 'first'] += 1;
    }

    expect(found).toEqual([]);
    const created = await createdWith(shop, [...answered.keys()]);
    expect(created).toEqual(answered);
    process.stdout.write(
      `${KEYS} keys, ${KEYS * AT_ONCE} posts: ${[...created.values()].flat().length} executions; ` +
        `${tally.first} first answers, ${tally.replayed} replays, ${tally.inProgress} in progress\n`,
    );
    expect(await world.service.breaches()).toEqual([]);
  }, 3_600_000);
});

describe('An API that is killed between commit and answer', () => {
  it('has created what a repetition under the key finds, once', async () => {
    const creations = drawnCreations(KILLS).map((creation, n) => ({ creation, mark: `${SEED} killed ${n}` }));
    const found: unknown[] = [];
    const answered = new Map<string, string[]>();

    await inParallel(
      creations,
      async ({ creation, mark }) => {
        const sent = markedRequest(shop, creation, mark, newId());
        const isAnswered = await isAnsweredByTheKilled(sent);
        const again = await apis[0]!.send(sent);
        answered.set(mark, [dataOf(again).id]);
        if (isAnswered || again.status !== 200 || !isReplay(again))
          found.push([creation.kind, mark, isAnswered, again.status, again.text]);
      },
      2,
    );

    expect(found).toEqual([]);
    const created = await createdWith(shop, [...answered.keys()]);
    expect(created).toEqual(answered);
    process.stdout.write(
      `${KILLS} kills: ${[...created.values()].flat().length} objects, each found by its repetition\n`,
    );
  }, 7_200_000);

  /** Sends it to a process that dies as soon as the object and its key are committed. */
  async function isAnsweredByTheKilled(sent: Sent): Promise<boolean> {
    const proxy = await WithholdingProxy.open(world.service.databaseUrl);
    const api = await world.service.killableApi(proxy.url);
    const http = new HostileHttp(api.url);
    try {
      const answered = http.send(sent).then(
        () => true,
        () => false,
      );
      await proxy.committed;
      api.kill();
      return await answered;
    } finally {
      http.close();
      proxy.close();
    }
  }
});

describe('A test of a webhook under a key', () => {
  let receiver: Receiver;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());

  it('is sent once, while another process learns that it is under way', async () => {
    const { accountId } = world.home;
    const webhook = await world.service.api.post<{ id: string }>(`/v1/account/${accountId}/webhook`, {
      url: receiver.url,
      event_type: 'payment_request',
    });
    let answer!: () => void;
    receiver.answer = (_, response) => void (answer = () => response.end());
    const operation = KEYED.find(({ path }) => path.endsWith('/test'))!;
    const path = { accountID: accountId, webhookID: webhook.id };
    const sent = underKey(valid(operation, { path }, shop.proofs), newId());

    const first = apis[0]!.send(sent);
    await eventually(
      async () => receiver.requests.length,
      (count) => count === 1,
    );
    const meanwhile = await Promise.all(apis.map((api) => api.send(sent)));
    answer();
    const [answered, again] = [await first, await apis[1]!.send(sent)];

    expect(meanwhile.map(({ status, json }) => [status, json!['code']])).toEqual(
      apis.map(() => [409, 'idempotency_in_progress']),
    );
    expect([answered.status, isReplay(answered), again.status, isReplay(again)]).toEqual([
      200,
      false,
      200,
      true,
    ]);
    expect(again.json!['data']).toEqual(answered.json!['data']);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('A request under a key', () => describeExpiry(() => shop, LONG));
