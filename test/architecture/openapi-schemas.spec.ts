import { describe, expect, it } from '@jest/globals';
import { EVENT_BODIES } from './event-bodies.js';
import { document, operations, text, type Schema } from '../support/openapi-document.js';

const schemas = Object.entries(document.components.schemas);
/** All schemas, also those inside others and those of parameters. */
const everySchema = schemasIn([
  document.components.schemas,
  operations.map(({ parameters }) => parameters?.map(({ schema }) => schema)),
]);

function schemasIn(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([key, part]) => (key === 'example' ? [] : schemasIn(part)));
  return Array.isArray(value) ? parts : [value as Schema, ...parts];
}

/** Names of the components that these places refer to, through others too. */
function reachedFrom(places: unknown): Set<string> {
  const reached = new Set<string>();
  const follow = (place: unknown) => {
    for (const [, name] of JSON.stringify(place ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (reached.has(name!)) continue;
      reached.add(name!);
      follow(document.components.schemas[name!]);
    }
  };
  follow(places);
  return reached;
}

describe('A schema for generated clients', () => {
  it('has a name with Body exactly if it is of a request, and only then rejects other fields', () => {
    const taken = reachedFrom(operations.map(({ requestBody }) => requestBody));
    const answered = reachedFrom(operations.map(({ responses }) => responses));

    for (const [name, schema] of schemas) {
      expect([name, taken.has(name)]).toEqual([name, name.endsWith('Body')]);
      expect([name, taken.has(name) && answered.has(name)]).toEqual([name, false]);
      if (schema.type !== 'object' || typeof schema.additionalProperties === 'object') continue;
      expect([name, schema.additionalProperties]).toEqual([name, !taken.has(name)]);
    }
  });

  it('is used by an operation or an event', () => {
    const events = EVENT_BODIES.map(({ schema }) => ({ $ref: `#/components/schemas/${schema}` }));
    const used = reachedFrom([document.paths, events]);

    expect(schemas.map(([name]) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  it('is referred to by its name in every body and answer', () => {
    const contents = operations.flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {})),
    );

    for (const content of contents) expect(Object.keys(content!.schema)).toEqual(['$ref']);
  });

  it('contains no unnamed object and no choice but one, and nothing beside a reference', () => {
    for (const [name, { properties = {} }] of schemas) {
      for (const [field, schema] of Object.entries(properties)) {
        for (const part of [schema, schema.items ?? {}]) {
          expect([name, field, part.type]).not.toEqual([name, field, 'object']);
          if (part.$ref !== undefined)
            expect([name, field, Object.keys(part)]).toEqual([name, field, ['$ref']]);
        }
      }
    }
    expect(text.match(/"(?:oneOf|anyOf|allOf|not)":/g)).toEqual(['"oneOf":']);
    expect(schemas.filter(([, schema]) => 'oneOf' in schema).map(([name]) => name)).toEqual([
      'NamedWalletBody',
    ]);
  });

  it('has the size of every integer, and no other numbers', () => {
    for (const schema of everySchema) {
      if (schema.type === 'integer')
        expect(schema).toMatchObject({ format: expect.stringMatching(/^int(?:32|64)$/) });
      expect(schema.type).not.toBe('number');
    }
  });

  it('closes an enumeration only in requests, or if it never grows', () => {
    const closed = schemas.flatMap(([name, schema]) =>
      schemasIn(schema).some((one) => one.enum !== undefined) ? [name] : [],
    );

    expect(closed.filter((name) => !name.endsWith('Body'))).toEqual([
      ...['AdjustmentNotificationType', 'DepositNotificationType', 'ErrorStatus'],
      'IncomingTransferNotificationType',
      ...['PaymentRequestNotificationType', 'RefundNotificationType', 'SettlementNotificationType'],
      ...['SubscriptionNotificationType', 'SuccessStatus'],
    ]);
  });

  it('has only patterns that all client languages support', () => {
    const patterns = everySchema.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));

    expect(patterns).not.toEqual([]);
    // Look-around, references back, named groups, classes by property: RE2 has none of them, or spells them otherwise.
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?(?!:)|\\[1-9pPuk]/);
  });
});

describe('The schema of events', () => {
  it.each(EVENT_BODIES)(
    'contains all fields, and requires those that are always sent: $schema',
    ({ schema, full, least }) => {
      const { properties } = document.components.schemas[schema]!;
      const data = document.components.schemas[properties!['data']!.$ref!.split('/').at(-1)!]!;
      const fieldsOf = (body: string) => Object.keys((JSON.parse(body) as { data: object }).data).sort();

      expect(Object.keys(data.properties!).sort()).toEqual(fieldsOf(full));
      expect([...data.required!].sort()).toEqual(fieldsOf(least));
    },
  );

  it('is sent by a callback with the headers of a delivery', () => {
    const { callbacks } = operations.find(({ operationId }) => operationId === 'registerWebhook')!;
    const { post } = callbacks!['paymentRequest']!['{$request.body#/url}']!;

    expect(post.requestBody!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/PaymentRequestNotification',
    });
    expect(post.parameters!.map(({ name }) => name)).toEqual([
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ...['X-Request-Timestamp', 'X-Request-Signature'],
    ]);
  });
});
