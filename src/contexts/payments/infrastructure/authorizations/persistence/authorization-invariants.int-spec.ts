import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openAuthorizations,
  RESERVED,
  type Signing,
} from '#contexts/payments/testing/authorizations/open-authorizations.js';
import { authorizationInvariants } from './authorization-invariants.js';

let world: Signing;
/** Ids of three authorizations: the first is final on the chain, the second is sent, the third is queued. */
const ids: string[] = [];
beforeAll(async () => {
  world = await openAuthorizations();
  const session = await world.asked();
  await world.submit(session, await world.signed(session));
  await world.look();
  ids.push((await world.stored())[0]!.id);
  const block = await world.carriedOut(session, ids[0]!);
  await world.becomesFinal();
  await world.sender.becomes(ids[0]!, 'final', block, 40_000n);
  await world.look();
  for (let n = 1; n <= 2; n += 1) {
    const another = await world.asked();
    await world.submit(another, await world.signed(another));
    ids.push((await world.stored())[n]!.id);
    if (n === 1) await world.look();
  }
});
afterAll(() => world.close());

/** Returns the names of the invariants that report the change, which is then rolled back. */
async function noticed(change: string): Promise<string[]> {
  const names: string[] = [];
  const { database } = world.platform;
  const tampering = database.run(async () => {
    for (const table of ['payments.authorizations', 'networks.sendings'])
      await database.queryInTransaction(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await database.queryInTransaction(change);
    for (const { name, breaches } of authorizationInvariants)
      if ((await database.query(breaches)).length > 0) names.push(name);
    throw new Error('undone');
  });
  await expect(tampering).rejects.toThrow('undone');
  return names;
}

const authorization = (n: number, set: string) =>
  `UPDATE payments.authorizations SET ${set} WHERE id = '${ids[n]}'`;

describe('The check of the invariants of payments by signature', () => {
  it('accepts authorizations that are seen, sent and queued', async () => {
    expect(await world.stored()).toMatchObject([{ state: 'seen' }, { state: 'sent' }, { state: 'queued' }]);
    expect(await noticed('SELECT 1')).toEqual([]);
  });

  it.each([
    ['authorizations-are-sent-as-stored', 2, `state = 'sent', sent_at = platform.now()`],
    ['authorizations-cost-what-was-spent', 0, 'gas_cost = gas_cost - 1'],
    ['authorizations-pay-their-request', 2, `to_address = '0x' || repeat('a', 40)`],
    ['authorizations-carried-out-were-seen', 0, 'value = value + 1'],
    ['sponsored-sums-are-within-their-limits', 2, `limit_of_payment = ${RESERVED - 1n}`],
    ['sponsored-sums-are-within-their-limits', 2, `limit_of_day = ${2n * RESERVED + 39_999n}`],
    ['sponsored-sums-are-within-their-limits', 1, `limit_of_organization = ${RESERVED + 39_999n}`],
  ])('detects a change of rows: %s, broken in authorization %i by %s', async (invariant, n, set) => {
    expect(await noticed(authorization(n, set))).toEqual([invariant]);
  });

  it('detects a transaction to another token', async () => {
    const change = `UPDATE networks.sendings SET recipient = '0x' || repeat('a', 40) WHERE id = '${ids[1]}'`;

    expect(await noticed(change)).toEqual(['authorizations-are-sent-as-stored']);
  });
});

describe('A stored authorization', () => {
  it.each(['value = value + 1', 'to_address = from_address', `signature = '\\x00'`, 'limit_of_day = 0'])(
    'rejects a change of what was signed and reserved: %s',
    async (set) => {
      const changed = world.platform.database.query(authorization(2, set));

      await expect(changed).rejects.toThrow('keeps what was signed');
    },
  );

  it('rejects its deletion', async () => {
    await expect(world.platform.database.query('DELETE FROM payments.authorizations')).rejects.toThrow();
  });
});
