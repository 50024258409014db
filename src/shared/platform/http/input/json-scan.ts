import { invalidField, unknownField } from '#shared/kernel/domain-error.js';
import { fieldPath, isReservedName } from '../validation/validation.js';

const MAX_JSON_DEPTH = 20;
const UNSTORABLE = /[\0\p{Surrogate}]/u;

interface JsonLevel {
  names: Set<string> | null;
  at: string | number;
  /** True if the next string is a field name. */
  naming: boolean;
}

/** Rejects JSON that JSON.parse accepts: duplicate and reserved names, NUL, lone surrogates, deep nesting. */
export function rejectAmbiguousJson(text: string): void {
  const levels: JsonLevel[] = [];
  for (let i = 0; i < text.length; i++) {
    const top = levels.at(-1);
    switch (text[i]) {
      case '{':
      case '[':
        if (levels.length === MAX_JSON_DEPTH) {
          throw invalidField(
            pathOf(levels) || 'body',
            'depth',
            `must not be nested more than ${MAX_JSON_DEPTH} levels deep.`,
          );
        }
        levels.push(
          text[i] === '{'
            ? { names: new Set(), at: '', naming: true }
            : { names: null, at: 0, naming: false },
        );
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (typeof top?.at === 'number') top.at += 1;
        else if (top !== undefined) top.naming = true;
        break;
      case '"': {
        const end = endOfString(text, i);
        const string = decode(text, i, end);
        if (top?.naming) addFieldName(levels, top, string);
        else refuseUnstorable(levels, string);
        i = end;
        break;
      }
    }
  }
}

function addFieldName(levels: JsonLevel[], top: JsonLevel, name: string): void {
  top.at = name;
  top.naming = false;
  refuseUnstorable(levels, name);
  // Built only for the error, because building each path would be slow.
  if (isReservedName(name)) {
    throw unknownField(pathOf(levels), 'is not a field of this request. Remove it.');
  }
  if (top.names?.has(name)) throw invalidField(pathOf(levels), 'duplicate_key', 'must be sent only once.');
  top.names?.add(name);
}

/** Rejects characters that cannot be stored: PostgreSQL rejects NUL, and UTF-8 cannot encode lone surrogates. */
function refuseUnstorable(levels: JsonLevel[], string: string): void {
  if (!UNSTORABLE.test(string)) return;
  throw invalidField(
    pathOf(levels) || 'body',
    'characters',
    'must not contain NUL characters or unpaired surrogates.',
  );
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}

function decode(text: string, start: number, end: number): string {
  const raw = text.slice(start, end + 1);
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

function pathOf(levels: JsonLevel[]): string {
  return fieldPath(levels.map((level) => level.at));
}
