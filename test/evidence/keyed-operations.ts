import { document } from '#test/support/openapi-document.js';
import { committedDocument, operationsOf, type Operation } from '#test/support/hostile/hostile-api.js';
import { exampleOf, type Example } from '#test/support/hostile/hostile-examples.js';
import { valid } from '#test/support/hostile/hostile-probes.js';
import type { Sent } from '#test/support/hostile/hostile-http.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';

const posts = operationsOf(committedDocument()).filter(({ method }) => method === 'POST');
const isKeyed = ({ path }: Operation) =>
  (document.paths[path]!['post']!.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');

export const KEYED = posts.filter(isKeyed);
export const NOT_KEYED = posts.filter((operation) => !isKeyed(operation));

export interface KeyedShop {
  readonly world: HostileWorld;
  readonly proofs: Record<string, string>;
  readonly physicalPosId: string;
}

/** A creation of the home shop that is asked for again and again, and where each execution leaves one row of its own. */
export interface KeyedCreation {
  readonly kind: string;
  readonly operation: string;
  readonly marked: (shop: KeyedShop, example: Example, mark: string) => Example;
  readonly rows: string;
}

const REQUEST_ROWS = `SELECT id, reference_id AS mark FROM payments.payment_requests WHERE reference_id = ANY ($1)`;
const withField =
  (field: string): KeyedCreation['marked'] =>
  (_, example, mark) => ({ ...example, body: { ...example.body, [field]: mark } });

export const ONLINE: KeyedCreation = {
  kind: 'payment request',
  operation: 'POST /v1/pos/{posID}/payment-request',
  marked: withField('reference_id'),
  rows: REQUEST_ROWS,
};

export const OTHERS: readonly KeyedCreation[] = [
  {
    ...ONLINE,
    kind: 'payment request on a physical point of sale',
    marked: ({ physicalPosId }, example, mark) => ({
      path: { posID: physicalPosId },
      body: { ...example.body, reference_id: mark },
    }),
  },
  { ...ONLINE, kind: 'checkout', operation: 'POST /v1/pos/{posID}/payment-request-checkout' },
  {
    kind: 'payment link',
    operation: 'POST /v1/pos/{posID}/payment-link',
    marked: (_, example, mark) => ({ ...example, body: { ...example.body, order: { description: mark } } }),
    rows: `SELECT id, "order" ->> 'description' AS mark FROM payments.payment_links
            WHERE "order" ->> 'description' = ANY ($1)`,
  },
  {
    kind: 'webhook',
    operation: 'POST /v1/account/{accountID}/webhook',
    marked: withField('description'),
    rows: `SELECT id, description AS mark FROM webhooks.webhooks WHERE description = ANY ($1)`,
  },
  {
    kind: 'refund',
    operation: 'POST /v1/refunds/payment-request/{paymentRequestID}',
    marked: withField('reason'),
    rows: `SELECT id, reason AS mark FROM settlement.refunds WHERE reason = ANY ($1)`,
  },
  {
    kind: 'subscription',
    operation: 'POST /v1/pos/{posID}/subscription',
    marked: withField('reference_id'),
    rows: `SELECT id, reference_id AS mark FROM subscriptions.subscriptions WHERE reference_id = ANY ($1)`,
  },
  {
    kind: 'account',
    operation: 'POST /v1/account',
    marked: withField('name'),
    rows: `SELECT id, name AS mark FROM identity.accounts WHERE name = ANY ($1)`,
  },
  {
    kind: 'point of sale',
    operation: 'POST /v1/pos',
    marked: withField('name'),
    rows: `SELECT id, name AS mark FROM point_of_sale.points_of_sale WHERE name = ANY ($1)`,
  },
];

export function markedRequest(shop: KeyedShop, creation: KeyedCreation, mark: string, key: string): Sent {
  const operation = KEYED.find(({ name }) => name === creation.operation)!;
  const example = creation.marked(shop, exampleOf(operation, shop.world), mark);
  return underKey(valid(operation, example, shop.proofs), key);
}

export function underKey(sent: Sent, key: string | string[]): Sent {
  return { ...sent, headers: { ...sent.headers, 'Idempotency-Key': key } };
}

export async function createdWith(
  { world }: KeyedShop,
  marks: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(marks.map((mark) => [mark, []]));
  for (const text of new Set([ONLINE, ...OTHERS].map(({ rows }) => rows)))
    for (const { id, mark } of await world.service.query<{ id: string; mark: string }>(text, [marks]))
      found.get(mark)!.push(id);
  return found;
}
