import type { Field, Operation } from './hostile-api.js';
import { encoded, encode, targetOf, type Example } from './hostile-examples.js';
import type { Sent } from './hostile-http.js';
import { HOSTILE_NAMES, HOSTILE_VALUES, type HostileValue } from './hostile-values.js';

export interface Probe {
  operation: Operation;
  field: Field;
  value: string;
  sent: Sent;
}

export type Proofs = Record<string, string>;

const PLACEHOLDER = '"\u2603"';
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Every hostile value, and those given, in every field of the operation, with everything else valid.
 * @param example another one each time, for what succeeds only once
 */
export function valueProbes(
  operation: Operation,
  example: () => Example,
  proofs: Proofs,
  others: readonly HostileValue[],
): Probe[] {
  return operation.fields.flatMap((field) =>
    [...HOSTILE_VALUES, ...others]
      .filter((value) => isFor(field, value))
      .map((value) => ({
        operation,
        field,
        value: value.name,
        sent: withValue(operation, example(), proofs, field, value),
      })),
  );
}

/** Every hostile name beside the query keys and beside the fields of every object in the body. */
export function nameProbes(operation: Operation, example: Example, proofs: Proofs): Probe[] {
  const query = HOSTILE_NAMES.filter((name) => name.length < 5_000).map((name): Probe => {
    const key = /\p{Surrogate}/u.test(name) ? '%ED%A0%80' : encode(name);
    const target = validTarget(operation, example);
    const sent = {
      ...valid(operation, example, proofs),
      target: `${target}${target.includes('?') ? '&' : '?'}${key}=1`,
    };
    return { operation, field: unnamed('query', []), value: `query key ${JSON.stringify(name)}`, sent };
  });
  const parents = operation.fields.filter(
    ({ path, isContainer }) => isContainer && !Array.isArray(at(example, path)),
  );
  const objects = operation.hasBody ? [[], ...parents.map(({ path }) => path)] : [];
  const body = objects.flatMap((parent) =>
    HOSTILE_NAMES.map((name): Probe => {
      const json = bodyWith(example, [...parent, '\u2603'], '1').replace(
        `${PLACEHOLDER}:`,
        () => `${JSON.stringify(name)}:`,
      );
      const sent = { ...valid(operation, example, proofs), body: json };
      return {
        operation,
        field: unnamed('body', parent),
        value: `field ${JSON.stringify(name).slice(0, 40)}`,
        sent,
      };
    }),
  );
  return [...query, ...body, ...twice(operation, example, proofs)];
}

function twice(operation: Operation, example: Example, proofs: Proofs): Probe[] {
  const once = valid(operation, example, proofs);
  return operation.fields.flatMap((field): Probe[] => {
    const value = 'the same again';
    if (field.place === 'query') {
      const pair = `${field.name}=${encode(example.query![field.name]!)}`;
      return [{ operation, field, value, sent: { ...once, target: `${once.target}&${pair}` } }];
    }
    if (field.place !== 'body' || typeof field.path.at(-1) === 'number') return [];
    const name = JSON.stringify(field.path.at(-1));
    const json = JSON.stringify(at(example, field.path));
    const body = bodyWith(example, field.path, PLACEHOLDER).replace(
      `${name}:${PLACEHOLDER}`,
      `${name}:${json},${name}:${json}`,
    );
    return [{ operation, field, value, sent: { ...once, body } }];
  });
}

export function valid(operation: Operation, example: Example, proofs: Proofs): Sent {
  return {
    method: operation.method,
    target: validTarget(operation, example),
    headers: {
      ...(operation.isPublic ? {} : proofs),
      ...(operation.hasBody ? JSON_TYPE : {}),
      ...example.headers,
    },
    ...(operation.hasBody ? { body: JSON.stringify(example.body) } : {}),
  };
}

function validTarget(operation: Operation, { path, query }: Example): string {
  return targetOf(operation, encoded(path), encoded(query));
}

export function isFor({ place, format }: Field, { json, text, format: needed }: HostileValue): boolean {
  if (needed !== undefined && needed !== format) return false;
  if (place === 'body') return json !== undefined;
  // Control characters cannot be sent in a header at all.
  return text !== undefined && (place !== 'header' || !/[\p{Cc}\p{Surrogate}]/u.test(text));
}

export function withValue(
  operation: Operation,
  example: Example,
  proofs: Proofs,
  field: Field,
  value: HostileValue,
): Sent {
  const request = valid(operation, example, proofs);
  const { place, name, path } = field;
  if (place === 'body') return { ...request, body: bodyWith(example, path, value.json!) };
  if (place === 'header') {
    const bytes = Buffer.from(value.text!, 'utf8').toString('latin1');
    const text = name === 'authorization' ? `Bearer ${bytes}` : bytes;
    return { ...request, headers: { ...request.headers, [name]: text } };
  }
  // Dots must not become another path on the way.
  const text = value.encoded ?? encode(value.text!);
  const pathParameters = { ...encoded(example.path), ...(place === 'path' ? { [name]: text } : {}) };
  const query = { ...encoded(example.query), ...(place === 'query' ? { [name]: text } : {}) };
  return { ...request, target: targetOf(operation, pathParameters, query) };
}

function bodyWith({ body }: Example, path: readonly (string | number)[], json: string): string {
  const copy = structuredClone(body!);
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as never)[part], copy);
  (parent as Record<string | number, unknown>)[path.at(-1)!] = '\u2603';
  return JSON.stringify(copy)
    .replace(`:${PLACEHOLDER}`, () => `:${json}`)
    .replace(`[${PLACEHOLDER}`, () => `[${json}`);
}

function at({ body }: Example, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => (value as never)[part], body);
}

function unnamed(place: 'query' | 'body', path: Field['path']): Field {
  return { place, name: '', path, isContainer: false, isOptional: false };
}
