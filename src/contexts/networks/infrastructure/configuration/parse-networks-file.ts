import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { InvalidNetworksConfiguration } from './configuration-reader.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

/** Matches a JSON token after white space (RFC 8259): a structural character, a string, or another scalar. */
const JSON_TOKEN =
  /[ \t\n\r]*(?:(?<mark>[{}[\],:])|(?<string>"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;
const SPACE = /[ \t\n\r]*/y;

const TOKENS_OF_A_VALUE = '{[sv';
const TOKENS_OF_A_NAME = 's';

/**
 * @throws InvalidNetworksConfiguration that does not quote the text
 */
export function parseNetworksFile(text: string): NetworkConfiguration[] {
  return parseNetworksConfiguration(parseJson(text));
}

/** Replaces the error of `JSON.parse`, which quotes text around the mistake and could expose an access key. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.slice(0, validJsonPrefixLength(text)).split('\n');
    const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    throw new InvalidNetworksConfiguration(place, 'is not valid JSON');
  }
}

/** Returns the length of the longest prefix of invalid JSON that could begin valid JSON. */
export function validJsonPrefixLength(text: string): number {
  const closers: string[] = [];
  let expected = TOKENS_OF_A_VALUE;
  let end = 0;
  for (;;) {
    JSON_TOKEN.lastIndex = end;
    const token = JSON_TOKEN.exec(text);
    const kind = token === null ? '' : (token.groups!['mark'] ?? (token.groups!['string'] ? 's' : 'v'));
    if (kind === '' || !expected.includes(kind)) return afterSpace(text, end);
    end = JSON_TOKEN.lastIndex;
    if (kind === '{' || kind === '[') closers.push(kind === '{' ? '}' : ']');
    if (kind === '{') expected = `${TOKENS_OF_A_NAME}}`;
    else if (kind === '[') expected = `${TOKENS_OF_A_VALUE}]`;
    else if (kind === ':') expected = TOKENS_OF_A_VALUE;
    else if (kind === ',') expected = closers.at(-1) === '}' ? TOKENS_OF_A_NAME : TOKENS_OF_A_VALUE;
    else if (kind === 's' && (expected === TOKENS_OF_A_NAME || expected === `${TOKENS_OF_A_NAME}}`))
      expected = ':';
    else {
      if (kind === '}' || kind === ']') closers.pop();
      expected = closers.length === 0 ? '' : `,${closers.at(-1)}`;
    }
  }
}

function afterSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  return from + SPACE.exec(text)![0].length;
}
