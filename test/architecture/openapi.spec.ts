import { describe, expect, it } from '@jest/globals';
import {
  document,
  operations,
  text,
  type Content,
  type Operation,
  type Schema,
} from '../support/openapi-document.js';

/** The path of these operations says it all. */
const TAKES_NO_BODY =
  /\/webhook\/\{webhookID\}\/(?:test|end-overlap|delivery\/\{deliveryID\}\/resend)$|\/\{refundID\}\/(?:approve|cancel)$|\/\{subscriptionID\}\/revoke$|\/\{paymentRequestID\}\/expire$/;

const named = operations.map((operation) => [operation.name, operation] as const);

/** The headers are listed by operation and status. */
const OWN_HEADERS: Record<string, string[]> = {
  'readPublicCheckout 200': ['ETag'],
  'readPublicCheckout 304': ['ETag'],
  'payByHeader 200': ['PAYMENT-RESPONSE'],
  'payByHeader 402': ['PAYMENT-REQUIRED'],
  'exportTransactions 200': ['Content-Disposition'],
  'exportJournal 200': ['Content-Disposition'],
  'readPaymentLink 200': ['Set-Cookie'],
  'openPaymentLink 200': ['Set-Cookie'],
};

/** POSTs that create nothing: safe to repeat, so they refuse an idempotency key. */
const TAKES_NO_KEY = [
  ...[
    'acceptSubscription',
    'approveRefund',
    'authorizePayment',
    'cancelRefund',
    'endWebhookSecretOverlap',
    'exchangeToken',
    'expirePaymentRequest',
    'openPaymentLink',
    'pairDevice',
    'payTypedAmount',
    'readNaspipToken',
    'readPairingCode',
    'revokeSubscription',
    'revokeSubscriptionByWallet',
    'selectAsset',
  ],
];

const isKeyed = ({ parameters = [] }: Pick<Operation, 'parameters'>) =>
  parameters.some(({ name, in: place }) => place === 'header' && name === 'Idempotency-Key');

function schemaAt(reference: string): Schema {
  return document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]!;
}

/** A list in parts. The event log, which is one by its own cursors, has no pages. */
const lists = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'page_size'));

function hasExample(content: Content | undefined): boolean {
  const { schema, example, examples } = content?.['application/json'] ??
    content?.['text/csv'] ?? { schema: {} };
  return (schema.example ?? example ?? Object.values(examples ?? {})[0]?.value) !== undefined;
}

describe('The committed reference', () => {
  it('is OpenAPI 3 with a title, a version and servers whose variables have defaults', () => {
    expect(document.openapi).toMatch(/^3\.\d+\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.servers.length).toBeGreaterThan(0);
    for (const { url, variables } of document.servers) {
      const expected = [...url.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable!);
      expect(Object.keys(variables ?? {})).toEqual(expected);
      for (const variable of expected) expect(variables![variable]!.default).not.toBe('');
    }
  });

  it('refers to nothing that is not there', () => {
    for (const [, pointer] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
      const target = pointer!
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([pointer, target]).toEqual([pointer, expect.any(Object)]);
    }
  });

  it('names each operation once, for programs and without the names of classes', () => {
    const ids = operations.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^(?!.*Controller)[a-z][A-Za-z]*$/);
  });
});

describe('Lists', () => {
  it('begin at a page or behind a cursor, and answer the next cursor', () => {
    expect(lists.map(({ operationId }) => operationId)).toHaveLength(14);
    for (const { operationId, parameters = [], responses } of lists) {
      const names = parameters.map(({ name }) => name);
      const { $ref } = responses['200']!.content!['application/json']!.schema as { $ref: string };
      const { data } = schemaAt($ref).properties as Record<string, { $ref: string }>;
      const fields = Object.keys(schemaAt(data!.$ref).properties ?? {});

      expect([operationId, names]).toEqual([operationId, expect.arrayContaining(['page', 'after'])]);
      expect([operationId, fields]).toEqual([operationId, expect.arrayContaining(['total_pages', 'next'])]);
    }
  });
});

describe('Idempotency keys', () => {
  it('are taken by every POST but those that create nothing, and by nothing else', () => {
    const posts = operations.filter(({ name }) => name.startsWith('POST '));

    const without = posts.filter((operation) => !isKeyed(operation)).map(({ operationId }) => operationId);
    expect(without.sort()).toEqual(TAKES_NO_KEY);
    expect(operations.filter(isKeyed).every(({ name }) => name.startsWith('POST '))).toBe(true);
  });
});

