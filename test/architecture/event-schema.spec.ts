import { describe, expect, it } from '@jest/globals';
import { EVENT_BODIES } from './event-bodies.js';
import { faultsOfEvent } from '../support/event-schema.js';
import { operations } from '../support/openapi-document.js';

type Notice = Record<string, unknown>;

const listed = operations.find(({ operationId }) => operationId === 'listEvents')!;
const { data: page } = listed.responses['200']!.content!['application/json']!.example as {
  data: { data: { body: string }[] };
};
const { callbacks } = operations.find(({ operationId }) => operationId === 'registerWebhook')!;
const { post } = callbacks!['paymentRequest']!['{$request.body#/url}']!;

/** @returns the body with other fields @param change a field that is undefined is left out */
function changed(body: string, change: Notice): string {
  const { data } = JSON.parse(body) as { data: Notice };
  return JSON.stringify({ data: { ...data, ...change } });
}

describe('The JSON Schema of events', () => {
  it.each(EVENT_BODIES)(
    'accepts each type of event, also with additional fields: $schema',
    ({ full, least }) => {
      expect([full, least, changed(least, { added_later: 1 })].flatMap(faultsOfEvent)).toEqual([]);
    },
  );

  it('accepts every example of the reference', () => {
    const examples = [
      ...page.data.map(({ body }) => body),
      JSON.stringify(post.requestBody!.content['application/json']!.example),
    ];

    expect(examples.map(faultsOfEvent)).toEqual([[], [], []]);
  });

  it.each(EVENT_BODIES)('rejects an event of another type, or without a field: $schema', ({ least }) => {
    const { data } = JSON.parse(least) as { data: Notice };

    expect(faultsOfEvent(changed(least, { notification_type: 'another' }))).not.toEqual([]);
    for (const field of Object.keys(data))
      expect([field, faultsOfEvent(changed(least, { [field]: undefined }))]).not.toEqual([field, []]);
  });

  it('rejects an id that is no UUID and an amount that is a number', () => {
    const deposit = EVENT_BODIES.find(({ schema }) => schema === 'DepositNotification')!.least;

    expect(faultsOfEvent(changed(deposit, { payment_request_id: 'order-1042' }))).not.toEqual([]);
    expect(faultsOfEvent(changed(deposit, { amount: 5 }))).not.toEqual([]);
  });
});
