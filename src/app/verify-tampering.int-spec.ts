import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenInvariants } from '#test/support/broken-invariants.js';
import { assetDecimalsInvariant } from '#contexts/payments/infrastructure/requests/persistence/invariants/transfer-events-invariants.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { authorizedTransfers, sendingParts } from '#contexts/networks/testing/outbound-parts.js';
import { verifyOutboundTransactions } from './operator/audit/verify-outbound.js';
import { openAuditedWorld } from './testing/audited-world.js';
import { tamperings, FLOAT_ADDRESS_SQL as FLOAT_ADDRESS } from './testing/tamperings.js';
import { verifyInvariants } from './verify-invariants.js';

type World = Awaited<ReturnType<typeof openAuditedWorld>>;

const SETTINGS = settingsFor('http://127.0.0.1:9');
const { chain, planning } = sendingParts(SETTINGS);
const chains = new SameChain({
  transferPlanning: planning,
  authorizedTransfers: authorizedTransfers(SETTINGS),
});
/** Keys of the process: it holds the key of the refund float in the tamperings. */
const FLOAT_KEYS = { addressOf: () => FLOAT_ADDRESS.slice(1, -1) };

/**
 * SQL that disables triggers, so that they do not reject a tampering. `session_replication_role` would discard all
 * query plans.
 */
const DISABLE_TRIGGERS = `
DO $$ DECLARE each regclass; BEGIN
  FOR each IN SELECT DISTINCT tgrelid FROM pg_trigger LOOP
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', each);
  END LOOP;
END $$`;

let world: World;
beforeAll(async () => {
  world = await openAuditedWorld();
  await world.database.query(DISABLE_TRIGGERS);
});
afterAll(() => world.close());

async function brokenInvariantNames(): Promise<string[]> {
  const query = (text: string) => world.database.query(text);
  const verdicts = [
    ...(await brokenInvariants(query)),
    ...(await verifyInvariants([assetDecimalsInvariant(world.catalogue.assets())], query)),
    ...(await verifyOutboundTransactions({
      chain,
      chains,
      database: world.database,
      catalogue: world.catalogue,
      sender: FLOAT_KEYS,
    })),
  ];
  return verdicts
    .filter(({ breaches }) => breaches.length > 0)
    .map(({ name }) => name)
    .sort();
}

/** Runs SQL and rolls it back. @returns the invariants that it violates */
async function invariantsBrokenBy(sql: string): Promise<string[]> {
  let found: string[] = [];
  const undone = new Error('undone');
  const tampering = world.database.run(async () => {
    for (const statement of sql.split(';')) await world.database.query(statement);
    found = await brokenInvariantNames();
    throw undone;
  });
  await tampering.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return found;
}

describe('The verification of intact books', () => {
  it('reports nothing', async () => {
    expect(await brokenInvariantNames()).toEqual([]);
  });
});

describe('The verification of the books', () => {
  it('checks every column of an event', async () => {
    const columns = await world.database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'platform' AND table_name = 'events' ORDER BY column_name`,
    );

    const tried = tamperings.flatMap(({ name }) => /^event (\w+)$/.exec(name)?.[1] ?? []);
    expect(tried.sort()).toEqual(columns.map(({ name }) => name));
  });

  it.each(tamperings.map((each) => [each.name, each] as const))(
    'detects a change of rows: %s',
    async (_, { sql, reportedBy }) => {
      expect(await invariantsBrokenBy(sql)).toEqual([...reportedBy].sort());
    },
  );
});
