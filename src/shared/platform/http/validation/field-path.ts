const LONGEST_NAME = 64;

/** Where a field is, as the caller would write it: `order.items[0].amount`; odd names are quoted, long ones cut. */
export function fieldPath(segments: readonly (string | number)[]): string {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (/^[\w$-]{1,64}$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${JSON.stringify(cut(segment))}]`;
  }
  return path;
}

/** Names that every JavaScript object answers to: as input they can only be an attack or a mistake. */
export function isReservedName(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
