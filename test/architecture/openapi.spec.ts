import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Content {
  'application/json'?: {
    schema: { example?: unknown };
    example?: unknown;
    examples?: Record<string, { value: unknown }>;
  };
}
interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Content;
}
interface Operation {
  operationId: string;
  summary: string;
  security?: Record<string, string[]>[];
  tags: string[];
  parameters?: { name: string; in: string; description?: string; required: boolean; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}
interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  pattern?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string; variables?: Record<string, { default: string }> }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

/** Whose path says it all. */
const TAKES_NO_BODY = /\/webhook\/\{webhookID\}\/(?:test|end-overlap|delivery\/\{deliveryID\}\/resend)$/;

const text = readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
  })),
);
const named = operations.map((operation) => [operation.name, operation] as const);

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

/** By operation and status. */
const OWN_HEADERS: Record<string, string[]> = {
  'readPublicCheckout 200': ['ETag'],
  'readPublicCheckout 304': ['ETag'],
  'readPaymentLink 200': ['Set-Cookie'],
  'openPaymentLink 200': ['Set-Cookie'],
};

function hasExample(content: Content | undefined): boolean {
  const { schema, example, examples } = content?.['application/json'] ?? { schema: {} };
  return (schema.example ?? example ?? Object.values(examples ?? {})[0]?.value) !== undefined;
}

describe('The committed reference', () => {
  it('is OpenAPI 3 with a title, a version and servers whose variables have defaults', () => {
    expect(document.openapi).toMatch(/^3\.\d+\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.servers.length).toBeGreaterThan(0);
    for (const { url, variables } of document.servers) {
      const wanted = [...url.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable!);
      expect(Object.keys(variables ?? {})).toEqual(wanted);
      for (const variable of wanted) expect(variables![variable]!.default).not.toBe('');
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

describe('The schemas, for generated clients', () => {
  it('are named Body exactly where they are taken, and take no other fields then', () => {
    const taken = reachedFrom(operations.map(({ requestBody }) => requestBody));
    const answered = reachedFrom(operations.map(({ responses }) => responses));

    for (const [name, schema] of schemas) {
      expect([name, taken.has(name)]).toEqual([name, name.endsWith('Body')]);
      expect([name, taken.has(name) && answered.has(name)]).toEqual([name, false]);
      if (schema.type !== 'object' || typeof schema.additionalProperties === 'object') continue;
      expect([name, schema.additionalProperties]).toEqual([name, !taken.has(name)]);
    }
  });

  it('are referred to, not written in place, by bodies and answers', () => {
    const contents = operations.flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {})),
    );

    for (const content of contents) expect(Object.keys(content!.schema)).toEqual(['$ref']);
  });

  it('have no objects without a name, no choices of several and nothing beside a reference', () => {
    for (const [name, { properties = {} }] of schemas) {
      for (const [field, schema] of Object.entries(properties)) {
        for (const part of [schema, schema.items ?? {}]) {
          expect([name, field, part.type]).not.toEqual([name, field, 'object']);
          if (part.$ref !== undefined)
            expect([name, field, Object.keys(part)]).toEqual([name, field, ['$ref']]);
        }
      }
    }
    expect(text).not.toMatch(/"(?:oneOf|anyOf|allOf|not)":/);
  });

  it('say how many bits an integer needs, and have no other numbers', () => {
    for (const schema of everySchema) {
      if (schema.type === 'integer')
        expect(schema).toMatchObject({ format: expect.stringMatching(/^int(?:32|64)$/) });
      expect(schema.type).not.toBe('number');
    }
    expect(document.components.schemas['WalletPayment']?.properties?.['expires_at']).toMatchObject({
      format: 'int64',
    });
  });

  it('close an enumeration only of what is taken, and of what never grows', () => {
    const closed = schemas.flatMap(([name, schema]) =>
      schemasIn(schema).some((one) => one.enum !== undefined) ? [name] : [],
    );

    expect(closed.filter((name) => !name.endsWith('Body'))).toEqual(['ErrorStatus', 'SuccessStatus']);
  });

  it('have only patterns that every language of clients reads', () => {
    const patterns = everySchema.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));

    expect(patterns).not.toEqual([]);
    // Look-around, references back, named groups, classes by property: RE2 has none of them, or spells them otherwise.
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?(?!:)|\\[1-9pPuk]/);
  });

  it('come with parameters and tags that are described', () => {
    for (const { name, parameters = [], tags } of operations) {
      for (const parameter of parameters)
        expect([name, parameter.name, parameter.description]).toEqual([
          name,
          parameter.name,
          expect.any(String),
        ]);
      expect(document.tags.map((tag) => tag.name)).toEqual(expect.arrayContaining(tags));
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

  it('tells the id of each answer, and when to come back to a service that is away or has had enough', () => {
    for (const [status, { headers }] of answers) {
      const mayWait = status === '503' || status === '429';
      const own = OWN_HEADERS[`${operation.operationId} ${status}`] ?? [];
      expect(Object.keys(headers ?? {})).toEqual([
        'X-Request-Id',
        ...(mayWait ? ['Retry-After'] : []),
        ...own,
      ]);
    }
  });

  it('wants both credentials, or says that it wants none', () => {
    const [wanted, ...others] = operation.security ?? document.security;
    const isPublic = /^(?:GET \/health|GET \/\.well-known\/|POST \/v1\/auth\/token|[A-Z]+ \/public\/)/.test(
      operation.name,
    );

    expect(others).toEqual([]);
    expect(Object.keys(wanted ?? {})).toEqual(isPublic ? [] : ['bearer', 'api-key']);
    for (const scheme of Object.keys(wanted ?? {})) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });
});
