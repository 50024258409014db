import type { ExchangeFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { objectOf } from '../known/values.js';
import type { Routed } from './routes.js';

/** The ids of everything that an exchange may be about. */
export function touched(exchange: ExchangeFact, match: Routed | undefined, known: Known): Set<string> {
  const found = new Set(match === undefined ? exchange.path.split('/') : Object.values(match.params));
  const { session, code, request } = match?.params ?? {};
  const shown =
    known.sessions.get(session ?? '') ??
    known.requests.get(request ?? '') ??
    known.checkoutPaths.get(exchange.path);
  if (shown !== undefined) found.add(shown.id).add(shown.posId);
  const link = known.links.get(code ?? '') ?? known.linkIds.get(match?.params.link ?? '');
  if (link !== undefined) {
    found.add(link.posId);
    for (const each of link.requests) found.add(each.id);
  }
  found.add(known.tills.get(code ?? '') ?? 'no till');
  const { url } = objectOf(exchange.body);
  if (typeof url === 'string') found.add(url);
  const organization = known.credentials.get(exchange.keyId ?? '')?.latest()?.organizationId;
  if (organization !== undefined && /account$/.test(exchange.path)) found.add(organization);
  found.delete('no till');
  found.delete('');
  return found;
}
