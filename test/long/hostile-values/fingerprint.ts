import type { TestService } from '#test/support/service.js';

/** Written by the worker as time goes by, or by whoever reads the chain; no request changes them. */
const BACKGROUND = [
  'payments.chain_cursors',
  'payments.blocks',
  'platform.acknowledged_marks',
  'platform.leases',
  'platform.subscriber_positions',
  'networks.known_chains',
  'platform.seals',
  'payments.chain_audits',
  // What was sent is looked at until it is final.
  'settlement.refund_float_payouts',
  'networks.sendings',
  'networks.sending_attempts',
  // What happened before is counted a moment later.
  'figures.daily',
  // Counts what callers ask for, whatever it is, and forgets it a minute later.
  'identity.exchange_attempts',
];

/** A row but for what workers change: how far what a payer has signed has come, and when a credential was used. */
function rowOf(table: string): string {
  return table === 'payments.authorizations' ? 't.id::text' : "(to_jsonb(t) - 'last_used_at')::text";
}

/** @returns per table how many rows it has and a digest of them all, without when credentials were last used */
export async function fingerprint({ query }: TestService): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !BACKGROUND.includes(table.name))) {
    const [print] = await query<{ rows: string; digest: string }>(
      `SELECT count(*) AS rows, md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
       FROM (SELECT ${rowOf(name)} AS row FROM ${name} t) AS all_rows`,
    );
    prints[name] = `${print!.rows} rows ${print!.digest}`;
  }
  return prints;
}
