import type pg from 'pg';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'WAL Bytes': number;
  Plans?: Node[];
}

export interface Scan {
  readonly kind: string;
  readonly relation: string;
  readonly index: string | undefined;
  readonly condition: string;
  /** Rows that it took and rows that it passed over, in all loops. */
  readonly rows: number;
}

export interface Executed {
  readonly scans: readonly Scan[];
  /** Blocks that the whole statement read, cached or not. */
  readonly blocks: number;
  /** Bytes of log that the statement itself wrote, its commit not among them. */
  readonly walBytes: number;
}

/** A plan for any parameters, as a prepared statement comes to have; or one for these. */
export const PLANS = ['force_generic_plan', 'force_custom_plan'] as const;

/**
 * Executes a prepared statement and returns what it read.
 * @param types of its parameters, as SQL names them
 * @param values as SQL literals
 */
export async function executed(
  client: pg.Client,
  text: string,
  types: readonly string[],
  values: readonly string[],
  mode: (typeof PLANS)[number] = 'force_generic_plan',
): Promise<Executed> {
  await client.query(`SET plan_cache_mode = ${mode}`);
  await client.query(`PREPARE explained (${types.join(', ')}) AS ${text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF, FORMAT JSON) EXECUTE explained (${values.join(', ')})`,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    return {
      scans: scansOf(plan),
      blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      walBytes: plan['WAL Bytes'],
    };
  } finally {
    await client.query('DEALLOCATE explained');
  }
}

function scansOf(node: Node): Scan[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  if (node['Relation Name'] === undefined) return below;
  const perLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return [
    {
      kind: node['Node Type'],
      relation: node['Relation Name'],
      index: node['Index Name'],
      condition: node['Index Cond'] ?? '',
      rows: Math.round(perLoop * node['Actual Loops']),
    },
    ...below,
  ];
}
