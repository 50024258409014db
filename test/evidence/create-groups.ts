/** Where a creation's time goes in Node, by what a source is for; the first that fits. */
const GROUPS: readonly (readonly [group: string, sources: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['waiting', /^\(idle\)$/],
  ['signing the token', /shared\/naspip|bufbuild/],
  ['log lines', /pino|sonic-boom|platform\/logging/],
  ['proving the caller', /passport|jose|contexts\/identity|lru-cache|http\/callers/],
  [
    'body and validation',
    /class-validator|class-transformer|platform\/http\/(validation|input)|\.\.\/\.\.\/src\//,
  ],
  ['deriving the address', /@noble|contexts\/networks/],
  ['ids', /uuid|kernel\/ids/],
  [
    'database driver',
    /\/(pg|pg-[a-z]+|postgres-[a-z]+|typeorm)\/|platform\/database|^\.\.\/src\/[a-z-]+\.ts$/,
  ],
  ['Express', /\/(express|router|path-to-regexp|content-type|mime-types|parseurl|encodeurl|on-finished)\//],
  ['Nest', /@nestjs|rxjs|reflect-metadata/],
  ['use case and statement', /contexts\/|shared\/kernel|bare-create/],
  ['headers, ids and envelope', /platform\/http/],
];

/** @returns undefined for what works for its caller, such as Node's own modules */
export function groupOf(source: string): string | undefined {
  return GROUPS.find(([, sources]) => sources.test(source))?.[0];
}
