import type { Operation } from '#test/support/hostile/hostile-api.js';
import type { Caller } from '#test/support/hostile/hostile-callers.js';
import type { Example } from '#test/support/hostile/hostile-examples.js';
import type { Tenant } from '#test/support/hostile/hostile-tenants.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const ACCOUNT_ITSELF = ['/v1/account/{accountID}', '/v1/account/{accountID}/settlement-addresses'];

type Owner = 'home' | 'sibling' | 'foreign';
export type Target = Owner | 'missing';
export const TARGETS: readonly Target[] = ['home', 'sibling', 'foreign', 'missing'];

const HOLDERS = [
  { owner: 'home', scope: 'organization' },
  { owner: 'home', scope: 'account' },
  { owner: 'sibling', scope: 'account' },
  { owner: 'foreign', scope: 'organization' },
  { owner: 'foreign', scope: 'account' },
] as const;
const ROLES = [['read'], ['write'], ['read', 'write']] as const;

/** One kind of credential: whose, and with which roles. hostile-callers.ts has those in other states. */
export interface Kind {
  readonly holder: (typeof HOLDERS)[number];
  readonly roles: (typeof ROLES)[number];
}

export const KINDS: readonly Kind[] = HOLDERS.flatMap((holder) => ROLES.map((roles) => ({ holder, roles })));

/** The operation answers this, by docs/reference/authentication.md and docs/reference/accounts.md alone: an error code, or 200. */
export function expectedAnswer(
  { method, path, fields }: Operation,
  kind: Kind,
  target: Target,
): string | number {
  const { holder, roles } = kind;
  if (!(roles as readonly string[]).includes(method === 'GET' ? 'read' : 'write')) return 'role_required';
  const isWhole = holder.scope === 'organization';
  const managesAccounts = path.startsWith('/v1/account') && method !== 'GET';
  if (!isWhole && (path.includes('/webhook') || managesAccounts)) return 'organization_scope_required';

  const isOfOrganization = target !== 'missing' && (target === 'foreign') === (holder.owner === 'foreign');
  const holds = isWhole ? isOfOrganization : target === holder.owner;
  if (path.includes('{accountID}')) {
    if (!holds) return isWhole && ACCOUNT_ITSELF.includes(path) ? 'not_found' : 'account_not_allowed';
    // The foreign organization has this one account, in which something is open.
    if (method === 'DELETE' && target === 'foreign' && ACCOUNT_ITSELF.includes(path)) return 'state_conflict';
    // Only the home account has webhooks.
    return path.includes('{webhookID}') && target !== 'home' ? 'not_found' : 200;
  }
  // A subscription is open on the point of sale of each target.
  if (method === 'DELETE' && path === '/v1/pos/{posID}') return holds ? 'state_conflict' : 'not_found';
  if (/\{posID\}|\{refundID\}|refunds\/payment-request|\/subscriptions\/\{id\}/.test(path))
    return holds ? 200 : 'not_found';
  const named = fields.find(({ name }) => ['account_id', 'accountID'].includes(name));
  if (named === undefined) return 200;
  // A query names accounts for organizations alone; what is new may name its own.
  if (named.place === 'query' && !isWhole) return 'account_not_allowed';
  return holds ? 200 : 'account_not_allowed';
}

export function aimed(operation: Operation, example: Example, target: Target, world: HostileWorld): Example {
  // A cursor is an event of the home account.
  const { path, body, query: { after: _, ...query } = {} } = example;
  const ids = idsOf(target, world);
  // What is deleted is of no use to the next one: any other account of the organization is as good.
  const accountID =
    operation.name === 'DELETE /v1/account/{accountID}' && (target === 'home' || target === 'sibling')
      ? world.accounts.spare()
      : ids.accountID;
  const isNamed = (name: string) => name === 'account_id' || name === 'accountID';
  const named = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, isNamed(name) ? accountID : value]),
    );
  return {
    ...example,
    ...(path && {
      path: {
        ...path,
        ...pick({ ...ids, accountID }, Object.keys(path)),
        ...refundIds(operation, target, world),
        ...subscriptionIds(operation, target, world),
      },
    }),
    query: named(query) as Record<string, string>,
    ...(body && { body: named(operation.name === 'PUT /v1/pos/{posID}' ? asOnline(body) : body) }),
  };
}

/** The example changes a physical point of sale; those of the targets are online, so the settings of physical ones are left out. */
function asOnline({ type: _, config, ...body }: Record<string, unknown>): Record<string, unknown> {
  const { till: __, open_amount: ___, ...online } = config as Record<string, unknown>;
  return { ...body, config: online };
}

type Ids = Record<'accountID' | 'posID' | 'paymentRequestID' | 'linkID', string>;

function idsOf(target: Target, world: HostileWorld): Ids {
  const missing = { accountID: MISSING, posID: MISSING, paymentRequestID: MISSING, linkID: MISSING };
  if (target === 'missing') return missing;
  const { accountId, posId, paymentRequestId, idleLinkId }: Tenant = world[target];
  return { accountID: accountId, posID: posId, paymentRequestID: paymentRequestId, linkID: idleLinkId };
}

/** Only what has received something can be refunded; what is approved or cancelled is of no use to the next one. */
function refundIds({ method, path }: Operation, target: Target, world: HostileWorld): Record<string, string> {
  if (!path.startsWith('/v1/refunds/')) return {};
  const name = path.includes('{refundID}') ? 'refundID' : 'paymentRequestID';
  if (target === 'missing') return { [name]: MISSING };
  const { requestId, refundId, spare } = world.refunds[target];
  if (name === 'paymentRequestID') return { [name]: requestId };
  // The payer of a spare one has entered an address, so its claim cannot be replaced.
  return { [name]: method === 'GET' || path.endsWith('/claim') ? refundId : spare() };
}

/** Subscriptions that are revoked stay apart from those that are accepted and read. */
function subscriptionIds({ path }: Operation, target: Target, world: HostileWorld): Record<string, string> {
  const name = /\{subscriptionID\}/.test(path) ? 'subscriptionID' : 'id';
  if (!path.includes(`{${name}}`)) return {};
  if (target === 'missing') return { [name]: MISSING };
  const { agreedId, endedId } = world[target].subscriptions;
  return { [name]: path.endsWith('/revoke') ? endedId : agreedId };
}

function pick(values: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Their headers, in the order of the kinds. One credential for each, since each has a rate of its own. */
export async function headersOf(world: HostileWorld, kinds: readonly Kind[]): Promise<Caller['headers'][]> {
  const headers: Caller['headers'][] = [];
  for (const { holder, roles } of kinds) {
    const { accountId, organizationId } = world[holder.owner];
    const scope = holder.scope === 'account' ? { accountId } : {};
    headers.push(await world.proofs(await world.credential({ ...scope, roles }, organizationId)));
  }
  return headers;
}
