import { keyOf, sum, type Expectation } from './chain-expectation.js';
import type { MinedBlock } from './chain-timeline.js';
import type { ChainWorld, Coin, Issued } from './chain-world.js';

export interface Ended {
  readonly world: ChainWorld;
  readonly requests: readonly Issued[];
  /** All canonical ones of the run. */
  readonly blocks: readonly MinedBlock[];
  readonly expectation: Expectation;
}

interface TransferRow {
  readonly payment_request_id: string;
  readonly kind: 'log' | 'call' | 'balance';
  readonly transaction_hash: string | null;
  readonly block_hash: string;
  readonly unique_asset_id: string;
  readonly to_address: string;
  readonly amount: string;
  readonly canonical: boolean;
  readonly final: boolean;
  readonly counted: boolean;
  readonly deposited: boolean;
  readonly gathered: boolean;
  readonly reversed: boolean;
}

/** How much of a coin, by request. */
type Sums = ReadonlyMap<string, bigint>;

/** Compares what the service has made of a run with the chain and with what must have come of it. @throws Error */
export async function judge(ended: Ended): Promise<void> {
  const wrong = [...(await ownWords(ended)), ...(await amounts(ended))];
  if (wrong.length > 0) throw new Error(`Not as it must be:\n${wrong.join('\n')}`);
}

async function ownWords({ world, requests, blocks, expectation }: Ended): Promise<string[]> {
  const ids = requests.map(({ id }) => id);
  const rows = await world.service.query<{ id: string; status: string; received_amount: string }>(
    'SELECT id, status, received_amount FROM payments.payment_requests WHERE id = ANY($1)',
    [ids],
  );
  const transfers = await transfersOf(world, ids);
  const standing = expectation.standing(blocks);
  const wrong: string[] = [];
  for (const request of requests) {
    const { status, received_amount: received } = rows.find(({ id }) => id === request.id)!;
    const expected = expectation.of(request);
    const own = standing.filter(({ to }) => to === request.address);
    const recorded = transfers.filter((row) => row.payment_request_id === request.id);
    const differ = (what: string, is: unknown, must: unknown) => {
      const [left, right] = [spoken(is), spoken(must)];
      if (left !== right)
        wrong.push(
          `${what} of ${request.id} (${request.amount} ${request.coin.symbol}) is ${left}, must be ${right}.`,
        );
    };
    differ('The status', status, expected.status);
    differ('The received amount', received, expected.received);
    const keys = (list: readonly string[]) => list.filter(hasTransaction).sort();
    const there = own.map((each) => keyOf(each, own));
    const rowKeys = (is: (row: TransferRow) => boolean) =>
      numbered(
        recorded.filter((row) => row.kind !== 'balance' && is(row)),
        world.coins,
      );
    differ('What stands recorded', rowKeys(({ canonical }) => canonical).sort(), keys(there));
    differ('What counts', rowKeys(({ counted }) => counted).sort(), keys(expectation.counted(request)));
    differ(
      'What is a deposit',
      rowKeys(({ deposited, canonical }) => deposited && canonical).sort(),
      keys(expectation.deposits(request)),
    );
    for (const row of recorded.filter(({ deposited }) => deposited))
      if (row.gathered !== isDust(row, world.coins))
        wrong.push(`A deposit of ${request.id} is not by its minimum: ${JSON.stringify(row)}`);
    for (const row of recorded.filter(isNameless))
      wrong.push(`A transfer of ${request.id} is in no named state: ${JSON.stringify(row)}`);
  }
  const gone = transfers
    .filter(({ reversed, kind }) => reversed && kind !== 'balance')
    .map(plain(world.coins));
  const mustBeGone = [...expectation.reversed].filter(hasTransaction);
  const [left, right] = [gone.sort(), mustBeGone.map((key) => key.replace(/ \d+$/, '')).sort()];
  if (spoken(left) !== spoken(right)) wrong.push(`Reversed is ${spoken(left)}, must be ${spoken(right)}.`);
  return wrong;
}

/** Value inside contract calls is recorded without; it is compared by its sums. */
const hasTransaction = (key: string) => !key.startsWith('internal');

const isDust = ({ unique_asset_id: id, amount }: TransferRow, coins: readonly Coin[]) =>
  BigInt(amount) < coins.find(({ uniqueAssetId }) => uniqueAssetId === id)!.minimum;

/** Neither part of an outcome, nor a deposit, nor reversed, nor gone before it was any of these. */
function isNameless({ canonical, final, counted, deposited, reversed }: TransferRow): boolean {
  if (!canonical) return counted || (deposited && !reversed);
  return !final || reversed || counted === deposited;
}

