import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_BODY_SUFFIX } from './schema-rules.js';

export type ExampleValues = Readonly<Record<string, string>>;

interface Operation {
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Readers can then send the examples unchanged. */
export function fillExamples(document: OpenAPIObject, values: ExampleValues): void {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);
  for (const { parameters = [], requestBody } of operations) {
    for (const parameter of parameters) {
      const value = values[parameter.name];
      if (value !== undefined) parameter.example = value;
    }
    for (const content of Object.values(requestBody?.content ?? {})) replaceExample(content.example, values);
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (!name.endsWith(REQUEST_BODY_SUFFIX) || !('properties' in schema)) continue;
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      if ('example' in property) property.example = exampleWith(property.example, values[field]);
  }
}

function replaceExample(example: unknown, values: ExampleValues): void {
  if (typeof example !== 'object' || example === null) return;
  const fields = example as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' || isListOfTexts(value)) fields[name] = exampleWith(value, values[name]);
    else replaceExample(value, values);
  }
}

function exampleWith(example: unknown, value: string | undefined): unknown {
  if (value === undefined) return example;
  return isListOfTexts(example) ? [value] : value;
}

function isListOfTexts(example: unknown): boolean {
  return Array.isArray(example) && example.length > 0 && example.every((each) => typeof each === 'string');
}

export function parseExampleValues(text: string): ExampleValues {
  const values: unknown = JSON.parse(text);
  const isText = (value: unknown) => typeof value === 'string';
  if (typeof values === 'object' && values !== null && Object.values(values).every(isText))
    return values as ExampleValues;
  throw new Error('it must be a JSON object whose values are strings.');
}
