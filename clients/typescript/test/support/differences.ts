import { isDeepStrictEqual } from 'node:util';

/** @throws Error with the path of the first difference. Objects can have additional fields; lists cannot have additional items. */
export function expectSame(actual: unknown, expected: unknown, at: string): void {
  if (isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const length = (list: object) => (Array.isArray(list) ? list.length : undefined);
    expectTrue(length(actual) === length(expected), `${at}: is ${shown(actual)}, not ${shown(expected)}`);
    for (const [name, value] of Object.entries(expected))
      expectSame((actual as Record<string, unknown>)[name], value, `${at}, ${name}`);
    return;
  }
  expectTrue(isDeepStrictEqual(actual, expected), `${at}: is ${shown(actual)}, not ${shown(expected)}`);
}

export function expectTrue(isSo: boolean, message: string): void {
  if (!isSo) throw new Error(message);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const shown = (value: unknown) => JSON.stringify(value);