describe('Bodies of several variants', () => {
  const variants = ['acceptSubscription', 'revokeSubscriptionByWallet'].map((id) => {
    const { requestBody } = operations.find(({ operationId }) => operationId === id)!;
    const { $ref } = requestBody!.content['application/json']!.schema as { $ref: string };
    return schemaAt($ref).oneOf!.map((variant) => schemaAt(variant.$ref!));
  });

  it('are each of one field, and of no other', () => {
    for (const two of variants) {
      expect(two.map(({ required, additionalProperties }) => [required, additionalProperties])).toEqual([
        [['wallet_external_id'], false],
        [['wallet_id'], false],
      ]);
      for (const { required, properties } of two) expect(Object.keys(properties!)).toEqual(required);
    }
  });
});

describe('The links between operations', () => {
  it('lead to operations, by parameters that these have and values that are there', () => {
    const links = operations.flatMap(({ name, path, responses }) =>
      Object.values(responses['200']?.links ?? {}).map((link) => ({ name, path, responses, ...link })),
    );

    expect(links).not.toEqual([]);
    for (const { name, path, responses, operationId, parameters } of links) {
      const target = operations.find((operation) => operation.operationId === operationId)!;
      const inPath = [...target.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect([name, operationId, Object.keys(parameters)]).toEqual([name, operationId, inPath]);
      const example = (responses['200']!.content!['application/json'] as { example: { data: object } })
        .example;
      for (const expression of Object.values(parameters)) {
        const [, inRequest, inAnswer] = /^\$request\.path\.(\w+)$|^\$response\.body#\/data\/(\w+)$/.exec(
          expression,
        )!;
        if (inRequest !== undefined) expect(path).toContain(`{${inRequest}}`);
        else expect(example.data).toHaveProperty(inAnswer!);
      }
    }
  });
});

describe.each(named)('%s', (_, operation) => {
  const answers = Object.entries(operation.responses);

  it('says what it does and what its path takes', () => {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');

    expect(operation.summary).not.toBe('');
    expect(inPath.map(({ name, required }) => `${name} ${required}`).sort()).toEqual(
      [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name} true`).sort(),
    );
  });

  it('shows a success and every failure', () => {
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining(['200', '500', '503']));
    for (const [status, { description, content }] of answers) {
      expect(status).toMatch(/^(?:[245]\d\d|303|304)$/);
      expect(description).not.toBe('');
      expect([status, hasExample(content)]).toEqual([status, !status.startsWith('3')]);
    }
  });

  it('shows a whole body where it takes one', () => {
    const { requestBody } = operation;

    expect(requestBody === undefined || hasExample(requestBody.content)).toBe(true);
    const takesOne = /^(?:POST|PUT) /.test(operation.name) && !TAKES_NO_BODY.test(operation.name);
    expect(requestBody !== undefined).toBe(takesOne);
  });

  it('states the id of each answer, what is left of its limits, and when to come back to a service that is away or has had enough', () => {
    const isUnlimited = /^GET \/(?:health|\.well-known\/naspip-keys)$/.test(operation.name);
    const mayWrite = !operation.name.startsWith('GET ') && operation.security?.length !== 0;
    const ofLimits = isUnlimited ? [] : ['RateLimit-Policy', 'RateLimit'];
    for (const [status, { headers }] of answers) {
      const mayWait = status === '503' || status === '429' || (status === '409' && isKeyed(operation));
      const replayed = status === '200' && isKeyed(operation) ? ['Idempotency-Replayed'] : [];
      const own = OWN_HEADERS[`${operation.operationId} ${status}`] ?? replayed;
      expect(Object.keys(headers ?? {})).toEqual([
        ...['X-Request-Id', ...ofLimits],
        ...(mayWait ? ['Retry-After'] : []),
        ...(status === '200' && mayWrite ? ['X-Read-After'] : []),
        ...own,
      ]);
    }
  });

  it('requires both credentials, or states that it requires none', () => {
    const [expected, ...others] = operation.security ?? document.security;
    const isPublic = /^(?:GET \/health|GET \/\.well-known\/|POST \/v1\/auth\/token|[A-Z]+ \/public\/)/.test(
      operation.name,
    );

    expect(others).toEqual([]);
    expect(Object.keys(expected ?? {})).toEqual(isPublic ? [] : ['bearer', 'api-key']);
    for (const scheme of Object.keys(expected ?? {})) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });
});
