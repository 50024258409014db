import { describe, expect, it } from '@jest/globals';
import {
  document,
  operations,
  type Content,
  type Operation,
  type Schema,
} from '../support/openapi-document.js';

/** The path of these operations says it all. */
const TAKES_NO_BODY =
  /\/webhook\/\{webhookID\}\/(?:test|end-overlap|delivery\/\{deliveryID\}\/resend)$|\/\{refundID\}\/(?:approve|cancel)$|\/\{subscriptionID\}\/revoke$|\/\{paymentRequestID\}\/expire$/;

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
  ...['acceptSubscription', 'approveRefund', 'authorizePayment', 'cancelRefund', 'endWebhookSecretOverlap'],
  ...['exchangeToken', 'expirePaymentRequest', 'openPaymentLink', 'pairDevice', 'payTypedAmount'],
  ...[
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

describe('The OpenAPI document', () => {
  it('names each operation for programs, without the names of classes', () => {
    for (const { operationId } of operations) expect(operationId).toMatch(/^(?!.*Controller)[a-z][A-Za-z]*$/);
  });

  it('starts each list at a page or after a cursor, and returns the next cursor', () => {
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

  it('accepts an idempotency key in every POST that creates something, and nowhere else', () => {
    const posts = operations.filter(({ name }) => name.startsWith('POST '));

    const without = posts.filter((operation) => !isKeyed(operation)).map(({ operationId }) => operationId);
    expect(without.sort()).toEqual(TAKES_NO_KEY);
    expect(operations.filter(isKeyed).every(({ name }) => name.startsWith('POST '))).toBe(true);
  });

  it('links to operations with parameters and values that exist', () => {
    const links = operations.flatMap(({ path, responses }) =>
      Object.values(responses['200']?.links ?? {}).map((link) => ({ path, responses, ...link })),
    );

    expect(links).not.toEqual([]);
    for (const { path, responses, operationId, parameters } of links) {
      const target = operations.find((operation) => operation.operationId === operationId)!;
      const inPath = [...target.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect([operationId, Object.keys(parameters)]).toEqual([operationId, inPath]);
      const { example } = responses['200']!.content!['application/json'] as { example: { data: object } };
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

describe('Every operation', () => {
  it('documents success and every failure with an example', () => {
    for (const { name, responses } of operations) {
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(['200', '500', '503'])]);
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect(status).toMatch(/^(?:[245]\d\d|303|304)$/);
        expect(description).not.toBe('');
        expect([name, status, hasExample(content)]).toEqual([name, status, !status.startsWith('3')]);
      }
    }
  });

  it('has an example of the body exactly if it takes one', () => {
    for (const { name, requestBody } of operations) {
      const takesOne = /^(?:POST|PUT) /.test(name) && !TAKES_NO_BODY.test(name);
      expect([name, requestBody !== undefined && hasExample(requestBody.content)]).toEqual([name, takesOne]);
    }
  });

  it('lists the headers of each answer: request id, limits, retry and read-after', () => {
    for (const operation of operations) {
      const { name, operationId, security, responses } = operation;
      const isUnlimited = /^GET \/(?:health|\.well-known\/naspip-keys)$/.test(name);
      const mayWrite = !name.startsWith('GET ') && security?.length !== 0;
      for (const [status, { headers }] of Object.entries(responses)) {
        const mayWait = status === '503' || status === '429' || (status === '409' && isKeyed(operation));
        const replayed = status === '200' && isKeyed(operation) ? ['Idempotency-Replayed'] : [];
        expect([name, status, Object.keys(headers ?? {})]).toEqual([
          ...[name, status],
          [
            ...['X-Request-Id', ...(isUnlimited ? [] : ['RateLimit-Policy', 'RateLimit'])],
            ...(mayWait ? ['Retry-After'] : []),
            ...(status === '200' && mayWrite ? ['X-Read-After'] : []),
            ...(OWN_HEADERS[`${operationId} ${status}`] ?? replayed),
          ],
        ]);
      }
    }
  });

  it('requires both credentials, or none', () => {
    const isPublic = /^(?:GET \/health|GET \/\.well-known\/|POST \/v1\/auth\/token|[A-Z]+ \/public\/)/;
    for (const { name, security = document.security } of operations) {
      const expected = isPublic.test(name) ? [] : ['bearer', 'api-key'];
      expect([name, security.length <= 1, Object.keys(security[0] ?? {})]).toEqual([name, true, expected]);
    }
    for (const scheme of ['bearer', 'api-key'])
      expect(document.components.securitySchemes).toHaveProperty(scheme);
  });
});
