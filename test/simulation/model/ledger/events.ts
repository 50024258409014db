import { open, organizationOf, type Rule } from '../exchange/heard.js';
import { isObject, listOf, objectOf, textOf, type Json } from '../known/values.js';
import { takeFulfilled } from '../requests/tolerance.js';

/** The list of events: each is of the caller's organization, and says of a payment request whether it is fulfilled. */
export const eventRules: readonly (readonly [string, Rule])[] = [
  [
    'list events',
    {
      // Which filters it takes, and how it is paged, is not stated.
      verdict: () =>
        open(
          'validation_failed',
          'account_not_allowed',
          'organization_scope_required',
          'not_found',
          'unavailable',
        ),
      done: (heard, data, known) => {
        for (const event of listOf(objectOf(data).data)) {
          const { fulfilled, body } = objectOf(event);
          const { payment_request_id: id, status } = toldIn(body);
          const request = known.requests.get(textOf(id));
          if (request === undefined) continue;
          known.findings.expect(
            request.organizationId === '' || request.organizationId === organizationOf(heard),
            'events are of the own organization alone',
            `payment request ${request.id}`,
            organizationOf(heard),
            request.organizationId,
          );
          takeFulfilled(request, { fulfilled, status }, heard.exchange.at, known);
        }
      },
    },
  ],
];

/** An event's body is that of its delivery, as text or as JSON. */
function toldIn(body: unknown): Json {
  try {
    const told = objectOf(typeof body === 'string' ? JSON.parse(body) : body);
    return isObject(told.data) ? told.data : told;
  } catch {
    return {};
  }
}
