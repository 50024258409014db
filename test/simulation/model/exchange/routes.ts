export interface Route {
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly isPublic: boolean;
  readonly needsOrganization: boolean;
  readonly isForDevices: boolean;
}

interface Options {
  readonly isPublic?: boolean;
  readonly needsOrganization?: boolean;
  readonly isForDevices?: boolean;
}

const routes: Route[] = [];

function route(name: string, method: string, path: string, options: Options = {}): void {
  routes.push({
    name,
    method,
    segments: path.slice(1).split('/'),
    isPublic: options.isPublic ?? false,
    needsOrganization: options.needsOrganization ?? false,
    isForDevices: options.isForDevices ?? false,
  });
}

const PUBLIC = { isPublic: true };
const ORGANIZATION = { needsOrganization: true };
const DEVICES = { isForDevices: true };

route('token', 'POST', '/v1/auth/token', PUBLIC);
route('pair a phone', 'POST', '/public/till/pairing', PUBLIC);
route('list accounts', 'GET', '/v1/account');
route('create account', 'POST', '/v1/account', ORGANIZATION);
route('read account', 'GET', '/v1/account/{account}');
route('change account', 'PUT', '/v1/account/{account}', ORGANIZATION);
route('delete account', 'DELETE', '/v1/account/{account}', ORGANIZATION);
route('list settlement addresses', 'GET', '/v1/account/{account}/settlement-addresses');
route('list POS', 'GET', '/v1/pos');
route('create POS', 'POST', '/v1/pos');
route('read POS', 'GET', '/v1/pos/{pos}');
route('change POS', 'PUT', '/v1/pos/{pos}');
route('list assets', 'GET', '/v1/assets');
route('create request', 'POST', '/v1/pos/{pos}/payment-request', DEVICES);
route('create checkout', 'POST', '/v1/pos/{pos}/payment-request-checkout', DEVICES);
route('list requests', 'GET', '/v1/pos/{pos}/payment-request', DEVICES);
route('read request', 'GET', '/v1/pos/{pos}/payment-request/{request}', DEVICES);
route('expire request', 'POST', '/v1/pos/{pos}/payment-request/{request}/expire', DEVICES);
route('read checkout', 'GET', '/public/checkout/{session}', PUBLIC);
route('select asset', 'POST', '/public/checkout/{session}/select-asset', PUBLIC);
route('read link', 'GET', '/public/payment-links/{code}/checkout', PUBLIC);
route('open link', 'POST', '/public/payment-links/{code}/checkout', PUBLIC);
route('select on link', 'PUT', '/public/payment-links/{code}/checkout', PUBLIC);
route('read till', 'GET', '/public/pos/{code}', PUBLIC);
route('pay at till', 'POST', '/public/pos/{code}', PUBLIC);
route('create link', 'POST', '/v1/pos/{pos}/payment-link');
route('list links', 'GET', '/v1/pos/{pos}/payment-link');
route('activate link', 'PATCH', '/v1/pos/{pos}/payment-link/{link}/activate');
route('deactivate link', 'PATCH', '/v1/pos/{pos}/payment-link/{link}/deactivate');
route('list transactions', 'GET', '/v1/transactions');
route('list events', 'GET', '/v1/events');
route('list settlements', 'GET', '/v1/transactions/settlement/{account}');
route('create webhook', 'POST', '/v1/account/{account}/webhook', ORGANIZATION);
route('list webhooks', 'GET', '/v1/account/{account}/webhook/list', ORGANIZATION);
route('read webhook logs', 'GET', '/v1/account/{account}/webhook/logs', ORGANIZATION);
route('change webhook URL', 'PUT', '/v1/account/{account}/webhook/{webhook}/url', ORGANIZATION);
route('activate webhook', 'PATCH', '/v1/account/{account}/webhook/{webhook}/activate', ORGANIZATION);
route('deactivate webhook', 'PATCH', '/v1/account/{account}/webhook/{webhook}/deactivate', ORGANIZATION);
route('delete webhook', 'DELETE', '/v1/account/{account}/webhook/{webhook}/delete', ORGANIZATION);
route('rotate webhook secret', 'POST', '/v1/account/{account}/webhook/{webhook}/rotate-secret', ORGANIZATION);
route('end overlap of secrets', 'POST', '/v1/account/{account}/webhook/{webhook}/end-overlap', ORGANIZATION);
route('test webhook', 'POST', '/v1/account/{account}/webhook/{webhook}/test', ORGANIZATION);
route('create refund', 'POST', '/v1/refunds/payment-request/{request}');
route('approve refund', 'POST', '/v1/refunds/{refund}/approve');
route('cancel refund', 'POST', '/v1/refunds/{refund}/cancel');
route('read refund', 'GET', '/v1/refunds/{refund}');
route('list refunds', 'GET', '/v1/refunds');
route('create subscription', 'POST', '/v1/pos/{pos}/subscription');
route('list subscriptions', 'GET', '/v1/pos/{pos}/subscription');
route('read subscription', 'GET', '/v1/pos/{pos}/subscription/{subscription}');
route('revoke subscription', 'POST', '/v1/pos/{pos}/subscription/{subscription}/revoke');
route('accept as wallet', 'POST', '/v1/wallets/v1/subscriptions/{subscription}/accept');
route('revoke as wallet', 'POST', '/v1/wallets/v1/subscriptions/{subscription}/revoke');

const byShape = new Map<string, Route[]>();
for (const each of routes) {
  const key = `${each.method} ${each.segments.length}`;
  byShape.set(key, [...(byShape.get(key) ?? []), each]);
}
// A path with more fixed segments is the closer one: `webhook/list` before `{webhook}`.
const holes = (each: Route): number => each.segments.filter((segment) => segment.startsWith('{')).length;
for (const list of byShape.values()) list.sort((one, other) => holes(one) - holes(other));

export interface Routed {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export function routed(method: string, path: string): Routed | undefined {
  const parts = path.slice(1).split('/');
  for (const each of byShape.get(`${method} ${parts.length}`) ?? []) {
    const params: Record<string, string> = {};
    const fits = each.segments.every((segment, index) => {
      if (!segment.startsWith('{')) return segment === parts[index];
      params[segment.slice(1, -1)] = parts[index]!;
      return parts[index] !== '';
    });
    if (fits) return { route: each, params };
  }
  return undefined;
}
