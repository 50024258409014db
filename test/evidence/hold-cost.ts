import pg from 'pg';
import type { CreateWorld } from './create-world.js';
import { cpuMs } from './process-cpu.js';

const NOTHING = 'SELECT $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL AS held';
const HOLD = 'SELECT identity.public_hold_account($1, $2) AS held';

/**
 * PostgreSQL's processor time of holding an account against being deleted, in microseconds: a statement that does it
 * beside one that does nothing, on one connection, A B B A. @returns that of each pair
 */
export async function costOfHold(
  { service, whose }: CreateWorld,
  pairs: number,
  times: number,
): Promise<number[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { organizationId, accountId } = whose.facts as { organizationId: string; accountId: string };
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const used = async (text: string) => {
      const before = cpuMs(rows[0]!.pid);
      for (let n = 0; n < times; n += 1) {
        const answer = await client.query<{ held: boolean }>({
          ...{ name: text, text, values: [organizationId, accountId] },
        });
        if (!answer.rows[0]!.held) throw new Error('The account is deleted.');
      }
      return ((cpuMs(rows[0]!.pid) - before) * 1_000) / times;
    };
    const each: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const [first, second, third, fourth] = [
        await used(NOTHING),
        await used(HOLD),
        await used(HOLD),
        await used(NOTHING),
      ];
      each.push((second + third - first - fourth) / 2);
    }
    return each;
  } finally {
    await client.end();
  }
}