/** Chain, records, ledger: each of a request's sums by itself. */
async function amounts({ world, requests, blocks, expectation }: Ended): Promise<string[]> {
  const places = requests.flatMap(({ id, address }) => world.coins.map((coin) => ({ id, address, coin })));
  const held = await world.balances(places);
  const standing = expectation.standing(blocks);
  const ids = requests.map(({ id }) => id);
  const [recorded, booked] = await Promise.all([
    sums(
      world,
      `SELECT payment_request_id AS id, unique_asset_id, sum(amount) AS amount FROM payments.transfers
       WHERE payment_request_id = ANY($1) AND canonical GROUP BY 1, 2`,
      ids,
    ),
    sums(
      world,
      `SELECT payment_request_id AS id, unique_asset_id, sum(gross_amount) AS amount FROM ledger.transactions
       WHERE payment_request_id = ANY($1) GROUP BY 1, 2`,
      ids,
    ),
  ]);
  return places.flatMap(({ id, address, coin }, at) => {
    const sent = sum(standing.filter((each) => each.to === address && each.coin === coin));
    const key = `${id} ${coin.uniqueAssetId}`;
    const all = [held[at]!, sent, recorded.get(key) ?? 0n, booked.get(key) ?? 0n];
    if (all.every((one) => one === all[0])) return [];
    return [
      `${coin.symbol} of ${id}: chain ${all[0]}, sent ${all[1]}, recorded ${all[2]}, booked ${all[3]}.`,
    ];
  });
}

async function sums(world: ChainWorld, text: string, ids: readonly string[]): Promise<Sums> {
  const rows = await world.service.query<{ id: string; unique_asset_id: string; amount: string }>(text, [
    ids,
  ]);
  return new Map(rows.map((row) => [`${row.id} ${row.unique_asset_id}`, BigInt(row.amount)]));
}

function transfersOf(world: ChainWorld, ids: readonly string[]): Promise<TransferRow[]> {
  return world.service.query<TransferRow>(
    `SELECT payment_request_id, kind, transaction_hash, block_hash, unique_asset_id, to_address, amount, canonical,
       final, counted, deposited_at IS NOT NULL AS deposited, deposit_id IS NOT NULL AS gathered, reversed_at IS NOT NULL AS reversed
     FROM payments.transfers WHERE payment_request_id = ANY($1) ORDER BY block_number, index`,
    [ids],
  );
}

const plain = (coins: readonly Coin[]) => (row: TransferRow) => {
  const { symbol } = coins.find(({ uniqueAssetId }) => uniqueAssetId === row.unique_asset_id)!;
  return `${row.kind} ${row.transaction_hash} in ${row.block_hash} ${row.amount} ${symbol} to ${row.to_address}`;
};

/** The rows are numbered by `keyOf`. */
function numbered(rows: readonly TransferRow[], coins: readonly Coin[]): string[] {
  const met = new Map<string, number>();
  return rows.map((row) => {
    const name = plain(coins)(row);
    const nth = met.get(name) ?? 0;
    met.set(name, nth + 1);
    return `${name} ${nth}`;
  });
}

function spoken(value: unknown): string {
  return Array.isArray(value) ? `[${value.join('; ')}]` : String(value);
}

/** All of a world together: custody in the ledger, to the unit, is what its addresses hold. */
export async function judgeWorld(world: ChainWorld): Promise<void> {
  const wrong: string[] = [];
  for (const coin of world.coins) {
    const held = (await world.balances(world.issued.map(({ address }) => ({ address, coin })))).reduce(
      (total, one) => total + one,
      0n,
    );
    const [row] = await world.service.query<{ custody: string; credited: string }>(
      `SELECT COALESCE((SELECT sum(amount) FROM ledger.balances
           WHERE ledger_account = 'custody' AND unique_asset_id = $1), 0) AS custody,
         COALESCE((SELECT sum(amount) FROM payments.transfers WHERE unique_asset_id = $1 AND counted), 0)
         + COALESCE((SELECT sum(amount) FROM payments.transfers
           WHERE unique_asset_id = $1 AND deposited_at IS NOT NULL AND reversed_at IS NULL), 0) AS credited`,
      [coin.uniqueAssetId],
    );
    const all = [held, BigInt(row!.custody), BigInt(row!.credited)];
    if (all.some((one) => one !== held))
      wrong.push(`${coin.symbol}: chain ${all[0]}, custody ${all[1]}, requests and deposits ${all[2]}.`);
  }
  const breaches = await world.service.breaches();
  if (breaches.length > 0) wrong.push(`verify: ${JSON.stringify(breaches, null, 1)}`);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}
