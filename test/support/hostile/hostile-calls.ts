import type { Operation } from './hostile-api.js';
import type { Caller } from './hostile-callers.js';
import { exampleOf } from './hostile-examples.js';
import type { Received } from './hostile-http.js';
import { valid, type Proofs } from './hostile-probes.js';
import { withoutRequestId } from './hostile-verdict.js';
import type { HostileWorld } from './hostile-world.js';

export function codeOf({ status, json }: Received): string | number {
  return status === 200 ? 200 : String(json?.['code']);
}

export function call(
  world: HostileWorld,
  operation: Operation,
  { headers, from, fields }: Pick<Caller, 'headers' | 'from' | 'fields'>,
): Promise<Received> {
  const example = withoutAccount(operation, world);
  const sent = Object.entries(example.body ?? {}).filter(([name]) => fields?.includes(name) ?? true);
  const body = example.body && Object.fromEntries(sent);
  const request = valid(operation, { ...example, ...(body && { body }) }, {});
  return world.http.send({
    ...request,
    headers: { ...request.headers, ...headers },
    ...(from === undefined ? {} : { from }),
  });
}

export async function answerTo(
  world: HostileWorld,
  operation: Operation,
  proofs: Proofs,
  path: Record<string, string>,
): Promise<string> {
  const example = withoutAccount(operation, world);
  const request = valid(operation, { ...example, path: { ...example.path, ...path } }, proofs);
  return withoutRequestId(await world.http.send(request));
}

/** Only an organization's key may name an account in a query, whatever else it may. */
function withoutAccount(operation: Operation, world: HostileWorld) {
  const { query, ...example } = exampleOf(operation, world);
  const { account_id: _, accountID: __, ...rest } = query ?? {};
  return { ...example, query: rest };
}
